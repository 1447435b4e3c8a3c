package dash

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"sherd/internal/heap"
)

func newHeap(tb testing.TB) *heap.Heap {
	tb.Helper()
	a, err := heap.NewArena(64 << 20)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { a.Close() })
	h := new(heap.Heap)
	h.Init(a)
	return h
}

// thing is what the model knows of a key.
type thing struct {
	kind     Kind
	encoding uint8
	value    []byte
	ref      heap.Ref
	deadline int64
	raw      bool
	clock    uint32
	hasClock bool
	flags    uint32
	cas      uint64
	hasMemc  bool
}

// model is a table beside a Go map that does the same.
type model struct {
	t    Table
	h    *heap.Heap
	m    map[string]*thing
	hash func(seed uint64, key []byte) uint64
	fail func(format string, args ...any)
}

func (m *model) of(key string) uint64 { return m.hash(m.t.Seed, []byte(key)) }

// same compares an entry with the model's.
func (m *model) same(key string, e Entry) {
	w := m.m[key]
	if w == nil {
		m.fail("%q is not in the model", key)
		return
	}
	clock, hasClock := e.Clock()
	flags, cas, hasMemc := e.Memcached()
	got := thing{e.Kind(), e.Encoding(), e.Value(), e.Ref(), e.DeadlineMs(), e.Raw(), clock, hasClock, flags, cas, hasMemc}
	if string(e.Key()) != key || got.kind != w.kind || got.encoding != w.encoding || !bytes.Equal(got.value, w.value) ||
		got.ref != w.ref || got.deadline != w.deadline || got.raw != w.raw || got.clock != w.clock || got.hasClock != w.hasClock ||
		got.flags != w.flags || got.cas != w.cas || got.hasMemc != w.hasMemc {
		m.fail("%q: key %q, %+v, want %+v", key, e.Key(), got, *w)
	}
}

func (m *model) find(key string) (Entry, bool) {
	e, ok := m.t.Find(m.h, m.of(key), []byte(key))
	if w := m.m[key]; ok != (w != nil) {
		m.fail("Find %q: %v, want %v", key, ok, w != nil)
	}
	if ok {
		m.same(key, e)
	}
	if PeekSafe {
		value, ms, kind, st := m.t.Peek(m.h.Arena(), m.of(key), []byte(key))
		switch {
		case st == Found && (!ok || ms != e.DeadlineMs() || kind != e.Kind() || kind == String && !bytes.Equal(value, e.Value())):
			m.fail("Peek %q: %q, %d, %v", key, value, ms, kind)
		case st == Missing && ok:
			m.fail("Peek misses %q", key)
		case st == Retry && (!ok || e.Kind() != String || len(e.Value()) <= MaxInline) && len(m.m) < 100000 && m.t.chains(m.h) == 0:
			m.fail("Peek %q: retry", key)
		}
	}
	return e, ok
}

// chains counts the chained buckets of a table.
func (t *Table) chains(h *heap.Heap) (n int) {
	base := h.Arena().Base()
	for cursor := uint64(0); t.root != 0; {
		seg := t.segOf(base, cursorHash(cursor))
		n += int(load32(header(seg.ptr(base), seg.n()), chainLenOff))
		if cursor = segmentEnd(seg, cursor); cursor == 0 {
			break
		}
	}
	return n
}

func (m *model) set(key string, value []byte, ms int64) {
	if !m.t.Set(m.h, m.of(key), []byte(key), value, ms) {
		e, ok := m.find(key)
		if !ok || e.Kind() == String {
			m.fail("out of memory")
		} else if _, ok := m.t.Replace(m.h, e, m.of(key), value, ms); !ok {
			m.fail("out of memory")
		}
	}
	w := &thing{value: bytes.Clone(value), deadline: ms}
	if old := m.m[key]; old != nil {
		w.clock, w.hasClock = old.clock, old.hasClock
	}
	m.m[key] = w
}

