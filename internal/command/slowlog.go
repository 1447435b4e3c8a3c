package command

import (
	"sherd/internal/wire/resp"
)

var slowlogCommand = &Command{
	Name: "slowlog", Arity: -2, Group: "server",
	Doc: Doc{Summary: "Container of the commands about the slow log.", Since: "2.2.12", Complexity: "Depends on subcommand."},
	Sub: []*Command{
		{
			Name: "get", Arity: -2, Flags: Admin | Loading | Stale, Run: slowlogGet,
			Doc: Doc{
				Summary: "Lists the latest entries of the slow log.", Since: "2.2.12", Complexity: "O(N) where N is the number of entries returned",
				Args:    []Arg{{Name: "count", Type: "integer", Optional: true}},
				History: [][2]string{{"4.0.0", "Added client IP address, port and name to the reply."}},
			},
			Tips: []string{"request_policy:all_nodes", "nondeterministic_output"},
		},
		{
			Name: "len", Arity: 2, Flags: Admin | Loading | Stale, Run: slowlogLen,
			Doc:  Doc{Summary: "Counts the entries of the slow log.", Since: "2.2.12", Complexity: "O(1)"},
			Tips: []string{"request_policy:all_nodes", "response_policy:agg_sum", "nondeterministic_output"},
		},
		{
			Name: "reset", Arity: 2, Flags: Admin | Loading | Stale, Run: slowlogReset,
			Doc:  Doc{Summary: "Empties the slow log.", Since: "2.2.12", Complexity: "O(N) where N is the number of entries in the slowlog"},
			Tips: []string{"request_policy:all_nodes", "response_policy:all_succeeded"},
		},
		{
			Name: "help", Arity: 2, Flags: Loading | Stale, Run: slowlogHelp,
			Doc: Doc{Summary: "Lists the subcommands.", Since: "6.2.0", Complexity: "O(1)"},
		},
	},
}

func slowlogGet(x *Ctx) {
	count := int64(10)
	switch len(x.Args) {
	case 2:
	case 3:
		n, ok := resp.ParseInt64(x.Args[2])
		if !ok || n < -1 {
			x.Error("ERR count should be greater than or equal to -1")
			return
		}
		count = n
	default:
		x.Error("ERR unknown subcommand or wrong number of arguments for '" + string(clip(x.Args[1], 128)) + "'. Try SLOWLOG HELP.")
		return
	}
	list := x.Host.Journals().SlowLatest(count)
	x.Array(len(list))
	for _, e := range list {
		x.Array(6)
		x.Int(e.ID)
		x.Int(e.UnixSec)
		x.Int(e.Us)
		x.Array(len(e.Args))
		for _, a := range e.Args {
			x.Bulk(a)
		}
		x.BulkString(e.Addr)
		x.BulkString(e.Client)
	}
}

func slowlogLen(x *Ctx) { x.Int(int64(x.Host.Journals().SlowLen())) }

func slowlogReset(x *Ctx) {
	x.Host.Journals().SlowReset()
	x.OK()
}

func slowlogHelp(x *Ctx) {
	x.Help("SLOWLOG",
		"GET [<count>]", "Return top <count> entries from the slowlog (default: 10, -1 mean all).",
		"LEN", "Return the length of the slowlog.",
		"RESET", "Reset the slowlog.",
	)
}
