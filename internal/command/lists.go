package command

// listCommands are the commands on lists.
var listCommands = []*Command{
	{
		Name: "lpush", Arity: -3, Flags: Write | DenyOOM | Fast, Reach: ReachOne, Group: "list",
		Keys: one(RW | Insert), Run: runLPush,
		Doc: Doc{
			Summary: "Adds elements to the head of a list, which is created if missing.",
			Since:   "1.0.0", Complexity: perElement,
			Args:    []Arg{keyArg, elementArg.multiple()},
			History: [][2]string{{"2.4.0", "Takes several elements."}},
		},
	},
	{
		Name: "rpush", Arity: -3, Flags: Write | DenyOOM | Fast, Reach: ReachOne, Group: "list",
		Keys: one(RW | Insert), Run: runRPush,
		Doc: Doc{
			Summary: "Adds elements to the tail of a list, which is created if missing.",
			Since:   "1.0.0", Complexity: perElement,
			Args:    []Arg{keyArg, elementArg.multiple()},
			History: [][2]string{{"2.4.0", "Takes several elements."}},
		},
	},
	{
		Name: "lpushx", Arity: -3, Flags: Write | DenyOOM | Fast, Reach: ReachOne, Group: "list",
		Keys: one(RW | Insert), Run: runLPushX,
		Doc: Doc{
			Summary: "Adds elements to the head of a list that exists.",
			Since:   "2.2.0", Complexity: perElement,
			Args:    []Arg{keyArg, elementArg.multiple()},
			History: [][2]string{{"4.0.0", "Takes several elements."}},
		},
	},
	{
		Name: "rpushx", Arity: -3, Flags: Write | DenyOOM | Fast, Reach: ReachOne, Group: "list",
		Keys: one(RW | Insert), Run: runRPushX,
		Doc: Doc{
			Summary: "Adds elements to the tail of a list that exists.",
			Since:   "2.2.0", Complexity: perElement,
			Args:    []Arg{keyArg, elementArg.multiple()},
			History: [][2]string{{"4.0.0", "Takes several elements."}},
		},
	},
	{
		Name: "lpop", Arity: -2, Flags: Write | Fast, Reach: ReachOne, Group: "list",
		Keys: one(RW | Access | Delete), Run: runLPop,
		Doc: Doc{
			Summary: "Removes elements from the head of a list and returns them.",
			Since:   "1.0.0", Complexity: "O(N), N being the number of elements returned.",
			Args:    []Arg{keyArg, integerArg("count").optional().since("6.2.0")},
			History: [][2]string{{"6.2.0", "The count came."}},
		},
	},
	{
		Name: "rpop", Arity: -2, Flags: Write | Fast, Reach: ReachOne, Group: "list",
		Keys: one(RW | Access | Delete), Run: runRPop,
		Doc: Doc{
			Summary: "Removes elements from the tail of a list and returns them.",
			Since:   "1.0.0", Complexity: "O(N), N being the number of elements returned.",
			Args:    []Arg{keyArg, integerArg("count").optional().since("6.2.0")},
			History: [][2]string{{"6.2.0", "The count came."}},
		},
	},
	{
		Name: "llen", Arity: 2, Flags: ReadOnly | Fast, Reach: ReachOne, Group: "list",
		Keys: one(RO), Run: runLLen,
		Doc: Doc{
			Summary: "Returns the number of elements of a list.",
			Since:   "1.0.0", Complexity: constant,
			Args: []Arg{keyArg},
		},
	},
	{
		Name: "lrange", Arity: 4, Flags: ReadOnly, Reach: ReachOne, Group: "list",
		Keys: one(RO | Access), Run: runLRange,
		Doc: Doc{
			Summary: "Returns the elements of a list between two indices.",
			Since:   "1.0.0", Complexity: "O(N), N being the number of elements returned.",
			Args: []Arg{keyArg, integerArg("start"), integerArg("stop")},
		},
	},
	{
		Name: "lindex", Arity: 3, Flags: ReadOnly, Reach: ReachOne, Group: "list",
		Keys: one(RO | Access), Run: runLIndex,
		Doc: Doc{
			Summary: "Returns the element of a list at an index.",
			Since:   "1.0.0", Complexity: ofNodes,
			Args: []Arg{keyArg, integerArg("index")},
		},
	},
	{
		Name: "lset", Arity: 4, Flags: Write | DenyOOM, Reach: ReachOne, Group: "list",
		Keys: one(RW | Update), Run: runLSet,
		Doc: Doc{
			Summary: "Replaces the element of a list at an index.",
			Since:   "1.0.0", Complexity: ofNodes,
			Args: []Arg{keyArg, integerArg("index"), elementArg},
		},
	},
	{
		Name: "linsert", Arity: 5, Flags: Write | DenyOOM, Reach: ReachOne, Group: "list",
		Keys: one(RW | Insert), Run: runLInsert,
		Doc: Doc{
			Summary: "Adds an element to a list before or after another.",
			Since:   "2.2.0", Complexity: "O(N), N being the number of elements before the pivot.",
			Args: []Arg{
				keyArg, oneofArg("where", wordArg("before", "BEFORE"), wordArg("after", "AFTER")),
				stringArg("pivot"), elementArg,
			},
		},
	},
	{
		Name: "lrem", Arity: 4, Flags: Write, Reach: ReachOne, Group: "list",
		Keys: one(RW | Delete), Run: runLRem,
		Doc: Doc{
			Summary: "Removes elements that are equal to one from a list.",
			Since:   "1.0.0", Complexity: "O(N), N being the length of the list.",
			Args: []Arg{keyArg, integerArg("count"), elementArg},
		},
	},
	{
		Name: "ltrim", Arity: 4, Flags: Write, Reach: ReachOne, Group: "list",
		Keys: one(RW | Delete), Run: runLTrim,
		Doc: Doc{
			Summary: "Removes the elements of a list that are not between two indices.",
			Since:   "1.0.0", Complexity: "O(N), N being the number of elements removed.",
			Args: []Arg{keyArg, integerArg("start"), integerArg("stop")},
		},
	},
	{
		Name: "lpos", Arity: -3, Flags: ReadOnly, Reach: ReachOne, Group: "list",
		Keys: one(RO | Access), Run: runLPos,
		Doc: Doc{
			Summary: "Returns the indices at which a list has an element.",
			Since:   "6.0.6", Complexity: "O(N), N being the number of elements looked at.",
			Args: []Arg{
				keyArg, elementArg,
				integerArg("rank").after("RANK").optional(),
				integerArg("num-matches").after("COUNT").optional(),
				integerArg("len").after("MAXLEN").optional(),
			},
		},
	},
	{
		Name: "lmove", Arity: 5, Flags: Write | DenyOOM, Reach: ReachMany, Group: "list",
		Keys: []KeySpec{
			{Flags: RW | Access | Delete, Index: 1, Step: 1},
			{Flags: RW | Insert, Index: 2, Step: 1},
		},
		Run: runLMove,
		Doc: Doc{
			Summary: "Moves an element from an end of a list to an end of another, or the same.",
			Since:   "6.2.0", Complexity: constant,
			Args: []Arg{
				{Name: "source", Type: "key", KeySpec: 1},
				{Name: "destination", Type: "key", KeySpec: 2},
				endArg("wherefrom"), endArg("whereto"),
			},
		},
	},
	{
		Name: "lmovem", Arity: -5, Flags: Write | DenyOOM, Reach: ReachMany, Group: "list",
		Keys: []KeySpec{
			{Flags: RW | Access | Delete, Index: 1, Step: 1},
			{Flags: RW | Insert, Index: 2, Step: 1},
		},
		Run: runLMoveM,
		Doc: Doc{
			Summary: "Moves several elements from an end of a list to an end of another, or the same, and returns them.",
			Since:   "8.10.0", Complexity: "O(N), N being the number of elements moved.",
			Args: []Arg{
				{Name: "source", Type: "key", KeySpec: 1},
				{Name: "destination", Type: "key", KeySpec: 2},
				endArg("wherefrom"), endArg("whereto"),
				blockArg(
					"how-many",
					oneofArg("selector", integerArg("count").after("COUNT"), integerArg("exactly").after("EXACTLY")),
					oneofArg("ordering", wordArg("obo", "OBO"), wordArg("bulk", "BULK")),
				).optional(),
			},
		},
	},
	{
		Name: "rpoplpush", Arity: 3, Flags: Write | DenyOOM, Reach: ReachMany, Group: "list",
		Keys: []KeySpec{
			{Flags: RW | Access | Delete, Index: 1, Step: 1},
			{Flags: RW | Insert, Index: 2, Step: 1},
		},
		Run: runRPopLPush,
		Doc: Doc{
			Summary: "Moves the last element of a list to the head of another, or the same.",
			Since:   "1.2.0", Complexity: constant,
			Args: []Arg{
				{Name: "source", Type: "key", KeySpec: 1},
				{Name: "destination", Type: "key", KeySpec: 2},
			},
			Deprecated: "6.2.0", ReplacedBy: "`LMOVE` with the `RIGHT` and `LEFT` arguments",
		},
	},
	{
		Name: "lmpop", Arity: -4, Flags: Write | MovableKeys, Reach: ReachMany, Group: "list",
		Keys: []KeySpec{{Flags: RW | Access | Delete, Index: 1, NumKeys: true, FirstAt: 1, Step: 1}},
		Run:  runLMPop,
		Doc: Doc{
			Summary: "Removes elements from the first of several lists that is not empty and returns them.",
			Since:   "7.0.0", Complexity: "O(N+M), N being the number of keys and M of elements returned.",
			Args: []Arg{
				integerArg("numkeys"), keysArg, endArg("where"), integerArg("count").after("COUNT").optional(),
			},
		},
	},
}

const (
	perElement = "O(1) for each element."
	ofNodes    = "O(N), N being the number of nodes to the nearer end; O(1) for the ends."
)

var elementArg = stringArg("element")

func endArg(name string) Arg {
	return oneofArg(name, wordArg("left", "LEFT"), wordArg("right", "RIGHT"))
}
