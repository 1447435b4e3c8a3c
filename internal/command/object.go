package command

import (
	"strings"

	"sherd/internal/store/dash"
	"sherd/internal/store/value"
	"sherd/internal/wire/resp"
)

// embedded is the longest string that Redis keeps in one block with its header.
const embedded = 44

// computed is the encoding of a string that INCRBYFLOAT left behind and that looks
// like an integer: Redis keeps such a result as text. An entry that bears it is
// Raw, since only those have room for an encoding.
const computed = 1

// encodingOf is what OBJECT ENCODING says of an entry. The store has no such
// encodings for strings; the names follow Redis' rules.
func encodingOf(e dash.Entry) string {
	if e.Kind() != dash.String {
		return value.Of(e).EncodingName()
	}
	v := e.Value()
	switch {
	case e.Encoding() == computed:
		return "embstr"
	case e.Raw():
		return "raw"
	case isShortInt(v):
		return "int"
	case len(v) <= embedded:
		return "embstr"
	}
	return "raw"
}

func isShortInt(v []byte) bool {
	_, ok := resp.ParseInt64(v)
	return ok
}

// object looks up the key of an OBJECT subcommand; a missing one is replied.
func (x *Ctx) object() (dash.Entry, bool) {
	e, ok := x.Read(&x.Keys[0])
	if !ok {
		x.Null()
	}
	return e, ok
}

func runObjectEncoding(x *Ctx) {
	if e, ok := x.object(); ok {
		x.BulkString(encodingOf(e))
	}
}

// runObjectRefCount follows Redis, which shares its objects for small numbers
// and shows the greatest count for them.
func runObjectRefCount(x *Ctx) {
	e, ok := x.object()
	if !ok {
		return
	}
	if n, isInt := resp.ParseInt64(e.Value()); isInt && !e.Raw() && n >= 0 && n < 10000 && x.sharesIntegers() {
		x.Int(1<<31 - 1)
		return
	}
	x.Int(1)
}

// sharesIntegers tells whether a Redis with these settings would: not when it
// evicts by access, since the access belongs to the object.
func (x *Ctx) sharesIntegers() bool {
	return x.Conf.MaxMemoryBytes == 0 || !x.policyIs("lru") && !x.policyIs("lfu")
}

// policyIs tells whether maxmemory-policy goes by "lru" or "lfu".
func (x *Ctx) policyIs(kind string) bool { return strings.HasSuffix(x.Conf.MaxMemoryPolicy, kind) }

const (
	errIsLFU = "ERR An LFU maxmemory policy is selected, idle time not tracked. " +
		"Please note that when switching between policies at runtime LRU and LFU data will take some time to adjust."
	errNotLFU = "ERR An LFU maxmemory policy is not selected, access frequency not tracked. " +
		"Please note that when switching between policies at runtime LRU and LFU data will take some time to adjust."
)

// runObjectIdleTime replies the seconds since the key's access clock. An entry
// gets a clock only where a policy needs one; without it nothing is known of the
// time of the last access, and the reply is 0, the only lower bound there is.
func runObjectIdleTime(x *Ctx) {
	e, ok := x.object()
	if !ok {
		return
	}
	if x.policyIs("lfu") {
		x.Error(errIsLFU)
		return
	}
	idle := int64(0)
	if at, has := e.Clock(); has {
		idle = max(x.KS.Clock.Now()/1000-int64(at), 0)
	}
	x.Int(idle)
}

// initialFrequency is the logarithmic counter of a key that was just written.
const initialFrequency = 5

// runObjectFreq replies the access frequency: as long as the store counts no
// accesses, that of a new key.
func runObjectFreq(x *Ctx) {
	if _, ok := x.object(); !ok {
		return
	}
	if !x.policyIs("lfu") {
		x.Error(errNotLFU)
		return
	}
	x.Int(initialFrequency)
}

func runObjectHelp(x *Ctx) {
	x.Help("OBJECT",
		"ENCODING <key>", "Tells how the value is encoded.",
		"FREQ <key>", "Tells how often the key is accessed, on a logarithmic scale.",
		"IDLETIME <key>", "Tells for how many seconds the key has not been accessed.",
		"REFCOUNT <key>", "Tells how many references the value has.")
}

// memoryUsage is the memory that a key takes: its entry, the value included, and
// its share of the table around it.
func (x *Ctx) memoryUsage(k *Key, e dash.Entry) int64 {
	t := x.Table(k)
	n := int64(e.SizeBytes())
	if e.Kind() != dash.String {
		n += value.Of(e).SizeBytes(x.KS.Arena)
	}
	return n + (t.TableBytes()+int64(t.Len())-1)/int64(max(t.Len(), 1))
}
