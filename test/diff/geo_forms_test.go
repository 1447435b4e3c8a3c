package diff

import (
	"math"
	"strconv"
)

// geoKeys hold places, or nothing: few, and many. Searches with any order are
// compared as such: the order of equals, and of what is unsorted, is Redis' own.
var geoKeys = []string{"p:0", "p:1", "p:big"}

// town is a place: near a few points, or anywhere.
func (g *gen) town() (lon, lat string) {
	x, y := float64(g.IntN(360_000_000))/1e6-180, float64(g.IntN(170_000_000))/1e6-85
	switch g.IntN(5) {
	case 0, 1:
		x, y = 15+float64(g.IntN(2_000_000)-1_000_000)/1e6, 37+float64(g.IntN(2_000_000)-1_000_000)/1e6
	case 2:
		x, y = -73.9+float64(g.IntN(20_000)-10_000)/1e6, 40.7+float64(g.IntN(20_000)-10_000)/1e6
	case 3:
		if g.IntN(6) == 0 {
			lon = strconv.FormatFloat(x, 'f', 6, 64) // no two at one place: nothing says which comes first
			return lon, g.pick([]string{"80", "-80", "0", "66", "85.05112878", "-85.05112878"})
		}
	case 4:
		switch g.IntN(4) {
		case 0: // near the poles, where Redis' cells are wider than its estimate
			y = 80 + float64(g.IntN(5_051_128))/1e6
			if g.IntN(2) == 0 {
				y = -y
			}
		case 1: // at the edge of the map
			x = math.Copysign(180, x)
		}
	}
	return strconv.FormatFloat(x, 'f', 6, 64), strconv.FormatFloat(y, 'f', 6, 64)
}

func (g *gen) townName() string { return "t" + strconv.Itoa(g.IntN(40)) }

func geoAdding(options ...string) func(g *gen) []string {
	return func(g *gen) []string {
		k := g.pick(geoKeys)
		n, names := 4, 40
		if k == "p:big" {
			n, names = 60, 400
		}
		args := append([]string{"GEOADD", k}, options...)
		for range 1 + g.IntN(n) {
			lon, lat := g.town()
			args = append(args, lon, lat, "t"+strconv.Itoa(g.IntN(names)))
		}
		return args
	}
}

func (g *gen) length() []string {
	return []string{strconv.Itoa(1 + g.IntN(1000)), g.pick([]string{"m", "km", "KM", "ft", "mi", "km", "km"})}
}

// where is the center and the shape of a GEOSEARCH.
func (g *gen) where() (args []string) {
	lon, lat := g.town()
	args = append(args, "FROMLONLAT", lon, lat)
	if g.IntN(2) == 0 {
		return append(append(args, "BYRADIUS"), g.length()...)
	}
	return append(append(args, "BYBOX", strconv.Itoa(1+g.IntN(2000))), g.length()...)
}

// geoSearching is a GEOSEARCH with options.
func geoSearching(options ...string) func(g *gen) []string {
	return func(g *gen) []string {
		return append(append([]string{"GEOSEARCH", g.pick(geoKeys)}, g.where()...), options...)
	}
}

