package command

import (
	"bytes"
	"math"

	"sherd/internal/store/dash"
	"sherd/internal/store/value"
	"sherd/internal/wire/resp"
)

func runRename(x *Ctx)   { x.rename(false) }
func runRenameNX(x *Ctx) { x.rename(true) }

func (x *Ctx) rename(onlyNew bool) {
	from, to := &x.Keys[0], &x.Keys[1]
	e, ok := x.Find(from)
	if !ok {
		x.Error(errNoKey)
		return
	}
	moved := true
	if !bytes.Equal(from.Bytes, to.Bytes) {
		if _, taken := x.Find(to); taken && onlyNew {
			moved = false
		} else {
			t := transfer{from: *from, to: *to, e: e, db: x.C.DB, moves: true, onlyNew: onlyNew}
			t.run(x)
			return
		}
	} else if onlyNew {
		moved = false
	}
	x.renamed(onlyNew, moved)
}

func (x *Ctx) renamed(onlyNew, moved bool) {
	if onlyNew {
		x.Bool(moved)
	} else {
		x.OK()
	}
}

// transfer is a RENAME, RENAMENX or COPY under way. A container that goes to another
// slice's heap, or stays where it is, is copied first: in steps, if it is big.
// Nothing has changed until it is.
type transfer struct {
	from, to       Key
	e              dash.Entry // at from, in the client's database
	db             int        // of to
	moves, onlyNew bool
	copying        *value.Copying
}

// copyStep is how many blocks are copied in a step: some thousand elements.
const copyStep = 256

// run does the transfer, or leaves it to later steps.
func (t *transfer) run(x *Ctx) {
	if t.e.Kind() != dash.String && (!t.moves || t.from.Slice != t.to.Slice) {
		var ok bool
		if t.copying, ok = value.Of(t.e).StartCopy(&t.to.Slice.Heap, &t.from.Slice.Heap); !ok {
			x.outOfMemory()
			return
		}
	}
	if t.Step(x) {
		return
	}
	later := *t
	later.from.Bytes = bytes.Clone(t.from.Bytes)
	later.to.Bytes = bytes.Clone(t.to.Bytes)
	x.KeepLatched(&later)
}

// Step copies on, and in the end puts the copy in its place.
func (t *transfer) Step(x *Ctx) bool {
	var copied value.Handle
	if t.copying != nil {
		done, ok := t.copying.Step(copyStep)
		copied = t.copying.Handle()
		if !ok {
			t.to.Slice.Drop(copied)
			x.outOfMemory()
			return true
		}
		if !done {
			return false
		}
	}
	switch {
	case !t.moves:
		if x.duplicate(t.e, t.db, &t.to, copied) {
			x.Bool(true)
		}
	case x.move(&t.from, t.e, x.C.DB, &t.to, t.db, copied):
		x.renamed(t.onlyNew, true)
	}
	return true
}

// move gives the value and the deadline of an entry to another key, whatever
// that held. A container that goes to another slice was copied there before: it is
// left in favour of the copy, which is dropped if the move fails. It reports false,
// with the error replied and nothing changed, when memory is exhausted.
func (x *Ctx) move(from *Key, e dash.Entry, fromDB int, to *Key, toDB int, copied value.Handle) bool {
	source, target := x.KS.Table(fromDB, from.Slice), x.KS.Table(toDB, to.Slice)
	var old dash.Moved
	present, replaced := target.Find(&to.Slice.Heap, to.Hash, to.Bytes)
	if replaced {
		old = target.Take(&to.Slice.Heap, present)
	}
	deadline, kind := e.DeadlineMs(), e.Kind()
	var left value.Handle
	if copied.Ref != 0 {
		left = value.Of(e)
	}
	m := source.Take(&from.Slice.Heap, e)
	if left.Ref != 0 {
		m.SetRef(copied.Ref)
	}
	_, ok := target.InsertMoved(&to.Slice.Heap, to.Hash, to.Bytes, m, &from.Slice.Heap, deadline)
	if !ok {
		if left.Ref != 0 {
			m.SetRef(left.Ref)
			to.Slice.Drop(copied)
		}
		source.PutBack(&from.Slice.Heap, m)
		if replaced {
			target.PutBack(&to.Slice.Heap, old)
		}
		x.outOfMemory()
		return false
	}
	if left.Ref != 0 {
		from.Slice.Drop(left)
	}
	if replaced {
		to.Slice.FreeMoved(old)
	}
	if kind == dash.Hash || kind == dash.Set {
		x.noteFieldsAt(toDB, to)
	}
	x.L.Stats.Dirty++
	return true
}

func runMove(x *Ctx) {
	db, ok := x.database(x.Args[2])
	if !ok {
		return
	}
	if db == x.C.DB {
		x.Error(errSameObject)
		return
	}
	// A key has the same slice in every database: no latch is missing.
	k := &x.Keys[0]
	e, ok := x.Find(k)
	if ok {
		if _, taken := x.FindIn(db, k); taken {
			ok = false
		} else if !x.move(k, e, x.C.DB, k, db, value.Handle{}) {
			return
		}
	}
	x.Bool(ok)
}

