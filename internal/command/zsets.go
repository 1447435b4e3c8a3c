package command

// What commands on sorted sets cost, as COMMAND DOCS tells.
const (
	zsetLog       = "O(log(N)) with N being the size of the set."
	zsetAddCost   = "O(log(N)) for each member, where N is the size of the set."
	zsetRangeCost = "O(log(N)+M) with N being the size of the set and M the number of members in the range."
	zsetInterCost = "O(N*K)+O(M*log(M)) with N being the size of the smallest of K sets and M that of the result."
	zsetUnionCost = "O(N)+O(M*log(M)) with N being the sizes of all sets together and M that of the result."
	zsetDiffCost  = "O(N*K)+O(M*log(M)) with N being the size of the first of K sets and M that of the result."
)

var (
	zsetScoresArg    = wordArg("withscores", "WITHSCORES").optional()
	zsetLimitArg     = blockArg("offset_count", integerArg("offset"), integerArg("count")).after("LIMIT").optional()
	zsetAggregateArg = oneofArg("aggregate", wordArg("sum", "SUM"), wordArg("min", "MIN"), wordArg("max", "MAX"),
		wordArg("count", "COUNT").since("8.8.0")).after("AGGREGATE").optional()
)

func doubleArg(name string) Arg { return Arg{Name: name, Type: "double"} }

