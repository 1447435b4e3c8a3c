package command

import (
	"bytes"

	"sherd/internal/store/dash"
	"sherd/internal/store/list"
	"sherd/internal/wire/resp"
)

// runLMoveM moves several elements between the ends of two lists, or of one. They
// are the elements at the source's end. How they stand at the destination's end,
// from left to right, is the reply:
//
//	in their order  BULK, or where one end is a head and the other a tail
//	turned round    OBO from head to head, or from tail to tail
func runLMoveM(x *Ctx) {
	m := listMove{count: 1}
	var ok, exactly bool
	if m.fromTail, ok = x.leftOrRight(x.Args[3]); !ok {
		return
	}
	if m.toTail, ok = x.leftOrRight(x.Args[4]); !ok {
		return
	}
	if len(x.Args) > 5 {
		if exactly, ok = x.moveOptions(&m, x.Args[5:]); !ok {
			return
		}
	}
	from, to := &x.Keys[0], &x.Keys[1]
	e, ok, wrong := x.FindKind(from, dash.List)
	if wrong {
		return
	}
	if !ok {
		x.NullArray()
		return
	}
	m.source = x.openList(from, e)
	if n := int64(m.source.Len()); m.count > n {
		if exactly {
			x.NullArray()
			return
		}
		m.count = n
	}
	m.e, m.from, m.to = e, *from, *to
	m.first = 0
	if m.fromTail {
		m.first = m.source.Len() - int(m.count)
	}
	if bytes.Equal(from.Bytes, to.Bytes) {
		m.same = true
	} else if !m.openTarget(x) {
		return
	}
	if m.Step(x) {
		return
	}
	later := m
	later.from.Bytes = bytes.Clone(m.from.Bytes)
	later.to.Bytes = bytes.Clone(m.to.Bytes)
	x.KeepLatched(&later)
}

// moveOptions reads a count and an order; false: the error has been replied.
func (x *Ctx) moveOptions(m *listMove, args [][]byte) (exactly, ok bool) {
	if len(args) != 3 {
		x.Syntax()
		return false, false
	}
	switch exactly = is(args[0], "EXACTLY"); {
	case !exactly && !is(args[0], "COUNT"):
		x.Syntax()
		return false, false
	case is(args[2], "OBO"):
		m.turned = m.fromTail == m.toTail
	case !is(args[2], "BULK"):
		x.Syntax()
		return false, false
	}
	if m.count, ok = resp.ParseInt64(args[1]); !ok || m.count < 1 {
		x.Error(errCountZero)
		return false, false
	}
	return exactly, true
}

// listMove is a LMOVEM under way. First copies of all elements are pushed at the
// destination: if memory does not suffice for that they are dropped again. Then the
// elements are replied, and at last taken away from the source.
type listMove struct {
	from, to         Key
	fromTail, toTail bool
	turned           bool
	same             bool // the destination is the source
	count            int64
	first            int // index in the source of the leftmost element to be moved

	e       dash.Entry
	source  list.List
	target  list.List
	te      dash.Entry
	exists  bool // the destination, before
	stage   moveStage
	done    int // elements of the stage
	it      list.Iter
	open    bool
	scratch []byte // elements of a step
	ends    []int
}

type moveStage uint8

const (
	movePush moveStage = iota
	moveReply
)

// moveStep is how many elements a step moves within a list, which are found one by
// one.
const moveStep = 512

// openTarget finds or makes the destination; false: the error has been replied.
func (m *listMove) openTarget(x *Ctx) bool {
	var wrong bool
	if m.te, m.exists, wrong = x.FindKind(&m.to, dash.List); wrong {
		return false
	}
	if m.exists {
		m.target = x.openList(&m.to, m.te)
		return true
	}
	var ok bool
	if m.target, ok = list.New(&m.to.Slice.Heap, x.Conf.ListMaxPackedSize); !ok {
		x.OutOfMemory()
	}
	return ok
}

// Step moves, or replies, the next elements.
func (m *listMove) Step(x *Ctx) bool {
	for left := listStep; left > 0; {
		var n int
		var done bool
		switch {
		case m.stage == moveReply:
			if !m.reply(x, left) {
				return false
			}
			m.finish(x)
			return true
		case m.same && m.fromTail == m.toTail:
			n, done = m.turn(x, left)
		case m.same:
			n, done = m.rotate(x, left)
		default:
			n, done = m.push(x, left)
		}
		if n < 0 {
			return true // memory is exhausted
		}
		if done {
			if !m.store(x) {
				return true
			}
			m.stage, m.done, m.open = moveReply, 0, false
			x.Array(int(m.count))
		}
		left -= max(n, 1)
	}
	return false
}

// backwards tells whether the elements are pushed from the last to the first.
func (m *listMove) backwards() bool { return m.toTail == m.turned }

