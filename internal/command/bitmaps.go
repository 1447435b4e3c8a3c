package command

// bitmapCommands are the commands on the bits of strings.
var bitmapCommands = []*Command{
	{
		Name: "setbit", Arity: 4, Flags: Write | DenyOOM, Reach: ReachOne, Group: "bitmap",
		Keys: one(RW | Access | Update), Run: runSetBit,
		Doc: Doc{
			Summary: "Sets or clears a bit of the string at a key, which grows as needed.",
			Since:   "2.2.0", Complexity: constant,
			Args: []Arg{keyArg, integerArg("offset"), integerArg("value")},
		},
	},
	{
		Name: "getbit", Arity: 3, Flags: ReadOnly | Fast, Reach: ReachOne, Group: "bitmap",
		Keys: one(RO | Access), Run: runGetBit, Peek: peekGetBit,
		Doc: Doc{
			Summary: "Returns a bit of the string at a key.",
			Since:   "2.2.0", Complexity: constant,
			Args: []Arg{keyArg, integerArg("offset")},
		},
	},
	{
		Name: "bitcount", Arity: -2, Flags: ReadOnly, Reach: ReachOne, Group: "bitmap",
		Keys: one(RO | Access), Run: runBitCount,
		Doc: Doc{
			Summary: "Counts the bits that are set in the string at a key.",
			Since:   "2.6.0", Complexity: "O(N)",
			Args: []Arg{
				keyArg,
				blockArg("index", integerArg("start"), integerArg("end"), indexUnitArg()).optional(),
			},
			History: [][2]string{{"7.0.0", "`BYTE` and `BIT` came."}},
		},
	},
	{
		Name: "bitpos", Arity: -3, Flags: ReadOnly, Reach: ReachOne, Group: "bitmap",
		Keys: one(RO | Access), Run: runBitPos,
		Doc: Doc{
			Summary: "Finds the first bit that is set, or clear, in the string at a key.",
			Since:   "2.8.7", Complexity: "O(N)",
			Args: []Arg{
				keyArg, integerArg("bit"),
				blockArg("index", integerArg("start"),
					blockArg("end_index", integerArg("end"), indexUnitArg()).optional()).optional(),
			},
			History: [][2]string{{"7.0.0", "`BYTE` and `BIT` came."}},
		},
	},
	{
		Name: "bitop", Arity: -4, Flags: Write | DenyOOM, Reach: ReachMany, Group: "bitmap",
		Keys: []KeySpec{
			{Flags: OW | Update, Index: 2, Step: 1},
			{Flags: RO | Access, Index: 3, Last: -1, Step: 1},
		},
		Run: runBitOp,
		Doc: Doc{
			Summary: "Combines strings bit by bit and stores the result.",
			Since:   "2.6.0", Complexity: "O(N)",
			Args: []Arg{
				oneofArg("operation",
					wordArg("and", "AND"), wordArg("or", "OR"), wordArg("xor", "XOR"), wordArg("not", "NOT"),
					wordArg("diff", "DIFF").since("8.2.0"), wordArg("diff1", "DIFF1").since("8.2.0"),
					wordArg("andor", "ANDOR").since("8.2.0"), wordArg("one", "ONE").since("8.2.0")),
				{Name: "destkey", Type: "key", KeySpec: 1},
				{Name: "key", Type: "key", KeySpec: 2, Multiple: true},
			},
			History: [][2]string{{"8.2.0", "`DIFF`, `DIFF1`, `ANDOR` and `ONE` came."}},
		},
	},
	{
		Name: "bitfield", Arity: -2, Flags: Write | DenyOOM, Reach: ReachOne, Group: "bitmap",
		Keys: []KeySpec{{
			Flags: RW | Access | Update | VariableFlags, Index: 1, Step: 1,
			Notes: "This command allows both access and modification of the key",
		}},
		Run: runBitField, KeyUse: bitFieldUse,
		Doc: Doc{
			Summary: "Reads, sets and adds to integers of any width within the string at a key.",
			Since:   "3.2.0", Complexity: "O(1) for each operation.",
			Args: []Arg{
				keyArg,
				oneofArg("operation",
					blockArg("encoding_offset", stringArg("encoding"), integerArg("offset")).after("GET"),
					blockArg("write",
						oneofArg("wrap_sat_fail", wordArg("wrap", "WRAP"), wordArg("sat", "SAT"), wordArg("fail", "FAIL")).
							after("OVERFLOW").optional(),
						oneofArg("write_operation",
							blockArg("encoding_offset_value",
								stringArg("encoding"), integerArg("offset"), integerArg("value")).after("SET"),
							blockArg("encoding_offset_increment",
								stringArg("encoding"), integerArg("offset"), integerArg("increment")).after("INCRBY"))),
				).optional().multiple(),
			},
		},
	},
	{
		Name: "bitfield_ro", Arity: -2, Flags: ReadOnly | Fast, Reach: ReachOne, Group: "bitmap",
		Keys: one(RO | Access), Run: runBitFieldRO,
		Doc: Doc{
			Summary: "Reads integers of any width within the string at a key.",
			Since:   "6.0.0", Complexity: "O(1) for each operation.",
			Args: []Arg{
				keyArg,
				{
					Name: "encoding_offset", Type: "block", Token: "GET", Optional: true, Multiple: true, MultiToken: true,
					Args: []Arg{stringArg("encoding"), integerArg("offset")},
				},
			},
		},
	},
}

func indexUnitArg() Arg {
	return oneofArg("index_unit", wordArg("byte", "BYTE"), wordArg("bit", "BIT")).optional().since("7.0.0")
}
