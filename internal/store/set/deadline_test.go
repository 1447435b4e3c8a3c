package set

import (
	"fmt"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"sherd/internal/heap"
)

// datedModel is a set with deadlines beside a Go map of them; 0 is none.
type datedModel struct {
	h     *heap.Heap
	enc   uint8
	ref   heap.Ref // 0: there is none
	nowMs int64
	lim   Limits
	m     map[string]int64
	held  map[string]bool // what has not been removed, though it may be due
	fail  func(format string, args ...any)
}

func (m *datedModel) has(member string) bool {
	ms, ok := m.m[member]
	return ok && (ms == 0 || ms > m.nowMs)
}

func (m *datedModel) open(first string) Set {
	if m.ref != 0 {
		return OpenAt(m.h, m.enc, m.ref, m.nowMs)
	}
	s, ok := New(m.h, []byte(first), 1, &m.lim)
	if !ok {
		m.fail("New failed")
	}
	return s
}

func (m *datedModel) settle(s *Set) {
	if m.ref, m.enc = s.Ref(), s.Encoding(); s.Held() == 0 {
		s.Free()
		m.ref = 0
	}
}

func (m *datedModel) add(member string) {
	s := m.open(member)
	added, ok := s.Add([]byte(member), &m.lim)
	if !ok || added == m.has(member) {
		m.fail("Add %q: %v, %v", member, added, ok)
	}
	if added {
		m.m[member] = 0
		m.held[member] = true
	}
	m.settle(&s)
}

func (m *datedModel) addUntil(member string, ms int64, keep bool) {
	s := m.open(member)
	added, ok := s.AddUntil([]byte(member), ms, keep, &m.lim)
	if !ok || added == m.has(member) {
		m.fail("AddUntil %q: %v, %v", member, added, ok)
	}
	if added || !keep {
		m.m[member] = ms
		m.held[member] = true
	}
	m.settle(&s)
}

func (m *datedModel) setDeadline(member string, ms int64) {
	if m.ref == 0 {
		return
	}
	s := m.open("")
	found, ok := s.SetDeadline([]byte(member), ms, &m.lim)
	if !ok || found != m.has(member) {
		m.fail("SetDeadline %q: %v, %v", member, found, ok)
	}
	if found {
		m.m[member] = ms
	}
	m.settle(&s)
}

func (m *datedModel) del(member string) {
	if m.ref == 0 {
		return
	}
	s := m.open("")
	if s.Remove([]byte(member)) != m.has(member) {
		m.fail("Remove %q", member)
	}
	delete(m.m, member)
	delete(m.held, member)
	m.settle(&s)
}

func (m *datedModel) expire(budget int) {
	if m.ref == 0 {
		return
	}
	s := m.open("")
	removed, next, more := s.Expire(budget)
	all := Open(m.h, s.Encoding(), s.Ref())
	gone := 0
	for member := range m.held {
		if !all.Has([]byte(member)) {
			if m.has(member) {
				m.fail("%q was removed", member)
			}
			delete(m.held, member)
			delete(m.m, member)
			gone++
		}
	}
	if gone != removed {
		m.fail("Expire says %d, %d are gone", removed, gone)
	}
	if !more {
		for member, ms := range m.m {
			if !m.has(member) {
				m.fail("%q is due and still there", member)
			}
			if ms != 0 && (next == 0 || next > ms) {
				m.fail("%q is due at %d, the next at %d", member, ms, next)
			}
		}
	}
	m.settle(&s)
}

func (m *datedModel) copy() {
	if m.ref == 0 {
		return
	}
	ref, ok := Copy(m.h, m.h, m.enc, m.ref)
	if !ok {
		m.fail("Copy failed")
	}
	for m.ref != 0 {
		m.ref = Free(m.h, m.enc, m.ref, 2)
	}
	m.ref = ref
}

