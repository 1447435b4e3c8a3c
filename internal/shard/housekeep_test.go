package shard

import (
	"fmt"
	"slices"
	"strconv"
	"testing"
	"time"

	"sherd/internal/clock"
	"sherd/internal/invariants"
)

const startMs = 1_700_000_000_000

func newKeyspace(t testing.TB, loops int) (*Keyspace, *clock.Clock) {
	t.Helper()
	c := clock.NewManual(time.UnixMilli(startMs))
	k, err := New(Options{Loops: loops, Databases: 16, Seed: 99, Clock: c})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = k.Close() })
	return k, c
}

func (k *Keyspace) put(t testing.TB, db int, key, value []byte, deadlineMs int64) {
	t.Helper()
	k.Open(db)
	hash, s := k.Locate(key)
	before := s.Heap.Used()
	if !k.Table(db, s).Set(&s.Heap, hash, key, value, deadlineMs) {
		t.Fatal("no memory")
	}
	k.Used.Add(s.Heap.Used() - before)
}

func (k *Keyspace) remove(db int, key []byte) bool {
	hash, s := k.Locate(key)
	table := k.Table(db, s)
	e, ok := table.Find(&s.Heap, hash, key)
	if ok {
		before := s.Heap.Used()
		table.Delete(&s.Heap, e)
		k.Used.Add(s.Heap.Used() - before)
	}
	return ok
}

// count returns keys, keys with a deadline, and what the heaps handed out.
func (k *Keyspace) count() (keys, volatile int, used, resident int64) {
	for i := range k.Slices() {
		s := k.Slice(i)
		for db := range k.Databases {
			keys += k.Table(db, s).Len()
			volatile += k.Table(db, s).Volatile()
		}
		used += s.Heap.Used()
		resident += s.Heap.Held() + s.Heap.Idle()
	}
	return keys, volatile, used, resident
}

// settle steps all keepers until none has work left, and returns how long each
// step took.
func settle(t testing.TB, k *Keyspace, keepers []*Keeper, limit time.Duration) (steps []time.Duration) {
	t.Helper()
	began := time.Now()
	for idle := 0; idle < len(keepers); {
		idle = 0
		for _, p := range keepers {
			from := time.Now()
			sleep := p.Step(k.Clock.Now(), 1)
			steps = append(steps, time.Since(from))
			if sleep > 10*time.Millisecond {
				idle++
			}
		}
		if time.Since(began) > limit {
			t.Fatalf("not settled after %v", limit)
		}
	}
	return steps
}

// rouse makes the next round begin at once.
func (p *Keeper) rouse() { p.earliest, p.latest = 0, 0 }

func keepers(k *Keyspace) (ps []*Keeper) {
	for i := range k.Loops {
		ps = append(ps, k.NewKeeper(i))
	}
	return ps
}

func percentile(d []time.Duration, p float64) time.Duration {
	slices.Sort(d)
	return d[min(int(p*float64(len(d))), len(d)-1)]
}

// TestSweepGetsAll lets many keys expire in the same second, some never and some
// later, in several databases.
func TestSweepGetsAll(t *testing.T) {
	n := 100_000
	if testing.Short() || invariants.Enabled {
		n = 50_000
	}
	k, c := newKeyspace(t, 2)
	ps := keepers(k)
	var key []byte
	for i := range n {
		key = strconv.AppendInt(append(key[:0], "key:"...), int64(i), 10)
		db := 0
		if i%10 == 9 {
			db = 5
		}
		switch {
		case i%100 == 7:
			k.put(t, db, key, []byte("for ever, 32 bytes of value....."), 0)
		case i%100 == 8:
			k.put(t, db, key, []byte("later"), startMs+3_600_000)
		default:
			k.put(t, db, key, []byte("a value"), startMs+1000+int64(i%1000))
		}
	}
	settle(t, k, ps, time.Minute)
	if keys, _, _, _ := k.count(); keys != n {
		t.Fatalf("%d keys of %d before the deadline", keys, n)
	}
	c.Advance(2 * time.Second)
	began := time.Now()
	steps := settle(t, k, ps, time.Minute)
	took := time.Since(began)
	keys, volatile, used, _ := k.count()
	if keys != n/50 || volatile != n/100 {
		t.Errorf("%d keys, %d with a deadline are left, want %d and %d", keys, volatile, n/50, n/100)
	}
	if u := k.Used.Load(); u != used {
		t.Errorf("the keyspace counts %d bytes, its heaps %d", u, used)
	}
	expired := ps[0].Counts.Expired + ps[1].Counts.Expired
	t.Logf("%d keys expired in %v, %d steps: p50 %v p99 %v max %v", expired, took, len(steps),
		percentile(steps, 0.5), percentile(steps, 0.99), percentile(steps, 1))
	if expired != int64(n-n/50) {
		t.Errorf("%d counted as expired, want %d", expired, n-n/50)
	}
	// The keepers know when they are needed again: for the keys of the next
	// hour, and within a second for what others may have added.
	for _, p := range ps {
		if sleep := p.Step(c.Now(), 1); sleep <= 0 || sleep > roundMost {
			t.Errorf("sleeps %v", sleep)
		}
	}
}

