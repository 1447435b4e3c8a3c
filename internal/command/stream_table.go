package command

// streamCommands are the commands on streams.
var streamCommands = []*Command{
	{
		Name: "xadd", Arity: -5, Flags: Write | DenyOOM | Fast, Reach: ReachOne, Group: "stream",
		Keys: []KeySpec{{
			Flags: RW | Update, Index: 1, Step: 1,
			Notes: "UPDATE instead of INSERT because of the optional trimming feature",
		}},
		Run: runXAdd, Tips: []string{"nondeterministic_output"},
		Doc: Doc{
			Summary: "Adds an entry to the end of a stream, which is created if need be.",
			Since:   "5.0.0", Complexity: "O(1) when adding, O(N) in the number of entries that are trimmed.",
			Args: []Arg{
				keyArg, wordArg("nomkstream", "NOMKSTREAM").optional().since("6.2.0"),
				trimArg().optional(),
				oneofArg("id-selector", wordArg("auto-id", "*"), stringArg("id")),
				blockArg("data", stringArg("field"), stringArg("value")).multiple(),
			},
			History: [][2]string{
				{"6.2.0", "`NOMKSTREAM`, `MINID` and `LIMIT` came."},
				{"7.0.0", "An ID of the form `<ms>-*` may be given."},
			},
		},
	},
	{
		Name: "xlen", Arity: 2, Flags: ReadOnly | Fast, Reach: ReachOne, Group: "stream",
		Keys: one(RO), Run: runXLen,
		Doc: Doc{
			Summary: "Counts the entries of a stream.",
			Since:   "5.0.0", Complexity: constant, Args: []Arg{keyArg},
		},
	},
	{
		Name: "xrange", Arity: -4, Flags: ReadOnly, Reach: ReachOne, Group: "stream",
		Keys: one(RO | Access), Run: runXRange,
		Doc: Doc{
			Summary: "Returns the entries of a stream between two IDs.",
			Since:   "5.0.0", Complexity: "O(N) in the number of entries returned.",
			Args:    []Arg{keyArg, stringArg("start"), stringArg("end"), integerArg("count").after("COUNT").optional()},
			History: [][2]string{{"6.2.0", "`(` excludes an end of the range."}},
		},
	},
	{
		Name: "xrevrange", Arity: -4, Flags: ReadOnly, Reach: ReachOne, Group: "stream",
		Keys: one(RO | Access), Run: runXRevRange,
		Doc: Doc{
			Summary: "Returns the entries of a stream between two IDs, the last first.",
			Since:   "5.0.0", Complexity: "O(N) in the number of entries returned.",
			Args:    []Arg{keyArg, stringArg("end"), stringArg("start"), integerArg("count").after("COUNT").optional()},
			History: [][2]string{{"6.2.0", "`(` excludes an end of the range."}},
		},
	},
	{
		Name: "xdel", Arity: -3, Flags: Write | Fast, Reach: ReachOne, Group: "stream",
		Keys: one(RW | Delete), Run: runXDel,
		Doc: Doc{
			Summary: "Deletes entries of a stream by their IDs.",
			Since:   "5.0.0", Complexity: "O(1) for each entry.",
			Args: []Arg{keyArg, stringArg("id").multiple()},
		},
	},
	{
		Name: "xtrim", Arity: -4, Flags: Write, Reach: ReachOne, Group: "stream",
		Keys: one(RW | Delete), Run: runXTrim, Tips: []string{"nondeterministic_output"},
		Doc: Doc{
			Summary: "Removes entries from the beginning of a stream.",
			Since:   "5.0.0", Complexity: "O(N) in the number of entries removed, most of them many at a time.",
			Args:    []Arg{keyArg, trimArg()},
			History: [][2]string{{"6.2.0", "`MINID` and `LIMIT` came."}},
		},
	},
	{
		Name: "xsetid", Arity: -3, Flags: Write | DenyOOM | Fast, Reach: ReachOne, Group: "stream",
		Keys: one(RW | Update), Run: runXSetID,
		Doc: Doc{
			Summary: "Sets the last ID of a stream, and its counters.",
			Since:   "5.0.0", Complexity: constant,
			Args: []Arg{
				keyArg, stringArg("last-id"),
				integerArg("entries-added").after("ENTRIESADDED").optional().since("7.0.0"),
				stringArg("max-deleted-id").after("MAXDELETEDID").optional().since("7.0.0"),
			},
			History: [][2]string{{"7.0.0", "`ENTRIESADDED` and `MAXDELETEDID` came."}},
		},
	},
}

// trimArg is what to trim.
func trimArg() Arg {
	return blockArg("trim",
		oneofArg("strategy", wordArg("maxlen", "MAXLEN"), wordArg("minid", "MINID").since("6.2.0")),
		oneofArg("operator", wordArg("equal", "="), wordArg("approximately", "~")).optional(),
		stringArg("threshold"),
		integerArg("count").after("LIMIT").optional().since("6.2.0"))
}
