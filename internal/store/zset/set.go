package zset

import (
	"encoding/binary"

	"sherd/internal/heap"
	"sherd/internal/store/listpack"
)

// Encodings, as the keyspace stores them.
const (
	Packed uint8 = iota + 1 // one listpack
	Tree                    // a counted B+tree and an index
)

// EncodingName is what OBJECT ENCODING says.
func EncodingName(enc uint8) string {
	if enc == Packed {
		return "listpack"
	}
	return "skiplist"
}

// Limits bound the small form. A set that exceeds one becomes large and stays so.
type Limits struct {
	Entries int // members
	Bytes   int // of a member
}

// Set is a sorted set at work, for the time of one command.
type Set struct {
	h      *heap.Heap
	ref    heap.Ref
	limits Limits
	seed   uint64
	enc    uint8
}

// Open is the set at ref. seed is that of the members' hash, should it become
// large.
func Open(h *heap.Heap, enc uint8, ref heap.Ref, seed uint64, limits Limits) Set {
	return Set{h: h, ref: ref, limits: limits, seed: seed, enc: enc}
}

// New makes an empty set, in the large form if the small one cannot hold a member
// of so many bytes; false: out of memory.
func New(h *heap.Heap, memberBytes int, seed uint64, limits Limits) (Set, bool) {
	s := Set{h: h, limits: limits, seed: seed, enc: Packed}
	if limits.Entries < 1 || memberBytes > limits.Bytes {
		s.enc = Tree
		s.ref = newTree(h, seed)
	} else {
		s.ref = listpack.New(h)
	}
	return s, s.ref != 0
}

// Ref and Encoding tell where the set is, which changes may change.
func (s *Set) Ref() heap.Ref   { return s.ref }
func (s *Set) Encoding() uint8 { return s.enc }

func (s *Set) tree() tree { return openTree(s.h, s.ref) }

func (s *Set) bytes() []byte { return listpack.View(s.h.Arena(), s.ref) }

// Len is the number of members.
func (s *Set) Len() int64 {
	if s.enc == Packed {
		return int64(listpack.Len(s.bytes()) / 2)
	}
	return int64(s.tree().r.count)
}

// Spot is where a member is or would be, until the next change of the set.
type Spot struct {
	spot
	found bool
}

// Find looks a member up and tells its score.
func (s *Set) Find(m []byte, at *Spot) (score float64, ok bool) {
	if s.enc == Packed {
		p := s.bytes()
		i := listpack.Find(p, listpack.First(p), m, 1)
		at.at, at.found = i, i >= 0
		if i < 0 {
			return 0, false
		}
		return packedScore(p, listpack.After(p, i)), true
	}
	t := s.tree()
	at.spot = t.find(m)
	at.found = at.id != 0
	if !at.found {
		return 0, false
	}
	return t.leaf(at.id).score(at.at), true
}

// Insert adds a member that Find has not found; false: out of memory, and the
// set is as it was. The score is a number.
func (s *Set) Insert(m []byte, score float64, at *Spot) bool {
	if s.enc == Packed {
		if s.Len() < int64(s.limits.Entries) && len(m) <= s.limits.Bytes {
			return s.insertPacked(m, score)
		}
		if !s.Unpack() {
			return false
		}
		at.hash = s.tree().hash(m)
	}
	return s.tree().insert(at.hash, m, score)
}

// Update changes the score of a member that Find has found; false: out of
// memory, and it has its old score.
func (s *Set) Update(m []byte, score float64, at *Spot) bool {
	if s.enc == Packed {
		return s.updatePacked(m, score, at.at)
	}
	return s.tree().update(m, at.spot, score)
}

// Remove takes a member out that Find has found.
func (s *Set) Remove(m []byte, at *Spot) {
	if s.enc == Packed {
		s.ref, _ = listpack.Delete(s.h, s.ref, at.at, 2)
		return
	}
	s.tree().remove(m, at.spot)
}

// Rank is the number of members before one that Find has found.
func (s *Set) Rank(m []byte, at *Spot) int64 {
	if s.enc == Packed {
		p := s.bytes()
		rank := int64(0)
		for i := listpack.First(p); i != at.at; i = listpack.Span(p, i, 2) {
			rank++
		}
		return rank
	}
	t := s.tree()
	var w path
	t.descend(t.leaf(at.id).score(at.at), m, &w)
	return t.rank(&w)
}

// CountScore is the number of members whose score is less than a bound, or with
// orEqual not greater.
func (s *Set) CountScore(bound float64, orEqual bool) int64 {
	if s.enc == Packed {
		return s.countPackedScore(bound, orEqual)
	}
	t := s.tree()
	if t.r.count == 0 {
		return 0
	}
	return t.countScore(bound, orEqual)
}

// CountMember is the number of members that are less than a bound, or with
// orEqual not greater. It has a meaning only if all scores are the same.
func (s *Set) CountMember(bound []byte, orEqual bool) int64 {
	if s.enc == Packed {
		return s.countPackedMember(bound, orEqual)
	}
	t := s.tree()
	if t.r.count == 0 {
		return 0
	}
	return t.countMember(bound, orEqual)
}

// RemoveRange takes n members out, from a rank on. They must be there.
func (s *Set) RemoveRange(rank, n int64) {
	if s.enc == Packed {
		s.ref, _ = listpack.Delete(s.h, s.ref, listpack.Seek(s.bytes(), int(2*rank)), int(2*n))
		return
	}
	t := s.tree()
	for n > 0 {
		var p path
		t.reach(rank, &p)
		k := min(n, int64(t.leaf(p.id).items()-p.at))
		t.cut(&p, int(k), true)
		n -= k
	}
}

// refSlot is what stands in a leaf for a member that is out of line.
func refSlot(r heap.Ref) (b [8]byte) {
	binary.LittleEndian.PutUint64(b[:], uint64(r))
	return b
}
