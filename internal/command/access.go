package command

import (
	"sherd/internal/store/dash"
	"sherd/internal/store/value"
)

// Every access of a command to the keyspace goes through this file: what
// expires, what counts as a hit and what is a change is decided in one place.
// An effect sink (a log, a journal for replicas, keyspace events) attaches here.

// expired tells whether a deadline has passed on the shared clock.
func (x *Ctx) expired(deadlineMs int64) bool {
	return deadlineMs != 0 && deadlineMs <= x.KS.Clock.Now()
}

// Find looks a key up without counting it. An expired entry is reported
// missing; it is removed if the command may write.
func (x *Ctx) Find(k *Key) (dash.Entry, bool) { return x.FindIn(x.C.DB, k) }

// FindIn is Find in another database.
func (x *Ctx) FindIn(db int, k *Key) (dash.Entry, bool) {
	t := x.KS.Table(db, k.Slice)
	e, ok := t.Find(&k.Slice.Heap, k.Hash, k.Bytes)
	if !ok {
		return e, false
	}
	if d := e.DeadlineMs(); d != 0 && x.expired(d) {
		if x.Cmd.Flags&Write != 0 {
			k.Slice.Delete(t, e)
			x.L.Stats.Expired++
		}
		return dash.Entry{}, false
	}
	return e, true
}

// Read looks a key up for a reading command and counts a hit or a miss.
func (x *Ctx) Read(k *Key) (dash.Entry, bool) {
	e, ok := x.Find(k)
	if ok {
		x.L.Stats.Hits++
	} else {
		x.L.Stats.Misses++
	}
	return e, ok
}

// FindString looks up a string. ok is false when there is none; wrong is true,
// and the error has been replied, when the key holds another type.
func (x *Ctx) FindString(k *Key) (e dash.Entry, ok, wrong bool) {
	e, ok = x.Find(k)
	if ok && e.Kind() != dash.String {
		x.WrongType()
		return e, false, true
	}
	return e, ok, false
}

// ReadString is FindString with a hit or miss counted.
func (x *Ctx) ReadString(k *Key) (e dash.Entry, ok, wrong bool) {
	e, ok = x.Read(k)
	if ok && e.Kind() != dash.String {
		x.WrongType()
		return e, false, true
	}
	return e, ok, false
}

// Store sets a key to a string, whatever it held. deadlineMs 0 is none. It
// reports false, with the error replied, when memory is exhausted.
func (x *Ctx) Store(k *Key, value []byte, deadlineMs int64) bool {
	return x.StoreIn(x.C.DB, k, value, deadlineMs)
}

// StoreIn is Store in another database.
func (x *Ctx) StoreIn(db int, k *Key, value []byte, deadlineMs int64) bool {
	if !x.KS.Table(db, k.Slice).Set(&k.Slice.Heap, k.Hash, k.Bytes, value, deadlineMs) {
		return x.storeOver(db, k, value, deadlineMs)
	}
	x.L.Stats.Dirty++
	return true
}

// storeOver goes on where a string could not be stored: the key may hold a
// container.
func (x *Ctx) storeOver(db int, k *Key, text []byte, deadlineMs int64) bool {
	t := x.KS.Table(db, k.Slice)
	if e, ok := t.Find(&k.Slice.Heap, k.Hash, k.Bytes); ok && e.Kind() != dash.String {
		old := value.Of(e)
		if _, ok := t.Replace(&k.Slice.Heap, e, k.Hash, text, deadlineMs); ok {
			k.Slice.Drop(old)
			x.L.Stats.Dirty++
			return true
		}
	}
	x.outOfMemory()
	return false
}

// Replace is Store for an entry that was just found.
func (x *Ctx) Replace(k *Key, e dash.Entry, value []byte, deadlineMs int64) bool {
	if e.Kind() != dash.String {
		return x.storeOver(x.C.DB, k, value, deadlineMs)
	}
	if _, ok := x.Table(k).Replace(&k.Slice.Heap, e, k.Hash, value, deadlineMs); !ok {
		x.outOfMemory()
		return false
	}
	x.L.Stats.Dirty++
	return true
}

// Resize changes a string's length in place and returns its bytes to be
// written; what it grows by is zero. The deadline stays.
func (x *Ctx) Resize(k *Key, e dash.Entry, n int) ([]byte, bool) {
	_, b, ok := x.Table(k).Resize(&k.Slice.Heap, e, k.Hash, n)
	if !ok {
		x.outOfMemory()
		return nil, false
	}
	x.L.Stats.Dirty++
	return b, true
}

// Remove deletes an entry.
func (x *Ctx) Remove(k *Key, e dash.Entry) {
	k.Slice.Delete(x.Table(k), e)
	x.L.Stats.Dirty++
}

// SetDeadline gives an entry a deadline, or none with 0.
func (x *Ctx) SetDeadline(k *Key, e dash.Entry, deadlineMs int64) bool {
	if _, ok := x.Table(k).SetDeadline(&k.Slice.Heap, e, k.Hash, deadlineMs); !ok {
		x.outOfMemory()
		return false
	}
	x.L.Stats.Dirty++
	return true
}

func (x *Ctx) outOfMemory() {
	x.L.Stats.OOMRefused++
	x.Error(errOOM)
}
