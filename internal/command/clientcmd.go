package command

import (
	"bytes"
	"slices"
	"strconv"

	"sherd/internal/wire/resp"
)

const errClientName = "ERR Client names cannot contain spaces, newlines or special characters."

// printable tells whether a word may be a client's name: no space, no control.
func printable(b []byte) bool {
	for _, c := range b {
		if c < '!' || c > '~' {
			return false
		}
	}
	return true
}

func clientID(x *Ctx) { x.Int(x.C.ID) }

func clientGetName(x *Ctx) {
	if x.C.Name == "" {
		x.Null()
		return
	}
	x.BulkString(x.C.Name)
}

func clientSetName(x *Ctx) {
	if !printable(x.Args[2]) {
		x.Error(errClientName)
		return
	}
	x.C.Name = string(x.Args[2])
	x.OK()
}

func clientSetInfo(x *Ctx) {
	var field *string
	var name string
	switch {
	case is(x.Args[2], "LIB-NAME"):
		field, name = &x.C.LibName, "lib-name"
	case is(x.Args[2], "LIB-VER"):
		field, name = &x.C.LibVer, "lib-ver"
	default:
		x.Error("ERR Unrecognized option '" + string(clip(x.Args[2], 128)) + "'")
		return
	}
	if !printable(x.Args[3]) {
		x.Error("ERR " + name + " cannot contain spaces, newlines or special characters.")
		return
	}
	*field = string(x.Args[3])
	x.OK()
}

func clientInfo(x *Ctx) {
	x.Verbatim(string(appendClient(nil, x, x.C)))
}

// appendClient writes a client's line of CLIENT LIST, with its newline.
func appendClient(b []byte, x *Ctx, c *Client) []byte {
	now := x.KS.Clock.Now()
	text := func(name, v string) {
		b = append(b, name...)
		b = append(b, '=')
		b = append(b, v...)
		b = append(b, ' ')
	}
	num := func(name string, n int64) { text(name, strconv.FormatInt(n, 10)) }
	filled, free, args := c.Link.Query()
	out, queued, memory := c.Link.Output()
	flags := "N"
	switch {
	case c.Monitor:
		flags = "O"
	case c.CloseAfter:
		flags = "c"
	case c.Link.Blocked() && c != x.C:
		flags = "b"
	}
	if c.Link.IsUnix() {
		flags += "U"
	}
	if c.NoEvict {
		flags += "e"
	}
	if c.NoTouch {
		flags += "T"
	}
	events := "r"
	if out+queued > 0 && c != x.C {
		events = "rw"
	}
	last := "NULL"
	if c.Last != nil {
		last = c.Last.FullName
	}
	if c == x.C {
		last = x.Cmd.FullName
	}
	num("id", c.ID)
	text("addr", c.Link.RemoteAddr())
	text("laddr", c.Link.LocalAddr())
	num("fd", int64(c.Link.Fd()))
	text("name", c.Name)
	num("age", (now-c.CreatedMs)/1000)
	num("idle", (now-c.ActiveMs)/1000)
	text("flags", flags)
	num("db", int64(c.DB))
	text("sub", "0")
	text("psub", "0")
	text("ssub", "0")
	text("multi", "-1")
	text("watch", "0")
	num("qbuf", int64(filled))
	num("qbuf-free", int64(free))
	num("argv-mem", int64(args))
	text("multi-mem", "0")
	num("rbs", int64(out+memory))
	text("rbp", "0")
	num("obl", int64(out))
	num("oll", int64(queued))
	num("omem", int64(memory))
	num("tot-mem", int64(filled+free+args+memory+clientBytes)+c.KeptBytes())
	text("events", events)
	text("cmd", last)
	text("user", c.User())
	text("redir", "-1")
	num("resp", int64(c.Proto))
	text("lib-name", c.LibName)
	text("lib-ver", c.LibVer)
	num("tot-net-in", c.NetIn)
	num("tot-net-out", c.NetOut)
	num("tot-cmds", c.Calls)
	b[len(b)-1] = '\n'
	return b
}

// clientBytes is what a connection costs beside its buffers.
const clientBytes = 900

// clientFilter selects clients for LIST and KILL.
type clientFilter struct {
	ids         []int64
	addr, laddr []byte
	user        []byte
	kind        string // "": any
	skip        int64  // this id is left out; 0 none
	maxAgeMs    int64
}

func (f *clientFilter) matches(x *Ctx, c *Client) bool {
	switch {
	case f.ids != nil && !slices.Contains(f.ids, c.ID):
		return false
	case f.skip != 0 && c.ID == f.skip:
		return false
	case f.addr != nil && string(f.addr) != c.Link.RemoteAddr():
		return false
	case f.laddr != nil && string(f.laddr) != c.Link.LocalAddr():
		return false
	case f.user != nil && string(f.user) != c.User():
		return false
	case f.kind != "" && f.kind != "normal":
		return false
	case f.maxAgeMs > 0 && x.KS.Clock.Now()-c.CreatedMs < f.maxAgeMs:
		return false
	}
	return true
}

// clientKind reads a TYPE argument.
func clientKind(b []byte) (string, bool) {
	for _, k := range []string{"normal", "master", "replica", "pubsub"} {
		if is(b, k) {
			return k, true
		}
	}
	return "replica", is(b, "slave")
}

