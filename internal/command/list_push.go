package command

import (
	"bytes"

	"sherd/internal/store/dash"
	"sherd/internal/store/list"
	"sherd/internal/store/value"
)

// openList opens the list of an entry.
func (x *Ctx) openList(k *Key, e dash.Entry) list.List {
	return list.Open(&k.Slice.Heap, e.Encoding(), e.Ref(), x.Conf.ListMaxPackedSize)
}

func listHandle(l *list.List) value.Handle {
	return value.Handle{Kind: dash.List, Encoding: l.Encoding(), Ref: l.Ref()}
}

// listGrew is told of every key that n elements were added to: the one place to
// notice that clients wait for it.
func (x *Ctx) listGrew(_ *Key, n int) { x.Changed(int64(n)) }

// listShrank stores where a list is after elements were removed, or removes its
// key if none is left.
func (x *Ctx) listShrank(k *Key, e dash.Entry, l *list.List, removed int) {
	if l.Len() == 0 {
		l.Free()
		x.Vacate(k, e)
	} else {
		l.Settle()
		x.Rehome(e, l.Encoding(), l.Ref())
	}
	x.Changed(int64(removed))
}

func runLPush(x *Ctx)  { x.pushList(false, false) }
func runRPush(x *Ctx)  { x.pushList(true, false) }
func runLPushX(x *Ctx) { x.pushList(false, true) }
func runRPushX(x *Ctx) { x.pushList(true, true) }

// pushList adds the arguments from the third on to a list.
func (x *Ctx) pushList(tail, mustExist bool) {
	k := &x.Keys[0]
	e, ok, wrong := x.FindKind(k, dash.List)
	if wrong {
		return
	}
	if !ok && mustExist {
		x.Int(0)
		return
	}
	var l list.List
	if ok {
		l = x.openList(k, e)
	} else {
		if l, ok = list.New(&k.Slice.Heap, x.Conf.ListMaxPackedSize); !ok {
			x.OutOfMemory()
			return
		}
		ok = false
	}
	elements := x.Args[2:]
	fits := x.pushElements(&l, tail, elements)
	n := l.Len()
	switch {
	case ok:
		x.Rehome(e, l.Encoding(), l.Ref())
	case !fits:
		l.Free()
	case !x.Create(k, listHandle(&l), 0):
		return
	}
	if !fits {
		x.OutOfMemory()
		return
	}
	x.listGrew(k, len(elements))
	x.Int(int64(n))
}

// pushElements adds elements to a list, or, if memory is exhausted, none.
func (x *Ctx) pushElements(l *list.List, tail bool, elements [][]byte) bool {
	size := 0
	for _, s := range elements {
		size += len(s)
	}
	if !l.Expect(len(elements), size) {
		return false
	}
	for i, s := range elements {
		if !l.Push(tail, s) {
			l.Drop(tail, i)
			return false
		}
	}
	return true
}

// leftOrRight reads LEFT or RIGHT.
func (x *Ctx) leftOrRight(arg []byte) (tail, ok bool) {
	switch {
	case is(arg, "LEFT"):
		return false, true
	case is(arg, "RIGHT"):
		return true, true
	}
	x.Syntax()
	return false, false
}

func runLMove(x *Ctx) {
	from, ok := x.leftOrRight(x.Args[3])
	if !ok {
		return
	}
	to, ok := x.leftOrRight(x.Args[4])
	if ok {
		x.moveElement(from, to)
	}
}

func runRPopLPush(x *Ctx) { x.moveElement(true, false) }

// moveElement moves an element between the ends of two lists or of one.
func (x *Ctx) moveElement(fromTail, toTail bool) {
	from, to := &x.Keys[0], &x.Keys[1]
	e, ok, wrong := x.FindKind(from, dash.List)
	if wrong {
		return
	}
	if !ok {
		x.Null()
		return
	}
	if bytes.Equal(from.Bytes, to.Bytes) {
		x.rotateList(from, e, fromTail, toTail)
		return
	}
	target, exists, wrong := x.FindKind(to, dash.List)
	if wrong {
		return
	}
	l := x.openList(from, e)
	var scratch [24]byte
	element := listEnd(&l, fromTail, &scratch)
	var d list.List
	if exists {
		d = x.openList(to, target)
	} else if d, ok = list.New(&to.Slice.Heap, x.Conf.ListMaxPackedSize); !ok {
		x.OutOfMemory()
		return
	}
	fits := d.Expect(1, len(element)) && d.Push(toTail, element)
	switch {
	case exists:
		x.Rehome(target, d.Encoding(), d.Ref())
	case !fits:
		d.Free()
	case !x.Create(to, listHandle(&d), 0):
		return
	default:
		e, _ = x.Find(from) // the table may have grown
	}
	if !fits {
		x.OutOfMemory()
		return
	}
	x.Bulk(element)
	l.Drop(fromTail, 1)
	x.listShrank(from, e, &l, 0)
	x.listGrew(to, 1)
}

func listEnd(l *list.List, tail bool, scratch *[24]byte) []byte {
	i := 0
	if tail {
		i = l.Len() - 1
	}
	s, _ := l.At(i, scratch)
	return s
}

// rotateList moves an element within a list.
func (x *Ctx) rotateList(k *Key, e dash.Entry, fromTail, toTail bool) {
	l := x.openList(k, e)
	var scratch [24]byte
	element := listEnd(&l, fromTail, &scratch)
	mark := len(x.Out)
	x.Bulk(element)
	if fromTail != toTail {
		// The reply holds what the list may move.
		copied := x.Out[len(x.Out)-2-len(element) : len(x.Out)-2]
		if !l.Push(toTail, copied) {
			x.Out = x.Out[:mark]
			x.OutOfMemory()
			return
		}
		l.Drop(fromTail, 1)
		x.Rehome(e, l.Encoding(), l.Ref())
	}
	x.listGrew(k, 1)
}
