package command

// keyCommands are the commands on keys of any type and on whole databases.
var keyCommands = []*Command{
	{
		Name: "del", Arity: -2, Flags: Write, Reach: ReachMany, Group: "generic",
		Keys: upTo(RM|Delete, -1, 1), Run: runDel,
		Tips: []string{"request_policy:multi_shard", "response_policy:agg_sum"},
		Doc: Doc{
			Summary: "Deletes keys.",
			Since:   "1.0.0", Complexity: perKey + " What a big value held is freed later, in slices.",
			Args: []Arg{keysArg},
		},
	},
	{
		Name: "unlink", Arity: -2, Flags: Write | Fast, Reach: ReachMany, Group: "generic",
		Keys: upTo(RM|Delete, -1, 1), Run: runDel,
		Tips: []string{"request_policy:multi_shard", "response_policy:agg_sum"},
		Doc: Doc{
			Summary: "Deletes keys.",
			Since:   "4.0.0", Complexity: perKey + " What a big value held is freed later, in slices.",
			Args: []Arg{keysArg},
		},
	},
	{
		Name: "exists", Arity: -2, Flags: ReadOnly | Fast, Reach: ReachMany, Group: "generic",
		Keys: upTo(RO, -1, 1), Run: runExists, Peek: peekExists,
		Tips: []string{"request_policy:multi_shard", "response_policy:agg_sum"},
		Doc: Doc{
			Summary: "Counts the given keys that exist.",
			Since:   "1.0.0", Complexity: perKey,
			Args:    []Arg{keysArg},
			History: [][2]string{{"3.0.3", "Takes several keys."}},
		},
	},
	{
		Name: "touch", Arity: -2, Flags: ReadOnly | Fast, Reach: ReachMany, Group: "generic",
		Keys: upTo(RO, -1, 1), Run: runExists,
		Tips: []string{"request_policy:multi_shard", "response_policy:agg_sum"},
		Doc: Doc{
			Summary: "Counts the given keys that exist and marks them as accessed.",
			Since:   "3.2.1", Complexity: perKey,
			Args: []Arg{keysArg},
		},
	},
	{
		Name: "type", Arity: 2, Flags: ReadOnly | Fast, Reach: ReachOne, Group: "generic",
		Keys: one(RO), Run: runType, Peek: peekType,
		Doc: Doc{
			Summary: "Tells the type of a key's value.",
			Since:   "1.0.0", Complexity: constant,
			Args: []Arg{keyArg},
		},
	},
	expireCommand("expire", "1.0.0", "Gives a key a number of seconds to live.",
		integerArg("seconds"), runExpire),
	expireCommand("pexpire", "2.6.0", "Gives a key a number of milliseconds to live.",
		integerArg("milliseconds"), runPExpire),
	expireCommand("expireat", "1.2.0", "Lets a key expire at a time given in seconds since the epoch.",
		Arg{Name: "unix-time-seconds", Type: "unix-time"}, runExpireAt),
	expireCommand("pexpireat", "2.6.0", "Lets a key expire at a time given in milliseconds since the epoch.",
		Arg{Name: "unix-time-milliseconds", Type: "unix-time"}, runPExpireAt),
	{
		Name: "ttl", Arity: 2, Flags: ReadOnly | Fast, Reach: ReachOne, Group: "generic",
		Keys: one(RO | Access), Run: runTTL, Peek: peekTTL,
		Tips: []string{"nondeterministic_output"},
		Doc: Doc{
			Summary: "Tells how many seconds a key has to live.",
			Since:   "1.0.0", Complexity: constant,
			Args:    []Arg{keyArg},
			History: [][2]string{{"2.8.0", "-2 tells that the key does not exist."}},
		},
	},
	{
		Name: "pttl", Arity: 2, Flags: ReadOnly | Fast, Reach: ReachOne, Group: "generic",
		Keys: one(RO | Access), Run: runPTTL, Peek: peekPTTL,
		Tips: []string{"nondeterministic_output"},
		Doc: Doc{
			Summary: "Tells how many milliseconds a key has to live.",
			Since:   "2.6.0", Complexity: constant,
			Args:    []Arg{keyArg},
			History: [][2]string{{"2.8.0", "-2 tells that the key does not exist."}},
		},
	},
	{
		Name: "expiretime", Arity: 2, Flags: ReadOnly | Fast, Reach: ReachOne, Group: "generic",
		Keys: one(RO | Access), Run: runExpireTime, Peek: peekExpireTime,
		Doc: Doc{
			Summary: "Tells when a key expires, in seconds since the epoch.",
			Since:   "7.0.0", Complexity: constant,
			Args: []Arg{keyArg},
		},
	},
	{
		Name: "pexpiretime", Arity: 2, Flags: ReadOnly | Fast, Reach: ReachOne, Group: "generic",
		Keys: one(RO | Access), Run: runPExpireTime, Peek: peekPExpireTime,
		Doc: Doc{
			Summary: "Tells when a key expires, in milliseconds since the epoch.",
			Since:   "7.0.0", Complexity: constant,
			Args: []Arg{keyArg},
		},
	},
	{
		Name: "persist", Arity: 2, Flags: Write | Fast, Reach: ReachOne, Group: "generic",
		Keys: one(RW | Update), Run: runPersist,
		Doc: Doc{
			Summary: "Lets a key live for ever.",
			Since:   "2.2.0", Complexity: constant,
			Args: []Arg{keyArg},
		},
	},
	{
		Name: "rename", Arity: 3, Flags: Write, Reach: ReachMany, Group: "generic",
		Keys: []KeySpec{
			{Flags: RW | Access | Delete, Index: 1, Step: 1},
			{Flags: OW | Update, Index: 2, Step: 1},
		},
		Run: runRename,
		Doc: Doc{
			Summary: "Gives a key another name; a key of that name is replaced.",
			Since:   "1.0.0", Complexity: constant,
			Args: []Arg{keyArg, {Name: "newkey", Type: "key", KeySpec: 2}},
		},
	},
	{
		Name: "renamenx", Arity: 3, Flags: Write | Fast, Reach: ReachMany, Group: "generic",
		Keys: []KeySpec{
			{Flags: RW | Access | Delete, Index: 1, Step: 1},
			{Flags: OW | Insert, Index: 2, Step: 1},
		},
		Run: runRenameNX,
		Doc: Doc{
			Summary: "Gives a key another name, if no key has it.",
			Since:   "1.0.0", Complexity: constant,
			Args:    []Arg{keyArg, {Name: "newkey", Type: "key", KeySpec: 2}},
			History: [][2]string{{"3.2.0", "Equal names are no error."}},
		},
	},
	{
		Name: "copy", Arity: -3, Flags: Write | DenyOOM, Reach: ReachMany, Group: "generic",
		Keys: []KeySpec{
			{Flags: RO | Access, Index: 1, Step: 1},
			{Flags: OW | Update, Index: 2, Step: 1},
		},
		Run: runCopy,
		Doc: Doc{
			Summary: "Copies the value of a key to another key.",
			Since:   "6.2.0", Complexity: "O(N) where N is the size of the value.",
			Args: []Arg{
				{Name: "source", Type: "key", KeySpec: 1},
				{Name: "destination", Type: "key", KeySpec: 2},
				integerArg("destination-db").after("DB").optional(),
				wordArg("replace", "REPLACE").optional(),
			},
		},
	},
	{
		Name: "move", Arity: 3, Flags: Write | Fast, Reach: ReachOne, Group: "generic",
		Keys: one(RW | Access | Update), Run: runMove,
		Doc: Doc{
			Summary: "Moves a key to another database.",
			Since:   "1.0.0", Complexity: constant,
			Args: []Arg{keyArg, integerArg("db")},
		},
	},
	{
		Name: "randomkey", Arity: 1, Flags: ReadOnly, Reach: ReachOwn, Group: "generic",
		Run:  runRandomKey,
		Tips: []string{"request_policy:all_shards", "nondeterministic_output"},
		Doc: Doc{
			Summary: "Returns a key by chance.",
			Since:   "1.0.0", Complexity: constant,
		},
	},
	{
		Name: "keys", Arity: 2, Flags: ReadOnly, Reach: ReachOwn, Group: "generic",
		Run: runKeys, Categories: []string{"dangerous"},
		Tips: []string{"request_policy:all_shards", "nondeterministic_output_order"},
		Doc: Doc{
			Summary: "Returns the keys whose names match a pattern.",
			Since:   "1.0.0", Complexity: "O(N) where N is the number of keys in the database. Other commands run in between.",
			Args: []Arg{{Name: "pattern", Type: "pattern"}},
		},
	},
	{
		Name: "scan", Arity: -2, Flags: ReadOnly, Reach: ReachOwn, Group: "generic",
		Run:  runScan,
		Tips: []string{"nondeterministic_output", "request_policy:special"},
		Doc: Doc{
			Summary: "Goes through the keys of the database, some at a time.",
			Since:   "2.8.0", Complexity: "O(1) for a call, O(N) for all calls until the cursor is 0 again, where N is the number of keys.",
			Args: []Arg{
				integerArg("cursor"),
				Arg{Name: "pattern", Type: "pattern", Token: "MATCH"}.optional(),
				integerArg("count").after("COUNT").optional(),
				stringArg("type").after("TYPE").optional().since("6.0.0"),
			},
			History: [][2]string{{"6.0.0", "`TYPE` came."}},
		},
	},
	{
		Name: "object", Arity: -2, Group: "generic",
		Doc: Doc{
			Summary: "Holds the commands that look into values.",
			Since:   "2.2.3", Complexity: "Depends on the subcommand.",
		},
		Sub: []*Command{
			objectCommand("encoding", "2.2.3", "Tells how a value is encoded.", runObjectEncoding),
			objectCommand("freq", "4.0.0", "Tells how often a key is accessed, on a logarithmic scale.", runObjectFreq),
			objectCommand("idletime", "2.2.3", "Tells for how many seconds a key has not been accessed.", runObjectIdleTime),
			objectCommand("refcount", "2.2.3", "Tells how many references a value has.", runObjectRefCount),
			{
				Name: "help", Arity: 2, Flags: Loading | Stale, Run: runObjectHelp, Categories: []string{"keyspace"},
				Doc: Doc{
					Summary: "Explains the subcommands.",
					Since:   "6.2.0", Complexity: constant,
				},
			},
		},
	},
	{
		Name: "dump", Arity: 2, Flags: ReadOnly, Reach: ReachOne, Group: "generic",
		Keys: one(RO | Access), Run: runDump,
		Tips: []string{"nondeterministic_output"},
		Doc: Doc{
			Summary: "Serialises the value of a key.",
			Since:   "2.6.0", Complexity: "O(N) where N is the number of elements and their length. Other commands run in between.",
			Args: []Arg{keyArg},
		},
	},
	{
		Name: "restore", Arity: -4, Flags: Write | DenyOOM, Reach: ReachOne, Group: "generic",
		Keys: one(OW | Update), Run: runRestore, Categories: []string{"dangerous"},
		Doc: Doc{
			Summary: "Makes a key of a serialised value.",
			Since:   "2.6.0", Complexity: restoreCost,
			Args: restoreArgs,
			History: [][2]string{
				{"3.0.0", "`REPLACE` came."},
				{"5.0.0", "`ABSTTL` came."},
				{"5.0.0", "`IDLETIME` and `FREQ` came."},
			},
		},
	},
	{
		Name: "restore-asking", Arity: -4, Flags: Write | DenyOOM | Asking, Reach: ReachOne, Group: "server",
		Keys: one(OW | Update), Run: runRestore, Categories: []string{"keyspace", "dangerous"},
		Doc: Doc{
			Summary: "Makes a key of a serialised value while its slot is being moved.",
			Since:   "3.0.0", Complexity: restoreCost,
			Args: restoreArgs,
			History: [][2]string{
				{"3.0.0", "`REPLACE` came."},
				{"5.0.0", "`ABSTTL` came."},
				{"5.0.0", "`IDLETIME` and `FREQ` came."},
			},
		},
	},
	{
		Name: "dbsize", Arity: 1, Flags: ReadOnly | Fast, Reach: ReachAll, Group: "server",
		Run: runDBSize, Categories: []string{"keyspace"},
		Tips: []string{"request_policy:all_shards", "response_policy:agg_sum"},
		Doc: Doc{
			Summary: "Counts the keys of the database.",
			Since:   "1.0.0", Complexity: constant,
		},
	},
	flushCommand("flushdb", "Empties the database.", runFlushDB),
	flushCommand("flushall", "Empties all databases.", runFlushAll),
	{
		Name: "swapdb", Arity: 3, Flags: Write | Fast, Reach: ReachAll, Group: "server",
		Run: runSwapDB, Categories: []string{"keyspace", "dangerous"},
		Doc: Doc{
			Summary: "Exchanges the contents of two databases.",
			Since:   "4.0.0", Complexity: constant,
			Args: []Arg{integerArg("index1"), integerArg("index2")},
		},
	},
}