func (m *datedModel) check() {
	if m.ref == 0 {
		if len(m.held) > 0 {
			m.fail("%d members are lost", len(m.held))
		}
		return
	}
	if err := Check(m.h.Arena(), m.enc, m.ref); err != nil {
		m.fail("%v", err)
	}
	if size := SizeBytes(m.h.Arena(), m.enc, m.ref); size != m.h.Used() {
		m.fail("the set says %d bytes, the heap %d", size, m.h.Used())
	}
	s := m.open("")
	live := 0
	dated := false
	for member, ms := range m.m {
		var p Probe
		p.Reset([]byte(member))
		has := m.has(member)
		if s.Has([]byte(member)) != has || s.HasProbe(&p) != has {
			m.fail("Has %q is not %v", member, has)
		}
		if got, ok := s.Deadline([]byte(member)); ok != has || has && got != ms {
			m.fail("Deadline %q: %d, %v, want %d", member, got, ok, ms)
		}
		if has {
			live++
		}
		dated = dated || ms != 0
	}
	if s.Len() != live || s.Held() != len(m.held) || s.Dated() != dated {
		m.fail("%d members of %d, dated: %v, want %d of %d", s.Len(), s.Held(), s.Dated(), live, len(m.held))
	}
	met := 0
	for it := s.Iter(); it.Next(); met++ {
		if member := string(it.Bytes()); !m.has(member) || it.DeadlineMs() != m.m[member] {
			m.fail("met %q, %d", member, it.DeadlineMs())
		}
	}
	if met != live {
		m.fail("the iterator met %d of %d", met, live)
	}
	scanned := map[string]bool{}
	for cursor := uint64(0); ; {
		it, next := s.Scan(cursor)
		for it.Next() {
			scanned[string(it.Bytes())] = true
		}
		if cursor = next; cursor == 0 {
			break
		}
	}
	if len(scanned) != live {
		m.fail("a scan met %d of %d", len(scanned), live)
	}
	var scratch [24]byte
	member, _, ok := s.Random(uint64(len(m.m))*0x9e3779b97f4a7c15, &scratch)
	if ok != m.has(string(member)) {
		m.fail("drew %q: %v", member, ok)
	}
}

func (m *datedModel) free() {
	for m.ref != 0 {
		m.ref = Free(m.h, m.enc, m.ref, 3)
	}
	if m.h.Used() != 0 {
		m.fail("%d bytes are left", m.h.Used())
	}
}

func TestDeadlines(t *testing.T) {
	h := newHeap(t, 64<<20)
	rapid.Check(t, func(t *rapid.T) {
		m := &datedModel{
			h: h, nowMs: 1000, m: map[string]int64{}, held: map[string]bool{}, fail: t.Fatalf,
			lim: Limits{Ints: 10, Packed: 10, PackedBytes: 10, Seed: 7},
		}
		member := func(t *rapid.T) string {
			if n := rapid.IntRange(0, 60).Draw(t, "member"); n%2 == 0 {
				return strconv.Itoa(n)
			} else {
				return fmt.Sprint("member:", n)
			}
		}
		deadline := func(t *rapid.T) int64 { return m.nowMs + int64(rapid.IntRange(1, 50).Draw(t, "ms")) }
		t.Repeat(map[string]func(*rapid.T){
			"add":      func(t *rapid.T) { m.add(member(t)) },
			"addUntil": func(t *rapid.T) { m.addUntil(member(t), deadline(t), rapid.Bool().Draw(t, "keep")) },
			"deadline": func(t *rapid.T) { m.setDeadline(member(t), deadline(t)) },
			"persist":  func(t *rapid.T) { m.setDeadline(member(t), 0) },
			"del":      func(t *rapid.T) { m.del(member(t)) },
			"copy":     func(t *rapid.T) { m.copy() },
			"tick":     func(t *rapid.T) { m.nowMs += int64(rapid.IntRange(1, 20).Draw(t, "ms")) },
			"expire":   func(t *rapid.T) { m.expire(rapid.IntRange(1, 4).Draw(t, "budget")) },
			"":         func(*rapid.T) { m.check() },
		})
		m.free()
	})
}