var geoForms = []form{
	{name: "GEOADD", weight: 10, gen: geoAdding()},
	{name: "GEOADD CH", weight: 3, gen: geoAdding("CH")},
	{name: "GEOADD NX", weight: 3, gen: geoAdding("nx")},
	{name: "GEOADD XX CH", weight: 3, gen: geoAdding("XX", "CH")},
	{name: "GEOPOS", weight: 5, gen: func(g *gen) []string { return []string{"GEOPOS", g.pick(geoKeys), g.townName(), g.townName()} }},
	{name: "GEOHASH", weight: 5, gen: func(g *gen) []string { return []string{"GEOHASH", g.pick(geoKeys), g.townName(), g.townName()} }},
	{name: "GEOHASH of scores", weight: 2, gen: func(g *gen) []string { return []string{"GEOHASH", g.pick(lexKeys), g.lexMember(), g.lexMember()} }},
	{name: "GEODIST", weight: 6, gen: func(g *gen) []string { return []string{"GEODIST", g.pick(geoKeys), g.townName(), g.townName()} }},
	{name: "GEODIST unit", weight: 5, gen: func(g *gen) []string {
		return []string{"GEODIST", g.pick(geoKeys), g.townName(), g.townName(), g.pick([]string{"m", "km", "ft", "MI"})}
	}},
	{name: "GEOSEARCH", weight: 6, how: unordered, gen: geoSearching()},
	{name: "GEOSEARCH WITH", weight: 6, how: unordered, gen: geoSearching("WITHDIST", "WITHCOORD", "withhash")},
	{name: "GEOSEARCH ASC", weight: 4, gen: geoSearching("ASC", "WITHDIST")},
	{name: "GEOSEARCH DESC COUNT", weight: 4, gen: geoSearching("DESC", "COUNT", "5", "WITHDIST")},
	{name: "GEOSEARCH COUNT", weight: 4, gen: geoSearching("COUNT", "3", "WITHDIST")},
	{name: "GEOSEARCH COUNT ANY", weight: 3, gen: geoSearching("COUNT", "3", "ANY")},
	{name: "GEOSEARCH FROMMEMBER", weight: 5, mixed: true, how: unordered, gen: func(g *gen) []string {
		return append([]string{"GEOSEARCH", g.pick(geoKeys), "FROMMEMBER", g.townName(), "BYRADIUS"}, append(g.length(), "WITHDIST")...)
	}},
	{name: "GEOSEARCHSTORE", weight: 3, gen: func(g *gen) []string {
		return append([]string{"GEOSEARCHSTORE", g.free(), g.pick(geoKeys)}, g.where()...)
	}},
	{name: "GEOSEARCHSTORE STOREDIST", weight: 3, gen: func(g *gen) []string {
		k := g.free()
		// Not the distances themselves: the C library's sine is not always the number
		// nearest to the true one. WITHDIST compares them to four digits.
		g.follow("ZRANGE", k, "0", "-1")
		g.follow("DEL", k)
		return append(append([]string{"GEOSEARCHSTORE", k, g.pick(geoKeys)}, g.where()...), "STOREDIST")
	}},
	{name: "GEORADIUS", weight: 4, how: unordered, gen: func(g *gen) []string {
		lon, lat := g.town()
		return append([]string{"GEORADIUS", g.pick(geoKeys), lon, lat}, append(g.length(), "WITHDIST", "WITHCOORD")...)
	}},
	{name: "GEORADIUS_RO", weight: 2, gen: func(g *gen) []string {
		lon, lat := g.town()
		return append([]string{"GEORADIUS_RO", g.pick(geoKeys), lon, lat}, append(g.length(), "ASC")...)
	}},
	{name: "GEORADIUS STORE", weight: 3, gen: func(g *gen) []string {
		lon, lat := g.town()
		return append([]string{"GEORADIUS", g.pick(geoKeys), lon, lat}, append(g.length(), "STORE", g.free())...)
	}},
	{name: "GEORADIUSBYMEMBER", weight: 3, mixed: true, gen: func(g *gen) []string {
		return append([]string{"GEORADIUSBYMEMBER", g.pick(geoKeys), g.townName()}, append(g.length(), "ASC", "WITHHASH")...)
	}},
	{name: "GEORADIUSBYMEMBER_RO", weight: 2, mixed: true, gen: func(g *gen) []string {
		return append([]string{"GEORADIUSBYMEMBER_RO", g.pick(geoKeys), g.townName()}, append(g.length(), "DESC")...)
	}},
	wrong(
		"error geo", 4, "GEOADD K 1 2", "GEOADD K 200 0 a", "GEOADD K 0 86 a", "GEOADD K x 0 a", "GEOADD K NX XX 1 1 a", "GEOADD K 1 1 a 2", "GEODIST K a b cm", "GEODIST K a b m m",
		"GEOSEARCH none:0 FROMLONLAT 1 1 BYRADIUS x m", "GEOSEARCH none:0 FROMLONLAT 1 1 BYRADIUS -1 m", "GEOSEARCH none:0 FROMLONLAT 1 1 BYRADIUS 1 cm", "GEOSEARCH none:0 BYRADIUS 1 m ASC DESC", "GEOSEARCH none:0 FROMLONLAT 1 1 ASC DESC",
		"GEOSEARCH none:0 FROMLONLAT 1 1 FROMMEMBER a BYRADIUS 1 m", "GEOSEARCH none:0 FROMLONLAT 1 1 BYBOX 1 -1 m", "GEOSEARCH none:0 FROMLONLAT 1 1 BYBOX x 1 m", "GEOSEARCH none:0 FROMLONLAT 1 1 BYBOX 1 1 m BYRADIUS 1 m",
		"GEOSEARCH none:0 FROMLONLAT 1 1 BYRADIUS 1 m COUNT 0", "GEOSEARCH none:0 FROMLONLAT 1 1 BYRADIUS 1 m COUNT x", "GEOSEARCH none:0 FROMLONLAT 1 1 BYRADIUS 1 m ANY", "GEOSEARCH none:0 FROMLONLAT 1 1 BYRADIUS 1 m STOREDIST",
		"GEOSEARCH none:0 FROMLONLAT 1 1 BYRADIUS 1 m FOO", "GEOSEARCHSTORE none:1 none:0 FROMLONLAT 1 1 BYRADIUS 1 m WITHDIST", "GEORADIUS none:0 1 1 1 m STORE none:1 WITHDIST", "GEORADIUS none:0 1 1 1 m STORE", "GEORADIUS none:0 1 100 1 m",
		"GEORADIUS_RO none:0 1 1 1 m STORE none:1", "GEORADIUS none:0 1 1 1 m FOO", "GEORADIUSBYMEMBER none:0 a 1 m FOO",
	),
}
