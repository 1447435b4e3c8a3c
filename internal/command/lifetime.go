package command

import (
	"math"

	"sherd/internal/wire/resp"
)

// lifetime is the part of a command's options that decides about the deadline
// of the key it writes.
type lifetime struct {
	how   lifetimeWord
	value []byte // of the words that take one
}

type lifetimeWord uint8

const (
	lifeNone    lifetimeWord = iota
	lifeEX                   // seconds from now
	lifePX                   // milliseconds from now
	lifeEXAT                 // seconds since the epoch
	lifePXAT                 // milliseconds since the epoch
	lifeKeep                 // KEEPTTL: the key's deadline stays
	lifePersist              // the key loses its deadline
)

// sets tells whether the options give a deadline.
func (l lifetime) sets() bool { return l.how >= lifeEX && l.how <= lifePXAT }

// absolute tells whether the deadline is given as a time, which may lie in the
// past.
func (l lifetime) absolute() bool { return l.how == lifeEXAT || l.how == lifePXAT }

// lifetimeOption looks at args[i]. used is how many arguments it takes; 0 means
// that it is no such option, or has no value.
func lifetimeOption(args [][]byte, i int) (l lifetime, used int) {
	a := args[i]
	switch {
	case is(a, "EX"):
		l.how = lifeEX
	case is(a, "PX"):
		l.how = lifePX
	case is(a, "EXAT"):
		l.how = lifeEXAT
	case is(a, "PXAT"):
		l.how = lifePXAT
	case is(a, "KEEPTTL"):
		return lifetime{how: lifeKeep}, 1
	case is(a, "PERSIST"):
		return lifetime{how: lifePersist}, 1
	default:
		return l, 0
	}
	if i+1 == len(args) {
		return l, 0
	}
	l.value = args[i+1]
	return l, 2
}

// merge takes one more option in. Different ones exclude each other; of equal
// ones the last counts, as in Redis.
func (l *lifetime) merge(o lifetime) bool {
	if l.how != lifeNone && l.how != o.how {
		return false
	}
	*l = o
	return true
}

// deadline reads the value of a lifetime that sets a deadline, in milliseconds
// since the epoch. It reports false, with the error replied, when the value is
// no number, not positive, or too large.
func (x *Ctx) deadline(l lifetime) (ms int64, ok bool) {
	if ms, ok = resp.ParseInt64(l.value); !ok {
		x.Error(errNotInteger)
		return 0, false
	}
	if ms <= 0 {
		x.invalidExpire()
		return 0, false
	}
	if l.how == lifeEX || l.how == lifeEXAT {
		if ms > math.MaxInt64/1000 {
			x.invalidExpire()
			return 0, false
		}
		ms *= 1000
	}
	if !l.absolute() {
		if ms > math.MaxInt64-x.Now {
			x.invalidExpire()
			return 0, false
		}
		ms += x.Now
	}
	return ms, true
}

// past tells whether a deadline that is about to be set has come already.
func (x *Ctx) past(deadlineMs int64) bool { return deadlineMs <= x.KS.Clock.Now() }

func (x *Ctx) invalidExpire() {
	x.Error("ERR invalid expire time in '" + x.Cmd.FullName + "' command")
}
