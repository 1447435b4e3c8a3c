package stream

import (
	"encoding/binary"

	"sherd/internal/store/listpack"
)

// Elements are those of a listpack without the lengths behind them. Entries are
// full of integers, and none is worth the way over text.

// numberSize is the bytes of an integer.
func numberSize(v int64) int {
	switch {
	case uint64(v) < 128:
		return 1
	case v >= -1<<12 && v < 1<<12:
		return 2
	case v == int64(int16(v)):
		return 3
	case v >= -1<<23 && v < 1<<23:
		return 4
	case v == int64(int32(v)):
		return 5
	}
	return 9
}

// packedNumber is the bytes of an integer in a listpack.
func packedNumber(v int64) int { return numberSize(v) + 1 }

// putNumber writes an integer and returns its size.
func putNumber(p []byte, v int64) int {
	n := numberSize(v)
	switch n {
	case 1:
		p[0] = byte(v)
	case 2:
		p[0], p[1] = 0xc0|byte(v>>8)&0x1f, byte(v)
	default:
		p[0] = 0xee + byte(n)
		if n == 9 {
			p[0] = 0xf4
		}
		for i := 1; i < n; i++ {
			p[i] = byte(v)
			v >>= 8
		}
	}
	return n
}

// number reads the integer at a place and returns the next place.
func number(p []byte, at int) (int64, int) {
	b := p[at]
	if b < 0x80 {
		return int64(b), at + 1
	}
	if b>>5 == 6 {
		return int64(int16((uint16(b)<<8|uint16(p[at+1]))<<3) >> 3), at + 2
	}
	switch b {
	case 0xf1:
		return int64(int16(binary.LittleEndian.Uint16(p[at+1:]))), at + 3
	case 0xf2:
		return int64(int32(uint32(p[at+1])<<8|uint32(p[at+2])<<16|uint32(p[at+3])<<24) >> 8), at + 4
	case 0xf3:
		return int64(int32(binary.LittleEndian.Uint32(p[at+1:]))), at + 5
	}
	return int64(binary.LittleEndian.Uint64(p[at+1:])), at + 9
}

// skip returns the place behind n elements.
func skip(p []byte, at, n int) int {
	for range n {
		switch b := p[at]; {
		case b < 0x80:
			at++
		case b < 0xc0:
			at += 1 + int(b&0x3f)
		default:
			at += listpack.Bare(p, at)
		}
	}
	return at
}

// The length of an entry stands behind it, to be read backwards: in groups of seven
// bits, the lowest in the last byte; every byte but the first has its high bit set.

func backSize(n int) int {
	size := 1
	for n >>= 7; n > 0; n >>= 7 {
		size++
	}
	return size
}

func putBack(p []byte, n int) {
	for i := backSize(n) - 1; i > 0; i-- {
		p[i] = byte(n) | 0x80
		n >>= 7
	}
	p[0] = byte(n)
}

// back reads the length that ends at a place and returns where it begins.
func back(p []byte, end int) (n, at int) {
	for shift := 0; ; shift += 7 {
		end--
		n |= int(p[end]&0x7f) << shift
		if p[end] < 0x80 {
			return n, end
		}
	}
}
