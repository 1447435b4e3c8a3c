package command

import (
	"sherd/internal/store/dash"
	"sherd/internal/wire/resp"
)

func runGet(x *Ctx) { x.getString() }

// getString replies the string at the key and returns its entry; ok is false
// when there is none, wrong also when the key holds another type.
func (x *Ctx) getString() (e dash.Entry, ok, wrong bool) {
	e, ok, wrong = x.ReadString(&x.Keys[0])
	switch {
	case ok:
		x.Bulk(e.Value())
	case !wrong:
		x.Null()
	}
	return e, ok, wrong
}

func runGetDel(x *Ctx) {
	if e, ok, _ := x.getString(); ok {
		x.Remove(&x.Keys[0], e)
	}
}

func runGetSet(x *Ctx) {
	mark := len(x.Out)
	e, ok, wrong := x.getString()
	if wrong {
		return
	}
	end := len(x.Out)
	if !x.put(&x.Keys[0], e, ok, x.Args[2], 0) {
		x.Out = append(x.Out[:mark], x.Out[end:]...) // the error alone
	}
}

func runGetEX(x *Ctx) {
	var life lifetime
	for i := 2; i < len(x.Args); {
		l, used := lifetimeOption(x.Args, i)
		if used == 0 || l.how == lifeKeep || !life.merge(l) {
			x.Syntax()
			return
		}
		i += used
	}
	k := &x.Keys[0]
	e, ok, wrong := x.ReadString(k)
	if wrong {
		return
	}
	if !ok {
		x.Null()
		return
	}
	var deadline int64
	if life.sets() {
		if deadline, ok = x.deadline(life); !ok {
			return
		}
	}
	mark := len(x.Out)
	x.Bulk(e.Value())
	end := len(x.Out)
	switch {
	case life.how == lifeNone:
	case life.how == lifePersist:
		ok = e.DeadlineMs() == 0 || x.SetDeadline(k, e, 0)
	case x.past(deadline):
		x.Remove(k, e)
	default:
		ok = x.SetDeadline(k, e, deadline)
	}
	if !ok {
		x.Out = append(x.Out[:mark], x.Out[end:]...) // the error alone
	}
}

func runMGet(x *Ctx) {
	x.Array(len(x.Keys))
	for i := range x.Keys {
		if e, ok := x.Read(&x.Keys[i]); ok && e.Kind() == dash.String {
			x.Bulk(e.Value())
		} else {
			x.Null()
		}
	}
}

func runStrLen(x *Ctx) {
	e, ok, wrong := x.ReadString(&x.Keys[0])
	switch {
	case ok:
		x.Int(int64(len(e.Value())))
	case !wrong:
		x.Int(0)
	}
}

func runGetRange(x *Ctx) {
	start, ok1 := resp.ParseInt64(x.Args[2])
	end, ok2 := resp.ParseInt64(x.Args[3])
	if !ok1 || !ok2 {
		x.Error(errNotInteger)
		return
	}
	e, ok, wrong := x.ReadString(&x.Keys[0])
	if wrong {
		return
	}
	var v []byte
	if ok {
		v = cut(e.Value(), start, end)
	}
	x.Bulk(v)
}

// cut returns v[start..end], both included and, if negative, counted from the
// end.
func cut(v []byte, start, end int64) []byte {
	if start < 0 && end < 0 && start > end {
		return nil
	}
	start, end = span(start, end, int64(len(v)))
	if start > end {
		return nil
	}
	return v[start : end+1]
}

// span brings two inclusive bounds, counted from the end if negative, into
// [0, n). The range is empty when start > end.
func span(start, end, n int64) (int64, int64) {
	if start < 0 {
		start = max(start+n, 0)
	}
	if end < 0 {
		end = max(end+n, 0)
	}
	return start, min(end, n-1)
}
