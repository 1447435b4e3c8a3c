package command

// setCommands are the commands on sets.
var setCommands = []*Command{
	{
		Name: "sadd", Arity: -3, Flags: Write | DenyOOM | Fast, Reach: ReachOne, Group: "set",
		Keys: one(RW | Insert), Run: runSAdd,
		Doc: Doc{
			Summary: "Adds members to a set and tells how many are new.",
			Since:   "1.0.0", Complexity: perMember,
			Args:    []Arg{keyArg, memberArg.multiple()},
			History: [][2]string{{"2.4.0", "Takes several members."}},
		},
	},
	{
		Name: "srem", Arity: -3, Flags: Write | Fast, Reach: ReachOne, Group: "set",
		Keys: one(RW | Delete), Run: runSRem,
		Doc: Doc{
			Summary: "Removes members from a set, and the set when none is left.",
			Since:   "1.0.0", Complexity: perMember,
			Args:    []Arg{keyArg, memberArg.multiple()},
			History: [][2]string{{"2.4.0", "Takes several members."}},
		},
	},
	{
		Name: "sismember", Arity: 3, Flags: ReadOnly | Fast, Reach: ReachOne, Group: "set",
		Keys: one(RO), Run: runSIsMember,
		Doc: Doc{
			Summary: "Tells whether a set has a member.",
			Since:   "1.0.0", Complexity: constant,
			Args: []Arg{keyArg, memberArg},
		},
	},
	{
		Name: "smismember", Arity: -3, Flags: ReadOnly | Fast, Reach: ReachOne, Group: "set",
		Keys: one(RO), Run: runSMIsMember,
		Doc: Doc{
			Summary: "Tells of each of several members whether a set has it.",
			Since:   "6.2.0", Complexity: perMember,
			Args: []Arg{keyArg, memberArg.multiple()},
		},
	},
	{
		Name: "scard", Arity: 2, Flags: ReadOnly | Fast, Reach: ReachOne, Group: "set",
		Keys: one(RO), Run: runSCard,
		Doc: Doc{
			Summary: "Returns the number of members of a set.",
			Since:   "1.0.0", Complexity: constant,
			Args: []Arg{keyArg},
		},
	},
	{
		Name: "smembers", Arity: 2, Flags: ReadOnly, Reach: ReachOne, Group: "set",
		Keys: one(RO | Access), Run: runSMembers, Tips: []string{"nondeterministic_output_order"},
		Doc: Doc{
			Summary: "Returns all members of a set.",
			Since:   "1.0.0", Complexity: ofSet,
			Args: []Arg{keyArg},
		},
	},
	{
		Name: "smove", Arity: 4, Flags: Write | Fast, Reach: ReachMany, Group: "set",
		Keys: []KeySpec{
			{Flags: RW | Access | Delete, Index: 1, Step: 1},
			{Flags: RW | Insert, Index: 2, Step: 1},
		},
		Run: runSMove,
		Doc: Doc{
			Summary: "Moves a member from one set to another.",
			Since:   "1.0.0", Complexity: constant,
			Args: []Arg{
				{Name: "source", Type: "key", KeySpec: 1},
				{Name: "destination", Type: "key", KeySpec: 2},
				memberArg,
			},
		},
	},
	{
		Name: "spop", Arity: -2, Flags: Write | Fast, Reach: ReachOne, Group: "set",
		Keys: one(RW | Access | Delete), Run: runSPop, Tips: []string{"nondeterministic_output"},
		Doc: Doc{
			Summary: "Removes one or more members of a set, drawn at random, and returns them.",
			Since:   "1.0.0", Complexity: "O(N) with N being the number of members returned.",
			Args:    []Arg{keyArg, integerArg("count").optional().since("3.2.0")},
			History: [][2]string{{"3.2.0", "`count` came."}},
		},
	},
	{
		Name: "srandmember", Arity: -2, Flags: ReadOnly, Reach: ReachOne, Group: "set",
		Keys: one(RO | Access), Run: runSRandMember, Tips: []string{"nondeterministic_output"},
		Doc: Doc{
			Summary: "Returns one or more members of a set, drawn at random.",
			Since:   "1.0.0", Complexity: "O(N) with N being the number of members returned.",
			Args:    []Arg{keyArg, integerArg("count").optional().since("2.6.0")},
			History: [][2]string{{"2.6.0", "`count` came."}},
		},
	},
	{
		Name: "sscan", Arity: -3, Flags: ReadOnly, Reach: ReachOne, Group: "set",
		Keys: one(RO | Access), Run: runSScan, Tips: []string{"nondeterministic_output"},
		Doc: Doc{
			Summary: "Walks the members of a set.",
			Since:   "2.8.0", Complexity: "O(1) for every call, O(N) for a whole walk.",
			Args: []Arg{
				keyArg, integerArg("cursor"),
				{Name: "pattern", Type: "pattern", Token: "MATCH", Optional: true},
				integerArg("count").after("COUNT").optional(),
			},
		},
	},
	setAlgebra("sinter", "1.0.0", "Returns the members that all of several sets have.", ofSmallest, runSInter),
	setAlgebra("sunion", "1.0.0", "Returns the members that any of several sets has.", ofAllSets, runSUnion),
	setAlgebra("sdiff", "1.0.0", "Returns the members of a set that none of several others has.", ofAllSets, runSDiff),
	setAlgebraStore("sinterstore", "Stores the members that all of several sets have.", ofSmallest, runSInterStore),
	setAlgebraStore("sunionstore", "Stores the members that any of several sets has.", ofAllSets, runSUnionStore),
	setAlgebraStore("sdiffstore", "Stores the members of a set that none of several others has.", ofAllSets, runSDiffStore),
	setAlgebraCard("sintercard", "7.0.0", "Counts the members that all of several sets have.", ofSmallest, runSInterCard),
	setAlgebraCard("sunioncard", "8.10.0", "Counts the members that any of several sets has.", ofAllSets, runSUnionCard,
		wordArg("approx", "APPROX").optional()),
	setAlgebraCard("sdiffcard", "8.10.0", "Counts the members of a set that none of several others has.", ofAllSets, runSDiffCard),
}

