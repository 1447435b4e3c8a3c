package command

// hashCommands are the commands on hashes.
var hashCommands = []*Command{
	{
		Name: "himport", Arity: -2, Group: "hash",
		Doc: Doc{Summary: "Container of the commands that import hashes with the same fields.", Since: "8.10.0", Complexity: "Depends on subcommand."},
		Sub: himportSubcommands,
	},
	{
		Name: "hset", Arity: -4, Flags: Write | DenyOOM | Fast, Reach: ReachOne, Group: "hash",
		Keys: one(RW | Update), Run: runHSet,
		Doc: Doc{
			Summary: "Sets fields of a hash and tells how many are new.",
			Since:   "2.0.0", Complexity: perField,
			Args:    []Arg{keyArg, pairsArg},
			History: [][2]string{{"4.0.0", "Takes several fields and values."}},
		},
	},
	{
		Name: "hmset", Arity: -4, Flags: Write | DenyOOM | Fast, Reach: ReachOne, Group: "hash",
		Keys: one(RW | Update), Run: runHMSet,
		Doc: Doc{
			Summary: "Sets fields of a hash.",
			Since:   "2.0.0", Complexity: perField,
			Args:       []Arg{keyArg, pairsArg},
			Deprecated: "4.0.0", ReplacedBy: "`HSET` with multiple field-value pairs",
		},
	},
	{
		Name: "hsetnx", Arity: 4, Flags: Write | DenyOOM | Fast, Reach: ReachOne, Group: "hash",
		Keys: one(RW | Insert), Run: runHSetNX,
		Doc: Doc{
			Summary: "Sets a field of a hash if it is not there.",
			Since:   "2.0.0", Complexity: constant,
			Args: []Arg{keyArg, fieldArg, valueArg},
		},
	},
	{
		Name: "hget", Arity: 3, Flags: ReadOnly | Fast, Reach: ReachOne, Group: "hash",
		Keys: one(RO | Access), Run: runHGet,
		Doc: Doc{
			Summary: "Returns the value of a field of a hash.",
			Since:   "2.0.0", Complexity: constant,
			Args: []Arg{keyArg, fieldArg},
		},
	},
	{
		Name: "hmget", Arity: -3, Flags: ReadOnly | Fast, Reach: ReachOne, Group: "hash",
		Keys: one(RO | Access), Run: runHMGet,
		Doc: Doc{
			Summary: "Returns the values of fields of a hash.",
			Since:   "2.0.0", Complexity: perField,
			Args: []Arg{keyArg, fieldArg.multiple()},
		},
	},
	{
		Name: "hgetall", Arity: 2, Flags: ReadOnly, Reach: ReachOne, Group: "hash",
		Keys: one(RO | Access), Run: runHGetAll, Tips: []string{"nondeterministic_output_order"},
		Doc: Doc{
			Summary: "Returns all fields of a hash with their values.",
			Since:   "2.0.0", Complexity: ofHash,
			Args: []Arg{keyArg},
		},
	},
	{
		Name: "hkeys", Arity: 2, Flags: ReadOnly, Reach: ReachOne, Group: "hash",
		Keys: one(RO | Access), Run: runHKeys, Tips: []string{"nondeterministic_output_order"},
		Doc: Doc{
			Summary: "Returns all fields of a hash.",
			Since:   "2.0.0", Complexity: ofHash,
			Args: []Arg{keyArg},
		},
	},
	{
		Name: "hvals", Arity: 2, Flags: ReadOnly, Reach: ReachOne, Group: "hash",
		Keys: one(RO | Access), Run: runHVals, Tips: []string{"nondeterministic_output_order"},
		Doc: Doc{
			Summary: "Returns the values of all fields of a hash.",
			Since:   "2.0.0", Complexity: ofHash,
			Args: []Arg{keyArg},
		},
	},
	{
		Name: "hlen", Arity: 2, Flags: ReadOnly | Fast, Reach: ReachOne, Group: "hash",
		Keys: one(RO), Run: runHLen,
		Doc: Doc{
			Summary: "Returns the number of fields of a hash.",
			Since:   "2.0.0", Complexity: constant,
			Args: []Arg{keyArg},
		},
	},
	{
		Name: "hexists", Arity: 3, Flags: ReadOnly | Fast, Reach: ReachOne, Group: "hash",
		Keys: one(RO), Run: runHExists,
		Doc: Doc{
			Summary: "Tells whether a hash has a field.",
			Since:   "2.0.0", Complexity: constant,
			Args: []Arg{keyArg, fieldArg},
		},
	},
	{
		Name: "hstrlen", Arity: 3, Flags: ReadOnly | Fast, Reach: ReachOne, Group: "hash",
		Keys: one(RO), Run: runHStrLen,
		Doc: Doc{
			Summary: "Returns the length of the value of a field of a hash.",
			Since:   "3.2.0", Complexity: constant,
			Args: []Arg{keyArg, fieldArg},
		},
	},
	{
		Name: "hdel", Arity: -3, Flags: Write | Fast, Reach: ReachOne, Group: "hash",
		Keys: one(RW | Delete), Run: runHDel,
		Doc: Doc{
			Summary: "Deletes fields of a hash, and the hash when none is left.",
			Since:   "2.0.0", Complexity: perField,
			Args:    []Arg{keyArg, fieldArg.multiple()},
			History: [][2]string{{"2.4.0", "Takes several fields."}},
		},
	},
	{
		Name: "hincrby", Arity: 4, Flags: Write | DenyOOM | Fast, Reach: ReachOne, Group: "hash",
		Keys: one(RW | Access | Update), Run: runHIncrBy,
		Doc: Doc{
			Summary: "Adds to the integer in a field of a hash.",
			Since:   "2.0.0", Complexity: constant,
			Args: []Arg{keyArg, fieldArg, integerArg("increment")},
		},
	},
	{
		Name: "hincrbyfloat", Arity: 4, Flags: Write | DenyOOM | Fast, Reach: ReachOne, Group: "hash",
		Keys: one(RW | Access | Update), Run: runHIncrByFloat,
		Doc: Doc{
			Summary: "Adds to the number in a field of a hash.",
			Since:   "2.6.0", Complexity: constant,
			Args: []Arg{keyArg, fieldArg, {Name: "increment", Type: "double"}},
		},
	},
	{
		Name: "hrandfield", Arity: -2, Flags: ReadOnly, Reach: ReachOne, Group: "hash",
		Keys: one(RO | Access), Run: runHRandField, Tips: []string{"nondeterministic_output"},
		Doc: Doc{
			Summary: "Returns one or more fields of a hash, drawn at random.",
			Since:   "6.2.0", Complexity: "O(N) with N being the number of fields returned.",
			Args: []Arg{
				keyArg,
				blockArg("options", integerArg("count"), wordArg("withvalues", "WITHVALUES").optional()).optional(),
			},
		},
	},
	{
		Name: "hscan", Arity: -3, Flags: ReadOnly, Reach: ReachOne, Group: "hash",
		Keys: one(RO | Access), Run: runHScan, Tips: []string{"nondeterministic_output"},
		Doc: Doc{
			Summary: "Walks the fields of a hash.",
			Since:   "2.8.0", Complexity: "O(1) for every call, O(N) for a whole walk.",
			Args: []Arg{
				keyArg, integerArg("cursor"),
				{Name: "pattern", Type: "pattern", Token: "MATCH", Optional: true},
				integerArg("count").after("COUNT").optional(),
				wordArg("novalues", "NOVALUES").optional().since("7.4.0"),
			},
		},
	},
	hashExpireCommand("hexpire", "Gives fields of a hash a number of seconds to live.", integerArg("seconds"), runHExpire),
	hashExpireCommand("hpexpire", "Gives fields of a hash a number of milliseconds to live.", integerArg("milliseconds"), runHPExpire),
	hashExpireCommand("hexpireat", "Lets fields of a hash expire at a time given in seconds since the epoch.",
		Arg{Name: "unix-time-seconds", Type: "unix-time"}, runHExpireAt),
	hashExpireCommand("hpexpireat", "Lets fields of a hash expire at a time given in milliseconds since the epoch.",
		Arg{Name: "unix-time-milliseconds", Type: "unix-time"}, runHPExpireAt),
	hashTTLCommand("httl", "Returns the seconds that fields of a hash have to live.", runHTTL, "nondeterministic_output"),
	hashTTLCommand("hpttl", "Returns the milliseconds that fields of a hash have to live.", runHPTTL, "nondeterministic_output"),
	hashTTLCommand("hexpiretime", "Returns when fields of a hash expire, in seconds since the epoch.", runHExpireTime),
	hashTTLCommand("hpexpiretime", "Returns when fields of a hash expire, in milliseconds since the epoch.", runHPExpireTime),
	{
		Name: "hpersist", Arity: -5, Flags: Write | Fast, Reach: ReachOne, Group: "hash",
		Keys: one(RW | Update), Run: runHPersist,
		Doc: Doc{
			Summary: "Takes the deadlines of fields of a hash away.",
			Since:   "7.4.0", Complexity: perField,
			Args: []Arg{keyArg, namedFieldsArg},
		},
	},
	{
		Name: "hgetdel", Arity: -5, Flags: Write | Fast, Reach: ReachOne, Group: "hash",
		Keys: one(RW | Access | Delete), Run: runHGetDel,
		Doc: Doc{
			Summary: "Returns the values of fields of a hash and deletes them.",
			Since:   "8.0.0", Complexity: perField,
			Args: []Arg{keyArg, namedFieldsArg},
		},
	},
	{
		Name: "hgetex", Arity: -5, Flags: Write | Fast, Reach: ReachOne, Group: "hash",
		Keys: one(RW | Access | Update), Run: runHGetEX,
		Doc: Doc{
			Summary: "Returns the values of fields of a hash and gives them a deadline, or takes theirs away.",
			Since:   "8.0.0", Complexity: perField,
			Args: []Arg{
				keyArg,
				oneofArg("expiration", append(lifetimeArgs(), wordArg("persist", "PERSIST"))...).optional(),
				namedFieldsArg,
			},
		},
	},
	{
		Name: "hsetex", Arity: -6, Flags: Write | DenyOOM | Fast, Reach: ReachOne, Group: "hash",
		Keys: one(RW | Update), Run: runHSetEX,
		Doc: Doc{
			Summary: "Sets fields of a hash, under an optional condition and for an optional time.",
			Since:   "8.0.0", Complexity: perField,
			Args: []Arg{
				keyArg,
				oneofArg("condition", wordArg("fnx", "FNX"), wordArg("fxx", "FXX")).optional(),
				oneofArg("expiration", append(lifetimeArgs(), wordArg("keepttl", "KEEPTTL"))...).optional(),
				blockArg("fields", integerArg("numfields"), blockArg("data", fieldArg, valueArg).multiple()).after("FIELDS"),
			},
		},
	},
}

