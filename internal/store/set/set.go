package set

import (
	"sherd/internal/heap"
	"sherd/internal/store/linhash"
	"sherd/internal/store/listpack"
)

// Encodings of a set.
const (
	Ints   uint8 = iota + 1 // an intset: integers only
	Packed                  // a listpack
	Hashed                  // a linhash table
)

// EncodingName is what OBJECT ENCODING says.
func EncodingName(enc uint8) string {
	switch enc {
	case Ints:
		return "intset"
	case Packed:
		return "listpack"
	}
	return "hashtable"
}

// Limits bound the small forms.
type Limits struct {
	Ints        int64 // members of an intset
	Packed      int64 // members of a listpack
	PackedBytes int64 // of a member of one
	Seed        uint64
}

// packedMost is the most bytes of a listpack, whatever the limits are.
const packedMost = 1 << 30

// Set is a set opened for one command: it stays on the stack, and Ref and Encoding
// tell afterwards where it is now.
type Set struct {
	h     *heap.Heap
	ref   heap.Ref
	nowMs int64
	enc   uint8
	table linhash.Table // if Hashed
}

// Open opens the set at ref as if no deadline had passed: all that it holds is
// there.
func Open(h *heap.Heap, enc uint8, ref heap.Ref) Set { return OpenAt(h, enc, ref, 0) }

// OpenAt opens the set at ref.
func OpenAt(h *heap.Heap, enc uint8, ref heap.Ref, nowMs int64) Set {
	s := Set{h: h, ref: ref, enc: enc, nowMs: nowMs}
	if enc == Hashed {
		s.table = linhash.Open(h, ref)
	}
	return s
}

// New makes an empty set that is to get about size members, the first of them
// given. False: out of memory.
func New(h *heap.Heap, first []byte, size int, lim *Limits) (s Set, ok bool) {
	s.h = h
	_, isInt := listpack.ParseInt(first)
	switch {
	case isInt && int64(size) <= lim.Ints:
		s.enc, s.ref = Ints, newIntset(h)
	case int64(size) <= lim.Packed:
		s.enc, s.ref = Packed, listpack.New(h)
	default:
		s.enc = Hashed
		if s.table, ok = linhash.New(h, false, lim.Seed); ok {
			s.ref = s.table.Ref()
		}
	}
	return s, s.ref != 0
}

// NewInts makes an empty set of integers, which becomes another by what is added.
func NewInts(h *heap.Heap) (s Set, ok bool) {
	s = Set{h: h, enc: Ints, ref: newIntset(h)}
	return s, s.ref != 0
}

// Ref returns where the set is.
func (s *Set) Ref() heap.Ref { return s.ref }

// Encoding returns how the set is stored.
func (s *Set) Encoding() uint8 { return s.enc }

// Len returns the number of members.
func (s *Set) Len() int {
	n := s.Held()
	if s.enc == Hashed {
		n -= s.table.Overdue(s.nowMs)
	}
	return n
}

// Held returns the number of members, those whose deadline has passed included.
func (s *Set) Held() int {
	switch s.enc {
	case Ints:
		return intsetLen(s.h.Arena().Bytes(s.ref, intsetHead))
	case Packed:
		return listpack.Len(s.packed())
	}
	return s.table.Len()
}

func (s *Set) ints() []byte   { return intsetView(s.h.Arena(), s.ref) }
func (s *Set) packed() []byte { return listpack.View(s.h.Arena(), s.ref) }

// Has tells whether m is a member.
func (s *Set) Has(m []byte) bool {
	switch s.enc {
	case Ints:
		v, ok := listpack.ParseInt(m)
		if ok {
			_, ok = intsetFind(s.ints(), v)
		}
		return ok
	case Packed:
		p := s.packed()
		return listpack.Find(p, listpack.First(p), m, 0) >= 0
	}
	return s.hasHashed(s.table.Hash(m), m)
}

func (s *Set) hasHashed(hash uint64, m []byte) bool {
	e, ok := s.table.Find(hash, m)
	return ok && !s.past(e.DeadlineMs())
}

// Probe is a member that is looked for in several sets: what each needs to know of
// it is worked out once.
type Probe struct {
	m      []byte
	number int64
	hash   uint64
	seed   uint64
	parsed uint8 // 0: not yet, 1: number is it, 2: m is no integer
	hashed bool
}

// Reset makes p the probe of another member.
func (p *Probe) Reset(m []byte) { *p = Probe{m: m} }

// HasProbe is Has for a member that is looked for in several sets.
func (s *Set) HasProbe(p *Probe) bool {
	switch s.enc {
	case Ints:
		if p.parsed == 0 {
			var ok bool
			if p.number, ok = listpack.ParseInt(p.m); ok {
				p.parsed = 1
			} else {
				p.parsed = 2
			}
		}
		if p.parsed == 2 {
			return false
		}
		_, ok := intsetFind(s.ints(), p.number)
		return ok
	case Packed:
		return s.Has(p.m)
	}
	if seed := s.table.Seed(); !p.hashed || p.seed != seed {
		p.hash, p.seed, p.hashed = s.table.Hash(p.m), seed, true
	}
	return s.hasHashed(p.hash, p.m)
}

