package command

import (
	"sherd/internal/store/dash"
	"sherd/internal/store/hash"
	"sherd/internal/store/value"
	"sherd/internal/wire/resp"
)

const (
	errNoFieldsWord   = "ERR Mandatory argument FIELDS is missing or not at the right position"
	errFieldCount     = "ERR Number of fields must be a positive integer"
	errNumFields      = "ERR Parameter `numFields` should be greater than 0"
	errFieldMismatch  = "ERR The `numfields` parameter must match the number of arguments"
	errInvalidFields  = "ERR invalid number of fields"
	errNegativeExpire = "ERR invalid expire time, must be >= 0"
	errMissingExpire  = "ERR missing expire time"
)

// mostFieldDeadline is the latest deadline of a field, in milliseconds.
const mostFieldDeadline = 1<<46 - 1

// Replies of HEXPIRE, HTTL, HPERSIST and their kin for a field.
const (
	fieldMissing    = -2
	fieldNoDeadline = -1
	fieldUnchanged  = 0 // a condition was not met
	fieldChanged    = 1
	fieldDeleted    = 2 // the deadline had passed
)

func runHExpire(x *Ctx)    { x.expireFields(x.Now, true) }
func runHPExpire(x *Ctx)   { x.expireFields(x.Now, false) }
func runHExpireAt(x *Ctx)  { x.expireFields(0, true) }
func runHPExpireAt(x *Ctx) { x.expireFields(0, false) }

// fieldDeadline reads a deadline that is counted from base (ms).
func (x *Ctx) fieldDeadline(arg []byte, base int64, seconds bool) (ms int64, ok bool) {
	ms, ok = resp.ParseInt64(arg)
	switch {
	case !ok:
		x.Error(errNotInteger)
		return 0, false
	case ms < 0:
		x.Error(errNegativeExpire)
		return 0, false
	}
	if seconds {
		if ms > mostFieldDeadline/1000 {
			x.invalidExpire()
			return 0, false
		}
		ms *= 1000
	}
	if ms > mostFieldDeadline-base {
		x.invalidExpire()
		return 0, false
	}
	return ms + base, true
}

// namedFields reads FIELDS, a count and so many fields from args. bad is the error
// for a count that is none.
func (x *Ctx) namedFields(args [][]byte, bad string) (fields [][]byte, ok bool) {
	if len(args) == 0 || !is(args[0], "FIELDS") {
		x.Error(errNoFieldsWord)
		return nil, false
	}
	if len(args) == 1 {
		x.Arity()
		return nil, false
	}
	n, ok := resp.ParseInt64(args[1])
	switch {
	case !ok || n < 1:
		x.Error(bad)
		return nil, false
	case n != int64(len(args)-2):
		x.Error(errFieldMismatch)
		return nil, false
	}
	return args[2:], true
}

// replyEach replies the same for each of n fields.
func (x *Ctx) replyEach(n int, reply int64) {
	x.Array(n)
	for range n {
		x.Int(reply)
	}
}

// noteFields tells the housekeeping about the deadlines of a hash that was settled.
func (x *Ctx) noteFields(d *hashEdit) {
	if d.Held() > 0 {
		if ms := d.NextDeadline(); ms != 0 {
			d.k.Slice.NoteFields(x.C.DB, d.k.Bytes, d.k.Hash, ms)
		}
	}
}

// noteFieldsAt tells the housekeeping about the deadlines within a container that has
// come to a key as a whole.
func (x *Ctx) noteFieldsAt(db int, k *Key) {
	e, ok := x.KS.Table(db, k.Slice).Find(&k.Slice.Heap, k.Hash, k.Bytes)
	if !ok || e.Kind() == dash.String {
		return
	}
	if ms := value.Of(e).NextDeadline(&k.Slice.Heap); ms != 0 {
		k.Slice.NoteFields(db, k.Bytes, k.Hash, ms)
	}
}

// settleDated is settleHash for a hash whose fields may have got deadlines.
func (x *Ctx) settleDated(d *hashEdit) bool {
	held := d.Held() > 0
	if !x.settleHash(d) {
		return false
	}
	if held {
		x.noteFields(d)
	}
	return true
}

