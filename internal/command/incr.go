package command

import (
	"math"
	"strconv"

	"sherd/internal/store/dash"
	"sherd/internal/wire/resp"
)

func runIncr(x *Ctx) { x.addInt(1) }
func runDecr(x *Ctx) { x.addInt(-1) }

func runIncrBy(x *Ctx) {
	if n, ok := resp.ParseInt64(x.Args[2]); ok {
		x.addInt(n)
	} else {
		x.Error(errNotInteger)
	}
}

func runDecrBy(x *Ctx) {
	n, ok := resp.ParseInt64(x.Args[2])
	switch {
	case !ok:
		x.Error(errNotInteger)
	case n == math.MinInt64: // it has no opposite
		x.Error("ERR decrement would overflow")
	default:
		x.addInt(-n)
	}
}

// addInt adds to the integer at the key and replies the sum.
func (x *Ctx) addInt(delta int64) {
	k := &x.Keys[0]
	e, exists, wrong := x.FindString(k)
	if wrong {
		return
	}
	var n int64
	if exists {
		var ok bool
		if n, ok = resp.ParseInt64(e.Value()); !ok {
			x.Error(errNotInteger)
			return
		}
	}
	if overflows(n, delta) {
		x.Error(errOverflow)
		return
	}
	n += delta
	if x.putInt(k, e, exists, n) {
		x.Int(n)
	}
}

// overflows tells whether n + delta leaves the range of an int64.
func overflows(n, delta int64) bool {
	return delta < 0 && n < math.MinInt64-delta || delta > 0 && n > math.MaxInt64-delta
}

// putInt stores a number as its decimal digits and keeps the deadline of the
// entry it replaces, if there is one.
func (x *Ctx) putInt(k *Key, e dash.Entry, exists bool, n int64) bool {
	var digits [20]byte
	text := strconv.AppendInt(digits[:0], n, 10)
	if !exists {
		return x.Store(k, text, 0)
	}
	if v := e.Value(); len(v) == len(text) && !e.Raw() {
		copy(v, text)
		x.L.Stats.Dirty++
		return true
	}
	return x.Replace(k, e, text, e.DeadlineMs())
}

func runIncrByFloat(x *Ctx) {
	k := &x.Keys[0]
	e, exists, wrong := x.FindString(k)
	if wrong {
		return
	}
	var sum resp.Float80
	ok := true
	if exists {
		sum, ok = resp.ParseFloat(e.Value())
	}
	delta, ok2 := resp.ParseFloat(x.Args[2])
	if !ok || !ok2 {
		x.Error(errNotFloat)
		return
	}
	sum = sum.Add(delta)
	if sum.IsNaN() || sum.IsInf() {
		x.Error(errNaNInf)
		return
	}
	var digits [64]byte
	text := resp.AppendFloat(digits[:0], sum)
	var deadline int64
	if exists {
		deadline = e.DeadlineMs()
	}
	if !x.put(k, e, exists, text, deadline) {
		return
	}
	if isShortInt(text) {
		x.markComputed(k, len(text))
	}
	x.Bulk(text)
}

// markComputed notes that the string just stored is not to look like an integer.
// If memory lacks for that it does.
func (x *Ctx) markComputed(k *Key, n int) {
	t, h := x.Table(k), &k.Slice.Heap
	e, ok := t.Find(h, k.Hash, k.Bytes)
	if !ok {
		return
	}
	if e, _, ok = t.Resize(h, e, k.Hash, n); ok {
		e.SetEncoding(computed)
	}
}