func (m *model) del(key string) {
	if e, ok := m.find(key); ok {
		m.t.Delete(m.h, e)
		delete(m.m, key)
	}
}

func (m *model) resize(key string, n int, b byte) {
	e, ok := m.find(key)
	if !ok || e.Kind() != String {
		return
	}
	w := m.m[key]
	e, v, ok := m.t.Resize(m.h, e, m.of(key), n)
	if !ok || len(v) != n {
		m.fail("Resize %q to %d: %v, %d", key, n, ok, len(v))
	}
	old := len(w.value)
	w.value = append(slices.Clip(w.value[:min(old, n)]), make([]byte, max(0, n-old))...)
	w.raw = true
	m.same(key, e)
	for i := old; i < n; i++ {
		v[i], w.value[i] = b, b
	}
}

func (m *model) deadline(key string, ms int64) {
	if e, ok := m.find(key); ok {
		if e, ok = m.t.SetDeadline(m.h, e, m.of(key), ms); !ok {
			m.fail("out of memory")
		}
		m.m[key].deadline = ms
		m.same(key, e)
	}
}

func (m *model) clock(key string, c uint32) {
	if e, ok := m.find(key); ok {
		e, _ = m.t.SetClock(m.h, e, m.of(key), c)
		m.m[key].clock, m.m[key].hasClock = c, true
		m.same(key, e)
	}
}

func (m *model) memcached(key string, flags uint32, cas uint64) {
	if e, ok := m.find(key); ok {
		e, _ = m.t.SetMemcached(m.h, e, m.of(key), flags, cas)
		w := m.m[key]
		w.flags, w.cas, w.hasMemc = flags, cas, true
		m.same(key, e)
	}
}

func (m *model) insertRef(key string, kind Kind, ref heap.Ref, ms int64) {
	m.del(key)
	e, ok := m.t.InsertRef(m.h, m.of(key), []byte(key), kind, 7, ref, ms)
	if !ok {
		m.fail("out of memory")
	}
	e.SetRef(ref + 1)
	e.SetEncoding(9)
	m.m[key] = &thing{kind: kind, encoding: 9, ref: ref + 1, deadline: ms}
	m.same(key, e)
}

func (m *model) rename(from, to string, ms int64, back bool) {
	if from == to {
		return
	}
	e, ok := m.find(from)
	if !ok {
		return
	}
	m.del(to)
	mv := m.t.Take(m.h, e)
	w := m.m[from]
	if string(mv.Key()) != from || mv.Kind() != w.kind || mv.DeadlineMs() != w.deadline || mv.Ref() != w.ref || !bytes.Equal(mv.Value(), w.value) {
		m.fail("Take %q: %+v", from, mv)
	}
	if back {
		m.same(from, m.t.PutBack(m.h, mv))
		return
	}
	delete(m.m, from)
	e, ok = m.t.InsertMoved(m.h, m.of(to), []byte(to), mv, m.h, ms)
	if !ok {
		m.fail("out of memory")
	}
	w.deadline = ms
	m.m[to] = w
	m.same(to, e)
}

// expire runs a pass of Expired and deletes what it finds.
func (m *model) expire(now int64) {
	want := map[string]bool{}
	for k, w := range m.m {
		if w.deadline != 0 && w.deadline <= now {
			want[k] = true
		}
	}
	if len(want) > 0 && m.t.NextDeadline() > now {
		m.fail("due at %d, but NextDeadline is %d", now, m.t.NextDeadline())
	}
	var dst []Entry
	for cursor := uint64(0); ; {
		dst, cursor = m.t.Expired(m.h, cursor, now, dst[:0])
		for _, e := range dst {
			k := string(e.Key())
			if !want[k] {
				m.fail("%q is not due", k)
			}
			delete(want, k)
			m.same(k, e)
			m.t.Delete(m.h, e)
			delete(m.m, k)
		}
		if cursor == 0 {
			break
		}
	}
	if len(want) > 0 {
		m.fail("%d due entries not found", len(want))
	}
}

