package command

import "sherd/internal/wire/resp"

var serverCommands = []*Command{
	configCommand,
	commandCommand,
	infoCommand,
	slowlogCommand,
	latencyCommand,
	memoryCommand,
	debugCommand,
	clusterCommand,
	{
		Name: "shutdown", Arity: -1, Flags: Admin | NoScript | Loading | Stale | NoMulti | AllowBusy, Run: shutdown, Group: "server",
		Doc: Doc{
			Summary: "Stops the server.", Since: "1.0.0", Complexity: "O(N) when saving, where N is the total number of keys in all databases when saving data, otherwise O(1)",
			Args: []Arg{
				optional(choice("save-selector", "NOSAVE", "SAVE")),
				{Name: "now", Type: "pure-token", Token: "NOW", Optional: true, Since: "7.0.0"},
				{Name: "force", Type: "pure-token", Token: "FORCE", Optional: true, Since: "7.0.0"},
				{Name: "abort", Type: "pure-token", Token: "ABORT", Optional: true, Since: "7.0.0"},
			},
			History: [][2]string{{"7.0.0", "Added the `NOW`, `FORCE` and `ABORT` modifiers."}},
		},
	},
	{
		Name: "lolwut", Arity: -1, Flags: ReadOnly | Fast, Run: lolwut, Group: "server",
		Doc: Doc{
			Summary: "Draws a sherd and tells the version.", Since: "5.0.0",
			Args: []Arg{{Name: "version", Type: "integer", Token: "VERSION", Optional: true}},
		},
	},
	{
		Name: "time", Arity: 1, Flags: Loading | Stale | Fast, Run: timeNow, Group: "server",
		Doc:  Doc{Summary: "Tells the server's time.", Since: "2.6.0", Complexity: "O(1)"},
		Tips: []string{"nondeterministic_output"},
	},
	{
		Name: "role", Arity: 1, Flags: NoScript | Loading | Stale | Fast, Run: role, Group: "server", Categories: []string{"admin", "dangerous"},
		Doc: Doc{Summary: "Tells the server's part in replication.", Since: "2.8.12", Complexity: "O(1)"},
	},
	{
		Name: "monitor", Arity: 1, Flags: Admin | NoScript | Loading | Stale, Run: monitor, Group: "server",
		Doc: Doc{Summary: "Shows every command that the server executes.", Since: "1.0.0"},
	},
}

func timeNow(x *Ctx) {
	us := wallMicros(x)
	x.Array(2)
	x.Out = resp.AppendBulkInt(x.Out, us/1e6)
	x.Out = resp.AppendBulkInt(x.Out, us%1e6)
}

func role(x *Ctx) {
	x.Array(3)
	x.BulkString("master")
	x.Int(0)
	x.Array(0)
}

func monitor(x *Ctx) {
	x.OK()
	x.Host.Monitor(x.C, true)
}
