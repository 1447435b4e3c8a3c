package command

import (
	"slices"
	"strings"

	"sherd/internal/glob"
	"sherd/internal/wire/resp"
)

var commandCommand = &Command{
	Name: "command", Arity: -1, Flags: Loading | Stale, Run: commandAll, Group: "server",
	Doc:  Doc{Summary: "Describes all commands.", Since: "2.8.13", Complexity: "O(N) where N is the total number of Redis commands"},
	Tips: []string{"nondeterministic_output_order"},
	Sub: []*Command{
		{
			Name: "count", Arity: 2, Flags: Loading | Stale, Run: commandCount,
			Doc: Doc{Summary: "Counts the commands.", Since: "2.8.13", Complexity: "O(1)"},
		},
		{
			Name: "info", Arity: -2, Flags: Loading | Stale, Run: commandInfo,
			Doc: Doc{
				Summary: "Describes some commands, or all.", Since: "2.8.13", Complexity: "O(N) where N is the number of commands to look up",
				Args:    []Arg{{Name: "command-name", Type: "string", Optional: true, Multiple: true}},
				History: [][2]string{{"7.0.0", "Allowed to be called with no argument to get info on all commands."}},
			},
			Tips: []string{"nondeterministic_output_order"},
		},
		{
			Name: "docs", Arity: -2, Flags: Loading | Stale, Run: commandDocs,
			Doc: Doc{
				Summary: "Documents some commands, or all.", Since: "7.0.0", Complexity: "O(N) where N is the number of commands to look up",
				Args: []Arg{{Name: "command-name", Type: "string", Optional: true, Multiple: true}},
			},
			Tips: []string{"nondeterministic_output_order"},
		},
		{
			Name: "list", Arity: -2, Flags: Loading | Stale, Run: commandList,
			Doc: Doc{
				Summary: "Lists the commands' names.", Since: "7.0.0", Complexity: "O(N) where N is the total number of Redis commands",
				Args: []Arg{{Name: "filterby", Type: "oneof", Token: "FILTERBY", Optional: true, Args: []Arg{
					{Name: "module-name", Type: "string", Token: "MODULE"},
					{Name: "category", Type: "string", Token: "ACLCAT"},
					{Name: "pattern", Type: "pattern", Token: "PATTERN"},
				}}},
			},
			Tips: []string{"nondeterministic_output_order"},
		},
		{
			Name: "getkeys", Arity: -4, Flags: Loading | Stale, Run: commandGetKeys,
			Doc: Doc{
				Summary: "Tells which arguments of a command are keys.", Since: "2.8.13", Complexity: "O(N) where N is the number of arguments to the command",
				Args: []Arg{{Name: "command", Type: "string"}, {Name: "arg", Type: "string", Optional: true, Multiple: true}},
			},
		},
		{
			Name: "getkeysandflags", Arity: -4, Flags: Loading | Stale, Run: commandGetKeysAndFlags,
			Doc: Doc{
				Summary: "Tells which arguments of a command are keys, and what happens to them.", Since: "7.0.0", Complexity: "O(N) where N is the number of arguments to the command",
				Args: []Arg{{Name: "command", Type: "string"}, {Name: "arg", Type: "string", Optional: true, Multiple: true}},
			},
		},
		{
			Name: "help", Arity: 2, Flags: Loading | Stale, Run: commandHelp,
			Doc: Doc{Summary: "Lists the subcommands.", Since: "5.0.0", Complexity: "O(1)"},
		},
	},
}

func commandAll(x *Ctx) {
	all := x.Host.Table().All()
	x.Array(len(all))
	for _, c := range all {
		x.describe(c)
	}
}

func commandCount(x *Ctx) { x.Int(int64(x.Host.Table().Len())) }

func commandInfo(x *Ctx) {
	if len(x.Args) == 2 {
		commandAll(x)
		return
	}
	x.Array(len(x.Args) - 2)
	for _, a := range x.Args[2:] {
		if c := x.Host.Table().Find(string(a)); c != nil {
			x.describe(c)
		} else {
			x.Null()
		}
	}
}