func (m *model) shrink() {
	m.h.PlanEvacuation(1, false)
	for cursor := uint64(0); ; {
		if cursor, _ = m.t.Shrink(m.h, cursor); cursor == 0 {
			break
		}
	}
	m.h.FinishEvacuation()
}

// scan walks the whole table.
func (m *model) scan() {
	seen := map[string]int{}
	var dst []Entry
	for cursor := uint64(0); ; {
		dst, cursor = m.t.ScanStep(m.h, cursor, dst[:0])
		if cursor >= 1<<37 {
			m.fail("cursor %x", cursor)
		}
		for _, e := range dst {
			seen[string(e.Key())]++
			m.same(string(e.Key()), e)
		}
		if cursor == 0 {
			break
		}
	}
	for k := range m.m {
		if seen[k] != 1 {
			m.fail("%q was scanned %d times", k, seen[k])
		}
	}
}

// check compares everything.
func (m *model) check() {
	entries, err := m.t.Check(m.h)
	if err != nil {
		m.fail("%v", err)
	}
	if used := entries + m.t.TableBytes(); used != m.h.Used() {
		m.fail("entries %d + table %d, but the heap's count is %d", entries, m.t.TableBytes(), m.h.Used())
	}
	if m.t.Len() != len(m.m) {
		m.fail("Len %d, want %d", m.t.Len(), len(m.m))
	}
	if len(m.m) == 0 {
		if _, ok := m.t.Random(m.h, 1); ok {
			m.fail("a random entry of nothing")
		}
		return
	}
	e, ok := m.t.Random(m.h, uint64(len(m.m))*0x9e3779b97f4a7c15)
	if !ok {
		m.fail("no random entry")
	}
	m.same(string(e.Key()), e)
	for _, k := range slices.Sorted(maps.Keys(m.m)) {
		m.find(k)
	}
}

func (m *model) drop() {
	d := m.t.Detach()
	for steps := 0; !d.FreeSome(m.h, 10); steps++ {
		if steps > len(m.m) {
			m.fail("FreeSome does not end")
		}
	}
	if m.h.Used() != 0 {
		m.fail("%d bytes are left", m.h.Used())
	}
	m.m = map[string]*thing{}
}

// step does what the numbers of a program say; it is how rapid and the fuzzer drive
// the model alike.
func (m *model) step(op, a, b, c uint16) {
	key := fmt.Sprintf("k%d", a%2000)
	if a%61 == 0 {
		key = fmt.Sprintf("%0*d", 60+int(a%11), a)
	}
	switch ms := int64(c%97) * int64(c&1); op % 24 {
	default:
		v := bytes.Repeat([]byte{byte(b)}, int(b%40))
		m.set(key, v, ms)
	case 8:
		m.set(key, bytes.Repeat([]byte{byte(c)}, int(b%9000)), ms)
	case 9:
		for i := range b % 300 {
			m.set(fmt.Sprintf("k%d", (a+i*7)%2000), []byte("many"), 0)
		}
	case 10:
		for i := range b % 600 {
			m.del(fmt.Sprintf("k%d", (a+i*3)%2000))
		}
	case 11, 12, 13:
		m.del(key)
	case 14:
		m.resize(key, int(b%300), byte(c))
	case 15:
		m.resize(key, int(b%20000), byte(c))
	case 16:
		m.deadline(key, ms)
	case 17:
		m.clock(key, uint32(b))
	case 18:
		m.memcached(key, uint32(b), uint64(c))
	case 19:
		m.insertRef(key, Kind(1+b%4), heap.Ref(c), ms)
	case 20:
		m.rename(key, fmt.Sprintf("k%d", b%2000), ms, c%5 == 0)
	case 21:
		m.expire(int64(b % 97))
	case 22:
		m.shrink()
		if b%4 == 0 {
			m.scan()
		}
	case 23:
		if b%16 == 0 {
			m.drop()
		}
	}
}