// push adds elements to another list. -1: memory is exhausted, and the error
// replied.
func (m *listMove) push(x *Ctx, most int) (n int, done bool) {
	back := m.backwards()
	if !m.open {
		at := m.first
		if back {
			at += int(m.count) - 1
		}
		m.it, m.open = m.source.Iter(at, back), true
	}
	var scratch [24]byte
	for ; n < most && int64(m.done) < m.count; n++ {
		m.it.Next()
		element := m.it.Bytes(&scratch)
		if !m.target.Expect(1, len(element)) || !m.target.Push(m.toTail, element) {
			m.undo(x)
			return -1, false
		}
		m.done++
	}
	return n, int64(m.done) == m.count
}

// undo drops what was pushed.
func (m *listMove) undo(x *Ctx) {
	switch {
	case m.same:
		m.source.Drop(m.toTail, m.done)
		m.source.Settle()
		x.Rehome(m.e, m.source.Encoding(), m.source.Ref())
	case m.exists:
		m.target.Drop(m.toTail, m.done)
		m.target.Settle()
		x.Rehome(m.te, m.target.Encoding(), m.target.Ref())
	default:
		m.to.Slice.Drop(listHandle(&m.target))
	}
	x.OutOfMemory()
}

// rotate adds elements at the other end of the list they are in, in steps: a change
// moves what an iterator stands on.
func (m *listMove) rotate(x *Ctx, most int) (n int, done bool) {
	n = int(min(int64(min(most, moveStep)), m.count-int64(m.done)))
	// What was pushed at the head stands before the elements.
	at := m.first + m.done
	if m.fromTail {
		at = m.source.Len() - 1 - m.done
	}
	m.gather(m.source.Iter(at, m.fromTail), n)
	for i := range n {
		if !m.source.Push(m.toTail, m.gathered(i)) {
			m.undo(x)
			return -1, false
		}
		m.done++
	}
	return n, int64(m.done) == m.count
}

// gather copies the next n elements of an iterator.
func (m *listMove) gather(it list.Iter, n int) {
	var scratch [24]byte
	m.scratch, m.ends = m.scratch[:0], m.ends[:0]
	for range n {
		it.Next()
		m.scratch = append(m.scratch, it.Bytes(&scratch)...)
		m.ends = append(m.ends, len(m.scratch))
	}
}

func (m *listMove) gathered(i int) []byte {
	if i == 0 {
		return m.scratch[:m.ends[0]]
	}
	return m.scratch[m.ends[i-1]:m.ends[i]]
}

// turn exchanges elements at one end of a list: the first for the last and so on,
// if they are to be turned round at all.
func (m *listMove) turn(x *Ctx, most int) (n int, done bool) {
	pairs := 0
	if m.turned {
		pairs = int(m.count / 2)
	}
	for n = 0; n < min(most, moveStep) && m.done < pairs; n++ {
		if !m.exchange(m.done) {
			for m.done > 0 { // turned back, as far as memory allows
				m.done--
				m.exchange(m.done)
			}
			x.Rehome(m.e, m.source.Encoding(), m.source.Ref())
			x.OutOfMemory()
			return -1, false
		}
		m.done++
	}
	return n, m.done == pairs
}

// exchange exchanges the i-th pair, counted from without.
func (m *listMove) exchange(i int) bool {
	a, b := m.first+i, m.first+int(m.count)-1-i
	m.gather(m.source.Iter(a, false), 1)
	first := m.scratch
	m.scratch = nil
	m.gather(m.source.Iter(b, false), 1)
	if !m.source.Set(a, m.gathered(0)) {
		return false
	}
	if !m.source.Set(b, first) {
		m.source.Set(a, first)
		return false
	}
	return true
}

// store notes where the lists are after everything was pushed; false: memory is
// exhausted, and the error replied.
func (m *listMove) store(x *Ctx) bool {
	switch {
	case m.same:
		if m.fromTail != m.toTail {
			m.source.Drop(m.fromTail, int(m.count))
			if m.first = 0; m.toTail {
				m.first = m.source.Len() - int(m.count)
			}
		}
		m.source.Settle()
		x.Rehome(m.e, m.source.Encoding(), m.source.Ref())
	case m.exists:
		x.Rehome(m.te, m.target.Encoding(), m.target.Ref())
	case !x.Create(&m.to, listHandle(&m.target), 0):
		return false
	default:
		m.e, _ = x.Find(&m.from) // the table may have grown
	}
	return true
}

// reply replies elements as they stand now at the destination.
func (m *listMove) reply(x *Ctx, most int) (done bool) {
	if !m.open {
		at, back := m.first, m.turned
		if m.same {
			back = false // they are in their places already
		}
		if back {
			at += int(m.count) - 1
		}
		m.it, m.open = m.source.Iter(at, back), true
	}
	m.done += x.emitElements(&m.it, int(min(int64(most), m.count-int64(m.done))), listStepBytes)
	return int64(m.done) == m.count
}

// finish takes the elements away from the source.
func (m *listMove) finish(x *Ctx) {
	if !m.same {
		m.source.Drop(m.fromTail, int(m.count))
		x.listShrank(&m.from, m.e, &m.source, 0)
	}
	x.listGrew(&m.to, int(m.count))
}
