package command

import (
	"sherd/internal/store/dash"
	"sherd/internal/wire/resp"
)

// fits checks that a string may become n bytes long; if not it replies the
// error.
func (x *Ctx) fits(n int64) bool {
	if n < 0 || n > x.Conf.ProtoMaxBulkBytes {
		x.Error(errTooLong)
		return false
	}
	return true
}

// extend gives the string at a looked-up key at least n bytes, new ones zero,
// and returns all of it to be written to. A missing key is created. From then on
// the string counts as changed in place (OBJECT ENCODING raw).
func (x *Ctx) extend(k *Key, e dash.Entry, exists bool, n int) ([]byte, bool) {
	t, h := x.Table(k), &k.Slice.Heap
	if exists {
		if n = max(n, len(e.Value())); n == len(e.Value()) && e.Raw() {
			e.SetEncoding(0)
			x.L.Stats.Dirty++
			return e.Value(), true
		}
	} else {
		if !t.Set(h, k.Hash, k.Bytes, nil, 0) {
			x.outOfMemory()
			return nil, false
		}
		e, _ = t.Find(h, k.Hash, k.Bytes)
	}
	if e, b, ok := t.Resize(h, e, k.Hash, n); ok {
		e.SetEncoding(0)
		x.L.Stats.Dirty++
		return b, true
	}
	if !exists {
		t.Delete(h, e)
	}
	x.outOfMemory()
	return nil, false
}

func runAppend(x *Ctx) {
	k := &x.Keys[0]
	tail := x.Args[2]
	e, ok, wrong := x.FindString(k)
	if wrong {
		return
	}
	if !ok {
		if x.Store(k, tail, 0) {
			x.Int(int64(len(tail)))
		}
		return
	}
	old := len(e.Value())
	if !x.fits(int64(old) + int64(len(tail))) {
		return
	}
	if v, ok := x.extend(k, e, true, old+len(tail)); ok {
		copy(v[old:], tail)
		x.Int(int64(len(v)))
	}
}

func runSetRange(x *Ctx) {
	k := &x.Keys[0]
	offset, ok := resp.ParseInt64(x.Args[2])
	if !ok {
		x.Error(errNotInteger)
		return
	}
	if offset < 0 {
		x.Error(errOffset)
		return
	}
	part := x.Args[3]
	e, exists, wrong := x.FindString(k)
	if wrong {
		return
	}
	if len(part) == 0 {
		n := 0
		if exists {
			n = len(e.Value())
		}
		x.Int(int64(n))
		return
	}
	if !x.fits(offset + int64(len(part))) {
		return
	}
	if v, ok := x.extend(k, e, exists, int(offset)+len(part)); ok {
		copy(v[offset:], part)
		x.Int(int64(len(v)))
	}
}
