package command

import (
	"bytes"
	"math"

	"sherd/internal/store/dash"
	"sherd/internal/store/list"
	"sherd/internal/store/listpack"
	"sherd/internal/wire/resp"
)

const (
	errRankZero   = "ERR RANK can't be zero: use 1 to start from the first match, 2 from the second ... or use negative to start from the end of the list"
	errLPosCount  = "ERR COUNT can't be negative"
	errLPosMaxLen = "ERR MAXLEN can't be negative"
)

func runLLen(x *Ctx) {
	k := &x.Keys[0]
	e, ok, wrong := x.ReadKind(k, dash.List)
	switch {
	case wrong:
	case !ok:
		x.Int(0)
	default:
		l := x.openList(k, e)
		x.Int(int64(l.Len()))
	}
}

func runLIndex(x *Ctx) {
	k := &x.Keys[0]
	e, ok, wrong := x.ReadKind(k, dash.List)
	if wrong {
		return
	}
	if !ok {
		x.Null()
		return
	}
	i, ok := resp.ParseInt64(x.Args[2])
	if !ok {
		x.Error(errNotInteger)
		return
	}
	l := x.openList(k, e)
	if i < 0 {
		i += int64(l.Len())
	}
	var scratch [24]byte
	if s, ok := l.At(int(i), &scratch); ok {
		x.Bulk(s)
	} else {
		x.Null()
	}
}

// span reads two indices, which may count from the end.
func (x *Ctx) span(start, stop []byte) (from, to int64, ok bool) {
	if from, ok = resp.ParseInt64(start); ok {
		to, ok = resp.ParseInt64(stop)
	}
	if !ok {
		x.Error(errNotInteger)
	}
	return from, to, ok
}

// clampSpan makes indices of n elements of what span read: the first, and the one
// behind the last. They are equal if there is none.
func clampSpan(from, to int64, n int) (first, end int) {
	if from < 0 {
		from = max(from+int64(n), 0)
	}
	if to < 0 {
		to += int64(n)
	}
	to = min(to, int64(n)-1)
	if from > to {
		return 0, 0
	}
	return int(from), int(to) + 1
}

func runLRange(x *Ctx) {
	from, to, ok := x.span(x.Args[2], x.Args[3])
	if !ok {
		return
	}
	k := &x.Keys[0]
	e, ok, wrong := x.ReadKind(k, dash.List)
	if wrong {
		return
	}
	if !ok {
		x.Array(0)
		return
	}
	l := x.openList(k, e)
	first, end := clampSpan(from, to, l.Len())
	n := end - first
	x.Array(n)
	it := l.Iter(first, false)
	if n -= x.emitElements(&it, min(n, listStep), listStepBytes); n > 0 {
		x.KeepLatched(&listRanging{it, n})
	}
}

// listRanging is a LRANGE under way.
type listRanging struct {
	it   list.Iter
	left int
}

func (r *listRanging) Step(x *Ctx) bool {
	r.left -= x.emitElements(&r.it, min(r.left, listStep), listStepBytes)
	return r.left == 0
}

// listHunt is a search for the indices of an element.
type listHunt struct {
	needle listpack.Needle
	it     list.Iter
	at     int64 // index of the element that Next would give
	step   int64 // 1 or -1
	skip   int64 // matches to pass over
	want   int64 // matches still wanted
	left   int64 // elements still to be looked at
	single bool
	first  int64 // single: the match, or -1
	found  []int64
}

func runLPos(x *Ctx) {
	h := listHunt{step: 1, want: 1, left: math.MaxInt64, single: true, first: -1}
	rank := int64(1)
	for i := 3; i < len(x.Args); i += 2 {
		a := x.Args[i]
		if i+1 == len(x.Args) {
			x.Syntax()
			return
		}
		v := x.Args[i+1]
		var ok bool
		switch {
		case is(a, "RANK"):
			if rank, ok = resp.ParseInt64(v); !ok {
				x.Error(errNotInteger)
				return
			}
			if rank == 0 {
				x.Error(errRankZero)
				return
			}
		case is(a, "COUNT"):
			if h.want, ok = resp.ParseInt64(v); !ok || h.want < 0 {
				x.Error(errLPosCount)
				return
			}
			h.single = false
		case is(a, "MAXLEN"):
			if h.left, ok = resp.ParseInt64(v); !ok || h.left < 0 {
				x.Error(errLPosMaxLen)
				return
			}
			if h.left == 0 {
				h.left = math.MaxInt64
			}
		default:
			x.Syntax()
			return
		}
	}
	if h.want == 0 {
		h.want = math.MaxInt64
	}
	h.skip = rank - 1
	if rank < 0 {
		h.step, h.skip = -1, max(-rank, 1)-1 // the smallest integer has no opposite
	}
	k := &x.Keys[0]
	e, ok, wrong := x.ReadKind(k, dash.List)
	if wrong {
		return
	}
	if !ok {
		h.reply(x)
		return
	}
	l := x.openList(k, e)
	if h.step < 0 {
		h.at = int64(l.Len()) - 1
	}
	h.needle = listpack.NeedleOf(x.Args[2])
	h.it = l.Iter(int(h.at), h.step < 0)
	if h.look(listStep) {
		h.reply(x)
		return
	}
	x.KeepLatched(h.copied())
}

// copied is the hunt without what is the command's.
func (h *listHunt) copied() *listHunt {
	c := *h
	c.needle.Text = bytes.Clone(h.needle.Text)
	return &c
}

// look looks at up to n elements and reports whether the hunt is over.
func (h *listHunt) look(n int) bool {
	for ; n > 0; n-- {
		if h.left == 0 || h.want == 0 || !h.it.Next() {
			return true
		}
		if h.it.Is(&h.needle) {
			switch {
			case h.skip > 0:
				h.skip--
			case h.single:
				h.first = h.at
				return true
			default:
				h.found = append(h.found, h.at)
				h.want--
			}
		}
		h.at += h.step
		h.left--
	}
	return false
}

func (h *listHunt) reply(x *Ctx) {
	switch {
	case !h.single:
		x.Array(len(h.found))
		for _, i := range h.found {
			x.Int(i)
		}
	case h.first >= 0:
		x.Int(h.first)
	default:
		x.Null()
	}
}

func (h *listHunt) Step(x *Ctx) bool {
	if !h.look(listStep) {
		return false
	}
	h.reply(x)
	return true
}