// expireFields gives fields a deadline, counted from base (ms).
func (x *Ctx) expireFields(base int64, seconds bool) {
	var d hashEdit
	if !x.editHash(&x.Keys[0], &d) {
		return
	}
	at, ok := x.fieldDeadline(x.Args[2], base, seconds)
	if !ok {
		return
	}
	args, rule := x.Args[3:], expireRule(0)
	switch a := args[0]; {
	case is(a, "NX"):
		rule = expireNX
	case is(a, "XX"):
		rule = expireXX
	case is(a, "GT"):
		rule = expireGT
	case is(a, "LT"):
		rule = expireLT
	}
	if rule != 0 {
		args = args[1:]
	}
	fields, ok := x.namedFields(args, errNumFields)
	if !ok {
		return
	}
	if !d.exists {
		x.replyEach(len(fields), fieldMissing)
		return
	}
	x.expireNamed(&d, fields, rule, at)
}

// expireNamed gives fields of a hash that exists a deadline, and replies for each.
func (x *Ctx) expireNamed(d *hashEdit, fields [][]byte, rule expireRule, at int64) {
	mark := len(x.Out)
	x.Array(len(fields))
	changed := int64(0)
	for _, name := range fields {
		var f hash.Field
		switch {
		case d.Held() == 0 || !d.Find(name, &f):
			x.Int(fieldMissing)
		case !rule.allows(f.DeadlineMs(), at):
			x.Int(fieldUnchanged)
		case x.past(at):
			d.Remove(&f)
			changed++
			x.Int(fieldDeleted)
		case d.SetDeadline(&f, at):
			changed++
			x.Int(fieldChanged)
		default:
			x.Out = x.Out[:mark]
			x.settleDated(d)
			x.outOfMemory()
			return
		}
	}
	x.Changed(changed)
	x.settleDated(d)
}

func runHTTL(x *Ctx)         { x.fieldTTL(ttlSeconds) }
func runHPTTL(x *Ctx)        { x.fieldTTL(ttlMillis) }
func runHExpireTime(x *Ctx)  { x.fieldTTL(ttlUnixSeconds) }
func runHPExpireTime(x *Ctx) { x.fieldTTL(ttlUnixMillis) }

// ofField is the reply for a field's deadline. Unlike those of keys seconds are
// rounded up.
func (f ttlForm) ofField(deadlineMs, nowMs int64) int64 {
	if deadlineMs == 0 {
		return fieldNoDeadline
	}
	switch f {
	case ttlSeconds:
		return (deadlineMs - nowMs + 999) / 1000
	case ttlMillis:
		return deadlineMs - nowMs
	case ttlUnixSeconds:
		return (deadlineMs + 999) / 1000
	}
	return deadlineMs
}

func (x *Ctx) fieldTTL(form ttlForm) {
	h, ok, wrong := x.readHash(&x.Keys[0])
	if wrong {
		return
	}
	fields, good := x.namedFields(x.Args[2:], errFieldCount)
	if !good {
		return
	}
	now := x.KS.Clock.Now()
	x.Array(len(fields))
	for _, name := range fields {
		var f hash.Field
		if ok && h.Find(name, &f) {
			x.Int(form.ofField(f.DeadlineMs(), now))
		} else {
			x.Int(fieldMissing)
		}
	}
}

func runHPersist(x *Ctx) {
	var d hashEdit
	if !x.editHash(&x.Keys[0], &d) {
		return
	}
	fields, ok := x.namedFields(x.Args[2:], errFieldCount)
	if !ok {
		return
	}
	if !d.exists {
		x.replyEach(len(fields), fieldMissing)
		return
	}
	x.Array(len(fields))
	changed := int64(0)
	for _, name := range fields {
		var f hash.Field
		switch {
		case !d.Find(name, &f):
			x.Int(fieldMissing)
		case f.DeadlineMs() == 0:
			x.Int(fieldNoDeadline)
		default:
			d.SetDeadline(&f, 0)
			changed++
			x.Int(fieldChanged)
		}
	}
	x.Changed(changed)
	x.settleHash(&d)
}

func runHGetDel(x *Ctx) {
	var d hashEdit
	if !x.editHash(&x.Keys[0], &d) {
		return
	}
	fields, ok := x.namedFields(x.Args[2:], errFieldCount)
	if !ok {
		return
	}
	x.Array(len(fields))
	changed := int64(0)
	for _, name := range fields {
		var f hash.Field
		if !d.exists || d.Held() == 0 || !d.Find(name, &f) {
			x.Null()
			continue
		}
		x.Bulk(f.Value())
		d.Remove(&f)
		changed++
	}
	x.Changed(changed)
	if d.exists {
		x.settleHash(&d)
	}
}

// fieldOptions are the options of HGETEX and HSETEX.
type fieldOptions struct {
	ms      int64 // deadline, if sets
	sets    bool
	keep    bool // KEEPTTL, or PERSIST
	onlyNew bool // FNX
	onlyOld bool // FXX
	fields  [][]byte
}