// Add makes m a member and tells whether it was none before. ok is false, and the
// set as it was, when memory is exhausted.
func (s *Set) Add(m []byte, lim *Limits) (added, ok bool) {
	switch s.enc {
	case Ints:
		return s.addToInts(m, lim)
	case Packed:
		p := s.packed()
		if listpack.Find(p, listpack.First(p), m, 0) >= 0 {
			return false, true
		}
		if int64(listpack.Len(p)) < lim.Packed && int64(len(m)) <= lim.PackedBytes && len(p)+len(m) < packedMost {
			ref, ok := listpack.Append(s.h, s.ref, m)
			if ok {
				s.ref = ref
			}
			return ok, ok
		}
		if !s.toTable(lim) {
			return false, false
		}
	}
	hash := s.table.Hash(m)
	if e, has := s.table.Find(hash, m); has {
		if !s.past(e.DeadlineMs()) {
			return false, true
		}
		// What is there is gone: the member is new.
		return true, s.table.SetDeadline(e, 0)
	}
	ok = s.table.Insert(hash, m, nil, 0)
	s.ref = s.table.Ref()
	return ok, ok
}

func (s *Set) addToInts(m []byte, lim *Limits) (added, ok bool) {
	p := s.ints()
	v, isInt := listpack.ParseInt(m)
	if isInt {
		i, found := intsetFind(p, v)
		if found {
			return false, true
		}
		if int64(intsetLen(p)) < lim.Ints {
			ref := intsetInsert(s.h, s.ref, i, v)
			if ref != 0 {
				s.ref = ref
			}
			return ref != 0, ref != 0
		}
		ok = s.toTable(lim)
	} else if int64(intsetLen(p)) < lim.Packed && int64(len(m)) <= lim.PackedBytes && widestText(p) <= lim.PackedBytes {
		ok = s.toPacked()
	} else {
		ok = s.toTable(lim)
	}
	if !ok {
		return false, false
	}
	return s.Add(m, lim)
}

// widestText is the most digits that an integer of the set has, the sign included.
func widestText(p []byte) int64 {
	n := intsetLen(p)
	if n == 0 {
		return 0
	}
	var it Iter
	return int64(max(len(it.digits(intsetAt(p, 0))), len(it.digits(intsetAt(p, n-1)))))
}

// Expect makes the set ready for about size members in all, which may be more than
// its form is meant for. False: out of memory, and the set is as it was.
func (s *Set) Expect(size int, lim *Limits) bool {
	if s.enc == Packed && int64(size) > lim.Packed || s.enc == Ints && int64(size) > lim.Ints {
		return s.toTable(lim)
	}
	return true
}

// toPacked makes a listpack of an intset.
func (s *Set) toPacked() bool {
	ref := listpack.New(s.h)
	ok := ref != 0
	for it := s.Iter(); ok && it.Next(); {
		var to heap.Ref
		if to, ok = listpack.Append(s.h, ref, it.Bytes()); ok {
			ref = to
		}
	}
	if !ok {
		if ref != 0 {
			listpack.Free(s.h, ref)
		}
		return false
	}
	s.freeAll()
	s.enc, s.ref = Packed, ref
	return true
}

// toTable makes a table of a small form.
func (s *Set) toTable(lim *Limits) bool {
	t, ok := linhash.New(s.h, false, lim.Seed)
	if !ok {
		return false
	}
	for it := s.Iter(); it.Next(); {
		m := it.Bytes()
		if !t.Insert(t.Hash(m), m, nil, 0) {
			freeTable(s.h, t.Ref())
			return false
		}
	}
	s.freeAll()
	s.enc, s.ref, s.table = Hashed, t.Ref(), t
	return true
}

// Remove takes m out and tells whether it was a member. An empty set is the
// caller's to free.
func (s *Set) Remove(m []byte) bool {
	switch s.enc {
	case Ints:
		v, ok := listpack.ParseInt(m)
		if !ok {
			return false
		}
		i, found := intsetFind(s.ints(), v)
		if found {
			s.ref = intsetDelete(s.h, s.ref, i)
		}
		return found
	case Packed:
		p := s.packed()
		at := listpack.Find(p, listpack.First(p), m, 0)
		if at >= 0 {
			s.ref, _ = listpack.Delete(s.h, s.ref, at, 1)
		}
		return at >= 0
	}
	e, ok := s.table.Find(s.table.Hash(m), m)
	if ok {
		ok = !s.past(e.DeadlineMs())
		s.table.Delete(e)
		s.ref = s.table.Ref()
	}
	return ok
}
