package zset

import (
	"bytes"
	"encoding/binary"
	"math"
	"unsafe"

	"sherd/internal/heap"
)

// leaf is the bytes of a leaf's block; see doc.go for the picture.
type leaf []byte

const (
	leafHead  = 16
	maxItems  = 64   // of a leaf
	maxLeaf   = 1024 // bytes in use of a leaf of more than one item
	maxInline = 127  // longest member that stands in the leaf itself
	outOfLine = 0x88 // length byte of a member that does not: its Ref is 8 bytes
	slotMask  = 0x7f // of a length byte: bytes in the members' part
)

// Parts of the header.
const (
	offItems = 0
	offWidth = 1
	offRoom  = 2 // size of the block
	offUsed  = 4
	offBase  = 8
)

// rawWidth is the width of scores that are kept as they are.
const rawWidth = 8

func (l leaf) items() int  { return int(l[offItems]) }
func (l leaf) width() int  { return int(l[offWidth]) }
func (l leaf) room() int   { return int(binary.LittleEndian.Uint16(l[offRoom:])) }
func (l leaf) used() int   { return int(binary.LittleEndian.Uint16(l[offUsed:])) }
func (l leaf) base() int64 { return int64(binary.LittleEndian.Uint64(l[offBase:])) }

func (l leaf) setUsed(n int) { binary.LittleEndian.PutUint16(l[offUsed:], uint16(n)) }

// leafAt is the leaf at a place.
func leafAt(a *heap.Arena, ref heap.Ref) leaf {
	p := (*byte)(a.Ptr(ref))
	room := *(*uint16)(unsafe.Add(unsafe.Pointer(p), offRoom))
	return unsafe.Slice(p, int(room))
}

// newLeaf allocates an empty leaf with room for used bytes; 0: out of memory.
func newLeaf(h *heap.Heap, used int) heap.Ref {
	room := heap.ClassSize(used)
	ref := h.Alloc(room)
	if ref == 0 {
		return 0
	}
	l := leaf(h.Arena().Bytes(ref, room))
	clear(l[:leafHead])
	binary.LittleEndian.PutUint16(l[offRoom:], uint16(room))
	l.setUsed(leafHead)
	return ref
}

// prints are the fingerprints of the members: the lowest byte of their hashes.
func (l leaf) prints() []byte { return l[leafHead : leafHead+l.items()] }

// lengths are the length bytes.
func (l leaf) lengths() []byte {
	n := l.items()
	return l[leafHead+n : leafHead+2*n]
}

// scoresAt is where the scores begin.
func (l leaf) scoresAt() int { return leafHead + 2*l.items() }

// membersAt is where the members begin.
func (l leaf) membersAt() int { return leafHead + l.items()*(2+l.width()) }

// slotAt is where the member of item i begins; i may be the number of items.
func (l leaf) slotAt(i int) int {
	n := l.items()
	return leafHead + n*(2+l.width()) + sumLengths(l[leafHead+n:], i)
}

// sumLengths adds up the first n length bytes. Eight are read at a time, which
// may reach into what follows them.
func sumLengths(b []byte, n int) int {
	const (
		low7  = 0x7f7f7f7f7f7f7f7f
		evens = 0x00ff00ff00ff00ff
		ones  = 0x0001000100010001
	)
	var acc uint64 // four sums of 16 bits
	for ; n >= 8; n -= 8 {
		w := binary.LittleEndian.Uint64(b) & low7
		acc += w&evens + w>>8&evens
		b = b[8:]
	}
	if n > 0 {
		if len(b) >= 8 {
			w := binary.LittleEndian.Uint64(b) << (8 * (8 - uint(n))) & low7
			acc += w&evens + w>>8&evens
		} else {
			for _, c := range b[:n] {
				acc += uint64(c & slotMask)
			}
		}
	}
	return int(acc * ones >> 48)
}

// score is the score of item i.
func (l leaf) score(i int) float64 {
	at := l.scoresAt()
	switch l[offWidth] {
	case 0:
		return float64(l.base())
	case 1:
		return float64(l.base() + int64(l[at+i]))
	case 2:
		return float64(l.base() + int64(binary.LittleEndian.Uint16(l[at+2*i:])))
	case 4:
		return float64(l.base() + int64(binary.LittleEndian.Uint32(l[at+4*i:])))
	}
	return math.Float64frombits(binary.LittleEndian.Uint64(l[at+8*i:]))
}