// describe replies a command's entry of COMMAND INFO.
func (x *Ctx) describe(c *Command) {
	x.Array(10)
	x.BulkString(c.FullName)
	x.Int(int64(c.Arity))
	flags := c.Flags
	if c.movable() {
		flags |= MovableKeys
	}
	n := 0
	for _, f := range flagNames {
		if flags&f.flag != 0 {
			n++
		}
	}
	x.SetOf(n)
	for _, f := range flagNames {
		if flags&f.flag != 0 {
			x.Simple(f.name)
		}
	}
	x.Int(int64(c.firstKey))
	x.Int(int64(c.lastKey))
	x.Int(int64(c.keyStep))
	cats := c.ACLCategories()
	x.SetOf(len(cats))
	for _, cat := range cats {
		x.Simple("@" + cat)
	}
	x.Array(len(c.Tips))
	for _, t := range c.Tips {
		x.BulkString(t)
	}
	x.Array(len(c.Keys))
	for i := range c.Keys {
		x.describeKeys(&c.Keys[i])
	}
	x.Array(len(c.Sub))
	for _, s := range c.Sub {
		x.describe(s)
	}
}

// movable tells whether the first, last and step do not tell all keys.
func (c *Command) movable() bool { return len(c.Keys) > 0 && !c.ranged }

func (x *Ctx) describeKeys(k *KeySpec) {
	n := 3
	if k.Notes != "" {
		n++
	}
	x.Map(n)
	if k.Notes != "" {
		x.BulkString("notes")
		x.BulkString(k.Notes)
	}
	x.BulkString("flags")
	flags := keyFlags(k.Flags)
	x.SetOf(len(flags))
	for _, f := range flags {
		x.Simple(f)
	}
	x.BulkString("begin_search")
	x.Map(2)
	x.BulkString("type")
	if k.Keyword != "" {
		x.BulkString("keyword")
		x.BulkString("spec")
		x.Map(2)
		x.BulkString("keyword")
		x.BulkString(k.Keyword)
		x.BulkString("startfrom")
		x.Int(int64(k.Index))
	} else {
		x.BulkString("index")
		x.BulkString("spec")
		x.Map(1)
		x.BulkString("index")
		x.Int(int64(k.Index))
	}
	x.BulkString("find_keys")
	x.Map(2)
	x.BulkString("type")
	if k.NumKeys {
		x.BulkString("keynum")
		x.BulkString("spec")
		x.Map(3)
		x.BulkString("keynumidx")
		x.Int(int64(k.CountAt))
		x.BulkString("firstkey")
		x.Int(int64(k.FirstAt))
		x.BulkString("keystep")
		x.Int(int64(max(k.Step, 1)))
		return
	}
	x.BulkString("range")
	x.BulkString("spec")
	x.Map(3)
	x.BulkString("lastkey")
	x.Int(int64(k.Last))
	x.BulkString("keystep")
	x.Int(int64(max(k.Step, 1)))
	x.BulkString("limit")
	x.Int(int64(k.Limit))
}

func keyFlags(f KeyFlags) (names []string) {
	for _, n := range keyFlagNames {
		if f&n.flag != 0 {
			names = append(names, n.name)
		}
	}
	return names
}

// categories in the order in which they are shown.
var categories = []string{
	"keyspace", "read", "write", "set", "sortedset", "list", "hash", "string", "bitmap", "hyperloglog", "geo", "stream",
	"pubsub", "admin", "fast", "slow", "blocking", "dangerous", "connection", "transaction", "scripting",
}

