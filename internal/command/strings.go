package command

// The complexities that many commands share.
const (
	constant = "O(1)"
	perKey   = "O(N) where N is the number of keys."
)

// stringCommands are the commands on plain strings.
var stringCommands = []*Command{
	{
		Name: "get", Arity: 2, Flags: ReadOnly | Fast, Reach: ReachOne, Group: "string",
		Keys: one(RO | Access), Run: runGet, Peek: peekGet,
		Doc: Doc{
			Summary: "Returns the string at a key.",
			Since:   "1.0.0", Complexity: constant,
			Args: []Arg{keyArg},
		},
	},
	{
		Name: "set", Arity: -3, Flags: Write | DenyOOM, Reach: ReachOne, Group: "string",
		Keys: []KeySpec{{
			Flags: RW | Access | Update | VariableFlags, Index: 1, Step: 1,
			Notes: "RW and ACCESS due to the optional `GET` argument",
		}},
		Run: runSet, KeyUse: setUse,
		Doc: Doc{
			Summary: "Sets a key to a string, whatever it held, under an optional condition and for an optional time.",
			Since:   "1.0.0", Complexity: constant,
			Args: []Arg{
				keyArg, valueArg,
				oneofArg("condition", append([]Arg{wordArg("nx", "NX"), wordArg("xx", "XX")}, conditionArgs("8.4.0")...)...).
					optional().since("2.6.12"),
				wordArg("get", "GET").optional().since("6.2.0"),
				oneofArg("expiration",
					integerArg("seconds").after("EX").since("2.6.12"),
					integerArg("milliseconds").after("PX").since("2.6.12"),
					Arg{Name: "unix-time-seconds", Type: "unix-time", Token: "EXAT", Since: "6.2.0"},
					Arg{Name: "unix-time-milliseconds", Type: "unix-time", Token: "PXAT", Since: "6.2.0"},
					wordArg("keepttl", "KEEPTTL").since("6.0.0")).optional(),
			},
			History: [][2]string{
				{"2.6.12", "`EX`, `PX`, `NX` and `XX` came."},
				{"6.0.0", "`KEEPTTL` came."},
				{"6.2.0", "`GET`, `EXAT` and `PXAT` came."},
				{"7.0.0", "`NX` and `GET` may go together."},
				{"8.4.0", "`IFEQ`, `IFNE`, `IFDEQ` and `IFDNE` came."},
			},
		},
	},
	{
		Name: "setex", Arity: 4, Flags: Write | DenyOOM, Reach: ReachOne, Group: "string",
		Keys: one(OW | Update), Run: runSetEX,
		Doc: Doc{
			Summary: "Sets a key to a string for a number of seconds.",
			Since:   "2.0.0", Complexity: constant,
			Args: []Arg{keyArg, integerArg("seconds"), valueArg},
		},
	},
	{
		Name: "psetex", Arity: 4, Flags: Write | DenyOOM, Reach: ReachOne, Group: "string",
		Keys: one(OW | Update), Run: runPSetEX,
		Doc: Doc{
			Summary: "Sets a key to a string for a number of milliseconds.",
			Since:   "2.6.0", Complexity: constant,
			Args: []Arg{keyArg, integerArg("milliseconds"), valueArg},
		},
	},
	{
		Name: "setnx", Arity: 3, Flags: Write | DenyOOM | Fast, Reach: ReachOne, Group: "string",
		Keys: one(OW | Insert), Run: runSetNX,
		Doc: Doc{
			Summary: "Sets a key to a string if the key does not exist.",
			Since:   "1.0.0", Complexity: constant,
			Args: []Arg{keyArg, valueArg},
		},
	},
	{
		Name: "getset", Arity: 3, Flags: Write | DenyOOM | Fast, Reach: ReachOne, Group: "string",
		Keys: one(RW | Access | Update), Run: runGetSet,
		Doc: Doc{
			Summary: "Sets a key to a string and returns the one it held.",
			Since:   "1.0.0", Complexity: constant,
			Args:       []Arg{keyArg, valueArg},
			Deprecated: "6.2.0", ReplacedBy: "`SET` with the `!GET` argument",
		},
	},
	{
		Name: "getdel", Arity: 2, Flags: Write | Fast, Reach: ReachOne, Group: "string",
		Keys: one(RW | Access | Delete), Run: runGetDel,
		Doc: Doc{
			Summary: "Returns the string at a key and deletes the key.",
			Since:   "6.2.0", Complexity: constant,
			Args: []Arg{keyArg},
		},
	},
	{
		Name: "getex", Arity: -2, Flags: Write | Fast, Reach: ReachOne, Group: "string",
		Keys: []KeySpec{{
			Flags: RW | Access | Update, Index: 1, Step: 1,
			Notes: "RW and UPDATE because it changes the TTL",
		}},
		Run: runGetEX,
		Doc: Doc{
			Summary: "Returns the string at a key and gives the key another time to live.",
			Since:   "6.2.0", Complexity: constant,
			Args: []Arg{
				keyArg,
				oneofArg("expiration", append(lifetimeArgs(), wordArg("persist", "PERSIST"))...).optional(),
			},
		},
	},
	{
		Name: "mget", Arity: -2, Flags: ReadOnly | Fast, Reach: ReachMany, Group: "string",
		Keys: upTo(RO|Access, -1, 1), Run: runMGet,
		Tips: []string{"request_policy:multi_shard"},
		Doc: Doc{
			Summary: "Returns the strings at several keys, all of one moment.",
			Since:   "1.0.0", Complexity: perKey,
			Args: []Arg{keysArg},
		},
	},
	{
		Name: "mset", Arity: -3, Flags: Write | DenyOOM, Reach: ReachMany, Group: "string",
		Keys: upTo(OW|Update, -1, 2), Run: runMSet,
		Tips: []string{"request_policy:multi_shard", "response_policy:all_succeeded"},
		Doc: Doc{
			Summary: "Sets several keys to strings in one moment.",
			Since:   "1.0.1", Complexity: perKey,
			Args: []Arg{blockArg("key_value", keyArg, valueArg).multiple()},
		},
	},
	{
		Name: "msetnx", Arity: -3, Flags: Write | DenyOOM, Reach: ReachMany, Group: "string",
		Keys: upTo(OW|Insert, -1, 2), Run: runMSetNX,
		Tips: []string{"request_policy:multi_shard", "response_policy:agg_min"},
		Doc: Doc{
			Summary: "Sets several keys to strings in one moment, if none of them exists.",
			Since:   "1.0.1", Complexity: perKey,
			Args: []Arg{blockArg("key_value", keyArg, valueArg).multiple()},
		},
	},
	{
		Name: "msetex", Arity: -4, Flags: Write | DenyOOM | MovableKeys, Reach: ReachMany, Group: "string",
		Keys: []KeySpec{{Flags: OW | Update, Index: 1, NumKeys: true, CountAt: 0, FirstAt: 1, Step: 2}},
		Run:  runMSetEX,
		Tips: []string{"request_policy:multi_shard", "response_policy:all_succeeded"},
		Doc: Doc{
			Summary: "Sets several keys to strings in one moment, under an optional condition and for an optional time.",
			Since:   "8.4.0", Complexity: perKey,
			Args: []Arg{
				integerArg("numkeys"),
				blockArg("data", keyArg, valueArg).multiple(),
				oneofArg("condition", wordArg("nx", "NX"), wordArg("xx", "XX")).optional(),
				oneofArg("expiration", append(lifetimeArgs(), wordArg("keepttl", "KEEPTTL"))...).optional(),
			},
		},
	},
	{
		Name: "append", Arity: 3, Flags: Write | DenyOOM | Fast, Reach: ReachOne, Group: "string",
		Keys: one(RW | Insert), Run: runAppend,
		Doc: Doc{
			Summary: "Adds to the end of the string at a key; a missing key begins empty.",
			Since:   "2.0.0", Complexity: "O(1) on average: a long string has room to grow into.",
			Args: []Arg{keyArg, valueArg},
		},
	},
	{
		Name: "strlen", Arity: 2, Flags: ReadOnly | Fast, Reach: ReachOne, Group: "string",
		Keys: one(RO), Run: runStrLen, Peek: peekStrLen,
		Doc: Doc{
			Summary: "Returns how many bytes the string at a key has.",
			Since:   "2.2.0", Complexity: constant,
			Args: []Arg{keyArg},
		},
	},
	{
		Name: "getrange", Arity: 4, Flags: ReadOnly, Reach: ReachOne, Group: "string",
		Keys: one(RO | Access), Run: runGetRange, Peek: peekGetRange,
		Doc: Doc{
			Summary: "Returns a part of the string at a key.",
			Since:   "2.4.0", Complexity: "O(N) where N is the length of the part.",
			Args: []Arg{keyArg, integerArg("start"), integerArg("end")},
		},
	},
	{
		Name: "substr", Arity: 4, Flags: ReadOnly, Reach: ReachOne, Group: "string",
		Keys: one(RO | Access), Run: runGetRange, Peek: peekGetRange,
		Doc: Doc{
			Summary: "Returns a part of the string at a key.",
			Since:   "1.0.0", Complexity: "O(N) where N is the length of the part.",
			Args:       []Arg{keyArg, integerArg("start"), integerArg("end")},
			Deprecated: "2.0.0", ReplacedBy: "`GETRANGE`",
		},
	},
	{
		Name: "setrange", Arity: 4, Flags: Write | DenyOOM, Reach: ReachOne, Group: "string",
		Keys: one(RW | Update), Run: runSetRange,
		Doc: Doc{
			Summary: "Overwrites a part of the string at a key, which grows as needed.",
			Since:   "2.2.0", Complexity: "O(M) where M is the length of the value, and of what the string grows by.",
			Args: []Arg{keyArg, integerArg("offset"), valueArg},
		},
	},
	{
		Name: "incr", Arity: 2, Flags: Write | DenyOOM | Fast, Reach: ReachOne, Group: "string",
		Keys: one(RW | Access | Update), Run: runIncr,
		Doc: Doc{
			Summary: "Adds one to the integer at a key; a missing key begins at 0.",
			Since:   "1.0.0", Complexity: constant,
			Args: []Arg{keyArg},
		},
	},
	{
		Name: "decr", Arity: 2, Flags: Write | DenyOOM | Fast, Reach: ReachOne, Group: "string",
		Keys: one(RW | Access | Update), Run: runDecr,
		Doc: Doc{
			Summary: "Takes one from the integer at a key; a missing key begins at 0.",
			Since:   "1.0.0", Complexity: constant,
			Args: []Arg{keyArg},
		},
	},
	{
		Name: "incrby", Arity: 3, Flags: Write | DenyOOM | Fast, Reach: ReachOne, Group: "string",
		Keys: one(RW | Access | Update), Run: runIncrBy,
		Doc: Doc{
			Summary: "Adds to the integer at a key; a missing key begins at 0.",
			Since:   "1.0.0", Complexity: constant,
			Args: []Arg{keyArg, integerArg("increment")},
		},
	},
	{
		Name: "decrby", Arity: 3, Flags: Write | DenyOOM | Fast, Reach: ReachOne, Group: "string",
		Keys: one(RW | Access | Update), Run: runDecrBy,
		Doc: Doc{
			Summary: "Takes from the integer at a key; a missing key begins at 0.",
			Since:   "1.0.0", Complexity: constant,
			Args: []Arg{keyArg, integerArg("decrement")},
		},
	},
	{
		Name: "incrbyfloat", Arity: 3, Flags: Write | DenyOOM | Fast, Reach: ReachOne, Group: "string",
		Keys: one(RW | Access | Update), Run: runIncrByFloat,
		Doc: Doc{
			Summary: "Adds to the floating point number at a key; a missing key begins at 0.",
			Since:   "2.6.0", Complexity: constant,
			Args: []Arg{keyArg, {Name: "increment", Type: "double"}},
		},
	},
	{
		Name: "increx", Arity: -2, Flags: Write | DenyOOM | Fast, Reach: ReachOne, Group: "string",
		Keys: one(RW | Access | Update), Run: runIncrEX,
		Doc: Doc{
			Summary: "Adds to the number at a key within bounds and gives the key a time to live.",
			Since:   "8.8.0", Complexity: constant,
			Args: []Arg{
				keyArg,
				oneofArg("increment",
					Arg{Name: "float", Type: "double", Token: "BYFLOAT"},
					integerArg("integer").after("BYINT")).optional(),
				wordArg("saturate", "SATURATE").optional(),
				stringArg("lowerbound").after("LBOUND").optional(),
				stringArg("upperbound").after("UBOUND").optional(),
				oneofArg("expiration", append(lifetimeArgs(), wordArg("persist", "PERSIST"))...).optional(),
				wordArg("enx", "ENX").optional(),
			},
		},
	},
	{
		Name: "digest", Arity: 2, Flags: ReadOnly | Fast, Reach: ReachOne, Group: "string",
		Keys: one(RO | Access), Run: runDigest,
		Doc: Doc{
			Summary: "Returns the XXH3 digest of the string at a key.",
			Since:   "8.4.0", Complexity: "O(N) where N is the length of the string.",
			Args: []Arg{keyArg},
		},
	},
	{
		Name: "delex", Arity: -2, Flags: Write | Fast, Reach: ReachOne, Group: "string",
		Keys: one(RW | Delete | VariableFlags), Run: runDelEX,
		Doc: Doc{
			Summary: "Deletes a key if a condition on its string or its digest holds.",
			Since:   "8.4.0", Complexity: "O(1); with a digest O(N) where N is the length of the string.",
			Args: []Arg{keyArg, oneofArg("condition", conditionArgs("")...).optional()},
		},
	},
	{
		Name: "delifeq", Arity: 3, Flags: Write, Reach: ReachOne, Group: "string",
		Keys: one(RM | Access | Delete), Run: runDelIfEQ,
		Doc: Doc{
			Summary: "Deletes a key if it holds a given string.",
			Since:   "9.0.0", Complexity: constant,
			Args: []Arg{keyArg, valueArg},
		},
	},
	{
		Name: "lcs", Arity: -3, Flags: ReadOnly, Reach: ReachMany, Group: "string",
		Keys: upTo(RO|Access, 1, 1), Run: runLCS,
		Doc: Doc{
			Summary: "Finds a longest common subsequence of the strings at two keys.",
			Since:   "7.0.0", Complexity: "O(N*M) where N and M are the lengths of the strings.",
			Args: []Arg{
				{Name: "key1", Type: "key", KeySpec: 1},
				{Name: "key2", Type: "key", KeySpec: 1},
				wordArg("len", "LEN").optional(),
				wordArg("idx", "IDX").optional(),
				integerArg("len").after("MINMATCHLEN").optional(),
				wordArg("withmatchlen", "WITHMATCHLEN").optional(),
			},
		},
	},
}