func runCopy(x *Ctx) {
	from, to := &x.Keys[0], &x.Keys[1]
	db, replace := x.C.DB, false
	for i := 3; i < len(x.Args); i++ {
		switch a := x.Args[i]; {
		case is(a, "REPLACE"):
			replace = true
		case is(a, "DB") && i+1 < len(x.Args):
			i++
			var ok bool
			if db, ok = x.database(x.Args[i]); !ok {
				return
			}
		default:
			x.Syntax()
			return
		}
	}
	if db == x.C.DB && bytes.Equal(from.Bytes, to.Bytes) {
		x.Error(errSameObject)
		return
	}
	e, ok := x.Read(from)
	if !ok {
		x.Bool(false)
		return
	}
	if _, exists := x.FindIn(db, to); exists && !replace {
		x.Bool(false)
		return
	}
	t := transfer{from: *from, to: *to, e: e, db: db}
	t.run(x)
}

// duplicate stores a string's value, with its deadline and whether it was changed
// in place, or a copy that was made of a container. It reports false, with the error
// replied, when memory is exhausted.
func (x *Ctx) duplicate(e dash.Entry, db int, to *Key, copied value.Handle) bool {
	present, exists := x.KS.Table(db, to.Slice).Find(&to.Slice.Heap, to.Hash, to.Bytes)
	if e.Kind() != dash.String || exists && present.Kind() != dash.String {
		return x.duplicateOver(e, db, to, present, exists, copied)
	}
	return x.duplicateString(e, db, to, present, exists)
}

func (x *Ctx) duplicateString(e dash.Entry, db int, to *Key, present dash.Entry, exists bool) bool {
	text, deadline, raw, encoding := e.Value(), e.DeadlineMs(), e.Raw(), e.Encoding()
	t, h := x.KS.Table(db, to.Slice), &to.Slice.Heap
	var ok bool
	if exists {
		present, ok = t.Replace(h, present, to.Hash, text, deadline)
	} else if ok = t.Set(h, to.Hash, to.Bytes, text, deadline); ok && raw {
		present, _ = t.Find(h, to.Hash, to.Bytes)
	}
	if !ok {
		x.outOfMemory()
		return false
	}
	if raw { // if memory lacks for that it is a copy all the same
		if present, _, ok = t.Resize(h, present, to.Hash, len(text)); ok {
			present.SetEncoding(encoding)
		}
	}
	x.L.Stats.Dirty++
	return true
}

// duplicateOver is duplicate where one of the values is a container.
func (x *Ctx) duplicateOver(e dash.Entry, db int, to *Key, present dash.Entry, exists bool, copied value.Handle) bool {
	t, h := x.KS.Table(db, to.Slice), &to.Slice.Heap
	kind, deadline := e.Kind(), e.DeadlineMs() // e may move with the insertion
	var old dash.Moved
	if exists {
		old = t.Take(h, present)
	}
	var ok bool
	if kind == dash.String {
		ok = x.duplicateString(e, db, to, dash.Entry{}, false)
	} else if _, ok = t.InsertRef(h, to.Hash, to.Bytes, copied.Kind, copied.Encoding, copied.Ref, deadline); !ok {
		to.Slice.Drop(copied)
	}
	switch {
	case exists && ok:
		to.Slice.FreeMoved(old)
	case exists:
		t.PutBack(h, old)
	}
	switch {
	case kind == dash.String:
		return ok // duplicateString has said and counted it
	case !ok:
		x.outOfMemory()
		return false
	}
	if kind == dash.Hash || kind == dash.Set {
		x.noteFieldsAt(db, to)
	}
	x.L.Stats.Dirty++
	return true
}

// database reads the number of a database for MOVE and COPY.
func (x *Ctx) database(arg []byte) (db int, ok bool) {
	n, ok := resp.ParseInt64(arg)
	switch {
	case !ok:
		x.Error(errNotInteger)
	case n < math.MinInt32 || n > math.MaxInt32:
		x.Error("ERR value is out of range, value must between -2147483648 and 2147483647")
	case n < 0 || n >= int64(x.KS.Databases):
		x.Error(errDBIndex)
	default:
		x.KS.Open(int(n))
		return int(n), true
	}
	return 0, false
}

func runSwapDB(x *Ctx) {
	var db [2]int
	for i, text := range [2]string{"ERR invalid first DB index", "ERR invalid second DB index"} {
		n, ok := resp.ParseInt64(x.Args[1+i])
		if !ok || n < math.MinInt32 || n > math.MaxInt32 {
			x.Error(text)
			return
		}
		db[i] = int(n)
	}
	for _, d := range db {
		if d < 0 || d >= x.KS.Databases {
			x.Error(errDBIndex)
			return
		}
	}
	if db[0] != db[1] {
		x.KS.Open(db[0])
		x.KS.Open(db[1])
		for i := range x.KS.Slices() {
			x.KS.Swap(db[0], db[1], x.KS.Slice(i))
		}
		x.L.Stats.Dirty++
	}
	x.OK()
}
