package listpack

import (
	"bytes"
	"encoding/binary"
	"strconv"
)

// The first bytes of heads.
const (
	head6   = 0x80 // string
	head13  = 0xC0 // integer
	head12  = 0xE0 // string
	head32  = 0xF0 // string
	int16At = 0xF1
	int24At = 0xF2
	int32At = 0xF3
	int64At = 0xF4
	endMark = 0xFF
)

// maxNumber is the length of the longest text that can be an integer.
const maxNumber = 20

// ParseInt reads text that is an integer in its shortest decimal form.
func ParseInt(s []byte) (int64, bool) {
	if len(s) == 0 || len(s) > maxNumber {
		return 0, false
	}
	digits := s
	if s[0] == '-' {
		digits = s[1:]
	}
	if len(digits) == 0 || len(digits) == maxNumber || digits[0]-'1' > 8 {
		return 0, len(s) == 1 && s[0] == '0'
	}
	u := uint64(0)
	for _, c := range digits { // at most 19 digits: no overflow
		c -= '0'
		if c > 9 {
			return 0, false
		}
		u = u*10 + uint64(c)
	}
	if len(digits) < len(s) {
		return -int64(u), u <= 1<<63
	}
	return int64(u), u < 1<<63
}

// Code is how an element will be stored.
type Code struct {
	v     int64
	first byte // of the head
	head  uint8
	back  uint8
	size  int // head and data
}

// Size is the bytes of the whole entry.
func (c *Code) Size() int { return c.size + int(c.back) }

// CodeOf tells how s will be stored.
func CodeOf(s []byte) (c Code) {
	if len(s) <= maxNumber {
		if v, ok := ParseInt(s); ok {
			c.v = v
			c.back = 1
			switch {
			case uint64(v) < 128:
				c.first, c.size = byte(v), 1
			case v >= -1<<12 && v < 1<<12:
				c.first, c.size = head13, 2
			case v == int64(int16(v)):
				c.first, c.size = int16At, 3
			case v >= -1<<23 && v < 1<<23:
				c.first, c.size = int24At, 4
			case v == int64(int32(v)):
				c.first, c.size = int32At, 5
			default:
				c.first, c.size = int64At, 9
			}
			return c
		}
	}
	switch {
	case len(s) < 1<<6:
		c.first, c.head = head6, 1
	case len(s) < 1<<12:
		c.first, c.head = head12, 2
	default:
		c.first, c.head = head32, 5
	}
	c.size = int(c.head) + len(s)
	c.back = uint8(backSize(c.size))
	return c
}

// EncodedSize is the bytes that the entry of s takes.
func EncodedSize(s []byte) int {
	c := CodeOf(s)
	return c.Size()
}

// Bare is the bytes of head and data alone, without the length behind them.
func (c *Code) Bare() int { return c.size }

// Put writes the entry of s, whose code it is, to the start of p.
func (c *Code) Put(p, s []byte) {
	c.PutBare(p, s)
	putBack(p[c.size:], c.size)
}

// PutBare writes head and data alone.
func (c *Code) PutBare(p, s []byte) {
	switch c.first {
	case head6:
		p[0] = head6 | byte(len(s))
		copy(p[1:], s)
	case head12:
		p[0], p[1] = head12|byte(len(s)>>8), byte(len(s))
		copy(p[2:], s)
	case head32:
		p[0] = head32
		binary.LittleEndian.PutUint32(p[1:], uint32(len(s)))
		copy(p[5:], s)
	case head13:
		p[0], p[1] = head13|byte(c.v>>8)&0x1F, byte(c.v)
	default: // the integer's low bytes
		p[0] = c.first
		for i, v := 1, c.v; i < c.size; i++ {
			p[i] = byte(v)
			v >>= 8
		}
	}
}

// backSize is how many bytes the length n takes at an entry's end.
func backSize(n int) int {
	switch {
	case n <= 127:
		return 1
	case n < 16383:
		return 2
	case n < 2097151:
		return 3
	case n < 268435455:
		return 4
	}
	return 5
}

