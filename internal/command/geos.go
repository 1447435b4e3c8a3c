package command

const geoCost = "O(N+log(M)) where N is the number of members in the cells around the shape and M is the number of those inside."

var geoUnitArg = oneofArg("unit", wordArg("m", "m"), wordArg("km", "km"), wordArg("ft", "ft"), wordArg("mi", "mi"))

var (
	geoOrderArg = oneofArg("order", wordArg("asc", "ASC"), wordArg("desc", "DESC")).optional()
	geoCountArg = blockArg("count_block", integerArg("count").after("COUNT"), wordArg("any", "ANY").optional()).optional()
	geoWithArgs = []Arg{
		wordArg("withcoord", "WITHCOORD").optional(),
		wordArg("withdist", "WITHDIST").optional(),
		wordArg("withhash", "WITHHASH").optional(),
	}
)

// geoSearchArgs are the arguments of GEOSEARCH, or GEOSEARCHSTORE, after the
// keys.
func geoSearchArgs(with bool) []Arg {
	place := blockArg("fromlonlat", doubleArg("longitude"), doubleArg("latitude")).after("FROMLONLAT")
	vertices := blockArg("vertices", doubleArg("longitude"), doubleArg("latitude")).multiple()
	args := []Arg{
		oneofArg("from", stringArg("member").after("FROMMEMBER"), place).optional(),
		oneofArg("by",
			blockArg("circle", doubleArg("radius").after("BYRADIUS"), geoUnitArg),
			blockArg("box", doubleArg("width").after("BYBOX"), doubleArg("height"), geoUnitArg),
			blockArg("polygon", integerArg("num-vertices").after("BYPOLYGON"), vertices).since("9.0.0")),
		geoOrderArg, geoCountArg,
	}
	if with {
		return append(args, geoWithArgs...)
	}
	return append(args, wordArg("storedist", "STOREDIST").optional())
}

// geoRadiusArgs are the arguments of GEORADIUS and its kin.
func geoRadiusArgs(member, store bool) []Arg {
	args := []Arg{keyArg}
	if member {
		args = append(args, stringArg("member"))
	} else {
		args = append(args, doubleArg("longitude"), doubleArg("latitude"))
	}
	args = append(append(args, doubleArg("radius"), geoUnitArg), geoWithArgs...)
	args = append(args, geoCountArg, geoOrderArg)
	if store {
		args = append(args, oneofArg("store",
			Arg{Name: "storekey", Type: "key", KeySpec: 2, Token: "STORE"},
			Arg{Name: "storedistkey", Type: "key", KeySpec: 3, Token: "STOREDIST"}).optional())
	}
	return args
}

// geoStoreKeys are the keys of a command that may store what it finds; its options
// begin at an argument.
func geoStoreKeys(options int) []KeySpec {
	return []KeySpec{
		{Flags: RO | Access, Index: 1, Step: 1},
		{Flags: OW | Update, Index: options, Keyword: "STORE", Step: 1},
		{Flags: OW | Update, Index: options, Keyword: "STOREDIST", Step: 1},
	}
}