const (
	perMember = "O(N) with N being the number of members given."
	ofSet     = "O(N) with N being the number of members of the set."

	ofSmallest = "O(N*M) with N being the number of members of the smallest set and M the number of sets."
	ofAllSets  = "O(N) with N being the number of members of all sets."
)

var memberArg = Arg{Name: "member", Type: "string"}

func setAlgebra(name, since, summary, complexity string, run func(*Ctx)) *Command {
	return &Command{
		Name: name, Arity: -2, Flags: ReadOnly, Reach: ReachMany, Group: "set",
		Keys: upTo(RO|Access, -1, 1), Run: run, Tips: []string{"nondeterministic_output_order"},
		Doc: Doc{Summary: summary, Since: since, Complexity: complexity, Args: []Arg{keysArg}},
	}
}

func setAlgebraStore(name, summary, complexity string, run func(*Ctx)) *Command {
	return &Command{
		Name: name, Arity: -3, Flags: Write | DenyOOM, Reach: ReachMany, Group: "set",
		Keys: []KeySpec{
			{Flags: OW | Update, Index: 1, Step: 1},
			{Flags: RO | Access, Index: 2, Last: -1, Step: 1},
		},
		Run: run,
		Doc: Doc{
			Summary: summary, Since: "1.0.0", Complexity: complexity,
			Args: []Arg{
				{Name: "destination", Type: "key", KeySpec: 1},
				{Name: "key", Type: "key", KeySpec: 2, Multiple: true},
			},
		},
	}
}

func setAlgebraCard(name, since, summary, complexity string, run func(*Ctx), options ...Arg) *Command {
	args := append([]Arg{integerArg("numkeys"), keysArg}, options...)
	return &Command{
		Name: name, Arity: -3, Flags: ReadOnly | MovableKeys, Reach: ReachMany, Group: "set",
		Keys: []KeySpec{{Flags: RO | Access, Index: 1, NumKeys: true, FirstAt: 1, Step: 1}},
		Run:  run,
		Doc: Doc{
			Summary: summary, Since: since, Complexity: complexity,
			Args: append(args, integerArg("limit").after("LIMIT").optional()),
		},
	}
}