// ACLCategories are the categories that follow from a command's flags and
// group, and its own.
func (c *Command) ACLCategories() []string {
	cats := slices.Clone(c.Categories)
	add := func(when bool, name string) {
		if when && !slices.Contains(cats, name) {
			cats = append(cats, name)
		}
	}
	if c.Run != nil { // a container has none of its own
		add(c.Group == "generic", "keyspace")
		add(c.Group == "string" || c.Group == "bitmap" || c.Group == "hyperloglog", c.Group)
		add(c.Group == "sorted-set", "sortedset")
		add(c.Group == "geo", "geo")
		add(c.Group == "connection", "connection")
	}
	add(c.Flags&Write != 0, "write")
	add(c.Flags&ReadOnly != 0 && c.Group != "scripting", "read")
	add(c.Flags&Admin != 0, "admin")
	add(c.Flags&Admin != 0, "dangerous")
	add(c.Flags&PubSub != 0, "pubsub")
	add(c.Flags&Blocking != 0, "blocking")
	add(c.Flags&Fast != 0, "fast")
	add(c.Flags&Fast == 0, "slow")
	slices.SortStableFunc(cats, func(a, b string) int { return slices.Index(categories, a) - slices.Index(categories, b) })
	return cats
}

func commandDocs(x *Ctx) {
	if len(x.Args) == 2 {
		all := x.Host.Table().All()
		x.Map(len(all))
		for _, c := range all {
			x.document(c)
		}
		return
	}
	var found []*Command
	for _, a := range x.Args[2:] {
		if c := x.Host.Table().Find(string(a)); c != nil {
			found = append(found, c)
		}
	}
	x.Map(len(found))
	for _, c := range found {
		x.document(c)
	}
}

// document replies a command's name and its documentation.
func (x *Ctx) document(c *Command) {
	d := &c.Doc
	n := 3
	for _, has := range []bool{
		d.Complexity != "", d.Deprecated != "", d.ReplacedBy != "", len(d.History) > 0, d.Deprecated != "", len(d.Args) > 0, len(c.Sub) > 0,
	} {
		if has {
			n++
		}
	}
	x.BulkString(c.FullName)
	x.Map(n)
	text := func(name, v string) {
		if v != "" {
			x.BulkString(name)
			x.BulkString(v)
		}
	}
	text("summary", d.Summary)
	text("since", d.Since)
	text("group", c.Group)
	text("complexity", d.Complexity)
	if d.Deprecated != "" {
		x.BulkString("doc_flags")
		x.SetOf(1)
		x.Simple("deprecated")
	}
	text("deprecated_since", d.Deprecated)
	text("replaced_by", d.ReplacedBy)
	if len(d.History) > 0 {
		x.BulkString("history")
		x.SetOf(len(d.History))
		for _, h := range d.History {
			x.Array(2)
			x.BulkString(h[0])
			x.BulkString(h[1])
		}
	}
	if len(d.Args) > 0 {
		x.BulkString("arguments")
		x.documentArgs(d.Args)
	}
	if len(c.Sub) > 0 {
		x.BulkString("subcommands")
		x.Map(len(c.Sub))
		for _, s := range c.Sub {
			x.document(s)
		}
	}
}

func (x *Ctx) documentArgs(args []Arg) {
	x.Array(len(args))
	for i := range args {
		a := &args[i]
		n := 2
		flags := 0
		for _, f := range []bool{a.Optional, a.Multiple, a.MultiToken} {
			if f {
				flags++
			}
		}
		for _, has := range []bool{flags > 0, a.Token != "", a.Since != "", a.KeySpec > 0, len(a.Args) > 0} {
			if has {
				n++
			}
		}
		x.Map(n)
		x.BulkString("name")
		x.BulkString(a.Name)
		x.BulkString("type")
		x.BulkString(a.Type)
		if a.KeySpec > 0 {
			x.BulkString("key_spec_index")
			x.Int(int64(a.KeySpec - 1))
		}
		if a.Token != "" {
			x.BulkString("token")
			x.BulkString(a.Token)
		}
		if a.Since != "" {
			x.BulkString("since")
			x.BulkString(a.Since)
		}
		if flags > 0 {
			x.BulkString("flags")
			x.SetOf(flags)
			if a.Optional {
				x.Simple("optional")
			}
			if a.Multiple {
				x.Simple("multiple")
			}
			if a.MultiToken {
				x.Simple("multiple_token")
			}
		}
		if len(a.Args) > 0 {
			x.BulkString("arguments")
			x.documentArgs(a.Args)
		}
	}
}