// geoCommands are the commands on places.
var geoCommands = []*Command{
	{
		Name: "geoadd", Arity: -5, Flags: Write | DenyOOM, Reach: ReachOne, Group: "geo",
		Keys: one(RW | Update), Run: runGeoAdd,
		Doc: Doc{
			Summary: "Adds members with places, or changes the places of those there are.",
			Since:   "3.2.0", Complexity: zsetAddCost,
			Args: []Arg{
				keyArg,
				oneofArg("condition", wordArg("nx", "NX"), wordArg("xx", "XX")).optional().since("6.2.0"),
				wordArg("change", "CH").optional().since("6.2.0"),
				blockArg("longitude_latitude_member", doubleArg("longitude"), doubleArg("latitude"), stringArg("member")).multiple(),
			},
			History: [][2]string{{"6.2.0", "`CH`, `NX` and `XX` came."}},
		},
	},
	{
		Name: "geopos", Arity: -2, Flags: ReadOnly, Reach: ReachOne, Group: "geo",
		Keys: one(RO | Access), Run: runGeoPos,
		Doc: Doc{
			Summary: "Returns the places of members.",
			Since:   "3.2.0", Complexity: "O(N) where N is the number of members asked for.",
			Args: []Arg{keyArg, stringArg("member").optional().multiple()},
		},
	},
	{
		Name: "geodist", Arity: -4, Flags: ReadOnly, Reach: ReachOne, Group: "geo",
		Keys: one(RO | Access), Run: runGeoDist,
		Doc: Doc{
			Summary: "Returns the distance of two members.",
			Since:   "3.2.0", Complexity: constant,
			Args: []Arg{keyArg, stringArg("member1"), stringArg("member2"), geoUnitArg.optional()},
		},
	},
	{
		Name: "geohash", Arity: -2, Flags: ReadOnly, Reach: ReachOne, Group: "geo",
		Keys: one(RO | Access), Run: runGeoHash,
		Doc: Doc{
			Summary: "Returns the places of members as geohashes.",
			Since:   "3.2.0", Complexity: "O(N) where N is the number of members asked for.",
			Args: []Arg{keyArg, stringArg("member").optional().multiple()},
		},
	},
	{
		Name: "geosearch", Arity: -7, Flags: ReadOnly, Reach: ReachOne, Group: "geo",
		Keys: one(RO | Access), Run: runGeoSearch,
		Doc: Doc{
			Summary: "Finds members within a circle, a box or a polygon.",
			Since:   "6.2.0", Complexity: geoCost,
			Args:    append([]Arg{keyArg}, geoSearchArgs(true)...),
			History: [][2]string{{"7.0.0", "Units may be in upper case."}, {"9.0.0", "`BYPOLYGON` came."}},
		},
	},
	{
		Name: "geosearchstore", Arity: -8, Flags: Write | DenyOOM, Reach: ReachMany, Group: "geo",
		Keys: []KeySpec{{Flags: OW | Update, Index: 1, Step: 1}, {Flags: RO | Access, Index: 2, Step: 1}}, Run: runGeoSearchStore,
		Doc: Doc{
			Summary: "Stores the members within a circle, a box or a polygon.",
			Since:   "6.2.0", Complexity: geoCost,
			Args: append([]Arg{
				{Name: "destination", Type: "key", KeySpec: 1}, {Name: "source", Type: "key", KeySpec: 2},
			}, geoSearchArgs(false)...),
			History: [][2]string{{"7.0.0", "Units may be in upper case."}, {"9.0.0", "`BYPOLYGON` came."}},
		},
	},
	{
		Name: "georadius", Arity: -6, Flags: Write | DenyOOM | MovableKeys, Reach: ReachMany, Group: "geo",
		Keys: geoStoreKeys(6), Run: runGeoRadius,
		Doc: Doc{
			Summary: "Finds, or stores, members within a circle.",
			Since:   "3.2.0", Complexity: geoCost,
			Args:       geoRadiusArgs(false, true),
			History:    [][2]string{{"6.2.0", "`ANY` came for `COUNT`."}, {"7.0.0", "Units may be in upper case."}},
			Deprecated: "6.2.0", ReplacedBy: "`GEOSEARCH` and `GEOSEARCHSTORE` with the `BYRADIUS` argument",
		},
	},
	{
		Name: "georadius_ro", Arity: -6, Flags: ReadOnly, Reach: ReachOne, Group: "geo",
		Keys: one(RO | Access), Run: runGeoRadiusRO,
		Doc: Doc{
			Summary: "Finds members within a circle.",
			Since:   "3.2.10", Complexity: geoCost,
			Args:       geoRadiusArgs(false, false),
			History:    [][2]string{{"6.2.0", "`ANY` came for `COUNT`."}, {"7.0.0", "Units may be in upper case."}},
			Deprecated: "6.2.0", ReplacedBy: "`GEOSEARCH` with the `BYRADIUS` argument",
		},
	},
	{
		Name: "georadiusbymember", Arity: -5, Flags: Write | DenyOOM | MovableKeys, Reach: ReachMany, Group: "geo",
		Keys: geoStoreKeys(5), Run: runGeoRadiusByMember,
		Doc: Doc{
			Summary: "Finds, or stores, members within a circle around one.",
			Since:   "3.2.0", Complexity: geoCost,
			Args:       geoRadiusArgs(true, true),
			History:    [][2]string{{"6.2.0", "`ANY` came for `COUNT`."}, {"7.0.0", "Units may be in upper case."}},
			Deprecated: "6.2.0", ReplacedBy: "`GEOSEARCH` and `GEOSEARCHSTORE` with the `BYRADIUS` and `FROMMEMBER` arguments",
		},
	},
	{
		Name: "georadiusbymember_ro", Arity: -5, Flags: ReadOnly, Reach: ReachOne, Group: "geo",
		Keys: one(RO | Access), Run: runGeoRadiusByMemberRO,
		Doc: Doc{
			Summary: "Finds members within a circle around one.",
			Since:   "3.2.10", Complexity: geoCost,
			Args:       geoRadiusArgs(true, false),
			History:    [][2]string{{"6.2.0", "`ANY` came for `COUNT`."}, {"7.0.0", "Units may be in upper case."}},
			Deprecated: "6.2.0", ReplacedBy: "`GEOSEARCH` with the `BYRADIUS` and `FROMMEMBER` arguments",
		},
	},
}