func clientList(x *Ctx) {
	var f clientFilter
	switch {
	case len(x.Args) == 4 && is(x.Args[2], "TYPE"):
		kind, ok := clientKind(x.Args[3])
		if !ok {
			x.Error("ERR Unknown client type '" + string(clip(x.Args[3], 128)) + "'")
			return
		}
		f.kind = kind
	case len(x.Args) > 3 && is(x.Args[2], "ID"):
		f.ids = []int64{}
		for _, a := range x.Args[3:] {
			id, ok := resp.ParseInt64(a)
			if !ok || id < 1 {
				x.Error("ERR Invalid client ID")
				return
			}
			f.ids = append(f.ids, id)
		}
	case len(x.Args) > 2:
		x.Syntax()
		return
	}
	type line struct {
		id   int64
		text []byte
	}
	// One list per loop: each is written by its own loop only.
	lists := make([][]line, x.KS.Loops)
	me := *x // the clock and the asking client are all that appendClient reads
	x.Host.Gather(x, func(l *Local) {
		for _, c := range l.Clients {
			if f.matches(&me, c) {
				lists[l.Loop] = append(lists[l.Loop], line{c.ID, appendClient(nil, &me, c)})
			}
		}
	}, func(x *Ctx) {
		all := slices.Concat(lists...)
		slices.SortFunc(all, func(a, b line) int { return int(a.id - b.id) })
		var b []byte
		for _, l := range all {
			b = append(b, l.text...)
		}
		x.Verbatim(string(b))
	})
}

func clientKill(x *Ctx) {
	f := clientFilter{skip: x.C.ID}
	old := len(x.Args) == 3
	if old {
		f.addr = bytes.Clone(x.Args[2])
		f.skip = 0
	} else {
		for i := 2; i < len(x.Args); i += 2 {
			if i+1 >= len(x.Args) {
				x.Syntax()
				return
			}
			v := bytes.Clone(x.Args[i+1])
			switch a := x.Args[i]; {
			case is(a, "ID"):
				id, ok := resp.ParseInt64(v)
				if !ok || id < 1 {
					x.Error("ERR client-id should be greater than 0")
					return
				}
				f.ids = []int64{id}
			case is(a, "MAXAGE"):
				age, ok := resp.ParseInt64(v)
				if !ok || age < 1 {
					x.Error("ERR maxage is not an integer or out of range")
					return
				}
				f.maxAgeMs = age * 1000
			case is(a, "TYPE"):
				kind, ok := clientKind(v)
				if !ok {
					x.Error("ERR Unknown client type '" + string(clip(v, 128)) + "'")
					return
				}
				f.kind = kind
			case is(a, "ADDR"):
				f.addr = v
			case is(a, "LADDR"):
				f.laddr = v
			case is(a, "USER"):
				if string(v) != "default" {
					x.Error("ERR No such user '" + string(clip(v, 128)) + "'")
					return
				}
				f.user = v
			case is(a, "SKIPME") && is(v, "YES"):
				f.skip = x.C.ID
			case is(a, "SKIPME") && is(v, "NO"):
				f.skip = 0
			default:
				x.Syntax()
				return
			}
		}
	}
	killed := make([]int64, x.KS.Loops)
	self := x.C
	var own bool // written by the asking loop only
	me := *x
	x.Host.Gather(x, func(l *Local) {
		for _, c := range l.Clients {
			if !f.matches(&me, c) {
				continue
			}
			killed[l.Loop]++
			if c == self {
				own = true // it is to read the reply first
				continue
			}
			c.Link.Kill()
		}
	}, func(x *Ctx) {
		var n int64
		for _, k := range killed {
			n += k
		}
		if own {
			x.C.CloseAfter = true
		}
		switch {
		case !old:
			x.Int(n)
		case n > 0:
			x.OK()
		default:
			x.Error("ERR No such client")
		}
	})
}

func clientPause(x *Ctx) {
	ms, ok := resp.ParseInt64(x.Args[2])
	if !ok {
		x.Error("ERR timeout is not an integer or out of range")
		return
	}
	if ms < 0 {
		x.Error("ERR timeout is negative")
		return
	}
	writes := false
	switch {
	case len(x.Args) == 4 && is(x.Args[3], "WRITE"):
		writes = true
	case len(x.Args) == 4 && is(x.Args[3], "ALL"), len(x.Args) == 3:
	case len(x.Args) == 4:
		x.Error("ERR CLIENT PAUSE mode must be WRITE or ALL")
		return
	default:
		x.Syntax()
		return
	}
	now := x.KS.Clock.Now()
	if ms > 1<<62-now {
		x.Error("ERR timeout is out of range")
		return
	}
	x.Host.Pause(max(now+ms, 1), writes)
	x.OK()
}

func clientUnpause(x *Ctx) {
	x.Host.Pause(0, false)
	x.OK()
}

func clientReply(x *Ctx) {
	switch {
	case is(x.Args[2], "ON"):
		x.C.Reply = ReplyOn
		x.OK()
	case is(x.Args[2], "OFF"):
		x.C.Reply = ReplyOff
	case is(x.Args[2], "SKIP"):
		if x.C.Reply != ReplyOff {
			x.C.Reply = SkipNext
		}
	default:
		x.Syntax()
	}
}

// onOff sets a flag from an on/off argument.
func onOff(x *Ctx, flag *bool) {
	switch {
	case is(x.Args[2], "ON"):
		*flag = true
	case is(x.Args[2], "OFF"):
		*flag = false
	default:
		x.Syntax()
		return
	}
	x.OK()
}

func clientNoEvict(x *Ctx) { onOff(x, &x.C.NoEvict) }
func clientNoTouch(x *Ctx) { onOff(x, &x.C.NoTouch) }

// clientUnblock finds nobody: no command of this server blocks its client.
func clientUnblock(x *Ctx) {
	if len(x.Args) == 4 && !is(x.Args[3], "TIMEOUT") && !is(x.Args[3], "ERROR") {
		x.Error("ERR CLIENT UNBLOCK reason should be TIMEOUT or ERROR")
		return
	}
	if _, ok := resp.ParseInt64(x.Args[2]); !ok {
		x.Error(errNotInteger)
		return
	}
	x.Int(0)
}
