package command

import (
	"errors"

	"sherd/internal/persist/rdb"
	"sherd/internal/store/dash"
	"sherd/internal/wire/resp"
)

const (
	errBusyKey = "BUSYKEY Target key name already exists."
	errPayload = "ERR DUMP payload version or checksum are wrong"
	errFormat  = "ERR Bad data format"
	errModule  = "ERR Bad data format: the value is of a module's type, and there are no modules"

	restoreCost = "O(N*log(M)) where N is the length of the payload and M the number of elements, of sorted sets; " +
		"O(N) of others. Other commands run in between."
)

var restoreArgs = []Arg{
	keyArg,
	integerArg("ttl"),
	stringArg("serialized-value"),
	wordArg("replace", "REPLACE").optional().since("3.0.0"),
	wordArg("absttl", "ABSTTL").optional().since("5.0.0"),
	integerArg("seconds").after("IDLETIME").optional().since("5.0.0"),
	integerArg("frequency").after("FREQ").optional().since("5.0.0"),
}

const (
	// restoreAtOnce is the longest payload that is read where it was received.
	restoreAtOnce = 16 << 10
	// restoreStep is how many elements are read in a step.
	restoreStep = 1024
	// verifyStep is how many bytes of one are verified in a step.
	verifyStep = 128 << 10
)

// restoreOptions are what follows the payload.
type restoreOptions struct {
	replace, absolute bool
	idle, freq        int64 // -1: not given
}

// restoreOptions reads them. ok is false, and the error has been replied, if
// something is wrong with them.
func (x *Ctx) restoreOptions() (o restoreOptions, ok bool) {
	o.idle, o.freq = -1, -1
	for i := 4; i < len(x.Args); i++ {
		more := i+1 < len(x.Args)
		switch a := x.Args[i]; {
		case is(a, "REPLACE"):
			o.replace = true
		case is(a, "ABSTTL"):
			o.absolute = true
		case is(a, "IDLETIME") && more && o.freq == -1:
			i++
			if o.idle, ok = resp.ParseInt64(x.Args[i]); !ok {
				x.Error(errNotInteger)
				return o, false
			}
			if o.idle < 0 {
				x.Error("ERR Invalid IDLETIME value, must be >= 0")
				return o, false
			}
		case is(a, "FREQ") && more && o.idle == -1:
			i++
			if o.freq, ok = resp.ParseInt64(x.Args[i]); !ok {
				x.Error(errNotInteger)
				return o, false
			}
			if o.freq < 0 || o.freq > 255 {
				x.Error("ERR Invalid FREQ value, must be >= 0 and <= 255")
				return o, false
			}
		default:
			x.Syntax()
			return o, false
		}
	}
	return o, true
}

func runRestore(x *Ctx) {
	o, ok := x.restoreOptions()
	if !ok {
		return
	}
	k := &x.Keys[0]
	if !o.replace {
		if _, exists := x.Find(k); exists {
			x.Error(errBusyKey)
			return
		}
	}
	ttl, ok := resp.ParseInt64(x.Args[2])
	switch {
	case !ok:
		x.Error(errNotInteger)
		return
	case ttl < 0:
		x.Error("ERR Invalid TTL value, must be >= 0")
		return
	}
	payload, ok := rdb.OpenPayload(x.Args[3])
	if !ok {
		x.Error(errPayload)
		return
	}
	r := restoring{key: *k, options: o, ttlMs: ttl, payload: payload}
	if len(x.Args[3]) <= restoreAtOnce {
		for range 2 { // verified, read
			if r.Step(x) {
				return
			}
		}
	}
	later := r
	later.keep()
	x.KeepLatched(&later)
}

// restoring is a RESTORE under way: first the check sum is verified, then the value
// read into the slice's heap. Only when it is complete anything else changes.
type restoring struct {
	key      Key
	options  restoreOptions
	ttlMs    int64
	payload  rdb.Payload
	loader   rdb.Loader
	verified bool
}

// keep makes it independent of the arguments.
func (r *restoring) keep() {
	r.key.Bytes = append([]byte(nil), r.key.Bytes...)
	if !r.verified {
		r.payload.Keep()
	} else {
		r.loader.Keep()
	}
}

// Step verifies or reads the next piece.
func (r *restoring) Step(x *Ctx) bool {
	if !r.verified {
		done, sound := r.payload.Verify(verifyStep)
		switch {
		case !done:
			return false
		case !sound:
			x.Error(errPayload)
			return true
		}
		r.verified = true
		form, value, ok := r.payload.Value()
		if !ok {
			x.Error(errFormat)
			return true
		}
		lim := x.restoreLimits(&r.key)
		r.loader.Open(&r.key.Slice.Heap, form, r.payload.Version(), value, &lim)
		return false
	}
	done, err := r.loader.Step(restoreStep)
	if err != nil {
		if v := r.loader.Value(); v.Ref != 0 {
			r.key.Slice.Drop(v)
		}
		switch {
		case errors.Is(err, rdb.ErrMemory):
			x.OutOfMemory()
		case errors.Is(err, rdb.ErrModule):
			x.Error(errModule)
		default:
			x.Error(errFormat)
		}
		return true
	}
	if done {
		x.finishRestore(r)
	}
	return done
}

func (x *Ctx) restoreLimits(k *Key) rdb.Limits {
	return rdb.Limits{
		List:   x.Conf.ListMaxPackedSize,
		Set:    x.setLimits(k),
		Hash:   x.hashLimits(k),
		ZSet:   x.zsetLimits(),
		Seed:   x.Table(k).Seed,
		String: x.Conf.ProtoMaxBulkBytes,
	}
}

// finishRestore stores what was read, unless its time is over already.
func (x *Ctx) finishRestore(r *restoring) {
	k, deadline := &r.key, r.ttlMs
	if deadline != 0 && !r.options.absolute {
		deadline += x.Now // beyond the last moment it is in the past, as in Redis
	}
	v := r.loader.Value()
	if deadline != 0 && x.past(deadline) {
		if v.Ref != 0 {
			k.Slice.Drop(v)
		}
		if e, exists := x.Find(k); exists {
			x.Remove(k, e)
		}
		x.OK()
		return
	}
	if r.loader.Kind() == dash.String {
		if !x.Store(k, r.loader.Text(), deadline) {
			return
		}
	} else {
		if !x.CreateOver(k, v, deadline) {
			return
		}
		x.Changed(1)
	}
	if r.options.idle >= 0 && !x.policyIs("lfu") {
		x.setIdle(k, r.options.idle)
	}
	x.OK()
}

// setIdle notes that a key has not been accessed for so many seconds. If memory lacks
// for that, nothing is known of it.
func (x *Ctx) setIdle(k *Key, seconds int64) {
	t, h := x.Table(k), &k.Slice.Heap
	if e, ok := t.Find(h, k.Hash, k.Bytes); ok {
		t.SetClock(h, e, k.Hash, uint32(max(x.Now/1000-seconds, 0)))
	}
}
