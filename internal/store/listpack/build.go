package listpack

import (
	"encoding/binary"
	"slices"
)

// Empty appends a listpack without elements to dst.
func Empty(dst []byte) []byte {
	return append(dst, EmptySize, 0, 0, 0, 0, 0, endMark)
}

// AppendValue appends an element to the listpack that p is, and returns p, which
// may have moved. p must end with the listpack.
func AppendValue(p []byte, s []byte) []byte {
	c := CodeOf(s)
	end := len(p) - 1
	for range c.Size() {
		p = append(p, endMark)
	}
	c.Put(p[end:], s)
	binary.LittleEndian.PutUint32(p, uint32(len(p)))
	added(p, 1)
	return p
}

// AppendEntry appends the entry of s to others, which need not be a listpack yet.
func AppendEntry(p []byte, s []byte) []byte {
	c := CodeOf(s)
	at := len(p)
	p = slices.Grow(p, c.Size())[:at+c.Size()]
	c.Put(p[at:], s)
	return p
}

// added adds n, which may be negative, to the noted number of elements.
func added(p []byte, n int) {
	had := int(binary.LittleEndian.Uint16(p[4:]))
	switch {
	case had != manyFrom:
		setLen(p, had+n)
	case len(p) < EmptySize+2*manyFrom: // so many are not in it, an entry takes two bytes
		setLen(p, count(p))
	}
}

// SetHeader writes the header of a listpack of so many bytes, that included,
// and so many elements, for whoever moves entries about.
func SetHeader(p []byte, total, n int) {
	binary.LittleEndian.PutUint32(p, uint32(total))
	setLen(p, n)
}