// putScore writes a score that fits; see fits.
func (l leaf) putScore(i int, s float64) {
	at := l.scoresAt()
	switch l[offWidth] {
	case 0:
	case 1:
		l[at+i] = byte(int64(s) - l.base())
	case 2:
		binary.LittleEndian.PutUint16(l[at+2*i:], uint16(int64(s)-l.base()))
	case 4:
		binary.LittleEndian.PutUint32(l[at+4*i:], uint32(int64(s)-l.base()))
	default:
		binary.LittleEndian.PutUint64(l[at+8*i:], math.Float64bits(s))
	}
}

// whole returns a score as an integer if it is one that an int64 less a base
// holds exactly. Negative zero is none.
func whole(s float64) (int64, bool) {
	n := int64(s)
	return n, float64(n) == s && n <= 1<<53 && n >= -1<<53 && (n != 0 || !math.Signbit(s))
}

// fits tells whether a score can be written with the leaf's base and width.
func (l leaf) fits(s float64) bool {
	w := l.width()
	if w == rawWidth {
		return true
	}
	n, ok := whole(s)
	return ok && n >= l.base() && uint64(n-l.base())>>(8*w) == 0
}

// encoding is how a leaf writes its scores.
type encoding struct {
	base  int64
	width int
}

// encodingOf is the narrowest encoding of scores, which are in order. They lie in
// the middle of what its width can express, so that neighbours fit too.
func encodingOf(scores []float64) encoding {
	var lo, hi int64
	for i, s := range scores {
		n, ok := whole(s)
		if !ok {
			return encoding{width: rawWidth}
		}
		if i == 0 {
			lo = n
		}
		hi = n
	}
	d := uint64(hi - lo)
	if d == 0 {
		return encoding{base: lo}
	}
	for w := 1; w < rawWidth; w *= 2 {
		if most := uint64(1)<<(8*w) - 1; d <= most {
			return encoding{lo - int64((most-d)/2), w}
		}
	}
	return encoding{width: rawWidth}
}

// scores reads all scores.
func (l leaf) scores(to *[maxItems + 1]float64) []float64 {
	n := l.items()
	for i := range n {
		to[i] = l.score(i)
	}
	return to[:n]
}

// recode changes the encoding of the scores, for which there is room.
func (l leaf) recode(e encoding) {
	var space [maxItems + 1]float64
	scores := l.scores(&space)
	n, from := l.items(), l.membersAt()
	to := leafHead + n*(2+e.width)
	copy(l[to:], l[from:l.used()])
	l.setUsed(l.used() + to - from)
	l[offWidth] = byte(e.width)
	binary.LittleEndian.PutUint64(l[offBase:], uint64(e.base))
	for i, s := range scores {
		l.putScore(i, s)
	}
}

// slot is what stands in the members' part for item i.
func (l leaf) slot(i int) []byte {
	at := l.slotAt(i)
	return l[at : at+int(l.lengths()[i]&slotMask)]
}

// member is the member of item i.
func (l leaf) member(a *heap.Arena, i int) []byte {
	s := l.slot(i)
	if l.lengths()[i] == outOfLine {
		return longMember(a, slotRef(s))
	}
	return s
}

func slotRef(s []byte) heap.Ref { return heap.Ref(binary.LittleEndian.Uint64(s)) }

// A long member is a block of its own: its length in 8 bytes, then the bytes.
const longHead = 8

func longMember(a *heap.Arena, r heap.Ref) []byte {
	p := a.Ptr(r)
	n := *(*uint64)(p)
	return unsafe.Slice((*byte)(unsafe.Add(p, longHead)), n)
}

func newLongMember(h *heap.Heap, m []byte) heap.Ref {
	r := h.Alloc(longHead + len(m))
	if r != 0 {
		b := h.Arena().Bytes(r, longHead+len(m))
		binary.LittleEndian.PutUint64(b, uint64(len(m)))
		copy(b[longHead:], m)
	}
	return r
}

