package heap

import "math/bits"

const (
	unitSize  = 512      // bytes; what a chunk is divided into
	unitWords = 512 / 8  // a Ref counts words of 8 bytes
	maxBlock  = 32 << 10 // bytes; anything larger is a run of whole chunks
	bigStep   = 4096     // bytes; larger blocks are counted in steps of this

	smallWords = 32              // classes 0…31 are 1…32 words
	numClasses = smallWords + 24 // classes of blocks that share a span
	maxShared  = 3840            // bytes; the largest class that shares a span
	spanBlocks = 64              // a span's free blocks are the bits of one word
	spanUnits  = 16              // a span is at most 8 KiB
	sharedStep = 32              // bytes; all classes over 256 are multiples of it
	noFit      = 0               // in class.fit: no span of this few units pays
	fitTight   = 32              // a span that wastes less than 1/32 is good,
	fitLoose   = 8               // one that wastes less than 1/8 will do
	maxSharedN = maxShared / sharedStep
)

// class describes blocks of one size. Only sizes that are no multiple of a unit
// have one; the others are runs of units and need no span.
type class struct {
	words uint32 // block size in words
	recip uint32 // ⌈65536/words⌉: turns a distance in words into a block number
	units uint8  // of a full-grown span
	// fit[k] is how many of k free units a span should take, noFit if none.
	fit [spanUnits + 1]uint8
}

var (
	classes [numClasses]class
	// sharedClass maps size/32, 256 < size ≤ maxShared, to its class; 0 for the
	// sizes that are runs of units.
	sharedClass [maxSharedN + 1]uint8
)

func init() {
	c := 0
	for w := 1; w <= smallWords; w++ {
		classes[c] = newClass(w)
		c++
	}
	for size := 256; size < maxShared; {
		size = ClassSize(size + 1)
		if size%unitSize != 0 {
			classes[c] = newClass(size / 8)
			sharedClass[size/sharedStep] = uint8(c)
			c++
		}
	}
	if c != numClasses {
		panic("heap: the size classes do not add up")
	}
}

func newClass(words int) class {
	c := class{words: uint32(words), recip: uint32((1<<16 + words - 1) / words)}
	tight := uint8(noFit)
	for k := 1; k <= spanUnits; k++ {
		size, room := words*8, k*unitSize
		blocks := min(room/size, spanBlocks)
		waste := room - blocks*size
		if waste*fitTight <= room {
			tight = uint8(k)
		}
		c.fit[k] = tight
		if tight == noFit {
			c.fit[k] = c.fit[k-1]
			if blocks > 0 && waste*fitLoose <= room {
				c.fit[k] = uint8(k)
			}
		}
	}
	c.units = c.fit[spanUnits]
	return c
}

// limit returns how many blocks a span of k units has.
func (c *class) limit(k uint) uint {
	return min(k*unitWords/uint(c.words), spanBlocks)
}

// ClassSize returns the bytes an allocation of n really takes, which is what the
// accounting counts: multiples of 8 up to 256; then eight steps to each power of
// two up to 32 KiB (…, 4096, 4608, 5120, …, 8192, …); then multiples of 4 KiB.
func ClassSize(n int) int {
	switch {
	case n <= 8:
		return 8
	case n <= 256:
		return (n + 7) &^ 7
	case n <= maxBlock:
		step := 1 << (bits.Len(uint(n-1)) - 4)
		return (n + step - 1) &^ (step - 1)
	}
	return (n + bigStep - 1) &^ (bigStep - 1)
}
