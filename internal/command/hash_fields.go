package command

import (
	"sherd/internal/store/dash"
	"sherd/internal/store/hash"
	"sherd/internal/store/value"
)

const (
	errHashInteger = "ERR hash value is not an integer"
	errHashFloat   = "ERR hash value is not a float"
)

func (x *Ctx) hashLimits(k *Key) hash.Limits {
	return hash.Limits{
		Packed:      x.Conf.HashMaxPackedEntries,
		PackedBytes: x.Conf.HashMaxPackedBytes,
		Seed:        x.Table(k).Seed,
	}
}

// readHash opens the hash at a key to be read. ok is false when there is none;
// wrong is true, and the error has been replied, when the key holds another type.
func (x *Ctx) readHash(k *Key) (h hash.Hash, ok, wrong bool) {
	e, ok, wrong := x.ReadKind(k, dash.Hash)
	if ok {
		h = hash.Open(&k.Slice.Heap, e.Encoding(), e.Ref(), x.KS.Clock.Now())
	}
	return h, ok, wrong
}

// hashEdit is a hash that a command changes.
type hashEdit struct {
	hash.Hash
	k      *Key
	e      dash.Entry
	exists bool // under the key; else it is a new one
}

// editHash opens the hash at a key to be changed, if there is one.
func (x *Ctx) editHash(k *Key, d *hashEdit) (ok bool) {
	e, exists, wrong := x.FindKind(k, dash.Hash)
	if wrong {
		return false
	}
	d.k, d.e, d.exists = k, e, exists
	if exists {
		d.Hash = hash.Open(&k.Slice.Heap, e.Encoding(), e.Ref(), x.KS.Clock.Now())
	}
	return true
}

// makeHash is editHash that makes a new one where there is none.
func (x *Ctx) makeHash(k *Key, d *hashEdit) (ok bool) {
	if !x.editHash(k, d) {
		return false
	}
	if d.exists {
		return true
	}
	if d.Hash, ok = hash.New(&k.Slice.Heap, x.KS.Clock.Now()); !ok {
		x.outOfMemory()
	}
	return ok
}

// settle stores where the hash is now, or takes the key away if it is empty. It
// reports false, with the error replied, when memory is exhausted.
func (x *Ctx) settleHash(d *hashEdit) bool {
	switch {
	case d.Held() == 0:
		d.Free()
		if d.exists {
			x.Vacate(d.k, d.e)
		}
	case d.exists:
		x.Rehome(d.e, d.Encoding(), d.Ref())
	default:
		return x.Create(d.k, value.Handle{Kind: dash.Hash, Encoding: d.Encoding(), Ref: d.Ref()}, 0)
	}
	return true
}

func runHSet(x *Ctx) {
	created, ok := x.setFields()
	if !ok {
		return
	}
	x.Int(created)
}

func runHMSet(x *Ctx) {
	if _, ok := x.setFields(); ok {
		x.OK()
	}
}

// setFields sets the pairs of HSET and HMSET.
func (x *Ctx) setFields() (created int64, ok bool) {
	pairs := x.Args[2:]
	if len(pairs)%2 != 0 {
		x.Arity()
		return 0, false
	}
	var d hashEdit
	if !x.makeHash(&x.Keys[0], &d) {
		return 0, false
	}
	lim := x.hashLimits(d.k)
	ok = len(pairs) <= 2 || d.Expect(len(pairs)/2, &lim)
	n := 0
	for ; ok && n < len(pairs); n += 2 {
		var isNew bool
		if isNew, ok = d.Put(pairs[n], pairs[n+1], 0, &lim); isNew && ok {
			created++
		}
	}
	x.Changed(int64(n / 2))
	if !x.settleHash(&d) {
		return 0, false
	}
	if !ok {
		x.outOfMemory()
	}
	return created, ok
}

