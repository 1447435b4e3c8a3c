package command

import (
	"strconv"

	"sherd/internal/store/hash"
	"sherd/internal/wire/resp"
)

func runHIncrBy(x *Ctx) {
	delta, ok := resp.ParseInt64(x.Args[3])
	if !ok {
		x.Error(errNotInteger)
		return
	}
	var d hashEdit
	if !x.makeHash(&x.Keys[0], &d) {
		return
	}
	var f hash.Field
	n := int64(0)
	if d.exists && d.Find(x.Args[2], &f) {
		if n, ok = resp.ParseInt64(f.Value()); !ok {
			x.Error(errHashInteger)
			return
		}
	}
	if overflows(n, delta) {
		x.Error(errOverflow) // there is a field then, so the hash is none that was made
		return
	}
	n += delta
	var digits [20]byte
	if x.putNumber(&d, strconv.AppendInt(digits[:0], n, 10)) {
		x.Int(n)
	}
}

// putNumber stores the text of a number in the field that the command names, whose
// deadline stays.
func (x *Ctx) putNumber(d *hashEdit, text []byte) bool {
	lim := x.hashLimits(d.k)
	_, ok := d.Put(x.Args[2], text, hash.KeepDeadline, &lim)
	if !x.settleHash(d) {
		return false
	}
	if !ok {
		x.outOfMemory()
		return false
	}
	x.Changed(1)
	return true
}

func runHIncrByFloat(x *Ctx) {
	delta, ok := resp.ParseFloat(x.Args[3])
	if !ok {
		x.Error(errNotFloat)
		return
	}
	if delta.IsNaN() || delta.IsInf() {
		x.Error("ERR value is NaN or Infinity")
		return
	}
	var d hashEdit
	if !x.makeHash(&x.Keys[0], &d) {
		return
	}
	var f hash.Field
	var sum resp.Float80
	if d.exists && d.Find(x.Args[2], &f) {
		at := len(x.Out)
		x.Out = append(x.Out, f.Value()...) // what is parsed escapes
		sum, ok = resp.ParseFloat(x.Out[at:])
		if x.Out = x.Out[:at]; !ok {
			x.Error(errHashFloat)
			return
		}
	}
	sum = sum.Add(delta)
	if sum.IsNaN() || sum.IsInf() {
		x.Error(errNaNInf)
		return
	}
	var digits [64]byte
	text := resp.AppendFloat(digits[:0], sum)
	if x.putNumber(&d, text) {
		x.Bulk(text)
	}
}
