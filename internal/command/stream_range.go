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
	r := rangeReply{it: s.Iter(start, end, reverse), left: count}
	r.start = r.it
	// Most often few entries are replied, and it does not matter what was expected.
	mark := len(x.Out)
	x.Array(int(min(count, s.Len())))
	body, n := len(x.Out), int64(0)
	for n < min(count, entriesStep) && r.it.Next() {
		x.streamEntry(&r.it)
		n++
	}
	if n == entriesStep && n < count {
		rest := r.it
		more, done := rest.Count(count-n, nodesStep)
		if r.left = more; !done {
			x.Out = x.Out[:mark]
			x.KeepLatched(&rangeReply{it: r.start, start: r.start, left: count, counts: true})
			return
		}
		if more > 0 {
			later := r
			x.KeepLatched(&later)
		}
		n += more
	}
	if n != min(count, s.Len()) {
		x.arrayOf(mark, body, int(n))
	}
}

// nodesStep is how many nodes are counted before others are let run.
const nodesStep = 2048

// rangeReply is XRANGE going on. If the entries are to be counted, that comes first.
type rangeReply struct {
	it, start stream.Iter
	left      int64 // entries to reply; or how many are asked for, if they are counted
	counts    bool
	n         int64 // counted
}

// Step counts or replies some entries.
func (r *rangeReply) Step(x *Ctx) bool {
	if r.counts {
		n, done := r.it.Count(r.left-r.n, nodesStep)
		if r.n += n; !done {
			return false
		}
		r.it, r.left, r.counts = r.start, r.n, false
		x.Array(int(r.n))
	}
	for i := 0; i < entriesStep && r.left > 0 && r.it.Next(); i++ {
		x.streamEntry(&r.it)
		r.left--
	}
	return r.left == 0
}
