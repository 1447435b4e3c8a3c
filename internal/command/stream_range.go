package command

import (
	"math"

	"sherd/internal/store/stream"
	"sherd/internal/wire/resp"
)

// entriesStep is how many entries a command replies before it lets others run.
const entriesStep = 4096

func runXRange(x *Ctx)    { x.xrange(false) }
func runXRevRange(x *Ctx) { x.xrange(true) }

func (x *Ctx) xrange(reverse bool) {
	from, to := x.Args[2], x.Args[3]
	if reverse {
		from, to = to, from
	}
	start, ok := x.streamStart(from)
	if !ok {
		return
	}
	end, ok := x.streamEnd(to)
	if !ok {
		return
	}
	count := int64(-1)
	for i := 4; i < len(x.Args); i += 2 {
		if !is(x.Args[i], "COUNT") || i+1 == len(x.Args) {
			x.Syntax()
			return
		}
		if count, ok = resp.ParseInt64(x.Args[i+1]); !ok {
			x.Error(errNotInteger)
			return
		}
		count = max(count, 0)
	}
	s, ok, wrong := x.readStream(&x.Keys[0])
	switch {
	case wrong:
		return
	case !ok:
		x.Array(0)
		return
	case count == 0:
		x.NullArray()
		return
	}
	if count < 0 {
		count = math.MaxInt64
	}
	it := s.Iter(start, end, reverse)
	if left := x.streamEntries(&s, &it, count); left > 0 {
		x.KeepLatched(&rangeReply{it, left})
	}
}

// streamEntries replies up to count entries of an iterator as an array. If there
// are very many it stops, with the array's length being that of all, and returns
// how many are left to be replied.
func (x *Ctx) streamEntries(s *stream.Stream, it *stream.Iter, count int64) (left int64) {
	mark := len(x.Out)
	x.Array(int(min(count, s.Len())))
	body := len(x.Out)
	n := int64(0)
	for n < min(count, entriesStep) && it.Next() {
		x.streamEntry(it)
		n++
	}
	if n == entriesStep {
		left = it.Rest(count - n)
	}
	if n+left != min(count, s.Len()) {
		x.arrayOf(mark, body, int(n+left))
	}
	return left
}

// rangeReply is XRANGE going on.
type rangeReply struct {
	it   stream.Iter
	left int64
}

// Step replies some entries.
func (r *rangeReply) Step(x *Ctx) bool {
	for i := 0; i < entriesStep && r.left > 0 && r.it.Next(); i++ {
		x.streamEntry(&r.it)
		r.left--
	}
	return r.left == 0
}
