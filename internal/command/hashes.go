package command

// hashCommands are the commands on hashes.
var hashCommands = []*Command{
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
}

const (
	perField = "O(N) with N being the number of fields given."
	ofHash   = "O(N) with N being the number of fields of the hash."
)

var (
	fieldArg = Arg{Name: "field", Type: "string"}
	pairsArg = blockArg("data", fieldArg, valueArg).multiple()
)