func runHSetNX(x *Ctx) {
	var d hashEdit
	if !x.makeHash(&x.Keys[0], &d) {
		return
	}
	var f hash.Field
	if d.exists && d.Find(x.Args[2], &f) {
		x.Bool(false)
		return
	}
	lim := x.hashLimits(d.k)
	_, ok := d.Put(x.Args[2], x.Args[3], 0, &lim)
	if !x.settleHash(&d) {
		return
	}
	if !ok {
		x.outOfMemory()
		return
	}
	x.Changed(1)
	x.Bool(true)
}

func runHGet(x *Ctx) {
	h, ok, wrong := x.readHash(&x.Keys[0])
	if wrong {
		return
	}
	var f hash.Field
	if ok && h.Find(x.Args[2], &f) {
		x.Bulk(f.Value())
	} else {
		x.Null()
	}
}

func runHMGet(x *Ctx) {
	h, ok, wrong := x.readHash(&x.Keys[0])
	if wrong {
		return
	}
	fields := x.Args[2:]
	x.Array(len(fields))
	for _, name := range fields {
		var f hash.Field
		if ok && h.Find(name, &f) {
			x.Bulk(f.Value())
		} else {
			x.Null()
		}
	}
}

func runHExists(x *Ctx) {
	h, ok, wrong := x.readHash(&x.Keys[0])
	if wrong {
		return
	}
	var f hash.Field
	x.Bool(ok && h.Find(x.Args[2], &f))
}

func runHStrLen(x *Ctx) {
	h, ok, wrong := x.readHash(&x.Keys[0])
	if wrong {
		return
	}
	var f hash.Field
	if ok && h.Find(x.Args[2], &f) {
		x.Int(int64(len(f.Value())))
	} else {
		x.Int(0)
	}
}

func runHLen(x *Ctx) {
	h, ok, wrong := x.readHash(&x.Keys[0])
	if wrong {
		return
	}
	if ok {
		x.Int(int64(h.Len()))
	} else {
		x.Int(0)
	}
}

func runHDel(x *Ctx) {
	var d hashEdit
	if !x.editHash(&x.Keys[0], &d) {
		return
	}
	if !d.exists {
		x.Int(0)
		return
	}
	n := int64(0)
	for _, field := range x.Args[2:] {
		if d.Delete(field) {
			n++
		}
		if d.Held() == 0 {
			break
		}
	}
	x.settleHash(&d)
	x.Changed(n)
	x.Int(n)
}

// hashPart says what HGETALL and its kin reply.
type hashPart uint8

const (
	hashFields hashPart = 1 << iota
	hashValues
)

func runHGetAll(x *Ctx) { x.replyHash(hashFields | hashValues) }
func runHKeys(x *Ctx)   { x.replyHash(hashFields) }
func runHVals(x *Ctx)   { x.replyHash(hashValues) }

func (x *Ctx) replyHash(part hashPart) {
	h, ok, wrong := x.readHash(&x.Keys[0])
	if wrong {
		return
	}
	n := 0
	if ok {
		n = h.Len()
	}
	if part == hashFields|hashValues {
		x.Map(n)
	} else {
		x.Array(n)
	}
	if !ok {
		return
	}
	r := fieldStream{it: h.Iter(), part: part}
	if n <= streamStep {
		r.Step(x)
		return
	}
	later := r
	x.KeepLatched(&later)
}

// streamStep is how many elements of a long reply are written at once.
const streamStep = 4096

// fieldStream is the reply of HGETALL and its kin under way.
type fieldStream struct {
	it   hash.Iter
	part hashPart
}

// Step replies the next fields.
func (r *fieldStream) Step(x *Ctx) bool {
	for range streamStep {
		if !r.it.Next() {
			return true
		}
		if r.part&hashFields != 0 {
			x.Bulk(r.it.Field())
		}
		if r.part&hashValues != 0 {
			x.Bulk(r.it.Value())
		}
	}
	return false
}