func expireCommand(name, since, summary string, at Arg, run func(*Ctx)) *Command {
	return &Command{
		Name: name, Arity: -3, Flags: Write | Fast, Reach: ReachOne, Group: "generic",
		Keys: one(RW | Update), Run: run,
		Doc: Doc{
			Summary: summary, Since: since, Complexity: constant,
			Args: []Arg{
				keyArg, at,
				oneofArg("condition", wordArg("nx", "NX"), wordArg("xx", "XX"), wordArg("gt", "GT"), wordArg("lt", "LT")).
					optional().since("7.0.0"),
			},
			History: [][2]string{{"7.0.0", "`NX`, `XX`, `GT` and `LT` came."}},
		},
	}
}

func objectCommand(name, since, summary string, run func(*Ctx)) *Command {
	return &Command{
		Name: name, Arity: 3, Flags: ReadOnly, Reach: ReachOne,
		Keys: []KeySpec{{Flags: RO, Index: 2, Step: 1}}, Run: run,
		Categories: []string{"keyspace"}, Tips: []string{"nondeterministic_output"},
		Doc: Doc{
			Summary: summary, Since: since, Complexity: constant,
			Args: []Arg{keyArg},
		},
	}
}

func flushCommand(name, summary string, run func(*Ctx)) *Command {
	return &Command{
		Name: name, Arity: -1, Flags: Write, Reach: ReachAll, Group: "server",
		Run: run, Categories: []string{"keyspace", "dangerous"},
		Tips: []string{"request_policy:all_shards", "response_policy:all_succeeded"},
		Doc: Doc{
			Summary: summary,
			Since:   "1.0.0", Complexity: "O(1); the memory is given back later, in slices.",
			Args: []Arg{oneofArg("async",
				wordArg("async", "ASYNC").since("4.0.0"),
				wordArg("sync", "SYNC").since("6.2.0")).optional()},
			History: [][2]string{{"4.0.0", "`ASYNC` came."}, {"6.2.0", "`SYNC` came."}},
		},
	}
}
