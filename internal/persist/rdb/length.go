package rdb

import "encoding/binary"

// Lengths, and other numbers that are never negative:
//
//	00nnnnnn                    up to 63
//	01nnnnnn nnnnnnnn           up to 16383, high bits first
//	10000000 n:4                big-endian
//	10000001 n:8                big-endian
//	11eeeeee                    no length: the string that follows is encoded in way e
const (
	len14   = 0x40
	len32   = 0x80
	len64   = 0x81
	encoded = 0xC0

	encodedInt8  = 0
	encodedInt16 = 1
	encodedInt32 = 2
	encodedLZF   = 3
)

func appendLength(b []byte, n uint64) []byte {
	switch {
	case n < 1<<6:
		return append(b, byte(n))
	case n < 1<<14:
		return append(b, len14|byte(n>>8), byte(n))
	case n < 1<<32:
		return binary.BigEndian.AppendUint32(append(b, len32), uint32(n))
	}
	return binary.BigEndian.AppendUint64(append(b, len64), n)
}

// A reader goes through bytes from outside. Once something is missing it is short,
// and everything read from it is zero.
type reader struct {
	p     []byte
	at    int
	short bool
}

func (r *reader) rest() int { return len(r.p) - r.at }

// take returns the next n bytes, nil if there are not so many.
func (r *reader) take(n int) []byte {
	if n < 0 || n > r.rest() || r.short {
		r.short = true
		return nil
	}
	b := r.p[r.at : r.at+n : r.at+n]
	r.at += n
	return b
}

func (r *reader) byte() byte {
	if b := r.take(1); b != nil {
		return b[0]
	}
	return 0
}

func (r *reader) uint64LE() uint64 {
	if b := r.take(8); b != nil {
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}

// length reads a length; way is how the string that follows is encoded, -1 if there
// is a length.
func (r *reader) length() (n uint64, way int) {
	switch c := r.byte(); {
	case r.short:
	case c < len14:
		return uint64(c), -1
	case c < len32:
		return uint64(c&0x3F)<<8 | uint64(r.byte()), -1
	case c >= encoded:
		return 0, int(c & 0x3F)
	case c == len32:
		if b := r.take(4); b != nil {
			return uint64(binary.BigEndian.Uint32(b)), -1
		}
	case c == len64:
		if b := r.take(8); b != nil {
			return binary.BigEndian.Uint64(b), -1
		}
	default:
		r.short = true
	}
	return 0, -1
}

// number reads a length that is nothing else.
func (r *reader) number() uint64 {
	n, way := r.length()
	if way >= 0 {
		r.short = true
		return 0
	}
	return n
}
