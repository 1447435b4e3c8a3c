package command

import (
	"strings"
)

var connectionCommands = []*Command{
	{
		Name: "ping", Arity: -1, Flags: Fast, Run: ping, Group: "connection",
		Doc: Doc{
			Summary: "Answers, to show that the server lives.", Since: "1.0.0", Complexity: "O(1)",
			Args: []Arg{{Name: "message", Type: "string", Optional: true}},
		},
		Tips: []string{"request_policy:all_shards", "response_policy:all_succeeded"},
	},
	{
		Name: "echo", Arity: 2, Flags: Fast, Run: echo, Group: "connection",
		Doc: Doc{
			Summary: "Returns what it was sent.", Since: "1.0.0", Complexity: "O(1)",
			Args: []Arg{{Name: "message", Type: "string"}},
		},
	},
	{
		Name: "select", Arity: 2, Flags: Loading | Stale | Fast, Run: selectDB, Group: "connection",
		Doc: Doc{
			Summary: "Chooses the connection's database.", Since: "1.0.0", Complexity: "O(1)",
			Args: []Arg{{Name: "index", Type: "integer"}},
		},
	},
	{
		Name: "quit", Arity: -1, Flags: AllowBusy | NoScript | Loading | Stale | Fast | NoAuth, Run: quit, Group: "connection",
		Doc: Doc{
			Summary: "Closes the connection once the replies have left.", Since: "1.0.0", Complexity: "O(1)",
			Deprecated: "7.2.0", ReplacedBy: "just closing the connection",
		},
	},
	{
		Name: "auth", Arity: -2, Flags: NoScript | Loading | Stale | Fast | NoAuth | AllowBusy, Run: auth, Group: "connection",
		Doc: Doc{
			Summary: "Authenticates the connection.", Since: "1.0.0", Complexity: "O(N) where N is the number of passwords defined for the user",
			Args:    []Arg{{Name: "username", Type: "string", Optional: true, Since: "6.0.0"}, {Name: "password", Type: "string"}},
			History: [][2]string{{"6.0.0", "Added ACL style (username and password)."}},
		},
	},
	{
		Name: "hello", Arity: -1, Flags: NoScript | Loading | Stale | Fast | NoAuth | AllowBusy, Run: hello, Group: "connection",
		Doc: Doc{
			Summary: "Chooses the protocol, and may authenticate and name the connection.", Since: "6.0.0", Complexity: "O(1)",
			Args: []Arg{{Name: "arguments", Type: "block", Optional: true, Args: []Arg{
				{Name: "protover", Type: "integer"},
				{Name: "auth", Type: "block", Token: "AUTH", Optional: true, Args: []Arg{{Name: "username", Type: "string"}, {Name: "password", Type: "string"}}},
				{Name: "clientname", Type: "string", Token: "SETNAME", Optional: true},
			}}},
			History: [][2]string{{"6.2.0", "`protover` made optional; when called without arguments reports the current connection's context."}},
		},
	},
	{
		Name: "reset", Arity: 1, Flags: NoScript | Loading | Stale | Fast | NoAuth | AllowBusy, Run: reset, Group: "connection",
		Doc: Doc{Summary: "Makes the connection as it was when it was opened.", Since: "6.2.0", Complexity: "O(1)"},
	},
	{
		Name: "client", Arity: -2, Group: "connection",
		Doc: Doc{Summary: "Container of the commands about client connections.", Since: "2.4.0", Complexity: "Depends on subcommand."},
		Sub: clientSubcommands,
	},
}

const clientFlags = NoScript | Loading | Stale

// choice is an argument that is one of some words.
func choice(name string, words ...string) Arg {
	a := Arg{Name: name, Type: "oneof"}
	for _, w := range words {
		a.Args = append(a.Args, Arg{Name: strings.ToLower(w), Type: "pure-token", Token: w})
	}
	return a
}

