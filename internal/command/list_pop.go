package command

import (
	"bytes"
	"math"

	"sherd/internal/store/dash"
	"sherd/internal/store/list"
	"sherd/internal/wire/resp"
)

const (
	errNumKeysZero = "ERR numkeys should be greater than 0"
	errCountZero   = "ERR count should be greater than 0"
)

// listStep is how many elements of a list a command looks at, or replies, before
// others have their turn; listStepBytes bounds the reply of a step.
const (
	listStep      = 4096
	listStepBytes = 1 << 20
)

func runLPop(x *Ctx) { x.popList(false) }
func runRPop(x *Ctx) { x.popList(true) }

func (x *Ctx) popList(tail bool) {
	counted := len(x.Args) == 3
	count := int64(1)
	switch {
	case len(x.Args) > 3:
		x.Arity()
		return
	case counted:
		var ok bool
		if count, ok = resp.ParseInt64(x.Args[2]); !ok || count < 0 {
			x.Error(errPositive)
			return
		}
	}
	k := &x.Keys[0]
	e, ok, wrong := x.FindKind(k, dash.List)
	switch {
	case wrong:
	case !ok && counted:
		x.NullArray()
	case !ok:
		x.Null()
	case !counted:
		l := x.openList(k, e)
		var scratch [24]byte
		x.Bulk(listEnd(&l, tail, &scratch))
		l.Drop(tail, 1)
		x.listShrank(k, e, &l, 1)
	default:
		x.popElements(k, e, tail, count)
	}
}

// popElements replies an array of up to count elements and removes them.
func (x *Ctx) popElements(k *Key, e dash.Entry, tail bool, count int64) {
	l := x.openList(k, e)
	n := int(min(count, int64(l.Len())))
	x.Array(n)
	if n == 0 {
		return
	}
	if n > listStep {
		p := listPopping{*k, e, l, tail, n, n}
		p.k.Bytes = bytes.Clone(k.Bytes)
		x.KeepLatched(&p)
		return
	}
	i := 0
	if tail {
		i = l.Len() - 1
	}
	it := l.Iter(i, tail)
	x.emitElements(&it, n, math.MaxInt)
	l.Drop(tail, n)
	x.listShrank(k, e, &l, n)
}

// emitElements replies up to n elements of an iterator, in about so many bytes, and
// returns how many.
func (x *Ctx) emitElements(it *list.Iter, n, mostBytes int) int {
	var scratch [24]byte
	mark := len(x.Out)
	for i := range n {
		if len(x.Out)-mark > mostBytes || !it.Next() {
			return i
		}
		x.Out = resp.AppendBulk(x.Out, it.Bytes(&scratch))
	}
	return n
}

// listPopping is a pop of many elements under way.
type listPopping struct {
	k     Key
	e     dash.Entry
	l     list.List
	tail  bool
	left  int
	count int
}

func (p *listPopping) Step(x *Ctx) bool {
	i := 0
	if p.tail {
		i = p.l.Len() - 1
	}
	it := p.l.Iter(i, p.tail)
	n := x.emitElements(&it, min(p.left, listStep), listStepBytes)
	p.l.Drop(p.tail, n)
	if p.left -= n; p.left > 0 {
		return false
	}
	x.listShrank(&p.k, p.e, &p.l, p.count)
	return true
}

func runLMPop(x *Ctx) {
	n, ok := resp.ParseInt64(x.Args[1])
	if !ok || n < 1 {
		x.Error(errNumKeysZero)
		return
	}
	if n > int64(len(x.Args)-3) {
		x.Syntax()
		return
	}
	options := x.Args[2+n:]
	tail, ok := x.leftOrRight(options[0])
	if !ok {
		return
	}
	count, counted := int64(1), false
	for i := 1; i < len(options); i += 2 {
		if counted || !is(options[i], "COUNT") || i+1 == len(options) {
			x.Syntax()
			return
		}
		if count, ok = resp.ParseInt64(options[i+1]); !ok || count < 1 {
			x.Error(errCountZero)
			return
		}
		counted = true
	}
	for i := range x.Keys {
		k := &x.Keys[i]
		e, ok, wrong := x.FindKind(k, dash.List)
		if wrong {
			return
		}
		if ok {
			x.Array(2)
			x.Bulk(k.Bytes)
			x.popElements(k, e, tail, count)
			return
		}
	}
	x.NullArray()
}
