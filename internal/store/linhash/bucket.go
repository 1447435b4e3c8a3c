package linhash

import (
	"unsafe"

	"sherd/internal/heap"
)

// bucketWord is what the directory holds for a bucket; 0 is an empty one.
//
//	 0–34  Ref of its block
//	35–46  size of the block, in words of 8 bytes
//	47–55  entries
//	56     an entry has, or had, a deadline
type bucketWord uint64

const (
	refMask     = 1<<35 - 1
	sizeShift   = 35
	sizeMost    = 1<<12 - 1 // words
	countShift  = 47
	countMost   = 1<<9 - 1
	oneEntry    = bucketWord(1) << countShift
	datedBucket = bucketWord(1) << 56
)

func (w bucketWord) ref() heap.Ref { return heap.Ref(w & refMask) }
func (w bucketWord) size() int     { return int(w>>sizeShift&sizeMost) * 8 }
func (w bucketWord) count() int    { return int(w >> countShift & countMost) }

// placed is the word of a bucket with another block.
func (w bucketWord) placed(r heap.Ref, size int) bucketWord {
	return w&^(refMask|sizeMost<<sizeShift) | bucketWord(r) | bucketWord(size)>>3<<sizeShift
}

func (w bucketWord) ptr(base unsafe.Pointer) unsafe.Pointer { return refPtr(base, w.ref()) }

// A group is the fingerprints and codes of eight entries: a word of the
// fingerprints, one of the keys' codes, and in a table with values one of the
// values' codes. What stands for no entry is zero in all of them.
const (
	groupLen  = 8
	keyCodes  = 8  // offset in a group
	valCodes  = 16 // likewise
	setWidth  = 16 // bytes of a group
	hashWidth = 24 // with values
)

// Codes. The low bits are the bytes that a key or value takes in the entry.
const (
	outside   = 0x80 // they are a place of its own
	dated     = 0x40 // of a key: the entry begins with a deadline
	keySize   = 0x3f
	valSize   = 0x7f
	placeSize = 9 // bytes: a Ref (5) and the length (4)
	dateSize  = 8 // bytes; dated>>3
)

// MostKey and MostValue are the longest key and value that are stored in a bucket.
const (
	MostKey   = keySize
	MostValue = valSize
)

// groups is the bytes that the groups of n entries take.
func groups(n, width int) int { return (n + groupLen - 1) / groupLen * width }

// sizesOf returns the bytes that each of a group's entries takes.
func sizesOf(g unsafe.Pointer, width int) uint64 {
	k := load64(g, keyCodes)
	z := k&(keySize*everyByte) + k&(dated*everyByte)>>3
	if width == hashWidth {
		z += load64(g, valCodes) & (valSize * everyByte)
	}
	return z
}

// sizesBefore returns the bytes that the first i entries of a block take.
func sizesBefore(b unsafe.Pointer, i, width int) int {
	var acc uint64
	for ; i >= groupLen; i -= groupLen {
		acc += pairs(sizesOf(b, width))
		b = unsafe.Add(b, width)
	}
	if i > 0 {
		acc += pairs(sizesOf(b, width) & (1<<(8*i) - 1))
	}
	return sum(acc)
}

// lane returns where the fingerprint of entry i is.
func lane(b unsafe.Pointer, i, width int) unsafe.Pointer {
	u := uint(i) // without a sign the divisions are shifts
	return unsafe.Add(b, int(u/groupLen)*width+int(u%groupLen))
}

// codes returns the codes of entry i; that of its value is 0 in a set.
func codes(b unsafe.Pointer, i, width int) (kc, vc uint8) {
	l := lane(b, i, width)
	kc = load8(l, keyCodes)
	if width == hashWidth {
		vc = load8(l, valCodes)
	}
	return kc, vc
}

// sizeOf returns the bytes of an entry with the given codes.
func sizeOf(kc, vc uint8) int { return int(kc&keySize) + int(kc&dated)>>3 + int(vc&valSize) }

// setLane writes fingerprint and codes of entry i.
func setLane(b unsafe.Pointer, i, width int, fp, kc, vc uint8) {
	l := lane(b, i, width)
	if i%groupLen == 0 {
		store64(l, 0, 0)
		store64(l, keyCodes, 0)
		if width == hashWidth {
			store64(l, valCodes, 0)
		}
	}
	store8(l, 0, fp)
	store8(l, keyCodes, kc)
	if width == hashWidth {
		store8(l, valCodes, vc)
	}
}

// dropLane takes fingerprint and codes of entry i out of n.
func dropLane(b unsafe.Pointer, i, n, width int) {
	g, last := i/groupLen, (n-1)/groupLen
	for off := uintptr(0); off < uintptr(width); off += 8 {
		shift := i % groupLen * 8
		p := unsafe.Add(b, uintptr(g*width)+off)
		for k := g; ; k++ {
			x := load64(p, 0)
			x = x&(1<<shift-1) | x>>8&^(1<<shift-1)
			if k == last {
				store64(p, 0, x)
				break
			}
			store64(p, 0, x|load64(p, uintptr(width))<<56)
			p = unsafe.Add(p, width)
			shift = 0
		}
	}
}

// room makes d more bytes of room among a bucket's data, or with a negative d
// takes bytes out. used is what the data takes before, at how many bytes at the
// block's end stay where they are, front what the groups take afterwards. Groups
// and words other than the Ref and size are the caller's to change. It returns the
// block, nil when memory is exhausted, which taking out never reports.
func (t *Table) room(w *bucketWord, used, at, d, front int) unsafe.Pointer {
	size := w.size()
	need := front + used + d
	low := used - at + min(d, 0)
	b := w.ptr(t.base)
	if need > size || need < size-size/8-24 {
		if fit := heap.ClassSize(need); fit != size && fit <= sizeMost*8 {
			if r := t.h.Alloc(need); r != 0 {
				to := refPtr(t.base, r)
				copy(bytesAt(to, min(front, size)), bytesAt(b, min(front, size)))
				copy(bytesAt(unsafe.Add(to, fit-used-d), low), bytesAt(unsafe.Add(b, size-used), low))
				copy(bytesAt(unsafe.Add(to, fit-at), at), bytesAt(unsafe.Add(b, size-at), at))
				if size > 0 {
					t.h.Free(w.ref(), size)
				}
				t.root.bytes += uint64(fit - size)
				*w = w.placed(r, fit)
				return to
			}
		}
		if need > size {
			return nil
		}
	}
	copy(bytesAt(unsafe.Add(b, size-used-d), low), bytesAt(unsafe.Add(b, size-used), low))
	return b
}