var clientSubcommands = []*Command{
	{
		Name: "id", Arity: 2, Flags: clientFlags, Run: clientID,
		Doc: Doc{Summary: "Tells the connection's id.", Since: "5.0.0", Complexity: "O(1)"},
	},
	{
		Name: "getname", Arity: 2, Flags: clientFlags, Run: clientGetName,
		Doc: Doc{Summary: "Tells the connection's name.", Since: "2.6.9", Complexity: "O(1)"},
	},
	{
		Name: "setname", Arity: 3, Flags: clientFlags, Run: clientSetName,
		Doc: Doc{Summary: "Names the connection.", Since: "2.6.9", Complexity: "O(1)", Args: []Arg{{Name: "connection-name", Type: "string"}}},
	},
	{
		Name: "setinfo", Arity: 4, Flags: clientFlags, Run: clientSetInfo,
		Doc: Doc{
			Summary: "Notes the client library's name or version.", Since: "7.2.0", Complexity: "O(1)",
			Args: []Arg{{Name: "attr", Type: "oneof", Args: []Arg{
				{Name: "libname", Type: "string", Token: "LIB-NAME"}, {Name: "libver", Type: "string", Token: "LIB-VER"},
			}}},
		},
	},
	{
		Name: "info", Arity: 2, Flags: clientFlags, Run: clientInfo,
		Doc:  Doc{Summary: "Describes this connection.", Since: "6.2.0", Complexity: "O(1)"},
		Tips: []string{"nondeterministic_output"},
	},
	{
		Name: "list", Arity: -2, Flags: clientFlags | Admin, Run: clientList,
		Doc: Doc{
			Summary: "Lists the connections.", Since: "2.4.0", Complexity: "O(N) where N is the number of client connections",
			Args: []Arg{
				{Name: "client-type", Type: "oneof", Token: "TYPE", Optional: true, Since: "5.0.0", Args: choice("", "NORMAL", "MASTER", "REPLICA", "PUBSUB").Args},
				{Name: "client-id", Type: "integer", Token: "ID", Optional: true, Multiple: true, Since: "6.2.0"},
			},
		},
		Tips: []string{"nondeterministic_output"},
	},
	{
		Name: "kill", Arity: -3, Flags: clientFlags | Admin, Run: clientKill,
		Doc: Doc{
			Summary: "Closes connections.", Since: "2.4.0", Complexity: "O(N) where N is the number of client connections",
			Args: []Arg{{Name: "filter", Type: "oneof", Args: []Arg{
				{Name: "old-format", Type: "string"},
				{Name: "new-format", Type: "oneof", Multiple: true, Args: []Arg{
					{Name: "client-id", Type: "integer", Token: "ID", Optional: true},
					{Name: "client-type", Type: "oneof", Token: "TYPE", Optional: true, Args: choice("", "NORMAL", "MASTER", "SLAVE", "REPLICA", "PUBSUB").Args},
					{Name: "username", Type: "string", Token: "USER", Optional: true},
					{Name: "addr", Type: "string", Token: "ADDR", Optional: true},
					{Name: "laddr", Type: "string", Token: "LADDR", Optional: true},
					{Name: "skipme", Type: "oneof", Token: "SKIPME", Optional: true, Args: choice("", "YES", "NO").Args},
					{Name: "maxage", Type: "integer", Token: "MAXAGE", Optional: true},
				}},
			}}},
		},
	},
	{
		Name: "pause", Arity: -3, Flags: clientFlags | Admin, Run: clientPause,
		Doc: Doc{
			Summary: "Holds commands back for a time.", Since: "3.0.0", Complexity: "O(1)",
			Args: []Arg{{Name: "timeout", Type: "integer"}, optional(choice("mode", "WRITE", "ALL"))},
		},
	},
	{
		Name: "unpause", Arity: 2, Flags: clientFlags | Admin, Run: clientUnpause,
		Doc: Doc{Summary: "Ends a pause.", Since: "6.2.0", Complexity: "O(N) Where N is the number of paused clients"},
	},
	{
		Name: "unblock", Arity: -3, Flags: clientFlags | Admin, Run: clientUnblock,
		Doc: Doc{
			Summary: "Ends the wait of a client that is blocked by a command.", Since: "5.0.0", Complexity: "O(log N) where N is the number of client connections",
			Args: []Arg{{Name: "client-id", Type: "integer"}, optional(choice("unblock-type", "TIMEOUT", "ERROR"))},
		},
	},
	{
		Name: "reply", Arity: 3, Flags: clientFlags, Run: clientReply,
		Doc: Doc{Summary: "Switches the connection's replies off and on.", Since: "3.2.0", Complexity: "O(1)", Args: []Arg{choice("action", "ON", "OFF", "SKIP")}},
	},
	{
		Name: "no-evict", Arity: 3, Flags: clientFlags | Admin, Run: clientNoEvict,
		Doc: Doc{Summary: "Exempts the connection from client eviction.", Since: "7.0.0", Complexity: "O(1)", Args: []Arg{choice("enabled", "ON", "OFF")}},
	},
	{
		Name: "no-touch", Arity: 3, Flags: clientFlags, Run: clientNoTouch,
		Doc: Doc{Summary: "Lets the connection's commands leave access times alone.", Since: "7.2.0", Complexity: "O(1)", Args: []Arg{choice("enabled", "ON", "OFF")}},
	},
	{
		Name: "help", Arity: 2, Flags: Loading | Stale, Run: clientHelp,
		Doc: Doc{Summary: "Lists the subcommands.", Since: "5.0.0", Complexity: "O(1)"},
	},
}

// optional marks an argument as optional.
func optional(a Arg) Arg {
	a.Optional = true
	return a
}

func clientHelp(x *Ctx) {
	x.Help("CLIENT",
		"GETNAME", "Return the name of the current connection.",
		"ID", "Return the ID of the current connection.",
		"INFO", "Return information about the current client connection.",
		"KILL <ip:port>", "Kill connection made from <ip:port>.",
		"KILL <option> <value> [<option> <value> [...]]", "Kill connections. Options are: ADDR, LADDR, TYPE, USER, SKIPME, ID, MAXAGE.",
		"LIST [options ...]", "Return information about client connections. Options: TYPE <type>, ID <id> [...].",
		"NO-EVICT (ON|OFF)", "Protect current client connection from eviction.",
		"NO-TOUCH (ON|OFF)", "Will not touch LRU/LFU stats when this mode is on.",
		"PAUSE <timeout> [WRITE|ALL]", "Suspend all, or just write, clients for <timeout> milliseconds.",
		"REPLY (ON|OFF|SKIP)", "Control the replies sent to the current connection.",
		"SETINFO <option> <value>", "Set client meta attr. Options are: LIB-NAME, LIB-VER.",
		"SETNAME <name>", "Assign the name <name> to the current connection.",
		"UNPAUSE", "Stop the current client pause, resuming traffic.",
	)
}

func ping(x *Ctx) {
	switch len(x.Args) {
	case 1:
		x.Out = append(x.Out, "+PONG\r\n"...)
	case 2:
		x.Bulk(x.Args[1])
	default:
		x.Arity()
	}
}

func echo(x *Ctx) { x.Bulk(x.Args[1]) }

func selectDB(x *Ctx) {
	if db, ok := x.database(x.Args[1]); ok {
		x.C.DB = db
		x.OK()
	}
}

func quit(x *Ctx) {
	x.OK()
	x.C.CloseAfter = true
}
