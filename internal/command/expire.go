package command

import (
	"bytes"
	"math"

	"sherd/internal/wire/resp"
)

// expireRule are the options of EXPIRE and its kin.
type expireRule uint8

const (
	expireNX expireRule = 1 << iota // only where there is no deadline
	expireXX                        // only where there is one
	expireGT                        // only if the new one is later; none counts as never
	expireLT                        // only if the new one is earlier
)

func runExpire(x *Ctx)    { x.expireAt(x.Now, true) }
func runPExpire(x *Ctx)   { x.expireAt(x.Now, false) }
func runExpireAt(x *Ctx)  { x.expireAt(0, true) }
func runPExpireAt(x *Ctx) { x.expireAt(0, false) }

// expireAt gives the key a deadline, counted from base (ms).
func (x *Ctx) expireAt(base int64, seconds bool) {
	rule, ok := x.expireRules()
	if !ok {
		return
	}
	at, ok := resp.ParseInt64(x.Args[2])
	if !ok {
		x.Error(errNotInteger)
		return
	}
	if seconds {
		if at > math.MaxInt64/1000 || at < math.MinInt64/1000 {
			x.invalidExpire()
			return
		}
		at *= 1000
	}
	if at > math.MaxInt64-base {
		x.invalidExpire()
		return
	}
	at += base
	k := &x.Keys[0]
	e, ok := x.Find(k)
	if !ok || rule != 0 && !rule.allows(e.DeadlineMs(), at) {
		x.Bool(false)
		return
	}
	if x.past(at) {
		x.Remove(k, e)
		x.Bool(true)
		return
	}
	if x.SetDeadline(k, e, at) {
		x.Bool(true)
	}
}

// allows judges the change of a deadline; present 0 is none.
func (r expireRule) allows(present, next int64) bool {
	switch {
	case r&expireNX != 0 && present != 0,
		r&expireXX != 0 && present == 0,
		r&expireGT != 0 && (present == 0 || next <= present),
		r&expireLT != 0 && present != 0 && next >= present:
		return false
	}
	return true
}

func (x *Ctx) expireRules() (r expireRule, ok bool) {
	for _, a := range x.Args[3:] {
		switch {
		case is(a, "NX"):
			r |= expireNX
		case is(a, "XX"):
			r |= expireXX
		case is(a, "GT"):
			r |= expireGT
		case is(a, "LT"):
			r |= expireLT
		default:
			// Redis prints it as a C string, and no line breaks at the end.
			if n := bytes.IndexByte(a, 0); n >= 0 {
				a = a[:n]
			}
			x.Error("ERR Unsupported option " + string(bytes.TrimRight(a, "\r\n")))
			return 0, false
		}
	}
	switch {
	case r&expireNX != 0 && r&^expireNX != 0:
		x.Error("ERR NX and XX, GT or LT options at the same time are not compatible")
	case r&expireGT != 0 && r&expireLT != 0:
		x.Error("ERR GT and LT options at the same time are not compatible")
	default:
		return r, true
	}
	return 0, false
}

// The replies of TTL and its kin for a key that does not exist, and for one that
// has no deadline.
const (
	ttlNoKey      = -2
	ttlNoDeadline = -1
)

// ttlForm says what TTL and its kin make of a deadline.
type ttlForm uint8

const (
	ttlSeconds ttlForm = iota
	ttlMillis
	ttlUnixSeconds
	ttlUnixMillis
)

// of is the reply for a deadline; 0 is none.
func (f ttlForm) of(deadlineMs, nowMs int64) int64 {
	if deadlineMs == 0 {
		return ttlNoDeadline
	}
	switch f {
	case ttlSeconds:
		return (max(deadlineMs-nowMs, 0) + 500) / 1000
	case ttlMillis:
		return max(deadlineMs-nowMs, 0)
	case ttlUnixSeconds:
		return (deadlineMs + 500) / 1000
	}
	return deadlineMs
}

func runTTL(x *Ctx)         { x.ttl(ttlSeconds) }
func runPTTL(x *Ctx)        { x.ttl(ttlMillis) }
func runExpireTime(x *Ctx)  { x.ttl(ttlUnixSeconds) }
func runPExpireTime(x *Ctx) { x.ttl(ttlUnixMillis) }

func (x *Ctx) ttl(f ttlForm) {
	e, ok := x.Read(&x.Keys[0])
	if !ok {
		x.Int(ttlNoKey)
		return
	}
	x.Int(f.of(e.DeadlineMs(), x.KS.Clock.Now()))
}

func runPersist(x *Ctx) {
	k := &x.Keys[0]
	e, ok := x.Find(k)
	if !ok || e.DeadlineMs() == 0 {
		x.Bool(false)
		return
	}
	if x.SetDeadline(k, e, 0) {
		x.Bool(true)
	}
}