func commandList(x *Ctx) {
	var names []string
	keep := func(*Command) bool { return true }
	switch {
	case len(x.Args) == 2:
	case len(x.Args) == 5 && is(x.Args[2], "FILTERBY") && is(x.Args[3], "MODULE"):
		keep = func(*Command) bool { return false } // there are no modules
	case len(x.Args) == 5 && is(x.Args[2], "FILTERBY") && is(x.Args[3], "ACLCAT"):
		cat := strings.ToLower(string(x.Args[4]))
		keep = func(c *Command) bool { return slices.Contains(c.ACLCategories(), cat) }
	case len(x.Args) == 5 && is(x.Args[2], "FILTERBY") && is(x.Args[3], "PATTERN"):
		pattern := x.Args[4]
		keep = func(c *Command) bool { return glob.Match(pattern, []byte(c.FullName), true) }
	default:
		x.Syntax()
		return
	}
	var walk func(list []*Command)
	walk = func(list []*Command) {
		for _, c := range list {
			if keep(c) {
				names = append(names, c.FullName)
			}
			if len(x.Args) > 2 {
				walk(c.Sub)
			}
		}
	}
	walk(x.Host.Table().All())
	x.Array(len(names))
	for _, n := range names {
		x.BulkString(n)
	}
}

// target finds the command that GETKEYS asks about, or replies why not.
func (x *Ctx) target() (*Command, [][]byte) {
	args := x.Args[2:]
	c := x.Host.Table().Lookup(args[0])
	if c != nil && c.Sub != nil && len(args) > 1 {
		c = c.Subcommand(args[1])
	}
	switch {
	case c == nil:
		x.Error("ERR Invalid command specified")
	case len(c.Keys) == 0:
		x.Error("ERR The command has no key arguments")
	case !c.ArityOK(len(args)):
		x.Error("ERR Invalid number of arguments specified for command")
	default:
		return c, args
	}
	return nil, nil
}

func commandGetKeys(x *Ctx) {
	c, args := x.target()
	if c == nil {
		return
	}
	keys, ok := c.KeyArgs(args, nil)
	if !ok || len(keys) == 0 {
		x.noKeys(c)
		return
	}
	x.Array(len(keys))
	for _, k := range keys {
		x.Bulk(args[k])
	}
}

func (x *Ctx) noKeys(c *Command) {
	if c.Flags&NoMandatoryKeys != 0 {
		x.Array(0)
		return
	}
	x.Error("ERR Invalid arguments specified for command")
}

func commandGetKeysAndFlags(x *Ctx) {
	c, args := x.target()
	if c == nil {
		return
	}
	mark := len(x.Out)
	total := 0
	var body []byte
	for i := range c.Keys {
		keys, ok := c.Keys[i].find(args, nil)
		if !ok {
			x.Out = x.Out[:mark]
			x.noKeys(c)
			return
		}
		use := c.Keys[i].Flags
		if use&VariableFlags != 0 && c.KeyUse != nil {
			use = c.KeyUse(args)
		}
		flags := keyFlags(use)
		for _, k := range keys {
			total++
			body = resp.AppendArray(body, 2)
			body = resp.AppendBulk(body, args[k])
			body = resp.AppendSet(body, len(flags), x.C.Proto)
			for _, f := range flags {
				body = resp.AppendSimple(body, f)
			}
		}
	}
	x.Array(total)
	x.Out = append(x.Out, body...)
}

func commandHelp(x *Ctx) {
	x.Help("COMMAND",
		"(no subcommand)", "Return details about all commands.",
		"COUNT", "Return the total number of commands in this server.",
		"LIST", "Return a list of all commands in this server.",
		"INFO [<command-name> ...]", "Return details about multiple commands. If no command names are given, documentation details for all commands are returned.",
		"DOCS [<command-name> ...]", "Return documentation details about multiple commands. If no command names are given, documentation details for all commands are returned.",
		"GETKEYS <full-command>", "Return the keys from a full command.",
		"GETKEYSANDFLAGS <full-command>", "Return the keys and the access flags from a full command.",
	)
}