func putBack(p []byte, n int) {
	k := backSize(n)
	for i := k - 1; i > 0; i-- {
		p[i] = byte(n) | 0x80
		n >>= 7
	}
	p[0] = byte(n)
}

// Bare is the bytes of head and data of the entry at a place, 0 at the end mark.
func Bare(p []byte, at int) int { return sizeAt(p, at) }

// AppendBare appends the entry that head and data alone, up to 1 GiB, are of.
func AppendBare(dst, bare []byte) []byte {
	var back [5]byte
	putBack(back[:], len(bare))
	return append(append(dst, bare...), back[:backSize(len(bare))]...)
}

// sizeAt is the bytes of head and data of the entry at a place.
func sizeAt(p []byte, at int) int {
	b := p[at]
	switch {
	case b < head6:
		return 1
	case b < head13:
		return 1 + int(b&0x3F)
	case b < head12:
		return 2
	case b < head32:
		return 2 + (int(b&0x0F)<<8 | int(p[at+1]))
	}
	switch b {
	case head32:
		return 5 + int(binary.LittleEndian.Uint32(p[at+1:]))
	case int16At:
		return 3
	case int24At:
		return 4
	case int32At:
		return 5
	case int64At:
		return 9
	}
	return 0 // the end mark
}

// text returns the string at a place, or false if it is an integer.
func text(p []byte, at int) ([]byte, bool) {
	b := p[at]
	switch {
	case b < head6:
		return nil, false
	case b < head13:
		return p[at+1 : at+1+int(b&0x3F)], true
	case b < head12:
		return nil, false
	case b < head32:
		return p[at+2 : at+2+(int(b&0x0F)<<8|int(p[at+1]))], true
	case b == head32:
		return p[at+5 : at+5+int(binary.LittleEndian.Uint32(p[at+1:]))], true
	}
	return nil, false
}

// number is the integer at a place that has one.
func number(p []byte, at int) int64 {
	b := p[at]
	switch {
	case b < head6:
		return int64(b)
	case b < head12:
		return int64(int16((uint16(b)<<8|uint16(p[at+1]))<<3) >> 3)
	}
	switch b {
	case int16At:
		return int64(int16(binary.LittleEndian.Uint16(p[at+1:])))
	case int24At:
		return int64(int32(uint32(p[at+1])<<8|uint32(p[at+2])<<16|uint32(p[at+3])<<24) >> 8)
	case int32At:
		return int64(int32(binary.LittleEndian.Uint32(p[at+1:])))
	}
	return int64(binary.LittleEndian.Uint64(p[at+1:]))
}

// Get returns the element at a place: a string as it lies in p, an integer as
// text in scratch.
func Get(p []byte, at int, scratch *[24]byte) []byte {
	if s, ok := text(p, at); ok {
		return s
	}
	return strconv.AppendInt(scratch[:0], number(p, at), 10)
}

// Int returns the integer at a place, if the element is stored as one.
func Int(p []byte, at int) (v int64, isInt bool) {
	if _, ok := text(p, at); ok {
		return 0, false
	}
	return number(p, at), true
}

// Equal tells whether the element at a place is s.
func Equal(p []byte, at int, s []byte) bool {
	if t, ok := text(p, at); ok {
		return bytes.Equal(t, s)
	}
	v, ok := ParseInt(s)
	return ok && v == number(p, at)
}

// Needle is what many elements are compared with.
type Needle struct {
	Text  []byte
	v     int64
	isInt bool
}

// NeedleOf makes a needle of s, which it keeps.
func NeedleOf(s []byte) Needle {
	v, ok := ParseInt(s)
	return Needle{s, v, ok}
}

// At tells whether the element at a place is the needle.
func (n *Needle) At(p []byte, at int) bool {
	if t, ok := text(p, at); ok {
		return bytes.Equal(t, n.Text)
	}
	return n.isInt && n.v == number(p, at)
}