func freeLongMember(h *heap.Heap, r heap.Ref) {
	n := *(*uint64)(h.Arena().Ptr(r))
	h.Free(r, longHead+int(n))
}

// find looks for a member by its fingerprint; -1: it is not in the leaf.
func (l leaf) find(a *heap.Arena, print byte, m []byte) int {
	prints := l.prints()
	want := byte(len(m))
	if len(m) > maxInline {
		want = outOfLine
	}
	lengths := l.lengths()
	for i := 0; ; i++ {
		k := bytes.IndexByte(prints[i:], print)
		if k < 0 {
			return -1
		}
		i += k
		if lengths[i] == want && string(l.member(a, i)) == string(m) {
			return i
		}
	}
}

// lowerScore is the number of items whose score is less than s, or with orEqual
// not greater.
func (l leaf) lowerScore(s float64, orEqual bool) int {
	lo, hi := 0, l.items()
	for lo < hi {
		mid := int(uint(lo+hi) / 2)
		if v := l.score(mid); v < s || orEqual && v == s {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

// lowerMember is the number of items among lo … hi-1, which have one score,
// whose member is less than m, or with orEqual not greater; counted from the
// leaf's first.
func (l leaf) lowerMember(a *heap.Arena, lo, hi int, m []byte, orEqual bool) int {
	for lo < hi {
		mid := int(uint(lo+hi) / 2)
		if c := bytes.Compare(l.member(a, mid), m); c < 0 || orEqual && c == 0 {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

// lower is the number of items before (s, m), or with orEqual not behind it.
func (l leaf) lower(a *heap.Arena, s float64, m []byte, orEqual bool) int {
	lo := l.lowerScore(s, false)
	if lo == l.items() || l.score(lo) != s {
		return lo
	}
	return l.lowerMember(a, lo, l.lowerScore(s, true), m, orEqual)
}

// insert puts an item at i; slot is the member, or its Ref if length says so.
// There is room, and the score fits.
func (l leaf) insert(i int, score float64, print, length byte, slot []byte) {
	n, w, used := l.items(), l.width(), l.used()
	k := len(slot)
	member := l.slotAt(i)
	scores := leafHead + 2*n + i*w
	length1 := leafHead + n + i
	print1 := leafHead + i
	// From the back: each part moves by what is inserted before it.
	copy(l[member+2+w+k:], l[member:used])
	copy(l[scores+2+w:], l[scores:member])
	copy(l[length1+2:], l[length1:scores])
	copy(l[print1+1:], l[print1:length1])
	l[print1] = print
	l[length1+1] = length
	copy(l[member+2+w:], slot)
	l[offItems] = byte(n + 1)
	l.setUsed(used + 2 + w + k)
	l.putScore(i, score)
}

// remove takes the items i … i+k-1 out.
func (l leaf) remove(i, k int) {
	n, w, used := l.items(), l.width(), l.used()
	from, to := l.slotAt(i), l.slotAt(i+k)
	at := leafHead + i
	at += copy(l[at:], l[leafHead+i+k:leafHead+n+i])
	at += copy(l[at:], l[leafHead+n+i+k:leafHead+2*n+i*w])
	at += copy(l[at:], l[leafHead+2*n+(i+k)*w:from])
	at += copy(l[at:], l[to:used])
	l[offItems] = byte(n - k)
	l.setUsed(at)
}

// append takes the items i … i+k-1 of another leaf over, behind its own. There
// is room, and their scores fit.
func (l leaf) append(from leaf, i, k int) {
	n, w := l.items(), l.width()
	lo, hi := from.slotAt(i), from.slotAt(i+k)
	members, used := l.membersAt(), l.used()
	copy(l[members+k*(2+w):], l[members:used])
	copy(l[leafHead+2*n+2*k:], l[leafHead+2*n:members])
	copy(l[leafHead+n+k:], l[leafHead+n:leafHead+2*n])
	copy(l[leafHead+n:], from.prints()[i:i+k])
	copy(l[leafHead+2*n+k:], from.lengths()[i:i+k])
	used += k * (2 + w)
	used += copy(l[used:], from[lo:hi])
	l[offItems] = byte(n + k)
	l.setUsed(used)
	for j := range k {
		l.putScore(n+j, from.score(i+j))
	}
}
