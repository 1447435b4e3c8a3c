package set

import (
	"encoding/binary"

	"sherd/internal/heap"
)

// An intset is integers in ascending order, each in as many bytes as the widest
// needs:
//
//	0  bytes of an integer: 2, 4 or 8 (uint32)
//	4  how many there are (uint32)
//	8  the integers; all of it LE
//
// It is Redis' format, byte for byte. Its block has the class of its length. Only
// where there was no memory left to move into when it shrank, the upper three bytes
// of the first field say by how many words the block is larger.
const intsetHead = 8

func intsetView(a *heap.Arena, ref heap.Ref) []byte {
	head := a.Bytes(ref, intsetHead)
	return a.Bytes(ref, intsetHead+intsetWidth(head)*intsetLen(head))
}

func intsetWidth(p []byte) int { return int(p[0]) }
func intsetLen(p []byte) int   { return int(binary.LittleEndian.Uint32(p[4:])) }

// intsetSize is the bytes that an intset's block was allocated with.
func intsetSize(p []byte) int {
	return intsetHead + intsetWidth(p)*intsetLen(p) + int(binary.LittleEndian.Uint32(p)>>8)*8
}

func setIntsetHead(p []byte, width, n int) {
	binary.LittleEndian.PutUint32(p, uint32(width))
	binary.LittleEndian.PutUint32(p[4:], uint32(n))
}

// widthOf is how many bytes an integer needs.
func widthOf(v int64) int {
	switch {
	case v == int64(int16(v)):
		return 2
	case v == int64(int32(v)):
		return 4
	}
	return 8
}

// intsetAt returns the i-th integer.
func intsetAt(p []byte, i int) int64 {
	switch intsetWidth(p) {
	case 2:
		return int64(int16(binary.LittleEndian.Uint16(p[intsetHead+2*i:])))
	case 4:
		return int64(int32(binary.LittleEndian.Uint32(p[intsetHead+4*i:])))
	}
	return int64(binary.LittleEndian.Uint64(p[intsetHead+8*i:]))
}

func putInt(p []byte, width, i int, v int64) {
	switch p = p[intsetHead+width*i:]; width {
	case 2:
		binary.LittleEndian.PutUint16(p, uint16(v))
	case 4:
		binary.LittleEndian.PutUint32(p, uint32(v))
	default:
		binary.LittleEndian.PutUint64(p, uint64(v))
	}
}

// intsetFind returns the place of v, or where it would be.
func intsetFind(p []byte, v int64) (i int, found bool) {
	lo, hi := 0, intsetLen(p)
	if widthOf(v) > intsetWidth(p) {
		if v < 0 {
			return 0, false
		}
		return hi, false
	}
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		switch at := intsetAt(p, mid); {
		case at == v:
			return mid, true
		case at < v:
			lo = mid + 1
		default:
			hi = mid
		}
	}
	return lo, false
}

func newIntset(h *heap.Heap) heap.Ref {
	ref := h.Alloc(intsetHead)
	if ref != 0 {
		setIntsetHead(h.Arena().Bytes(ref, intsetHead), 2, 0)
	}
	return ref
}

// intsetInsert puts v, which is not there, at place i. It returns where the intset
// is now, 0 if memory is exhausted.
func intsetInsert(h *heap.Heap, ref heap.Ref, i int, v int64) heap.Ref {
	p := intsetView(h.Arena(), ref)
	n, width := intsetLen(p), intsetWidth(p)
	to := max(width, widthOf(v))
	size := intsetHead + (n+1)*to
	if ref = h.Grow(ref, intsetSize(p), size); ref == 0 {
		return 0
	}
	p = h.Arena().Bytes(ref, size)
	if to == width {
		copy(p[intsetHead+(i+1)*width:], p[intsetHead+i*width:intsetHead+n*width])
	} else {
		for k := n - 1; k >= 0; k-- { // v goes before all of them or behind
			at := k
			if i == 0 {
				at++
			}
			putInt(p, to, at, intsetAt(p, k))
		}
	}
	setIntsetHead(p, to, n+1)
	putInt(p, to, i, v)
	return ref
}

// intsetDelete takes the i-th integer out and returns where the intset is now.
func intsetDelete(h *heap.Heap, ref heap.Ref, i int) heap.Ref {
	p := intsetView(h.Arena(), ref)
	n, width := intsetLen(p), intsetWidth(p)
	was, size := intsetSize(p), len(p)-width
	copy(p[intsetHead+i*width:], p[intsetHead+(i+1)*width:])
	setIntsetHead(p, width, n-1)
	if to := h.Grow(ref, was, size); to != 0 {
		return to
	}
	setIntsetHead(p, width|(was-size+7)/8<<8, n-1)
	return ref
}
