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
				refsArg().optional().since("8.2.0"),
				oneofArg("idmp",
					stringArg("pid").after("IDMPAUTO"),
					blockArg("idmp", stringArg("pid"), stringArg("iid")).after("IDMP")).optional().since("8.6.0"),
				trimArg().optional(),
				oneofArg("id-selector", wordArg("auto-id", "*"), stringArg("id")),
				blockArg("data", stringArg("field"), stringArg("value")).multiple(),
			},
			History: [][2]string{
				{"6.2.0", "`NOMKSTREAM`, `MINID` and `LIMIT` came."},
				{"7.0.0", "An ID of the form `<ms>-*` may be given."},
				{"8.2.0", "`KEEPREF`, `DELREF` and `ACKED` came."},
				{"8.6.0", "`IDMP` and `IDMPAUTO` came."},
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
		Name: "xdelex", Arity: -5, Flags: Write | Fast, Reach: ReachOne, Group: "stream",
		Keys: one(RW | Delete), Run: runXDelEx,
		Doc: Doc{
			Summary: "Deletes entries of a stream with regard to its consumer groups.",
			Since:   "8.2.0", Complexity: "O(1) for each entry and group.",
			Args: []Arg{keyArg, refsArg().optional(), idsArg()},
		},
	},
	{
		Name: "xackdel", Arity: -6, Flags: Write | Fast, Reach: ReachOne, Group: "stream",
		Keys: one(RW | Update | Delete), Run: runXAckDel,
		Doc: Doc{
			Summary: "Acknowledges entries and deletes them with regard to other consumer groups.",
			Since:   "8.2.0", Complexity: "O(1) for each entry and group.",
			Args: []Arg{keyArg, stringArg("group"), refsArg().optional(), idsArg()},
		},
	},
	{
		Name: "xtrim", Arity: -4, Flags: Write, Reach: ReachOne, Group: "stream",
		Keys: one(RW | Delete), Run: runXTrim, Tips: []string{"nondeterministic_output"},
		Doc: Doc{
			Summary: "Removes entries from the beginning of a stream.",
			Since:   "5.0.0", Complexity: "O(N) in the number of entries removed, most of them many at a time.",
			Args:    []Arg{keyArg, trimArg(), refsArg().optional().since("8.2.0")},
			History: [][2]string{{"6.2.0", "`MINID` and `LIMIT` came."}, {"8.2.0", "`KEEPREF`, `DELREF` and `ACKED` came."}},
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
	{
		Name: "xread", Arity: -4, Flags: Blocking | ReadOnly, Reach: ReachMany, Group: "stream",
		Keys: []KeySpec{{Flags: RO | Access, Index: 1, Keyword: "STREAMS", Last: -1, Step: 1, Limit: 2}},
		Run:  runXRead,
		Doc: Doc{
			Summary: "Returns the entries of some streams behind given IDs.",
			Since:   "5.0.0", Complexity: "O(N) in the number of entries returned.",
			Args: []Arg{
				integerArg("count").after("COUNT").optional(),
				integerArg("milliseconds").after("BLOCK").optional(),
				blockArg("streams", keysArg, stringArg("id").multiple()).after("STREAMS"),
			},
			History: [][2]string{{"7.4.0", "`+` came: the last entry."}},
		},
	},
	{
		Name: "xreadgroup", Arity: -7, Flags: Blocking | Write, Reach: ReachMany, Group: "stream",
		Keys: []KeySpec{{Flags: RO | Access, Index: 4, Keyword: "STREAMS", Last: -1, Step: 1, Limit: 2}},
		Run:  runXReadGroup,
		Doc: Doc{
			Summary: "Delivers new entries of some streams to a consumer, or returns what it has pending.",
			Since:   "5.0.0", Complexity: "O(N) in the number of entries returned.",
			Args: []Arg{
				blockArg("group-block", stringArg("group"), stringArg("consumer")).after("GROUP"),
				integerArg("count").after("COUNT").optional(),
				integerArg("milliseconds").after("BLOCK").optional(),
				integerArg("min-idle-time").after("CLAIM").optional().since("8.4.0"),
				wordArg("noack", "NOACK").optional(),
				blockArg("streams", keysArg, stringArg("id").multiple()).after("STREAMS"),
			},
			History: [][2]string{{"8.4.0", "`CLAIM` came."}},
		},
	},
	{
		Name: "xgroup", Arity: -2, Group: "stream",
		Doc: Doc{Summary: "Manages consumer groups.", Since: "5.0.0", Complexity: "Depends on subcommand."},
		Sub: []*Command{
			{
				Name: "create", Arity: -5, Flags: Write | DenyOOM, Reach: ReachOne,
				Keys: second(RW | Insert), Run: runXGroupCreate,
				Doc: Doc{
					Summary: "Creates a consumer group.", Since: "5.0.0", Complexity: constant,
					Args: []Arg{
						keyArg, stringArg("group"), groupIDArg(),
						wordArg("mkstream", "MKSTREAM").optional(),
						integerArg("entries-read").after("ENTRIESREAD").optional().since("7.0.0"),
					},
					History: [][2]string{{"7.0.0", "`ENTRIESREAD` came."}},
				},
			},
			{
				Name: "setid", Arity: -5, Flags: Write, Reach: ReachOne,
				Keys: second(RW | Update), Run: runXGroupSetID,
				Doc: Doc{
					Summary: "Sets the last delivered ID of a group.", Since: "5.0.0", Complexity: constant,
					Args: []Arg{
						keyArg, stringArg("group"), groupIDArg(),
						integerArg("entries-read").after("ENTRIESREAD").optional().since("7.0.0"),
					},
					History: [][2]string{{"7.0.0", "`ENTRIESREAD` came."}},
				},
			},
			{
				Name: "destroy", Arity: 4, Flags: Write, Reach: ReachOne,
				Keys: second(RW | Delete), Run: runXGroupDestroy,
				Doc: Doc{
					Summary: "Removes a consumer group.", Since: "5.0.0",
					Complexity: "O(N) in the number of pending entries.",
					Args:       []Arg{keyArg, stringArg("group")},
				},
			},
			{
				Name: "createconsumer", Arity: 5, Flags: Write | DenyOOM, Reach: ReachOne,
				Keys: second(RW | Insert), Run: runXGroupCreateConsumer,
				Doc: Doc{
					Summary: "Creates a consumer of a group.", Since: "6.2.0", Complexity: constant,
					Args: []Arg{keyArg, stringArg("group"), stringArg("consumer")},
				},
			},
			{
				Name: "delconsumer", Arity: 5, Flags: Write, Reach: ReachOne,
				Keys: second(RW | Delete), Run: runXGroupDelConsumer,
				Doc: Doc{
					Summary: "Removes a consumer and what it has pending.", Since: "5.0.0", Complexity: constant,
					Args: []Arg{keyArg, stringArg("group"), stringArg("consumer")},
				},
			},
			{
				Name: "help", Arity: 2, Flags: Loading | Stale, Run: runXGroupHelp,
				Doc: Doc{Summary: "Lists the subcommands.", Since: "5.0.0", Complexity: constant},
			},
		},
	},
	{
		Name: "xack", Arity: -4, Flags: Write | Fast, Reach: ReachOne, Group: "stream",
		Keys: one(RW | Update), Run: runXAck,
		Doc: Doc{
			Summary: "Acknowledges entries: they are no longer pending.",
			Since:   "5.0.0", Complexity: "O(1) for each entry.",
			Args: []Arg{keyArg, stringArg("group"), stringArg("id").multiple()},
		},
	},
	{
		Name: "xnack", Arity: -7, Flags: Write | Fast, Reach: ReachOne, Group: "stream",
		Keys: one(RW | Update), Run: runXNack,
		Doc: Doc{
			Summary: "Releases pending entries, so that others can claim them at once.",
			Since:   "8.8.0", Complexity: "O(1) for each entry.",
			Args: []Arg{
				keyArg, stringArg("group"),
				oneofArg("mode", wordArg("silent", "SILENT"), wordArg("fail", "FAIL"), wordArg("fatal", "FATAL")),
				idsArg(),
				integerArg("count").after("RETRYCOUNT").optional(),
				wordArg("force", "FORCE").optional(),
			},
		},
	},
	{
		Name: "xcfgset", Arity: -2, Flags: Write | Fast, Reach: ReachOne, Group: "stream",
		Keys: one(RW | Update), Run: runXCfgSet,
		Doc: Doc{
			Summary: "Sets how long, and how many of, the names that producers gave to entries are remembered.",
			Since:   "8.6.0", Complexity: constant,
			Args: []Arg{
				keyArg,
				integerArg("idmp-duration").after("IDMP-DURATION").optional(),
				integerArg("idmp-maxsize").after("IDMP-MAXSIZE").optional(),
			},
		},
	},
	{
		Name: "xidmprecord", Arity: 5, Flags: Write | DenyOOM | Fast, Reach: ReachOne, Group: "stream",
		Keys: one(RW | Update), Run: runXIDMPRecord,
		Doc: Doc{
			Summary: "Remembers the name that a producer gave to an entry of a stream; for who replays a log.",
			Since:   "8.8.0", Complexity: constant,
			Args: []Arg{keyArg, stringArg("pid"), stringArg("iid"), stringArg("stream-id")},
		},
	},
	{
		Name: "xpending", Arity: -3, Flags: ReadOnly, Reach: ReachOne, Group: "stream",
		Keys: one(RO | Access), Run: runXPending, Tips: []string{"nondeterministic_output"},
		Doc: Doc{
			Summary: "Tells what the consumers of a group have pending.",
			Since:   "5.0.0", Complexity: "O(N) in the number of entries returned.",
			Args: []Arg{
				keyArg, stringArg("group"),
				blockArg("filters",
					integerArg("min-idle-time").after("IDLE").optional().since("6.2.0"),
					stringArg("start"), stringArg("end"), integerArg("count"), stringArg("consumer").optional()).optional(),
			},
			History: [][2]string{{"6.2.0", "`IDLE` came, and `(` excludes an end of the range."}},
		},
	},
	{
		Name: "xclaim", Arity: -6, Flags: Write | Fast, Reach: ReachOne, Group: "stream",
		Keys: one(RW | Update), Run: runXClaim, Tips: []string{"nondeterministic_output"},
		Doc: Doc{
			Summary: "Gives pending entries to another consumer.",
			Since:   "5.0.0", Complexity: "O(log N) in the number of pending entries.",
			Args: []Arg{
				keyArg, stringArg("group"), stringArg("consumer"), stringArg("min-idle-time"), stringArg("id").multiple(),
				integerArg("ms").after("IDLE").optional(),
				{Name: "unix-time-milliseconds", Type: "unix-time", Token: "TIME", Optional: true},
				integerArg("count").after("RETRYCOUNT").optional(),
				wordArg("force", "FORCE").optional(), wordArg("justid", "JUSTID").optional(),
				stringArg("lastid").after("LASTID").optional(),
			},
		},
	},
	{
		Name: "xautoclaim", Arity: -6, Flags: Write | Fast, Reach: ReachOne, Group: "stream",
		Keys: one(RW | Access | Delete), Run: runXAutoClaim, Tips: []string{"nondeterministic_output"},
		Doc: Doc{
			Summary: "Gives entries that have been pending for long to another consumer.",
			Since:   "6.2.0", Complexity: "O(1) if COUNT is small.",
			Args: []Arg{
				keyArg, stringArg("group"), stringArg("consumer"), stringArg("min-idle-time"), stringArg("start"),
				integerArg("count").after("COUNT").optional(), wordArg("justid", "JUSTID").optional(),
			},
			History: [][2]string{{"7.0.0", "Entries that are no longer in the stream are reported apart and cease to be pending."}},
		},
	},
	{
		Name: "xinfo", Arity: -2, Group: "stream",
		Doc: Doc{Summary: "Tells of streams and consumer groups.", Since: "5.0.0", Complexity: "Depends on subcommand."},
		Sub: []*Command{
			{
				Name: "consumers", Arity: 4, Flags: ReadOnly, Reach: ReachOne,
				Keys: second(RO | Access), Run: runXInfoConsumers, Tips: []string{"nondeterministic_output"},
				Doc: Doc{
					Summary: "Lists the consumers of a group.", Since: "5.0.0", Complexity: constant,
					Args:    []Arg{keyArg, stringArg("group")},
					History: [][2]string{{"7.2.0", "`inactive` came."}},
				},
			},
			{
				Name: "groups", Arity: 3, Flags: ReadOnly, Reach: ReachOne,
				Keys: second(RO | Access), Run: runXInfoGroups,
				Doc: Doc{
					Summary: "Lists the groups of a stream.", Since: "5.0.0", Complexity: constant, Args: []Arg{keyArg},
					History: [][2]string{{"7.0.0", "`entries-read` and `lag` came."}},
				},
			},
			{
				Name: "stream", Arity: -3, Flags: ReadOnly, Reach: ReachOne,
				Keys: second(RO | Access), Run: runXInfoStream,
				Doc: Doc{
					Summary: "Tells of a stream.", Since: "5.0.0", Complexity: constant,
					Args: []Arg{
						keyArg,
						blockArg("full-block", wordArg("full", "FULL"), integerArg("count").after("COUNT").optional()).optional(),
					},
					History: [][2]string{
						{"6.0.0", "`FULL` came."},
						{"7.0.0", "`max-deleted-entry-id`, `entries-added`, `recorded-first-entry-id`, `entries-read` and `lag` came."},
						{"7.2.0", "`active-time` came, and `seen-time` changed its meaning."},
						{"8.6.0", "`idmp-duration`, `idmp-maxsize`, `pids-tracked`, `iids-tracked`, `iids-added` and `iids-duplicates` came, of streams that use them."},
						{"8.8.0", "`nacked-count` came, of groups that use it."},
					},
				},
			},
			{
				Name: "help", Arity: 2, Flags: Loading | Stale, Run: runXInfoHelp,
				Doc: Doc{Summary: "Lists the subcommands.", Since: "5.0.0", Complexity: constant},
			},
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

// second is the key spec of a subcommand's single key.
func second(f KeyFlags) []KeySpec { return []KeySpec{{Flags: f, Index: 2, Step: 1}} }

// groupIDArg is an ID, or $ for the stream's last.
func groupIDArg() Arg {
	return oneofArg("id-selector", stringArg("id"), wordArg("new-id", "$"))
}

// refsArg is what becomes of what groups know of an entry.
func refsArg() Arg {
	return oneofArg("condition", wordArg("keepref", "KEEPREF"), wordArg("delref", "DELREF"), wordArg("acked", "ACKED"))
}

func idsArg() Arg {
	return blockArg("ids", integerArg("numids"), stringArg("id").multiple()).after("IDS")
}