func TestSleepsUntilDeadline(t *testing.T) {
	k, c := newKeyspace(t, 1)
	p := k.NewKeeper(0)
	k.put(t, 0, []byte("k"), []byte("v"), startMs+300)
	settle(t, k, []*Keeper{p}, time.Second)
	if sleep := p.Step(c.Now(), 1); sleep > 300*time.Millisecond || sleep < 200*time.Millisecond {
		t.Errorf("sleeps %v with a key due in 300 ms", sleep)
	}
	c.Advance(300 * time.Millisecond)
	p.rouse()
	settle(t, k, []*Keeper{p}, time.Minute)
	if keys, _, _, _ := k.count(); keys != 0 {
		t.Error("the key is still there")
	}
}

func TestEmptyFreesAll(t *testing.T) {
	k, _ := newKeyspace(t, 2)
	ps := keepers(k)
	const n = 12_000
	fill := func() {
		for i := range n {
			k.put(t, i%3, []byte(fmt.Sprint("key:", i)), []byte("a value of some length"), 0)
		}
		k.put(t, 1, []byte("big"), make([]byte, 3<<20), 0)
	}
	each := func(f func(s *Slice) int) (keys int) {
		for i := range k.Slices() {
			s := k.Slice(i)
			before := s.Heap.Used()
			keys += f(s)
			k.Used.Add(s.Heap.Used() - before)
		}
		return keys
	}
	check := func(want int) {
		t.Helper()
		for _, p := range ps {
			p.rouse()
		}
		settle(t, k, ps, time.Minute)
		keys, _, used, _ := k.count()
		if keys != want || k.Used.Load() != used {
			t.Fatalf("%d keys, want %d; %d bytes counted, %d used", keys, want, k.Used.Load(), used)
		}
		if want == 0 && (used != 0 || k.Arena.Stats().Held != 0) {
			t.Fatalf("%d bytes used, %d held of an empty keyspace", used, k.Arena.Stats().Held)
		}
	}
	for range 3 {
		fill()
		if got := each(func(s *Slice) int { return k.Empty(1, s) }); got != (n+1)/3+1 {
			t.Fatalf("emptied %d keys", got)
		}
		check(n - (n+1)/3)
		each(func(s *Slice) int { return k.Empty(0, s) })
		each(func(s *Slice) int { return k.Empty(2, s) })
		check(0)
		fill()
		each(func(s *Slice) int { return k.Empty(1, s) }) // graves of both kinds
		if got := each(k.EmptyAll); got != n-(n+1)/3 {
			t.Fatalf("emptied %d keys", got)
		}
		check(0)
	}
}

// TestHeldSliceIsPassedOver: a slice whose latch is not free holds nobody up.
func TestHeldSliceIsPassedOver(t *testing.T) {
	k, c := newKeyspace(t, 1)
	p := k.NewKeeper(0)
	for i := range 2000 {
		k.put(t, 0, []byte(fmt.Sprint("key:", i)), []byte("v"), startMs+10)
	}
	c.Advance(time.Second)
	held := k.Slice(40)
	in := k.Table(0, held).Len()
	held.Try()
	for range 20_000 {
		p.Step(c.Now(), 10)
	}
	if keys, _, _, _ := k.count(); keys != in {
		t.Errorf("%d keys left while a slice with %d is held", keys, in)
	}
	held.Release()
	p.rouse()
	settle(t, k, []*Keeper{p}, time.Minute)
	if keys, _, _, _ := k.count(); keys != 0 {
		t.Errorf("%d keys left", keys)
	}
}

