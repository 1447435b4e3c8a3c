package dash

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"unsafe"

	"sherd/internal/heap"
)

func TestStructSizes(t *testing.T) {
	if n := unsafe.Sizeof(Table{}); n > 96 {
		t.Errorf("a Table takes %d bytes", n)
	}
	if n := unsafe.Sizeof(Entry{}); n > 24 {
		t.Errorf("an Entry takes %d bytes", n)
	}
}

// TestOverhead fills tables to the sizes that 512 of them have with so many keys in
// all, sizes that do not flatter doubling among them.
func TestOverhead(t *testing.T) {
	const n = 16 // of the 512 tables; more of them say the same
	f := newFleet(t, n)
	var from uint64
	sum, count := 0.0, 0.0
	for _, thousands := range []uint64{350, 700, 1000, 1500, 2000, 2250, 2500, 2750, 3000, 3500, 4000, 4500, 5000, 5500, 6000, 6500, 7000, 7500, 8000} {
		to := thousands * 1000 * n / tables
		f.fill(t, from, to)
		from = to
		perKey, keys := f.overhead()
		if keys != int(to) {
			t.Fatalf("%d keys, want %d", keys, to)
		}
		t.Logf("%5.2fM keys: %.2f bytes per key", float64(thousands)/1000, perKey)
		if perKey > 11.7 {
			t.Errorf("%.2fM keys: %.2f bytes per key", float64(thousands)/1000, perKey)
		}
		if thousands >= 2000 {
			sum, count = sum+perKey, count+1
		}
		if raceEnabled || testing.Short() && thousands == 2000 {
			return
		}
	}
	t.Logf("mean of 2M to 8M: %.2f", sum/count)
}

// TestTiny checks what a table costs before and with its first keys.
func TestTiny(t *testing.T) {
	m := newModel(t, t.Fatalf)
	for i, most := range []int64{0, 128, 128, 128} {
		if got := m.t.TableBytes(); got > most {
			t.Errorf("%d keys: %d bytes", i, got)
		}
		m.set(fmt.Sprint(i), []byte("x"), 0)
	}
	for i := range 4 {
		m.del(fmt.Sprint(i))
	}
	if used := m.h.Used(); used != 0 {
		t.Errorf("%d bytes are left", used)
	}
}

// TestEntrySizes checks what the memory figures rest on.
func TestEntrySizes(t *testing.T) {
	m := newModel(t, t.Fatalf)
	for _, c := range []struct {
		key, value int
		ms         int64
		want       int
	}{
		{15, 32, 0, 48},
		{12, 32, 9, 56},
		{0, 0, 0, 8},
		{0, 0, 9, 8},
		{63, 127, 0, 192},
		{64, 10, 0, 88},
		{10, 128, 0, 152},
		{10, MaxInline, 0, heap.ClassSize(12 + 10 + MaxInline)},
		{10, MaxInline + 1, 0, 32 + heap.ClassSize(MaxInline+1)},
	} {
		key := fmt.Sprintf("%0*d", c.key, 0)[:c.key]
		m.set(key, make([]byte, c.value), c.ms)
		e, _ := m.find(key)
		if got := e.SizeBytes(); got != c.want {
			t.Errorf("key of %d, value of %d, deadline %d: %d bytes, want %d", c.key, c.value, c.ms, got, c.want)
		}
		m.check()
		m.del(key)
	}
}

// TestAppend checks that appending is amortised: bytes copied are a small multiple
// of the length reached.
func TestAppend(t *testing.T) {
	m := newModel(t, t.Fatalf)
	key := []byte("log")
	m.set("log", []byte("x"), 0)
	moves, last := 0, heap.Ref(0)
	for n := 100; n < 3<<20; n += 100 {
		e, _ := m.t.Find(m.h, m.of("log"), key)
		e, _, ok := m.t.Resize(m.h, e, m.of("log"), n)
		if !ok {
			t.Fatal("out of memory")
		}
		p, f := e.flags()
		if f&hasExtern != 0 {
			if r := externRef(load64(p, externOff(f))); r != last {
				moves, last = moves+1, r
			}
		}
	}
	if moves > 40 {
		t.Errorf("the value moved %d times", moves)
	}
}

// TestShrinkAfterDeleting deletes a random nine tenths and expects the memory of
// the table and of the heap to follow.
func TestShrinkAfterDeleting(t *testing.T) {
	keys := 150000
	if testing.Short() || raceEnabled {
		keys = 15000
	}
	f := newFleet(t, 1)
	f.fill(t, 0, uint64(keys))
	tab, h := &f.tables[0], &f.heaps[0]
	full := h.Held()
	r := rand.New(rand.NewPCG(5, 6))
	var kb [24]byte
	for i := range keys {
		if r.IntN(10) == 0 {
			continue
		}
		key := benchKey(&kb, uint64(i))
		e, ok := tab.Find(h, HashKey(0, key), key)
		if !ok {
			t.Fatal("lost")
		}
		tab.Delete(h, e)
	}
	moved := 0
	for pass := 0; pass < 8; pass++ {
		planned := h.PlanEvacuation(5, false)
		for cursor := uint64(0); ; {
			next, n := tab.Shrink(h, cursor)
			moved += n
			if cursor = next; cursor == 0 {
				break
			}
		}
		h.FinishEvacuation()
		if !planned {
			break
		}
	}
	h.Trim()
	entries, err := tab.Check(h)
	if err != nil {
		t.Fatal(err)
	}
	perKey := float64(tab.TableBytes()) / float64(tab.Len())
	t.Logf("%d keys left of %d: table %.2f bytes per key, used %d, held %d (was %d), %d moves", tab.Len(), keys, perKey, h.Used(), h.Held(), full, moved)
	if perKey > 12.5 { // few segments, each up to a step of a quarter too large
		t.Errorf("table %.2f bytes per key", perKey)
	}
	if entries+tab.TableBytes() != h.Used() {
		t.Errorf("used %d, want %d", h.Used(), entries+tab.TableBytes())
	}
	if moved > 0 && h.Held() > h.Used()*13/10 {
		t.Errorf("held %d for %d used", h.Held(), h.Used())
	}
	for i := range keys {
		key := benchKey(&kb, uint64(i))
		if e, ok := tab.Find(h, HashKey(0, key), key); ok {
			tab.Delete(h, e)
		}
	}
	for cursor, pass := uint64(0), 0; pass < 2; {
		if cursor, _ = tab.Shrink(h, cursor); cursor == 0 {
			pass++
		}
	}
	if h.Used() != 0 {
		t.Errorf("%d bytes are left of an empty table", h.Used())
	}
}
