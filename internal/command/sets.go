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
}

const (
	perMember = "O(N) with N being the number of members given."
	ofSet     = "O(N) with N being the number of members of the set."
)

var memberArg = Arg{Name: "member", Type: "string"}
