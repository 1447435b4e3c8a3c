package request

import (
	"strconv"

	"sherd/internal/load/keyspace"
)

// dataBlock is what values are cut from: bytes that neither compress to
// nothing nor contain a line end, the same in every run.
var dataBlock = makeData(1 << 16)

func makeData(n int) []byte {
	var r keyspace.Rand
	r.Seed(1, 0)
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"
	b := make([]byte, n)
	for i := range b {
		b[i] = letters[r.Uint64()>>58]
	}
	return b
}

// Data returns a value of n bytes. It must not be changed.
func Data(n int) []byte {
	if n <= len(dataBlock) {
		return dataBlock[:n:n]
	}
	return makeData(n)
}

// Source fills holes. One per generator loop.
type Source struct {
	Keys *keyspace.Walker

	ints             uint64 // __int__ is below this
	dataMin, dataMax int
	data             []byte
}

// NewSource returns the filler for walker w under the options.
func NewSource(w *keyspace.Walker, o Options) *Source {
	return &Source{
		Keys: w, ints: max(o.Keys.Count, 1),
		dataMin: o.DataMin, dataMax: o.DataMax, data: Data(o.DataMax),
	}
}

// Append appends the next request of command c.
func (s *Source) Append(dst []byte, c *Command) []byte {
	size := s.dataMax
	for i := range c.parts {
		p := &c.parts[i]
		switch p.kind {
		case partNumber:
			var n uint64
			if p.key {
				n = s.Keys.Next()
			} else {
				n = s.Keys.Rand().Below(s.ints)
			}
			d := max(keyspace.Digits(n), p.width)
			dst = append(dst, p.heads[d]...)
			dst = keyspace.AppendDigits(dst, n, d)
		case partSize:
			size = s.drawSize()
			dst = append(dst, p.heads[0]...)
			dst = strconv.AppendInt(dst, int64(size), 10)
		case partData:
			dst = append(dst, p.heads[0]...)
			if p.bulk {
				size = s.drawSize()
				dst = append(dst, '$')
				dst = strconv.AppendInt(dst, int64(size), 10)
				dst = append(dst, '\r', '\n')
			}
			dst = append(dst, s.data[:size]...)
		}
	}
	return append(dst, c.tail...)
}

func (s *Source) drawSize() int {
	if s.dataMin == s.dataMax {
		return s.dataMax
	}
	return s.dataMin + int(s.Keys.Rand().Below(uint64(s.dataMax-s.dataMin+1)))
}