// TestMemoryReturns deletes a random nine tenths of the keys: what the heaps keep
// has to follow, but for the last chunk of each.
func TestMemoryReturns(t *testing.T) {
	n := 150_000
	if testing.Short() {
		n = 100_000
	}
	k, _ := newKeyspace(t, 1)
	ps := keepers(k)
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() { k.Scavenge(stop); close(stopped) }()
	stays := func(i int) bool { return uint32(i)*2654435761>>16%10 == 0 }
	for i := range n {
		k.put(t, 0, fmt.Appendf(nil, "memtier-%d", i), []byte("a value that has thirty-two byte"), 0)
	}
	_, _, full, _ := k.count()
	for i := range n {
		if !stays(i) {
			k.remove(0, fmt.Appendf(nil, "memtier-%d", i))
		}
	}
	_, _, _, sparse := k.count()
	for range 3 { // one sees the slices stand still, one packs
		ps[0].rouse()
		settle(t, k, ps, time.Minute)
	}
	for wait := time.Now(); k.excess() > 0; time.Sleep(time.Millisecond) {
		if time.Since(wait) > 10*time.Second {
			t.Errorf("%d bytes of free chunks are not given back", k.excess())
			break
		}
	}
	close(stop)
	<-stopped
	keys, _, used, resident := k.count()
	t.Logf("%d keys in %d MB; %d left in %d KB, for which the heaps keep %d KB, %d before they were packed; %d blocks moved",
		n, full>>20, keys, used>>10, resident>>10, sparse>>10, ps[0].Counts.Moved)
	if most := used + used/8 + int64(k.Slices())*12<<10; resident > most {
		t.Errorf("the heaps keep %d bytes for %d used, want at most %d", resident, used, most)
	}
	if k.Used.Load() != used {
		t.Errorf("%d bytes counted, %d used", k.Used.Load(), used)
	}
	moved := ps[0].Counts.Moved
	ps[0].packs = make([]packing, len(ps[0].packs))
	ps[0].rouse()
	settle(t, k, ps, time.Minute)
	if again := ps[0].Counts.Moved - moved; again > moved/20 {
		t.Errorf("packing again moved %d blocks", again)
	}
	for i := range n {
		if stays(i) && !k.remove(0, fmt.Appendf(nil, "memtier-%d", i)) {
			t.Fatalf("memtier-%d was lost", i)
		}
	}
}

// TestMemoryReturnsOfSlowLosses deletes nine tenths of the keys little by little:
// slices that are packed on the way must not keep what they waste afterwards.
func TestMemoryReturnsOfSlowLosses(t *testing.T) {
	const n = 250_000
	k, _ := newKeyspace(t, 1)
	p := k.NewKeeper(0)
	key := func(i int) []byte { return fmt.Appendf(nil, "memtier-%d", i) }
	for i := range n {
		k.put(t, 0, key(i), []byte("a value that has thirty-two byte"), 0)
	}
	for i := range n {
		if i%10 != 0 {
			k.remove(0, key(i))
		}
		if i%100 == 0 {
			p.Step(k.Clock.Now(), 1)
		}
	}
	_, _, _, sparse := k.count()
	for began := time.Now(); time.Since(began) < 4*restAfter; {
		time.Sleep(min(p.Step(k.Clock.Now(), 1), 10*time.Millisecond))
	}
	_, _, used, resident := k.count()
	t.Logf("%d KB are left, for which the heaps keep %d KB, %d at first; %d slices packed", used>>10, resident>>10, sparse>>10, p.Counts.Packed)
	if most := used + used/8 + int64(k.Slices())*6<<10; resident > most {
		t.Errorf("the heaps keep %d bytes for %d used, want at most %d", resident, used, most)
	}
	packed := p.Counts.Packed
	for began := time.Now(); time.Since(began) < 2*restAfter; {
		time.Sleep(min(p.Step(k.Clock.Now(), 1), 10*time.Millisecond))
	}
	if p.Counts.Packed != packed {
		t.Errorf("%d slices at rest were packed again", p.Counts.Packed-packed)
	}
}

func BenchmarkIdleRound(b *testing.B) {
	k, c := newKeyspace(b, 1)
	for i := range 100_000 {
		k.put(b, 0, []byte(fmt.Sprint("key:", i)), []byte("v"), 0)
	}
	p := k.NewKeeper(0)
	settle(b, k, []*Keeper{p}, time.Minute)
	for b.Loop() {
		p.rouse()
		for p.Step(c.Now(), 10) == 0 {
		}
	}
}
