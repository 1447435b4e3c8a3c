package command

import "sherd/internal/wire/resp"

var serverCommands = []*Command{
	configCommand,
	commandCommand,
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
