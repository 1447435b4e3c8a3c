package command

import (
	"math"
	"strconv"

	"sherd/internal/store/dash"
	"sherd/internal/wire/resp"
)

// increx are the options of INCREX. Numbers stay text until all words have been
// read, since BYFLOAT decides how the bounds are read.
type increx struct {
	by       []byte
	float    bool
	low      []byte
	high     []byte
	saturate bool
	life     lifetime
	onlyNew  bool // ENX: a deadline that exists stays
}

// parse reads the options. None may be given twice.
func (o *increx) parse(args [][]byte) bool {
	for i := 2; i < len(args); {
		a := args[i]
		var into *[]byte
		switch {
		case is(a, "BYINT"):
			into = &o.by
		case is(a, "BYFLOAT"):
			into, o.float = &o.by, true
		case is(a, "LBOUND"):
			into = &o.low
		case is(a, "UBOUND"):
			into = &o.high
		case is(a, "SATURATE") && !o.saturate:
			o.saturate = true
			i++
			continue
		case is(a, "ENX") && !o.onlyNew:
			o.onlyNew = true
			i++
			continue
		default:
			l, used := lifetimeOption(args, i)
			if used == 0 || l.how == lifeKeep || o.life.how != lifeNone {
				return false
			}
			o.life = l
			i += used
			continue
		}
		if i+1 == len(args) || *into != nil {
			return false
		}
		if *into = args[i+1]; *into == nil {
			*into = []byte{}
		}
		i += 2
	}
	return !o.onlyNew || o.life.how != lifePersist
}

func runIncrEX(x *Ctx) {
	var o increx
	if !o.parse(x.Args) {
		x.Syntax()
		return
	}
	if o.onlyNew && !o.life.sets() {
		x.Error("ERR ENX flag requires an expiration")
		return
	}
	if o.float {
		x.increxFloat(&o)
	} else {
		x.increxInt(&o)
	}
}

func (x *Ctx) increxInt(o *increx) {
	n := [3]int64{1, math.MinInt64, math.MaxInt64}
	for i, text := range [3][]byte{o.by, o.low, o.high} {
		if text == nil {
			continue
		}
		var ok bool
		if n[i], ok = resp.ParseInt64(text); !ok {
			x.Error("ERR " + increxNumbers[i] + " is not an integer or out of range")
			return
		}
	}
	by, low, high := n[0], n[1], n[2]
	if low > high {
		x.Error(errBounds)
		return
	}
	deadline, ok := x.increxDeadline(o)
	if !ok {
		return
	}
	k := &x.Keys[0]
	e, exists, wrong := x.FindString(k)
	if wrong {
		return
	}
	var now int64
	if exists {
		if now, ok = resp.ParseInt64(e.Value()); !ok {
			x.Error(errNotInteger)
			return
		}
	}
	var sum int64
	beyond := overflows(now, by)
	switch {
	case !beyond:
		sum = now + by
	case by > 0:
		sum = math.MaxInt64
	default:
		sum = math.MinInt64
	}
	if beyond || sum < low || sum > high {
		if !o.saturate {
			x.Array(2)
			x.Int(now)
			x.Int(0)
			return
		}
		sum = min(max(sum, low), high)
	}
	applied := sum - now
	if (applied < 0) != (sum < now) {
		x.Error("ERR applied increment would overflow")
		return
	}
	var digits [20]byte
	if !x.increxPut(k, e, exists, strconv.AppendInt(digits[:0], sum, 10), o, deadline) {
		return
	}
	x.Array(2)
	x.Int(sum)
	x.Int(applied)
}

func (x *Ctx) increxFloat(o *increx) {
	n := [3]resp.Float80{{}, resp.MaxFloat80.Neg(), resp.MaxFloat80}
	for i, text := range [3][]byte{o.by, o.low, o.high} {
		if text == nil {
			continue
		}
		var ok bool
		if n[i], ok = resp.ParseFloat(text); !ok {
			x.Error("ERR " + increxNumbers[i] + " is not a valid float")
			return
		}
	}
	by, low, high := n[0], n[1], n[2]
	if by.IsInf() {
		x.Error("ERR BYFLOAT increment cannot be Infinity")
		return
	}
	if low.Cmp(high) > 0 {
		x.Error(errBounds)
		return
	}
	deadline, ok := x.increxDeadline(o)
	if !ok {
		return
	}
	k := &x.Keys[0]
	e, exists, wrong := x.FindString(k)
	if wrong {
		return
	}
	var now resp.Float80
	if exists {
		if now, ok = resp.ParseFloat(e.Value()); !ok {
			x.Error(errNotFloat)
			return
		}
		if now.IsInf() {
			x.Error("ERR value cannot be Infinity")
			return
		}
	}
	sum := now.Add(by)
	if sum.IsInf() || sum.Cmp(low) < 0 || sum.Cmp(high) > 0 {
		if !o.saturate {
			x.Array(2)
			x.float80(now)
			x.float80(resp.Float80{})
			return
		}
		if sum.Cmp(low) < 0 {
			sum = low
		} else if sum.Cmp(high) > 0 {
			sum = high
		}
	}
	applied := sum.Add(now.Neg())
	if applied.IsInf() {
		x.Error("ERR applied increment would be Infinity")
		return
	}
	var digits [64]byte
	if !x.increxPut(k, e, exists, resp.AppendFloat(digits[:0], sum), o, deadline) {
		return
	}
	x.Array(2)
	x.float80(sum)
	x.float80(applied)
}

// increxNumbers are the names that errors give to the numbers.
var increxNumbers = [3]string{"Increment", "LBOUND", "UBOUND"}

const errBounds = "ERR LBOUND can't be greater than UBOUND"

// increxDeadline is the deadline that the options ask for; 0 none.
func (x *Ctx) increxDeadline(o *increx) (ms int64, ok bool) {
	if !o.life.sets() {
		return 0, true
	}
	return x.deadline(o.life)
}

// increxPut stores the sum with the deadline that the options and the present
// deadline make together.
func (x *Ctx) increxPut(k *Key, e dash.Entry, exists bool, text []byte, o *increx, deadline int64) bool {
	if exists && o.life.how != lifePersist {
		if d := e.DeadlineMs(); !o.life.sets() || o.onlyNew && d != 0 {
			deadline = d
		}
	}
	return x.put(k, e, exists, text, deadline)
}

// float80 replies an extended precision number (RESP2: a bulk string).
func (x *Ctx) float80(f resp.Float80) {
	var digits [64]byte
	text := resp.AppendFloat(digits[:0], f)
	if x.C.Proto < 3 {
		x.Bulk(text)
		return
	}
	x.Out = append(x.Out, ',')
	x.Out = append(x.Out, text...)
	x.Out = append(x.Out, "\r\n"...)
}
