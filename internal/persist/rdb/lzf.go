package rdb

import (
	"encoding/binary"
	"math/bits"
	"sync"
)

// LZF is a chain of two kinds of items:
//
//	000nnnnn                     n+1 bytes follow as they are
//	lllddddd dddddddd            l+2 bytes, l from 1 to 6, that began d+1 bytes ago
//	111ddddd llllllll dddddddd   l+9 bytes, likewise
//
// So nothing can be longer than 88 times what it is made from.
const (
	lzfLiterals = 32      // in one item, at most
	lzfFar      = 1 << 13 // bytes back, at most
	lzfShort    = 8       // bytes that an item of two bytes repeats, at most
	lzfLong     = 264     // and one of three
)

// packer finds what was there before: where in the text three bytes were last seen.
// Places count on from text to text, so that the table need not be emptied; those of
// an earlier text are less than base.
type packer struct {
	seen [1 << 13]uint32
	base uint32
}

var packers = sync.Pool{New: func() any { return &packer{base: 1} }}

// compress appends src compressed to dst. False: it does not become shorter than
// most bytes, and dst is as it was.
func compress(dst, src []byte, most int) ([]byte, bool) {
	if len(src) < 4 || int64(len(src)) >= 1<<31 {
		return dst, false
	}
	k := packers.Get().(*packer)
	dst, ok := k.compress(dst, src, most)
	packers.Put(k)
	return dst, ok
}

func (k *packer) compress(dst, src []byte, most int) ([]byte, bool) {
	if uint64(k.base)+uint64(len(src)) >= 1<<32 {
		*k = packer{base: 1}
	}
	base := k.base
	k.base += uint32(len(src))
	start, from := len(dst), 0 // from: the first byte not yet written
	last := len(src) - 4       // where four bytes can still be read
	for at := 0; at <= last; {
		w := binary.LittleEndian.Uint32(src[at:])
		slot := &k.seen[w<<8*2654435761>>19] // of three bytes
		was := *slot
		*slot = base + uint32(at)
		back := at - int(was-base)
		if was < base || back > lzfFar || binary.LittleEndian.Uint32(src[at-back:])<<8 != w<<8 {
			at += 1 + (at-from)>>6 // hurry through what does not repeat
			continue
		}
		n := 3 + same(src[at+3:min(at+lzfLong, len(src))], src[at-back+3:])
		dst = literals(dst, src[from:at])
		d := back - 1
		if n <= lzfShort {
			dst = append(dst, byte((n-2)<<5|d>>8), byte(d))
		} else {
			dst = append(dst, byte(7<<5|d>>8), byte(n-9), byte(d))
		}
		if len(dst)-start > most {
			return dst[:start], false
		}
		at += n
		from = at
		if at-2 <= last {
			k.seen[binary.LittleEndian.Uint32(src[at-2:])<<8*2654435761>>19] = base + uint32(at-2)
		}
	}
	if rest := len(src) - from; len(dst)-start+rest+(rest+lzfLiterals-1)/lzfLiterals > most {
		return dst[:start], false
	}
	return literals(dst, src[from:]), true
}

// same is how many bytes of a are those of b, which is not shorter.
func same(a, b []byte) int {
	n := 0
	for len(a)-n >= 8 {
		if x := binary.LittleEndian.Uint64(a[n:]) ^ binary.LittleEndian.Uint64(b[n:]); x != 0 {
			return n + bits.TrailingZeros64(x)/8
		}
		n += 8
	}
	for n < len(a) && a[n] == b[n] {
		n++
	}
	return n
}

// literals appends bytes as they are.
func literals(dst, p []byte) []byte {
	for len(p) > 0 {
		n := min(len(p), lzfLiterals)
		dst = append(append(dst, byte(n-1)), p[:n]...)
		p = p[n:]
	}
	return dst
}

// expandedSize is how long what src stands for is; false if src is not LZF.
func expandedSize(src []byte) (size int, ok bool) {
	for i := 0; i < len(src); {
		c := int(src[i])
		i++
		if c < lzfLiterals {
			size += c + 1
			if i += c + 1; i > len(src) {
				return 0, false
			}
			continue
		}
		n := c>>5 + 2
		if n == 9 {
			if i == len(src) {
				return 0, false
			}
			n += int(src[i])
			i++
		}
		if i == len(src) || (c&31<<8|int(src[i]))+1 > size {
			return 0, false
		}
		i++
		size += n
	}
	return size, true
}

// expand appends what src, which is LZF, stands for to dst, which has room for it.
func expand(dst, src []byte) []byte {
	for i := 0; i < len(src); {
		c := int(src[i])
		i++
		if c < lzfLiterals {
			dst = append(dst, src[i:i+c+1]...)
			i += c + 1
			continue
		}
		n := c>>5 + 2
		if n == 9 {
			n += int(src[i])
			i++
		}
		from := len(dst) - (c&31<<8 | int(src[i])) - 1
		i++
		for n > 0 { // it may repeat what it is about to write
			m := min(n, len(dst)-from)
			dst = append(dst, dst[from:from+m]...)
			n -= m
		}
	}
	return dst
}