const (
	perField = "O(N) with N being the number of fields given."
	ofHash   = "O(N) with N being the number of fields of the hash."
)

var (
	fieldArg = Arg{Name: "field", Type: "string"}
	pairsArg = blockArg("data", fieldArg, valueArg).multiple()
)

var namedFieldsArg = blockArg("fields", integerArg("numfields"), fieldArg.multiple()).after("FIELDS")

func hashExpireCommand(name, summary string, when Arg, run func(*Ctx)) *Command {
	return &Command{
		Name: name, Arity: -6, Flags: Write | DenyOOM | Fast, Reach: ReachOne, Group: "hash",
		Keys: one(RW | Update), Run: run,
		Doc: Doc{
			Summary: summary, Since: "7.4.0", Complexity: perField,
			Args: []Arg{
				keyArg, when,
				oneofArg("condition", wordArg("nx", "NX"), wordArg("xx", "XX"), wordArg("gt", "GT"), wordArg("lt", "LT")).optional(),
				namedFieldsArg,
			},
		},
	}
}

func hashTTLCommand(name, summary string, run func(*Ctx), tips ...string) *Command {
	return &Command{
		Name: name, Arity: -5, Flags: ReadOnly | Fast, Reach: ReachOne, Group: "hash",
		Keys: one(RO | Access), Run: run, Tips: tips,
		Doc: Doc{
			Summary: summary, Since: "7.4.0", Complexity: perField,
			Args: []Arg{keyArg, namedFieldsArg},
		},
	}
}
