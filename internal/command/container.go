package command

import (
	"sherd/internal/heap"
	"sherd/internal/store/dash"
	"sherd/internal/store/value"
)

// FindKind looks up a container. ok is false when there is none; wrong is true,
// and the error has been replied, when the key holds another type.
func (x *Ctx) FindKind(k *Key, kind dash.Kind) (e dash.Entry, ok, wrong bool) {
	e, ok = x.Find(k)
	if ok && e.Kind() != kind {
		x.WrongType()
		return e, false, true
	}
	return e, ok, false
}

// ReadKind is FindKind with a hit or miss counted.
func (x *Ctx) ReadKind(k *Key, kind dash.Kind) (e dash.Entry, ok, wrong bool) {
	e, ok = x.Read(k)
	if ok && e.Kind() != kind {
		x.WrongType()
		return e, false, true
	}
	return e, ok, false
}

// Create puts a container under a key that does not exist. It reports false,
// with the container freed and the error replied, when memory is exhausted. It
// does not count as a change; see Changed.
func (x *Ctx) Create(k *Key, v value.Handle, deadlineMs int64) bool {
	if _, ok := x.Table(k).InsertRef(&k.Slice.Heap, k.Hash, k.Bytes, v.Kind, v.Encoding, v.Ref, deadlineMs); !ok {
		k.Slice.Drop(v)
		x.outOfMemory()
		return false
	}
	if v.HasRoomForDeadlines() {
		x.noteFieldsAt(x.C.DB, k)
	}
	return true
}

// CreateOver is Create for a key that may exist and hold anything.
func (x *Ctx) CreateOver(k *Key, v value.Handle, deadlineMs int64) bool {
	t, h := x.Table(k), &k.Slice.Heap
	present, exists := t.Find(h, k.Hash, k.Bytes)
	var old dash.Moved
	if exists {
		old = t.Take(h, present)
	}
	if _, ok := t.InsertRef(h, k.Hash, k.Bytes, v.Kind, v.Encoding, v.Ref, deadlineMs); !ok {
		if exists {
			t.PutBack(h, old)
		}
		k.Slice.Drop(v)
		x.outOfMemory()
		return false
	}
	if exists {
		k.Slice.FreeMoved(old)
	}
	if v.HasRoomForDeadlines() {
		x.noteFieldsAt(x.C.DB, k)
	}
	return true
}

// Rehome stores where a container is and how it is encoded after it was changed.
func (x *Ctx) Rehome(e dash.Entry, encoding uint8, ref heap.Ref) {
	if e.Ref() != ref {
		e.SetRef(ref)
	}
	if e.Encoding() != encoding {
		e.SetEncoding(encoding)
	}
}

// Vacate removes the key of a container that became empty and was freed by its
// own package.
func (x *Ctx) Vacate(k *Key, e dash.Entry) { x.Table(k).Delete(&k.Slice.Heap, e) }

// Changed counts n changes of the keyspace.
func (x *Ctx) Changed(n int64) { x.L.Stats.Dirty += n }

// OutOfMemory replies that the store's memory is exhausted.
func (x *Ctx) OutOfMemory() { x.outOfMemory() }
