package command

import (
	"sherd/internal/store/dash"
	"sherd/internal/wire/resp"
)

// peekTries bounds how often an optimistic read starts again before the command
// takes the latch.
const peekTries = 3

// glimpse is what an optimistic read saw of a key. It means nothing until valid
// has confirmed that the slice stood still meanwhile.
type glimpse struct {
	version    uint64
	value      []byte // aliases the arena; copy before valid is asked
	deadlineMs int64
	kind       dash.Kind
	found      bool
}

// look reads a key without its slice's latch. False: the slice is held, or what
// was seen cannot be read this way.
func (x *Ctx) look(k *Key, v *glimpse) bool {
	if !dash.PeekSafe {
		return false
	}
	var free bool
	if v.version, free = k.Slice.Version(); !free {
		return false
	}
	st := dash.Missing
	if k.Slot != 0 && k.Seen == v.version {
		v.value, v.deadlineMs, v.kind, st = dash.PeekSlot(x.KS.Arena, k.Slot, k.Bytes)
	}
	if st == dash.Missing {
		v.value, v.deadlineMs, v.kind, st = x.Table(k).Peek(x.KS.Arena, k.Hash, k.Bytes)
	}
	if st == dash.Retry {
		return false
	}
	// An expired entry is missing; it stays where it is.
	if v.found = st == dash.Found && !x.expired(v.deadlineMs); !v.found {
		v.value = nil
	}
	return true
}

// valid ends an optimistic read: it reports whether what was copied since look
// is one consistent state, and counts the read if it is.
func (x *Ctx) valid(k *Key, v *glimpse) bool {
	if !k.Slice.Unchanged(v.version) {
		x.L.Stats.OptimisticRetries++
		return false
	}
	x.L.Stats.OptimisticReads++
	if v.found {
		x.L.Stats.Hits++
	} else {
		x.L.Stats.Misses++
	}
	return true
}

// The loops below differ only in what they reply. They are written out, since a
// function handed in would cost a call per key.

func peekGet(x *Ctx) bool {
	k, mark := &x.Keys[0], len(x.Out)
	for range peekTries {
		var v glimpse
		if !x.look(k, &v) || v.found && v.kind != dash.String {
			return false
		}
		if v.found {
			x.Bulk(v.value)
		} else {
			x.Null()
		}
		if x.valid(k, &v) {
			return true
		}
		x.Out = x.Out[:mark]
	}
	return false
}

func peekExists(x *Ctx) bool {
	if len(x.Args) != 2 {
		return false
	}
	k := &x.Keys[0]
	for range peekTries {
		var v glimpse
		if !x.look(k, &v) {
			return false
		}
		if x.valid(k, &v) {
			x.Bool(v.found)
			return true
		}
	}
	return false
}

func peekStrLen(x *Ctx) bool {
	k := &x.Keys[0]
	for range peekTries {
		var v glimpse
		if !x.look(k, &v) || v.found && v.kind != dash.String {
			return false
		}
		if n := len(v.value); x.valid(k, &v) {
			x.Int(int64(n))
			return true
		}
	}
	return false
}

func peekGetRange(x *Ctx) bool {
	start, ok1 := resp.ParseInt64(x.Args[2])
	end, ok2 := resp.ParseInt64(x.Args[3])
	if !ok1 || !ok2 {
		return false
	}
	k, mark := &x.Keys[0], len(x.Out)
	for range peekTries {
		var v glimpse
		if !x.look(k, &v) || v.found && v.kind != dash.String {
			return false
		}
		x.Bulk(cut(v.value, start, end))
		if x.valid(k, &v) {
			return true
		}
		x.Out = x.Out[:mark]
	}
	return false
}

func peekGetBit(x *Ctx) bool {
	offset, ok := resp.ParseInt64(x.Args[2])
	if !ok || offset < 0 || offset>>3 >= x.Conf.ProtoMaxBulkBytes {
		return false
	}
	k := &x.Keys[0]
	for range peekTries {
		var v glimpse
		if !x.look(k, &v) || v.found && v.kind != dash.String {
			return false
		}
		if bit := bitAt(v.value, offset); x.valid(k, &v) {
			x.Int(bit)
			return true
		}
	}
	return false
}

func peekType(x *Ctx) bool {
	k := &x.Keys[0]
	for range peekTries {
		var v glimpse
		if !x.look(k, &v) {
			return false
		}
		if x.valid(k, &v) {
			if v.found {
				x.Simple(v.kind.String())
			} else {
				x.Simple("none")
			}
			return true
		}
	}
	return false
}

func peekTTL(x *Ctx) bool         { return x.peekTTL(ttlSeconds) }
func peekPTTL(x *Ctx) bool        { return x.peekTTL(ttlMillis) }
func peekExpireTime(x *Ctx) bool  { return x.peekTTL(ttlUnixSeconds) }
func peekPExpireTime(x *Ctx) bool { return x.peekTTL(ttlUnixMillis) }

func (x *Ctx) peekTTL(f ttlForm) bool {
	k := &x.Keys[0]
	for range peekTries {
		var v glimpse
		if !x.look(k, &v) {
			return false
		}
		if x.valid(k, &v) {
			if v.found {
				x.Int(f.of(v.deadlineMs, x.KS.Clock.Now()))
			} else {
				x.Int(ttlNoKey)
			}
			return true
		}
	}
	return false
}
