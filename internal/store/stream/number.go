package stream

import (
	"encoding/binary"

	"sherd/internal/store/listpack"
)

// Integers of a listpack, as listpack describes them. Entries are full of them,
// and none is worth the way over text.

// numberSize is the bytes of the element of an integer.
func numberSize(v int64) int {
	switch {
	case uint64(v) < 128:
		return 2
	case v >= -1<<12 && v < 1<<12:
		return 3
	case v == int64(int16(v)):
		return 4
	case v >= -1<<23 && v < 1<<23:
		return 5
	case v == int64(int32(v)):
		return 6
	}
	return 10
}

// putNumber writes the element of an integer and returns its size.
func putNumber(p []byte, v int64) int {
	n := numberSize(v)
	switch n {
	case 2:
		p[0] = byte(v)
	case 3:
		p[0], p[1] = 0xc0|byte(v>>8)&0x1f, byte(v)
	default:
		p[0] = 0xed + byte(n)
		if n == 10 {
			p[0] = 0xf4
		}
		for i := 1; i < n-1; i++ {
			p[i] = byte(v)
			v >>= 8
		}
	}
	p[n-1] = byte(n - 1)
	return n
}

// number reads the integer at a place and returns the next place.
func number(p []byte, at int) (int64, int) {
	b := p[at]
	if b < 0x80 {
		return int64(b), at + 2
	}
	if b>>5 == 6 {
		return int64(int16((uint16(b)<<8|uint16(p[at+1]))<<3) >> 3), at + 3
	}
	switch b {
	case 0xf1:
		return int64(int16(binary.LittleEndian.Uint16(p[at+1:]))), at + 4
	case 0xf2:
		return int64(int32(uint32(p[at+1])<<8|uint32(p[at+2])<<16|uint32(p[at+3])<<24) >> 8), at + 5
	case 0xf3:
		return int64(int32(binary.LittleEndian.Uint32(p[at+1:]))), at + 6
	case 0xf4:
		return int64(binary.LittleEndian.Uint64(p[at+1:])), at + 10
	}
	v, _ := listpack.Int(p, at) // a string: only a damaged node has one here
	return v, listpack.After(p, at)
}

// skip returns the place behind n elements.
func skip(p []byte, at, n int) int {
	for range n {
		switch b := p[at]; {
		case b < 0x80:
			at += 2
		case b < 0xc0:
			at += 2 + int(b&0x3f)
		default:
			at = listpack.After(p, at)
		}
	}
	return at
}
