package hll

import (
	"encoding/binary"
	"math/bits"
)

// seed is the one Redis uses; with another the strings would not mix.
const seed = 0xadc83b19

// Hash returns the register of an element and the element's rank, 1 to 51.
func Hash(element []byte) (register int, rank uint8) {
	h := murmur(element, seed)
	return int(h & (Registers - 1)), uint8(bits.TrailingZeros64(h>>precision|1<<rankBits)) + 1
}

// murmur is MurmurHash64A, by Austin Appleby, of little-endian words.
func murmur(b []byte, seed uint64) uint64 {
	const m, r = 0xc6a4a7935bd1e995, 47
	h := seed ^ uint64(len(b))*m
	for ; len(b) >= 8; b = b[8:] {
		k := binary.LittleEndian.Uint64(b) * m
		k = (k ^ k>>r) * m
		h = (h ^ k) * m
	}
	if len(b) > 0 {
		var tail uint64
		for i, c := range b {
			tail |= uint64(c) << (8 * i)
		}
		h = (h ^ tail) * m
	}
	h = (h ^ h>>r) * m
	return h ^ h>>r
}
