package command

import (
	"errors"

	"sherd/internal/config"
	"sherd/internal/shard"
)

var configCommand = &Command{
	Name: "config", Arity: -2, Group: "server",
	Doc: Doc{Summary: "Container of the commands about directives.", Since: "2.0.0", Complexity: "Depends on subcommand."},
	Sub: []*Command{
		{
			Name: "get", Arity: -3, Flags: Admin | NoScript | Loading | Stale, Run: configGet,
			Doc: Doc{
				Summary: "Tells directives' values.", Since: "2.0.0", Complexity: "O(N) when N is the number of configuration parameters provided",
				Args:    []Arg{{Name: "parameter", Type: "block", Multiple: true, Args: []Arg{{Name: "parameter", Type: "string"}}}},
				History: [][2]string{{"7.0.0", "Added the ability to pass multiple pattern parameters in one call"}},
			},
		},
		{
			Name: "set", Arity: -4, Flags: Admin | NoScript | Loading | Stale, Run: configSet,
			Doc: Doc{
				Summary: "Changes directives, all or none.", Since: "2.0.0", Complexity: "O(N) when N is the number of configuration parameters provided",
				Args:    []Arg{{Name: "parameter_value", Type: "block", Multiple: true, Args: []Arg{{Name: "parameter", Type: "string"}, {Name: "value", Type: "string"}}}},
				History: [][2]string{{"7.0.0", "Added the ability to set multiple parameters in one call."}},
			},
			Tips: []string{"request_policy:all_nodes", "response_policy:all_succeeded"},
		},
		{
			Name: "rewrite", Arity: 2, Flags: Admin | NoScript | Loading | Stale, Run: configRewrite,
			Doc:  Doc{Summary: "Writes the directives in force to the configuration file.", Since: "2.8.0", Complexity: "O(1)"},
			Tips: []string{"request_policy:all_nodes", "response_policy:all_succeeded"},
		},
		{
			Name: "resetstat", Arity: 2, Flags: Admin | NoScript | Loading | Stale, Run: configResetStat,
			Doc:  Doc{Summary: "Sets the statistics of INFO to zero.", Since: "2.0.0", Complexity: "O(1)"},
			Tips: []string{"request_policy:all_nodes", "response_policy:all_succeeded"},
		},
		{
			Name: "help", Arity: 2, Flags: Loading | Stale, Run: configHelp,
			Doc: Doc{Summary: "Lists the subcommands.", Since: "5.0.0", Complexity: "O(1)"},
		},
	},
}

func configGet(x *Ctx) {
	patterns := make([]string, 0, len(x.Args)-2)
	for _, a := range x.Args[2:] {
		patterns = append(patterns, string(a))
	}
	pairs := x.Host.Config().Get(patterns)
	x.Map(len(pairs))
	for _, p := range pairs {
		x.BulkString(p.Name)
		x.BulkString(p.Value)
	}
}

func configSet(x *Ctx) {
	if len(x.Args)%2 != 0 {
		x.Syntax()
		return
	}
	var pairs []config.Pair
	for i := 2; i < len(x.Args); i += 2 {
		pairs = append(pairs, config.Pair{Name: string(x.Args[i]), Value: string(x.Args[i+1])})
	}
	// A change may wait for the disk, and for loops to let go of a listener: not
	// on the loop. What the client sends next is judged by the new settings.
	c, who := x.Host.Config(), config.Client{Local: x.Local()}
	x.Background(func() error { return c.Set(pairs, who) }, func(x *Ctx, err error) {
		if err != nil {
			x.Error("ERR " + err.Error())
			return
		}
		x.OK()
	})
}

func configRewrite(x *Ctx) {
	c := x.Host.Config()
	if c.File() == "" {
		x.Error("ERR The server is running without a config file")
		return
	}
	// The file system may be slow: not on the loop.
	x.Background(func() error { return c.Rewrite() }, func(x *Ctx, err error) {
		if err != nil {
			x.Error("ERR Rewriting config file: " + reason(err))
			return
		}
		x.OK()
	})
}

// reason is the innermost error's text.
func reason(err error) string {
	for {
		inner := errors.Unwrap(err)
		if inner == nil {
			return err.Error()
		}
		err = inner
	}
}

func configResetStat(x *Ctx) {
	x.Host.Gather(x, func(l *Local) {
		l.Stats = Stats{}
		*l.Keeper = shard.KeeperCounts{}
		clear(l.Timing)
		clear(l.Errors)
	}, func(x *Ctx) { x.OK() })
}

func configHelp(x *Ctx) {
	x.Help("CONFIG",
		"GET <pattern>", "Return parameters matching the glob-like <pattern> and their values.",
		"SET <directive> <value>", "Set the configuration <directive> to <value>.",
		"RESETSTAT", "Reset statistics reported by the INFO command.",
		"REWRITE", "Rewrite the configuration file.",
	)
}
