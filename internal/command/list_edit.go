package command

import (
	"bytes"
	"math"

	"sherd/internal/store/dash"
	"sherd/internal/store/list"
	"sherd/internal/store/listpack"
	"sherd/internal/wire/resp"
)

func runLSet(x *Ctx) {
	k := &x.Keys[0]
	e, ok, wrong := x.FindKind(k, dash.List)
	if wrong {
		return
	}
	if !ok {
		x.Error(errNoKey)
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
	if i < 0 || i >= int64(l.Len()) {
		x.Error(errOutOfRange)
		return
	}
	element := x.Args[3]
	ok = l.Expect(0, len(element)) && l.Set(int(i), element)
	l.Settle()
	x.Rehome(e, l.Encoding(), l.Ref())
	if !ok {
		x.OutOfMemory()
		return
	}
	x.Changed(1)
	x.OK()
}

func runLInsert(x *Ctx) {
	n := listInserting{}
	switch {
	case is(x.Args[2], "AFTER"):
		n.after = 1
	case !is(x.Args[2], "BEFORE"):
		x.Syntax()
		return
	}
	k := &x.Keys[0]
	e, ok, wrong := x.FindKind(k, dash.List)
	if wrong {
		return
	}
	if !ok {
		x.Int(0)
		return
	}
	n.k, n.e, n.l = *k, e, x.openList(k, e)
	n.pivot, n.element = listpack.NeedleOf(x.Args[3]), x.Args[4]
	n.it = n.l.Iter(0, false)
	if !n.Step(x) {
		c := n
		c.k.Bytes = bytes.Clone(n.k.Bytes)
		c.pivot.Text = bytes.Clone(n.pivot.Text)
		c.element = bytes.Clone(n.element)
		x.KeepLatched(&c)
	}
}

// listInserting is a LINSERT that looks for its pivot.
type listInserting struct {
	k       Key
	e       dash.Entry
	l       list.List
	it      list.Iter
	at      int
	after   int // 0 or 1
	pivot   listpack.Needle
	element []byte
}

func (n *listInserting) Step(x *Ctx) bool {
	for range listStep {
		if !n.it.Next() {
			x.Int(-1)
			return true
		}
		if n.it.Is(&n.pivot) {
			n.insert(x)
			return true
		}
		n.at++
	}
	return false
}

func (n *listInserting) insert(x *Ctx) {
	ok := n.l.Expect(1, len(n.element)) && n.l.Insert(n.at+n.after, n.element)
	x.Rehome(n.e, n.l.Encoding(), n.l.Ref())
	if !ok {
		x.OutOfMemory()
		return
	}
	x.listGrew(&n.k, 1)
	x.Int(int64(n.l.Len()))
}

func runLRem(x *Ctx) {
	count, ok := resp.ParseInt64(x.Args[2])
	if !ok {
		x.Error(errNotInteger)
		return
	}
	k := &x.Keys[0]
	e, ok, wrong := x.FindKind(k, dash.List)
	if wrong {
		return
	}
	if !ok {
		x.Int(0)
		return
	}
	most, back := count, count < 0
	if back {
		most = -count
	}
	if most <= 0 { // the smallest integer has no opposite
		most = math.MaxInt64
	}
	r := listRemoving{*k, e, x.openList(k, e), list.NewSweep(x.Args[3], int(most), back)}
	if !r.Step(x) {
		c := r
		c.k.Bytes = bytes.Clone(k.Bytes)
		c.sweep.Keep()
		x.KeepLatched(&c)
	}
}

// listRemoving is a LREM under way.
type listRemoving struct {
	k     Key
	e     dash.Entry
	l     list.List
	sweep list.Sweep
}

func (r *listRemoving) Step(x *Ctx) bool {
	if !r.l.Sweep(&r.sweep, listStep) {
		return false
	}
	n := r.sweep.Removed()
	if n > 0 {
		x.listShrank(&r.k, r.e, &r.l, n)
	}
	x.Int(int64(n))
	return true
}

func runLTrim(x *Ctx) {
	from, to, ok := x.span(x.Args[2], x.Args[3])
	if !ok {
		return
	}
	k := &x.Keys[0]
	e, ok, wrong := x.FindKind(k, dash.List)
	if wrong {
		return
	}
	if !ok {
		x.OK()
		return
	}
	l := x.openList(k, e)
	n := l.Len()
	first, end := clampSpan(from, to, n)
	if first == end {
		x.Remove(k, e)
		x.OK()
		return
	}
	t := listTrimming{*k, e, l, first, n - end, n - end + first}
	if !t.Step(x) {
		c := t
		c.k.Bytes = bytes.Clone(k.Bytes)
		x.KeepLatched(&c)
	}
}

// listTrimming is a LTRIM under way.
type listTrimming struct {
	k          Key
	e          dash.Entry
	l          list.List
	head, tail int // still to be removed
	count      int
}

func (t *listTrimming) Step(x *Ctx) bool {
	const most = 64 * listStep // whole nodes go
	n := min(t.head, most)
	t.l.Drop(false, n)
	t.head -= n
	n = min(t.tail, most-n)
	t.l.Drop(true, n)
	if t.tail -= n; t.head+t.tail > 0 {
		return false
	}
	if t.count > 0 {
		x.listShrank(&t.k, t.e, &t.l, t.count)
	}
	x.OK()
	return true
}
