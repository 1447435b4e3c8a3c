package dash

import (
	"math/bits"
	"unsafe"
)

// A bucket is 128 bytes, two cache lines.
//
//	  0  14 slots of 8 bytes
//	112  14 fingerprints; 0 is a free slot
//	126  entries of this home that stand in the next bucket
//	127  entries of this home that stand in the stash; 255 sticks
//
// The two counts let a lookup stop at the home bucket. The last bucket of a
// segment gives its first five slots to the segment's header, the buckets of a
// chain their first to the link; their fingerprints stay 0.
const (
	bucketSize  = 128
	bucketSlots = 14
	fpOff       = 112
	nextOff     = 126
	stashOff    = 127
	stashStuck  = 255
)

const (
	lows  = 0x0101010101010101
	highs = 0x8080808080808080
	tail6 = 0x0000808080808080 // the six fingerprints of the second word
)

// match returns the slots of b whose fingerprint may be fp, as a set for
// firstSlot and restSlots. Slots above a true match may be false ones.
func match(b unsafe.Pointer, fp uint64) uint64 {
	x0 := load64(b, fpOff) ^ fp*lows
	x1 := load64(b, fpOff+8) ^ fp*lows
	return (x0-lows)&^x0&highs>>7 | (x1-lows)&^x1&tail6>>6
}

// occupied returns the slots of b in use, exactly.
func occupied(b unsafe.Pointer) uint64 {
	x0, x1 := load64(b, fpOff), load64(b, fpOff+8)
	const low7 = ^uint64(highs)
	return (x0&low7+low7|x0)&highs>>7 | (x1&low7+low7|x1)&tail6>>6
}

// firstSlot returns the index of one slot of a set, restSlots the set without it.
// The bit of slot i is 8i, and 8(i-8)+1 from the ninth on.
func firstSlot(set uint64) uintptr {
	i := uintptr(bits.TrailingZeros64(set))
	return i>>3 + i&1<<3
}
func restSlots(set uint64) uint64 { return set & (set - 1) }

// freeSlot returns the index of a free slot of an ordinary bucket, or -1.
func freeSlot(b unsafe.Pointer) int {
	w := load64(b, fpOff)
	if z := (w - lows) &^ w & highs; z != 0 {
		return bits.TrailingZeros64(z) >> 3
	}
	w = load64(b, fpOff+8)
	if z := (w - lows) &^ w & tail6; z != 0 {
		return 8 + bits.TrailingZeros64(z)>>3
	}
	return -1
}

// freeSlotFrom is freeSlot for a bucket whose first slots hold something else.
func freeSlotFrom(b unsafe.Pointer, first int) int {
	for i := first; i < bucketSlots; i++ {
		if load8(b, fpOff+uintptr(i)) == 0 {
			return i
		}
	}
	return -1
}

// put fills slot i of b and returns its address.
func put(b unsafe.Pointer, i int, word, fp uint64) unsafe.Pointer {
	s := unsafe.Add(b, uintptr(i)*8)
	*(*uint64)(s) = word
	store8(b, fpOff+uintptr(i), uint8(fp))
	return s
}

func fpAt(b unsafe.Pointer, i uintptr) uint64 { return uint64(load8(b, fpOff+i)) }
