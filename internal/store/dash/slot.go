package dash

import (
	"unsafe"

	"github.com/zeebo/xxh3"
)

// Bits of a slot, low to high.
//
//	 0–34  Ref of the entry
//	35     the entry has a deadline
//	36     general form: the entry has a header
//	37–42  length of the key      (compact form; general form: the kind)
//	43–49  length of the value    (compact form)
//	50–57  eight hash bits that decide the next splits (the window)
//	58–63  position, high six bits
//
// Together with the fingerprint, which is the low eight bits of the position, 22
// bits of the hash stay with the slot: a growing segment places its slots again
// without touching an entry, and so do seven splits out of eight.
const (
	refBits  = 35
	refMask  = 1<<refBits - 1
	volatile = 1 << 35
	general  = 1 << 36

	klenShift = 37
	klenMax   = 63
	vlenShift = 43
	vlenMax   = 127
	kindShift = 37
	kindMask  = 15
	lensMask  = (1<<13 - 1) << klenShift

	tagShift = 50
	tagMask  = (1<<14 - 1) << tagShift
	posShift = 58
	posBits  = 14
)

// Bits of a hash: 0–7 the fingerprint, 8–13 the high bits of the position, 14–37
// the directory's bits, of which bit 37 decides first.
const (
	dirTop   = 64 - 38 // hash << dirTop has the directory's bits on top
	maxDepth = 22
	window   = 8 // directory bits kept in a slot
)

// HashKey is the hash a table expects for a key; seed is the table's Seed.
func HashKey(seed uint64, key []byte) uint64 { return xxh3.HashSeed(key, seed) }

// fpOf returns the fingerprint of a hash, 1–255: zero means a free slot.
func fpOf(hash uint64) uint64 {
	f := hash & 255
	return f + (f-1)>>63
}

// posOf returns the position of a hash in its segment, posBits wide.
func posOf(hash, fp uint64) uint64 { return hash&0x3f00 | fp }

// slotPos is posOf for a slot and its fingerprint.
func slotPos(word, fp uint64) uint64 { return word>>posShift<<8 | fp }

// tagOf returns the hash bits of a slot in a segment of the given depth, not yet
// shifted to their place.
func tagOf(hash, depth uint64) uint64 {
	return hash&0x3f00 | hash<<dirTop<<(depth&^(window-1)&63)>>56
}

// splitBit returns the bit that decides where a slot of a segment of the given
// depth goes when that segment splits.
func splitBit(word, depth uint64) uint64 {
	return word >> (tagShift + window - 1 - depth&(window-1)) & 1
}

func load64(p unsafe.Pointer, off uintptr) uint64 { return *(*uint64)(unsafe.Add(p, off)) }
func load32(p unsafe.Pointer, off uintptr) uint32 { return *(*uint32)(unsafe.Add(p, off)) }
func load16(p unsafe.Pointer, off uintptr) uint16 { return *(*uint16)(unsafe.Add(p, off)) }
func load8(p unsafe.Pointer, off uintptr) uint8   { return *(*uint8)(unsafe.Add(p, off)) }

func store64(p unsafe.Pointer, off uintptr, v uint64) { *(*uint64)(unsafe.Add(p, off)) = v }
func store32(p unsafe.Pointer, off uintptr, v uint32) { *(*uint32)(unsafe.Add(p, off)) = v }
func store8(p unsafe.Pointer, off uintptr, v uint8)   { *(*uint8)(unsafe.Add(p, off)) = v }

// refPtr returns the address of the block a slot, or a word like it, points to.
func refPtr(base unsafe.Pointer, word uint64) unsafe.Pointer {
	return unsafe.Add(base, uintptr(word&refMask)<<3)
}

func bytesAt(p unsafe.Pointer, off uintptr, n int) []byte {
	return unsafe.Slice((*byte)(unsafe.Add(p, off)), n)
}

// equal compares n bytes without the call that a comparison of strings costs.
func equal(p, q unsafe.Pointer, n uintptr) bool {
	if n >= 8 {
		for i := uintptr(0); i < n-8; i += 8 {
			if load64(p, i) != load64(q, i) {
				return false
			}
		}
		return load64(p, n-8) == load64(q, n-8)
	}
	if n >= 4 {
		return load32(p, 0) == load32(q, 0) && load32(p, n-4) == load32(q, n-4)
	}
	for i := uintptr(0); i < n; i++ {
		if load8(p, i) != load8(q, i) {
			return false
		}
	}
	return true
}
