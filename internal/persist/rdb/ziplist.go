package rdb

import (
	"encoding/binary"
	"strconv"

	"sherd/internal/store/listpack"
)

// oldForm is a ziplist or a zipmap that is being made a listpack, from the entry at a
// place on.
type oldForm struct {
	zipmap  bool
	at      int
	last    int // where the last entry began
	size    int // of that
	n       int // entries
	longest int // bytes of one
	out     []byte
}

// convert goes on with about most entries of p, which is the same every time.
func (z *oldForm) convert(p []byte, most *int) (done bool, err error) {
	next := z.ziplistEntry
	if z.zipmap {
		next = z.zipmapEntry
	}
	if z.at == 0 {
		z.out = listpack.Empty(nil)
		z.out = z.out[:len(z.out)-1] // the end mark comes last
		ok := z.beginZiplist(p)
		if z.zipmap {
			ok = z.beginZipmap(p)
		}
		if !ok {
			return false, ErrFormat
		}
	}
	for p[z.at] != 0xFF {
		if *most <= 0 {
			return false, nil
		}
		before := z.at
		if !next(p) || len(z.out) >= 1<<30 {
			return false, ErrFormat
		}
		*most -= 1 + (z.at-before)/unitBytes
	}
	if z.at != len(p)-1 || !z.complete(p) {
		return false, ErrFormat
	}
	z.out = append(z.out, 0xFF)
	listpack.SetHeader(z.out, len(z.out), z.n)
	return true, nil
}

// add adds an element to the listpack.
func (z *oldForm) add(s []byte) {
	z.out = listpack.AppendEntry(z.out, s)
	z.longest = max(z.longest, len(s))
	z.n++
}

// A ziplist:
//
//	│ total bytes 4 │ where the last entry begins 4 │ entries 2 │ entry │ … │ 0xFF │
//	entry  │ bytes of the entry before: 1, or 0xFE and 4 │ head │ data │
//
// Numbers are little-endian but for the lengths in heads; entries is 65535 if there
// are as many. Heads:
//
//	00nnnnnn                n bytes follow
//	01nnnnnn nnnnnnnn       likewise
//	10------ n:4            likewise
//	11000000  11010000  11100000  11110000  11111110     integer of 2, 4, 8, 3, 1 bytes
//	1111vvvv                integer v-1, v from 1 to 13
const ziplistHead = 10

func (z *oldForm) beginZiplist(p []byte) bool {
	if len(p) < ziplistHead+1 || int64(binary.LittleEndian.Uint32(p)) != int64(len(p)) || p[len(p)-1] != 0xFF {
		return false
	}
	z.at, z.last = ziplistHead, ziplistHead
	return true
}

// complete tells whether the heads of the whole are right.
func (z *oldForm) complete(p []byte) bool {
	if z.zipmap {
		return z.n%2 == 0 && (p[0] >= zipmapMany || int(p[0]) == z.n/2)
	}
	noted := int(binary.LittleEndian.Uint16(p[8:]))
	return (noted == 65535 || noted == z.n) && int64(binary.LittleEndian.Uint32(p[4:])) == int64(z.last)
}

func (z *oldForm) ziplistEntry(p []byte) bool {
	r := reader{p: p[:len(p)-1], at: z.at}
	before := int64(r.byte())
	if before == 0xFE {
		if b := r.take(4); b != nil {
			before = int64(binary.LittleEndian.Uint32(b))
		}
	}
	if before != int64(z.size) {
		return false
	}
	head := r.byte()
	n := int64(-1) // bytes of a string
	switch head >> 6 {
	case 0:
		n = int64(head)
	case 1:
		n = int64(head&0x3F)<<8 | int64(r.byte())
	case 2:
		if b := r.take(4); b != nil {
			n = int64(binary.BigEndian.Uint32(b))
		}
	}
	if n >= 0 {
		s := r.take(int(n))
		if r.short {
			return false
		}
		z.add(s)
	} else {
		v, ok := r.ziplistInt(head)
		if !ok || r.short {
			return false
		}
		var digits [20]byte
		z.add(strconv.AppendInt(digits[:0], v, 10))
	}
	z.last, z.size, z.at = z.at, r.at-z.at, r.at
	return true
}

func (r *reader) ziplistInt(head byte) (int64, bool) {
	size := 0
	switch head {
	case 0xC0:
		size = 2
	case 0xD0:
		size = 4
	case 0xE0:
		size = 8
	case 0xF0:
		size = 3
	case 0xFE:
		size = 1
	default:
		return int64(head&0x0F) - 1, head > 0xF0 && head < 0xFE
	}
	b := r.take(size)
	if b == nil {
		return 0, false
	}
	v := uint64(0)
	for i, c := range b {
		v |= uint64(c) << (8 * i)
	}
	shift := 64 - 8*size
	return int64(v<<shift) >> shift, true
}

// A zipmap:
//
//	│ pairs 1 │ length │ name │ length │ free 1 │ value │ free bytes │ … │ 0xFF │
//
// Pairs is 254 or more if there are as many. A length is a byte up to 253, or 254 and
// four bytes, little-endian.
const zipmapMany = 254

func (z *oldForm) beginZipmap(p []byte) bool {
	if len(p) < 2 || p[len(p)-1] != 0xFF {
		return false
	}
	z.at = 1
	return true
}

func (r *reader) zipmapLength() int {
	n := int64(r.byte())
	switch {
	case n == 255:
		r.short = true
	case n == 254:
		if b := r.take(4); b != nil {
			n = int64(binary.LittleEndian.Uint32(b))
		}
	}
	return int(n)
}

func (z *oldForm) zipmapEntry(p []byte) bool {
	r := reader{p: p[:len(p)-1], at: z.at}
	name := r.take(r.zipmapLength())
	n := r.zipmapLength()
	free := r.byte()
	value := r.take(n)
	r.take(int(free))
	if r.short {
		return false
	}
	z.add(name)
	z.add(value)
	z.at = r.at
	return true
}