// zsetCommands are the commands on sorted sets.
var zsetCommands = []*Command{
	{
		Name: "zadd", Arity: -4, Flags: Write | DenyOOM | Fast, Reach: ReachOne, Group: "sorted-set",
		Keys: one(RW | Update), Run: runZAdd,
		Doc: Doc{
			Summary: "Adds members with scores to a sorted set, or changes the scores of those it has.",
			Since:   "1.2.0", Complexity: zsetAddCost,
			Args: []Arg{
				keyArg,
				oneofArg("condition", wordArg("nx", "NX"), wordArg("xx", "XX")).optional().since("3.0.2"),
				oneofArg("comparison", wordArg("gt", "GT"), wordArg("lt", "LT")).optional().since("6.2.0"),
				wordArg("change", "CH").optional().since("3.0.2"),
				wordArg("increment", "INCR").optional().since("3.0.2"),
				blockArg("score_member", doubleArg("score"), stringArg("member")).multiple(),
			},
			History: [][2]string{{"2.4.0", "Takes several members."}, {"3.0.2", "`XX`, `NX`, `CH` and `INCR` came."}, {"6.2.0", "`GT` and `LT` came."}},
		},
	},
	{
		Name: "zincrby", Arity: 4, Flags: Write | DenyOOM | Fast, Reach: ReachOne, Group: "sorted-set",
		Keys: one(RW | Access | Update), Run: runZIncrBy,
		Doc: Doc{
			Summary: "Adds to the score of a member, which is added if need be.",
			Since:   "1.2.0", Complexity: zsetLog,
			Args: []Arg{keyArg, integerArg("increment"), stringArg("member")},
		},
	},
	{
		Name: "zrem", Arity: -3, Flags: Write | Fast, Reach: ReachOne, Group: "sorted-set",
		Keys: one(RW | Delete), Run: runZRem,
		Doc: Doc{
			Summary: "Removes members from a sorted set, and the set when none is left.",
			Since:   "1.2.0", Complexity: "O(M*log(N)) with N being the size of the set and M the number of members to remove.",
			Args:    []Arg{keyArg, stringArg("member").multiple()},
			History: [][2]string{{"2.4.0", "Takes several members."}},
		},
	},
	{
		Name: "zscore", Arity: 3, Flags: ReadOnly | Fast, Reach: ReachOne, Group: "sorted-set",
		Keys: one(RO | Access), Run: runZScore,
		Doc: Doc{
			Summary: "Returns the score of a member.",
			Since:   "1.2.0", Complexity: constant,
			Args: []Arg{keyArg, stringArg("member")},
		},
	},
	{
		Name: "zmscore", Arity: -3, Flags: ReadOnly | Fast, Reach: ReachOne, Group: "sorted-set",
		Keys: one(RO | Access), Run: runZMScore,
		Doc: Doc{
			Summary: "Returns the scores of several members.",
			Since:   "6.2.0", Complexity: "O(N) where N is the number of members asked for.",
			Args: []Arg{keyArg, stringArg("member").multiple()},
		},
	},
	{
		Name: "zcard", Arity: 2, Flags: ReadOnly | Fast, Reach: ReachOne, Group: "sorted-set",
		Keys: one(RO), Run: runZCard,
		Doc: Doc{
			Summary: "Returns how many members a sorted set has.",
			Since:   "1.2.0", Complexity: constant,
			Args: []Arg{keyArg},
		},
	},
	{
		Name: "zcount", Arity: 4, Flags: ReadOnly | Fast, Reach: ReachOne, Group: "sorted-set",
		Keys: one(RO | Access), Run: runZCount,
		Doc: Doc{
			Summary: "Counts the members with scores in a range.",
			Since:   "2.0.0", Complexity: zsetLog,
			Args: []Arg{keyArg, doubleArg("min"), doubleArg("max")},
		},
	},
	{
		Name: "zlexcount", Arity: 4, Flags: ReadOnly | Fast, Reach: ReachOne, Group: "sorted-set",
		Keys: one(RO | Access), Run: runZLexCount,
		Doc: Doc{
			Summary: "Counts the members in a lexicographical range.",
			Since:   "2.8.9", Complexity: zsetLog,
			Args: []Arg{keyArg, stringArg("min"), stringArg("max")},
		},
	},
	{
		Name: "zrank", Arity: -3, Flags: ReadOnly | Fast, Reach: ReachOne, Group: "sorted-set",
		Keys: one(RO | Access), Run: runZRank,
		Doc: Doc{
			Summary: "Returns how many members come before one.",
			Since:   "2.0.0", Complexity: zsetLog,
			Args:    []Arg{keyArg, stringArg("member"), wordArg("withscore", "WITHSCORE").optional().since("7.2.0")},
			History: [][2]string{{"7.2.0", "`WITHSCORE` came."}},
		},
	},
	{
		Name: "zrevrank", Arity: -3, Flags: ReadOnly | Fast, Reach: ReachOne, Group: "sorted-set",
		Keys: one(RO | Access), Run: runZRevRank,
		Doc: Doc{
			Summary: "Returns how many members come after one.",
			Since:   "2.0.0", Complexity: zsetLog,
			Args:    []Arg{keyArg, stringArg("member"), wordArg("withscore", "WITHSCORE").optional().since("7.2.0")},
			History: [][2]string{{"7.2.0", "`WITHSCORE` came."}},
		},
	},
	{
		Name: "zrange", Arity: -4, Flags: ReadOnly, Reach: ReachOne, Group: "sorted-set",
		Keys: one(RO | Access), Run: runZRange,
		Doc: Doc{
			Summary: "Returns members in a range of ranks, scores or names.",
			Since:   "1.2.0", Complexity: zsetRangeCost,
			Args: []Arg{
				keyArg, stringArg("start"), stringArg("stop"),
				oneofArg("sortby", wordArg("byscore", "BYSCORE"), wordArg("bylex", "BYLEX")).optional().since("6.2.0"),
				wordArg("rev", "REV").optional().since("6.2.0"),
				zsetLimitArg.since("6.2.0"),
				zsetScoresArg,
			},
			History: [][2]string{{"6.2.0", "`REV`, `BYSCORE`, `BYLEX` and `LIMIT` came."}},
		},
	},
	{
		Name: "zrevrange", Arity: -4, Flags: ReadOnly, Reach: ReachOne, Group: "sorted-set",
		Keys: one(RO | Access), Run: runZRevRange,
		Doc: Doc{
			Summary: "Returns members in a range of ranks counted from the highest score.",
			Since:   "1.2.0", Complexity: zsetRangeCost,
			Args:       []Arg{keyArg, integerArg("start"), integerArg("stop"), zsetScoresArg},
			Deprecated: "6.2.0", ReplacedBy: "`ZRANGE` with the `REV` argument",
		},
	},
	{
		Name: "zrangebyscore", Arity: -4, Flags: ReadOnly, Reach: ReachOne, Group: "sorted-set",
		Keys: one(RO | Access), Run: runZRangeByScore,
		Doc: Doc{
			Summary: "Returns members with scores in a range.",
			Since:   "1.0.5", Complexity: zsetRangeCost,
			Args:       []Arg{keyArg, doubleArg("min"), doubleArg("max"), zsetScoresArg.since("2.0.0"), zsetLimitArg},
			History:    [][2]string{{"2.0.0", "`WITHSCORES` came."}},
			Deprecated: "6.2.0", ReplacedBy: "`ZRANGE` with the `BYSCORE` argument",
		},
	},
	{
		Name: "zrevrangebyscore", Arity: -4, Flags: ReadOnly, Reach: ReachOne, Group: "sorted-set",
		Keys: one(RO | Access), Run: runZRevRangeByScore,
		Doc: Doc{
			Summary: "Returns members with scores in a range, the highest first.",
			Since:   "2.2.0", Complexity: zsetRangeCost,
			Args:       []Arg{keyArg, doubleArg("max"), doubleArg("min"), zsetScoresArg, zsetLimitArg},
			History:    [][2]string{{"2.1.6", "`min` and `max` can be exclusive."}},
			Deprecated: "6.2.0", ReplacedBy: "`ZRANGE` with the `REV` and `BYSCORE` arguments",
		},
	},
	{
		Name: "zrangebylex", Arity: -4, Flags: ReadOnly, Reach: ReachOne, Group: "sorted-set",
		Keys: one(RO | Access), Run: runZRangeByLex,
		Doc: Doc{
			Summary: "Returns members in a lexicographical range.",
			Since:   "2.8.9", Complexity: zsetRangeCost,
			Args:       []Arg{keyArg, stringArg("min"), stringArg("max"), zsetLimitArg},
			Deprecated: "6.2.0", ReplacedBy: "`ZRANGE` with the `BYLEX` argument",
		},
	},
	{
		Name: "zrevrangebylex", Arity: -4, Flags: ReadOnly, Reach: ReachOne, Group: "sorted-set",
		Keys: one(RO | Access), Run: runZRevRangeByLex,
		Doc: Doc{
			Summary: "Returns members in a lexicographical range, the last first.",
			Since:   "2.8.9", Complexity: zsetRangeCost,
			Args:       []Arg{keyArg, stringArg("max"), stringArg("min"), zsetLimitArg},
			Deprecated: "6.2.0", ReplacedBy: "`ZRANGE` with the `REV` and `BYLEX` arguments",
		},
	},
	{
		Name: "zrangestore", Arity: -5, Flags: Write | DenyOOM, Reach: ReachMany, Group: "sorted-set",
		Keys: []KeySpec{{Flags: OW | Update, Index: 1, Step: 1}, {Flags: RO | Access, Index: 2, Step: 1}}, Run: runZRangeStore,
		Doc: Doc{
			Summary: "Stores members in a range of a sorted set in another.",
			Since:   "6.2.0", Complexity: zsetRangeCost,
			Args: []Arg{
				{Name: "dst", Type: "key", KeySpec: 1},
				{Name: "src", Type: "key", KeySpec: 2},
				stringArg("min"), stringArg("max"),
				oneofArg("sortby", wordArg("byscore", "BYSCORE"), wordArg("bylex", "BYLEX")).optional(),
				wordArg("rev", "REV").optional(),
				zsetLimitArg,
			},
		},
	},
	{
		Name: "zremrangebyrank", Arity: 4, Flags: Write, Reach: ReachOne, Group: "sorted-set",
		Keys: one(RW | Delete), Run: runZRemRangeByRank,
		Doc: Doc{
			Summary: "Removes members in a range of ranks, and the set when none is left.",
			Since:   "2.0.0", Complexity: zsetRangeCost,
			Args: []Arg{keyArg, integerArg("start"), integerArg("stop")},
		},
	},
	{
		Name: "zremrangebyscore", Arity: 4, Flags: Write, Reach: ReachOne, Group: "sorted-set",
		Keys: one(RW | Delete), Run: runZRemRangeByScore,
		Doc: Doc{
			Summary: "Removes members in a range of scores, and the set when none is left.",
			Since:   "1.2.0", Complexity: zsetRangeCost,
			Args: []Arg{keyArg, doubleArg("min"), doubleArg("max")},
		},
	},
	{
		Name: "zremrangebylex", Arity: 4, Flags: Write, Reach: ReachOne, Group: "sorted-set",
		Keys: one(RW | Delete), Run: runZRemRangeByLex,
		Doc: Doc{
			Summary: "Removes members in a range of names, and the set when none is left.",
			Since:   "2.8.9", Complexity: zsetRangeCost,
			Args: []Arg{keyArg, stringArg("min"), stringArg("max")},
		},
	},
	{
		Name: "zpopmin", Arity: -2, Flags: Write | Fast, Reach: ReachOne, Group: "sorted-set",
		Keys: one(RW | Access | Delete), Run: runZPopMin,
		Doc: Doc{
			Summary: "Returns and removes the members with the lowest scores.",
			Since:   "5.0.0", Complexity: "O(log(N)*M) with N being the size of the set and M the number of members popped.",
			Args: []Arg{keyArg, integerArg("count").optional()},
		},
	},
	{
		Name: "zpopmax", Arity: -2, Flags: Write | Fast, Reach: ReachOne, Group: "sorted-set",
		Keys: one(RW | Access | Delete), Run: runZPopMax,
		Doc: Doc{
			Summary: "Returns and removes the members with the highest scores.",
			Since:   "5.0.0", Complexity: "O(log(N)*M) with N being the size of the set and M the number of members popped.",
			Args: []Arg{keyArg, integerArg("count").optional()},
		},
	},
	{
		Name: "zmpop", Arity: -4, Flags: Write | MovableKeys, Reach: ReachMany, Group: "sorted-set",
		Keys: []KeySpec{{Flags: RW | Access | Delete, Index: 1, NumKeys: true, CountAt: 0, FirstAt: 1, Step: 1}}, Run: runZMPop,
		Doc: Doc{
			Summary: "Returns and removes the lowest or highest members of the first sorted set that there is.",
			Since:   "7.0.0", Complexity: "O(K) + O(M*log(N)) with K keys, N being the size of the set and M the number of members popped.",
			Args: []Arg{
				integerArg("numkeys"), keysArg, oneofArg("where", wordArg("min", "MIN"), wordArg("max", "MAX")),
				integerArg("count").after("COUNT").optional(),
			},
		},
	},
	{
		Name: "zrandmember", Arity: -2, Flags: ReadOnly, Reach: ReachOne, Group: "sorted-set",
		Keys: one(RO | Access), Run: runZRandMember, Tips: []string{"nondeterministic_output"},
		Doc: Doc{
			Summary: "Returns members of a sorted set at random.",
			Since:   "6.2.0", Complexity: "O(N) where N is the number of members returned.",
			Args: []Arg{
				keyArg, blockArg("options", integerArg("count"), wordArg("withscores", "WITHSCORES").optional()).optional(),
			},
		},
	},
	{
		Name: "zscan", Arity: -3, Flags: ReadOnly, Reach: ReachOne, Group: "sorted-set",
		Keys: one(RO | Access), Run: runZScan, Tips: []string{"nondeterministic_output"},
		Doc: Doc{
			Summary: "Walks through a sorted set in steps.",
			Since:   "2.8.0", Complexity: "O(1) a call; O(N) for the whole walk, N being the size of the set.",
			Args: []Arg{
				keyArg, integerArg("cursor"),
				{Name: "pattern", Type: "pattern", Token: "MATCH", Optional: true},
				integerArg("count").after("COUNT").optional(),
				wordArg("noscores", "NOSCORES").optional().since("8.0.0"),
			},
		},
	},
	{
		Name: "zinter", Arity: -3, Flags: ReadOnly | MovableKeys, Reach: ReachMany, Group: "sorted-set",
		Keys: []KeySpec{{Flags: RO | Access, Index: 1, NumKeys: true, CountAt: 0, FirstAt: 1, Step: 1}}, Run: runZInter,
		Doc: Doc{
			Summary: "Returns the members that all of several sorted sets have.",
			Since:   "6.2.0", Complexity: zsetInterCost,
			Args: []Arg{
				integerArg("numkeys"), keysArg, integerArg("weight").after("WEIGHTS").optional().multiple(), zsetAggregateArg,
				zsetScoresArg,
			},
			History: [][2]string{{"8.8.0", "`COUNT` came."}},
		},
	},
	{
		Name: "zinterstore", Arity: -4, Flags: Write | DenyOOM | MovableKeys, Reach: ReachMany, Group: "sorted-set",
		Keys: []KeySpec{
			{Flags: OW | Update, Index: 1, Step: 1},
			{Flags: RO | Access, Index: 2, NumKeys: true, CountAt: 0, FirstAt: 1, Step: 1},
		}, Run: runZInterStore,
		Doc: Doc{
			Summary: "Stores the members that all of several sorted sets have.",
			Since:   "2.0.0", Complexity: zsetInterCost,
			Args: []Arg{
				{Name: "destination", Type: "key", KeySpec: 1},
				integerArg("numkeys"),
				{Name: "key", Type: "key", KeySpec: 2, Multiple: true},
				integerArg("weight").after("WEIGHTS").optional().multiple(), zsetAggregateArg,
			},
			History: [][2]string{{"8.8.0", "`COUNT` came."}},
		},
	},
	{
		Name: "zunion", Arity: -3, Flags: ReadOnly | MovableKeys, Reach: ReachMany, Group: "sorted-set",
		Keys: []KeySpec{{Flags: RO | Access, Index: 1, NumKeys: true, CountAt: 0, FirstAt: 1, Step: 1}}, Run: runZUnion,
		Doc: Doc{
			Summary: "Returns the members of several sorted sets together.",
			Since:   "6.2.0", Complexity: zsetUnionCost,
			Args: []Arg{
				integerArg("numkeys"), keysArg, integerArg("weight").after("WEIGHTS").optional().multiple(), zsetAggregateArg,
				zsetScoresArg,
			},
			History: [][2]string{{"8.8.0", "`COUNT` came."}},
		},
	},
	{
		Name: "zunionstore", Arity: -4, Flags: Write | DenyOOM | MovableKeys, Reach: ReachMany, Group: "sorted-set",
		Keys: []KeySpec{
			{Flags: OW | Update, Index: 1, Step: 1},
			{Flags: RO | Access, Index: 2, NumKeys: true, CountAt: 0, FirstAt: 1, Step: 1},
		}, Run: runZUnionStore,
		Doc: Doc{
			Summary: "Stores the members of several sorted sets together.",
			Since:   "2.0.0", Complexity: zsetUnionCost,
			Args: []Arg{
				{Name: "destination", Type: "key", KeySpec: 1},
				integerArg("numkeys"),
				{Name: "key", Type: "key", KeySpec: 2, Multiple: true},
				integerArg("weight").after("WEIGHTS").optional().multiple(), zsetAggregateArg,
			},
			History: [][2]string{{"8.8.0", "`COUNT` came."}},
		},
	},
	{
		Name: "zintercard", Arity: -3, Flags: ReadOnly | MovableKeys, Reach: ReachMany, Group: "sorted-set",
		Keys: []KeySpec{{Flags: RO | Access, Index: 1, NumKeys: true, CountAt: 0, FirstAt: 1, Step: 1}}, Run: runZInterCard,
		Doc: Doc{
			Summary: "Counts the members that all of several sorted sets have.",
			Since:   "7.0.0", Complexity: "O(N*K) with N being the size of the smallest of K sets.",
			Args: []Arg{integerArg("numkeys"), keysArg, integerArg("limit").after("LIMIT").optional()},
		},
	},
	{
		Name: "zdiff", Arity: -3, Flags: ReadOnly | MovableKeys, Reach: ReachMany, Group: "sorted-set",
		Keys: []KeySpec{{Flags: RO | Access, Index: 1, NumKeys: true, CountAt: 0, FirstAt: 1, Step: 1}}, Run: runZDiff,
		Doc: Doc{
			Summary: "Returns the members of a sorted set that none of several others has.",
			Since:   "6.2.0", Complexity: zsetDiffCost,
			Args: []Arg{integerArg("numkeys"), keysArg, zsetScoresArg},
		},
	},
	{
		Name: "zdiffstore", Arity: -4, Flags: Write | DenyOOM | MovableKeys, Reach: ReachMany, Group: "sorted-set",
		Keys: []KeySpec{
			{Flags: OW | Update, Index: 1, Step: 1},
			{Flags: RO | Access, Index: 2, NumKeys: true, CountAt: 0, FirstAt: 1, Step: 1},
		}, Run: runZDiffStore,
		Doc: Doc{
			Summary: "Stores the members of a sorted set that none of several others has.",
			Since:   "6.2.0", Complexity: zsetDiffCost,
			Args: []Arg{
				{Name: "destination", Type: "key", KeySpec: 1}, integerArg("numkeys"), {Name: "key", Type: "key", KeySpec: 2, Multiple: true},
			},
		},
	},
}