func newModel(tb testing.TB, fail func(string, ...any)) *model {
	return &model{h: newHeap(tb), m: map[string]*thing{}, hash: HashKey, fail: fail}
}

func TestModel(t *testing.T) {
	arena := newHeap(t).Arena()
	rapid.Check(t, func(t *rapid.T) {
		h := new(heap.Heap)
		h.Init(arena)
		m := &model{h: h, m: map[string]*thing{}, hash: HashKey, fail: t.Fatalf}
		m.t.Seed = rapid.Uint64().Draw(t, "seed")
		for _, s := range rapid.SliceOfN(rapid.Custom(func(t *rapid.T) [4]uint16 {
			return [4]uint16{rapid.Uint16().Draw(t, "op"), rapid.Uint16().Draw(t, "a"), rapid.Uint16().Draw(t, "b"), rapid.Uint16().Draw(t, "c")}
		}), 20, 400).Draw(t, "steps") {
			m.step(s[0], s[1], s[2], s[3])
		}
		m.check()
		m.scan()
		m.drop()
	})
}

// TestModelLong is the model over programs longer than rapid makes.
func TestModelLong(t *testing.T) {
	steps := 4000
	if testing.Short() || raceEnabled {
		steps = 500
	}
	for seed := range uint64(4) {
		r := rand.New(rand.NewPCG(seed, 0))
		m := newModel(t, func(f string, args ...any) { t.Fatalf("seed %d: "+f, append([]any{seed}, args...)...) })
		m.t.Seed = r.Uint64()
		for i := range steps {
			m.step(uint16(r.Uint32()), uint16(r.Uint32()), uint16(r.Uint32()), uint16(r.Uint32()))
			if i%1000 == 0 {
				m.check()
			}
		}
		m.check()
		m.scan()
		m.drop()
	}
}

// TestModelEqualHashes is the model with keys that share nearly all hash bits, so
// that segments neither grow nor split their way out.
func TestModelEqualHashes(t *testing.T) {
	weak := func(seed uint64, key []byte) uint64 { return HashKey(seed, key) & 0x7 << 8 }
	rehash = weak
	defer func() { rehash = HashKey }()
	m := newModel(t, t.Fatalf)
	m.hash = weak
	steps, more := uint16(3000), 2000
	if raceEnabled {
		steps, more = 500, 600
	}
	for i := range steps {
		m.step(i*7919, i*31, i*17, i*13)
		if i%500 == 0 {
			m.check()
		}
	}
	m.check()
	m.scan()
	for i := range more {
		m.set(fmt.Sprintf("more%d", i), []byte("x"), 0)
	}
	m.check()
	m.scan()
	if m.t.chains(m.h) == 0 {
		t.Error("no chain was made")
	}
	if m.t.TableBytes() > 80*int64(m.t.Len()) {
		t.Errorf("%d bytes for %d keys", m.t.TableBytes(), m.t.Len())
	}
	for k := range m.m {
		m.del(k)
	}
	m.shrink()
	if m.h.Used() != 0 {
		t.Errorf("%d bytes are left", m.h.Used())
	}
}

func FuzzTable(f *testing.F) {
	f.Add([]byte("09\x00\x00\xff\x00\x00\x00"))
	f.Add(bytes.Repeat([]byte{9, 0, 7, 1, 255, 1, 3, 0, 10, 0, 5, 2, 200, 1, 1, 0, 22, 0, 0, 0, 0, 0, 0, 0}, 20))
	f.Fuzz(func(t *testing.T, program []byte) {
		h := newHeap(t)
		m := &model{h: h, m: map[string]*thing{}, hash: HashKey, fail: t.Fatalf}
		for n := 0; len(program) >= 8 && n < 400; program, n = program[8:], n+1 {
			u := func(i int) uint16 { return binary.LittleEndian.Uint16(program[2*i:]) }
			m.step(u(0), u(1), u(2), u(3))
		}
		m.check()
		m.scan()
		m.drop()
	})
}