// fieldOptions reads them. pairs tells that the fields come with values (HSETEX).
func (x *Ctx) fieldOptions(pairs bool) (o fieldOptions, ok bool) {
	word, conflict := "PERSIST", "ERR Only one of EX, PX, EXAT, PXAT or PERSIST arguments can be specified"
	each := 1
	if pairs {
		word, conflict = "KEEPTTL", "ERR Only one of EX, PX, EXAT, PXAT or KEEPTTL arguments can be specified"
		each = 2
	}
	for i := 2; i < len(x.Args); i++ {
		a := x.Args[i]
		var base int64
		var seconds bool
		switch {
		case is(a, "FIELDS"):
			rest := len(x.Args) - i - 2
			if rest < each {
				x.Arity()
				return o, false
			}
			n, ok := resp.ParseInt64(x.Args[i+1])
			if !ok || n < 1 || n > 1<<31-1 {
				x.Error(errInvalidFields)
				return o, false
			}
			if n*int64(each) != int64(rest) {
				x.Arity()
				return o, false
			}
			o.fields = x.Args[i+2:]
			return o, true
		case is(a, "EX"):
			base, seconds = x.Now, true
		case is(a, "PX"):
			base = x.Now
		case is(a, "EXAT"):
			seconds = true
		case is(a, "PXAT"):
		case is(a, word):
			if o.sets || o.keep {
				x.Error(conflict)
				return o, false
			}
			o.keep = true
			continue
		case pairs && (is(a, "FNX") || is(a, "FXX")):
			if o.onlyNew || o.onlyOld {
				x.Error("ERR Only one of FXX or FNX arguments can be specified")
				return o, false
			}
			o.onlyNew, o.onlyOld = is(a, "FNX"), is(a, "FXX")
			continue
		default:
			x.Error("ERR unknown argument: " + string(a))
			return o, false
		}
		if o.sets || o.keep {
			x.Error(conflict)
			return o, false
		}
		if i++; i == len(x.Args) {
			x.Error(errMissingExpire)
			return o, false
		}
		if o.ms, ok = x.fieldDeadline(x.Args[i], base, seconds); !ok {
			return o, false
		}
		o.sets = true
	}
	x.Arity()
	return o, false
}

func runHGetEX(x *Ctx) {
	o, ok := x.fieldOptions(false)
	if !ok {
		return
	}
	var d hashEdit
	if !x.editHash(&x.Keys[0], &d) {
		return
	}
	mark := len(x.Out)
	x.Array(len(o.fields))
	changed := int64(0)
	for _, name := range o.fields {
		var f hash.Field
		if !d.exists || d.Held() == 0 || !d.Find(name, &f) {
			x.Null()
			continue
		}
		x.Bulk(f.Value())
		switch {
		case o.sets && x.past(o.ms):
			d.Remove(&f)
		case o.sets:
			if !d.SetDeadline(&f, o.ms) {
				x.Out = x.Out[:mark]
				x.settleDated(&d)
				x.outOfMemory()
				return
			}
		case o.keep && f.DeadlineMs() != 0:
			d.SetDeadline(&f, 0)
		default:
			continue
		}
		changed++
	}
	x.Changed(changed)
	if d.exists {
		x.settleDated(&d)
	}
}

func runHSetEX(x *Ctx) {
	o, ok := x.fieldOptions(true)
	if !ok {
		return
	}
	var d hashEdit
	if !x.makeHash(&x.Keys[0], &d) {
		return
	}
	if o.onlyNew || o.onlyOld {
		for i := 0; i < len(o.fields); i += 2 {
			var f hash.Field
			if d.Find(o.fields[i], &f) != o.onlyOld {
				x.settleHash(&d)
				x.Int(0)
				return
			}
		}
	}
	deadline := int64(0)
	switch {
	case o.sets:
		deadline = o.ms
	case o.keep:
		deadline = hash.KeepDeadline
	}
	lim := x.hashLimits(d.k)
	for i := 0; i < len(o.fields) && ok; i += 2 {
		if o.sets && x.past(o.ms) {
			d.Delete(o.fields[i])
			continue
		}
		_, ok = d.Put(o.fields[i], o.fields[i+1], deadline, &lim)
	}
	x.Changed(int64(len(o.fields) / 2))
	if !x.settleDated(&d) {
		return
	}
	if !ok {
		x.outOfMemory()
		return
	}
	x.Int(1)
}
