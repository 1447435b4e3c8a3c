package command

import (
	"fmt"
	"strconv"
	"time"

	"sherd/internal/store/dash"
	"sherd/internal/wire/resp"
)

var debugCommand = &Command{
	Name: "debug", Arity: -2, Flags: Admin | NoScript | Loading | Stale | Protected, Run: debugUnknown, Group: "server",
	Doc: Doc{Summary: "Container of the commands for testing the server.", Since: "1.0.0", Complexity: "Depends on subcommand."},
	Sub: []*Command{
		{
			Name: "sleep", Arity: 3, Flags: Admin | NoScript | Loading | Stale | Protected, Run: debugSleep, Reach: ReachAll,
			Doc: Doc{Summary: "Keeps everybody from the data for some seconds.", Since: "1.0.0", Args: []Arg{{Name: "seconds", Type: "double"}}},
		},
		{
			Name: "populate", Arity: -3, Flags: Admin | NoScript | Write | Protected, Run: debugPopulate, Reach: ReachOwn,
			Doc: Doc{Summary: "Makes many keys.", Since: "1.0.0"},
		},
		{
			Name: "object", Arity: -3, Flags: Admin | NoScript | Protected, Run: debugObject, Reach: ReachOne,
			Keys: []KeySpec{{Flags: RO, Index: 2, Step: 1}},
			Doc:  Doc{Summary: "Shows how a key is held.", Since: "1.0.0"},
		},
		{
			Name: "set-active-expire", Arity: 3, Flags: Admin | NoScript | Protected, Run: debugActiveExpire,
			Doc: Doc{Summary: "Switches the background sweep of expired keys.", Since: "1.0.0"},
		},
		{
			Name: "jmap", Arity: 2, Flags: Admin | NoScript | Protected, Run: func(x *Ctx) { x.OK() },
			Doc: Doc{Summary: "Answers OK.", Since: "1.0.0"},
		},
		{
			Name: "help", Arity: 2, Flags: Loading | Stale | Protected, Run: debugHelp,
			Doc: Doc{Summary: "Lists the subcommands.", Since: "5.0.0"},
		},
	},
}

const DebugText = "ERR DEBUG command not allowed. If the enable-debug-command option is set to \"local\", you can run it from a local connection, otherwise you need to set this option in the configuration file, and then restart the server."

func debugUnknown(x *Ctx) { x.Error(UnknownSubText(x.Cmd, x.Args)) }

// nap holds what DEBUG SLEEP latched until the time is over.
type nap struct{ until time.Time }

func (n *nap) Step(x *Ctx) bool {
	if time.Now().Before(n.until) {
		return false
	}
	x.OK()
	return true
}

// debugSleep has everybody wait, as a long command would. No loop sleeps: the
// connection keeps all slices latched meanwhile and others queue.
func debugSleep(x *Ctx) {
	s, ok := resp.ParseDouble(x.Args[2])
	if !ok || s < 0 || s > 1e6 {
		x.OK() // Redis takes what it can read as a number, and 0 otherwise
		return
	}
	x.KeepLatched(&nap{time.Now().Add(time.Duration(s * float64(time.Second)))})
}

// populate makes keys in steps.
type populate struct {
	next, count int64
	prefix      []byte
	size        int
	db          int
	key, value  []byte
}

const populateStep = 500

func (p *populate) Step(x *Ctx) bool {
	for range populateStep {
		if p.next >= p.count {
			x.OK()
			return true
		}
		p.key = append(p.key[:0], p.prefix...)
		p.key = append(p.key, ':')
		p.key = strconv.AppendInt(p.key, p.next, 10)
		k := x.KeyOf(p.key)
		if !k.Slice.Spin() {
			return false // again in the next turn
		}
		p.value = append(p.value[:0], "value:"...)
		p.value = strconv.AppendInt(p.value, p.next, 10)
		if p.size > 0 {
			for len(p.value) < p.size {
				p.value = append(p.value, 0)
			}
			p.value = p.value[:p.size]
		}
		before := k.Slice.Heap.Used()
		stored := true
		if _, ok := x.FindIn(p.db, &k); !ok {
			stored = x.StoreIn(p.db, &k, p.value, 0)
		}
		x.L.MemDelta += k.Slice.Heap.Used() - before
		k.Slice.Release()
		if !stored {
			return true
		}
		p.next++
	}
	return false
}

func debugPopulate(x *Ctx) {
	n, ok := resp.ParseInt64(x.Args[2])
	if !ok || n < 0 {
		x.Error(errNotPositive)
		return
	}
	p := &populate{count: n, prefix: []byte("key"), db: x.C.DB}
	if len(x.Args) > 3 {
		p.prefix = append([]byte(nil), x.Args[3]...)
	}
	if len(x.Args) > 4 {
		size, ok := resp.ParseInt64(x.Args[4])
		if !ok || size < 0 || size > x.Conf.ProtoMaxBulkBytes {
			x.Error(errNotPositive)
			return
		}
		p.size = int(size)
	}
	x.Continue(p)
}

func debugObject(x *Ctx) {
	e, ok := x.Find(&x.Keys[0])
	if !ok {
		x.Error(errNoKey)
		return
	}
	length := 0
	if e.Kind() == dash.String {
		length = len(e.Value())
	}
	x.Simple(fmt.Sprintf("Value at:0x%x refcount:1 encoding:%s serializedlength:%d lru:0 lru_seconds_idle:0", uint64(e.Ref()), encodingOf(e), length))
}

func debugActiveExpire(x *Ctx) {
	on := string(x.Args[2]) != "0"
	x.Host.Gather(x, func(l *Local) { l.SweepOff = !on }, func(x *Ctx) { x.OK() })
}

func debugHelp(x *Ctx) {
	x.Help("DEBUG",
		"OBJECT <key>", "Show low level info about <key> and associated value.",
		"POPULATE <count> [<prefix>] [<size>]", "Create <count> string keys named key:<num>. If <prefix> is specified then it is used instead of the 'key' prefix. These are not propagated to replicas.",
		"SET-ACTIVE-EXPIRE <0|1>", "Setting it to 0 disables expiring keys in background when they are not accessed (otherwise the Redis behavior). Setting it to 1 reenables back the default.",
		"SLEEP <seconds>", "Stop the server for <seconds>. Decimals allowed.",
	)
}
