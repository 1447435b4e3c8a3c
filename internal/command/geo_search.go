package command

import (
	"bytes"
	"cmp"
	"math"
	"slices"

	"sherd/internal/geo"
	"sherd/internal/store/zset"
	"sherd/internal/wire/resp"
)

// geoForm is what a command that searches says by its name.
type geoForm struct {
	radius   bool // GEORADIUS and its kin: the circle stands before the options
	byMember bool
	readOnly bool
	store    bool // GEOSEARCHSTORE
}

func runGeoSearch(x *Ctx)         { x.geoSearch(geoForm{}) }
func runGeoSearchStore(x *Ctx)    { x.geoSearch(geoForm{store: true}) }
func runGeoRadius(x *Ctx)         { x.geoSearch(geoForm{radius: true}) }
func runGeoRadiusRO(x *Ctx)       { x.geoSearch(geoForm{radius: true, readOnly: true}) }
func runGeoRadiusByMember(x *Ctx) { x.geoSearch(geoForm{radius: true, byMember: true}) }
func runGeoRadiusByMemberRO(x *Ctx) {
	x.geoSearch(geoForm{radius: true, byMember: true, readOnly: true})
}

// geoQuery is a search.
type geoQuery struct {
	shape                         geo.Shape
	meters                        float64 // of the unit
	withDist, withHash, withCoord bool
	fromMember, fromPlace         bool
	byRadius, byBox, byPolygon    bool
	any, descending, sorted       bool
	count                         int64
	storeKey                      *Key
	storeDist                     bool
	set                           zset.Set
	exists                        bool
	first                         int // argument of the first option

	stage  geoStage
	space  [9]geo.Range
	ranges int  // of space that are used
	next   int  // of them, the first that is not done
	begun  bool // it is under way, at it
	it     zset.Iter
	hits   []geoHit
	left   int // hits that are wanted
	merge  *mergeSort[geoHit]
	at     int // hit to be replied or stored next
	made   zset.Set
}

type geoStage uint8

const (
	geoFinds geoStage = iota
	geoSorts
	geoEnds // replies or stores
)

// geoHit is a place that was found.
type geoHit struct {
	member   []byte // aliases the set, but for integers in small ones
	score    float64
	place    geo.Place
	distance float64 // m
}

func (x *Ctx) geoSearch(f geoForm) {
	q := geoQuery{meters: 1}
	source := &x.Keys[0]
	if f.store {
		source, q.storeKey = &x.Keys[1], &x.Keys[0]
	}
	var wrong bool
	if q.set, q.exists, wrong = x.readZSet(source); wrong {
		return
	}
	if !x.geoCircle(&q, f) || !x.geoOptions(&q, f) || !x.geoComplete(&q, f) {
		return
	}
	if !q.exists {
		if q.storeKey != nil {
			x.storeZSet(q.storeKey, nil)
		} else {
			x.Array(0)
		}
		return
	}
	if q.count != 0 && !q.sorted && !q.any {
		q.sorted = true // the nearest, unless any will do
	}
	q.hits = x.L.hits[:0]
	q.ranges = len(q.shape.Cover(&q.space))
	if q.Step(x) {
		x.L.hits = q.hits[:0]
		return
	}
	later := q
	later.hits = slices.Clone(q.hits)
	if q.storeKey != nil {
		k := *q.storeKey
		k.Bytes = bytes.Clone(k.Bytes)
		later.storeKey = &k
	}
	x.KeepLatched(&later)
}

// geoStep is how many places a step looks at.
const geoStep = 4096

// Step goes on with the search: places are found, sorted, and replied or stored.
func (q *geoQuery) Step(x *Ctx) bool {
	switch q.stage {
	case geoFinds:
		if !q.find(geoStep) {
			return false
		}
		q.left = len(q.hits)
		if q.count != 0 {
			q.left = int(min(int64(q.left), q.count))
		}
		if q.stage = geoEnds; !q.sorted {
			break
		}
		compare := nearestFirst
		if q.descending {
			compare = farthestFirst
		}
		if len(q.hits) <= sortRun {
			slices.SortStableFunc(q.hits, compare)
			break
		}
		q.merge = &mergeSort[geoHit]{items: q.hits, compare: compare}
		q.stage = geoSorts
		return false
	case geoSorts:
		if !q.merge.step() {
			return false
		}
		q.hits, q.merge = q.merge.items, nil
		q.stage = geoEnds
		return false
	}
	q.hits = q.hits[:q.left]
	if q.storeKey != nil {
		return x.geoStore(q)
	}
	return x.geoReply(q)
}

func nearestFirst(a, b geoHit) int  { return cmp.Compare(a.distance, b.distance) }
func farthestFirst(a, b geoHit) int { return cmp.Compare(b.distance, a.distance) }

// geoCircle reads what stands before the options; false: the error has been
// replied.
func (x *Ctx) geoCircle(q *geoQuery, f geoForm) (ok bool) {
	switch {
	case f.store:
		q.first = 3
		return true
	case !f.radius:
		q.first = 2
		return true
	case f.byMember:
		q.first = 5
		if !q.exists {
			return true
		}
		if q.shape.Center, ok = placeOf(&q.set, x.Args[2]); !ok {
			x.Error(errGeoDecode)
			return false
		}
	default:
		q.first = 6
		if q.shape.Center, ok = x.place(x.Args[2], x.Args[3]); !ok {
			return false
		}
	}
	return x.geoRadius(q, x.Args[q.first-2], x.Args[q.first-1])
}

func (x *Ctx) geoRadius(q *geoQuery, radius, unit []byte) (ok bool) {
	r, ok := resp.ParseDouble(radius)
	switch {
	case !ok:
		x.Error("ERR need numeric radius")
		return false
	case r < 0:
		x.Error("ERR radius cannot be negative")
		return false
	}
	if q.meters, ok = x.unit(unit); !ok {
		return false
	}
	q.shape.Kind, q.shape.Radius = geo.Circle, r*q.meters
	return true
}

func (x *Ctx) geoBox(q *geoQuery, width, height, unit []byte) (ok bool) {
	w, ok := resp.ParseDouble(width)
	if !ok {
		x.Error("ERR need numeric width")
		return false
	}
	h, ok := resp.ParseDouble(height)
	switch {
	case !ok:
		x.Error("ERR need numeric height")
		return false
	case w < 0 || h < 0:
		x.Error("ERR height or width cannot be negative")
		return false
	}
	if q.meters, ok = x.unit(unit); !ok {
		return false
	}
	q.shape.Kind, q.shape.Width, q.shape.Height = geo.Box, w*q.meters, h*q.meters
	return true
}

// geoPolygon reads a polygon: a count and its vertices. It returns how many
// arguments those were; false: the error has been replied.
func (x *Ctx) geoPolygon(q *geoQuery, args [][]byte) (used int, ok bool) {
	n, ok := resp.ParseInt64(args[0])
	switch {
	case !ok:
		x.Error(errNotInteger)
		return 0, false
	case n < 3:
		x.Error("ERR GEOSEARCH BYPOLYGON must have at least 3 vertices")
		return 0, false
	case n > int64(len(args)-1)/2:
		x.Syntax()
		return 0, false
	}
	vertices := make([]geo.Place, n)
	for i := range vertices {
		if vertices[i], ok = x.place(args[1+2*i], args[2+2*i]); !ok {
			return 0, false
		}
	}
	q.shape.SetVertices(vertices)
	return 1 + 2*int(n), true
}

// geoOptions reads the options; false: the error has been replied.
func (x *Ctx) geoOptions(q *geoQuery, f geoForm) bool {
	for i := q.first; i < len(x.Args); i++ {
		a, rest := x.Args[i], x.Args[i+1:]
		ok := true
		switch {
		case is(a, "WITHDIST"):
			q.withDist = true
		case is(a, "WITHHASH"):
			q.withHash = true
		case is(a, "WITHCOORD"):
			q.withCoord = true
		case is(a, "ANY"):
			q.any = true
		case is(a, "ASC"):
			q.sorted, q.descending = true, false
		case is(a, "DESC"):
			q.sorted, q.descending = true, true
		case is(a, "COUNT") && len(rest) >= 1:
			if q.count, ok = resp.ParseInt64(rest[0]); !ok {
				x.Error(errNotInteger)
				return false
			}
			if q.count <= 0 {
				x.Error("ERR COUNT must be > 0")
				return false
			}
			i++
		case f.radius && !f.readOnly && len(rest) >= 1 && (is(a, "STORE") || is(a, "STOREDIST")):
			q.storeDist = is(a, "STOREDIST")
			q.storeKey = x.keyAt(rest[0])
			i++
		case f.store && is(a, "STOREDIST"):
			q.storeDist = true
		case f.radius:
			x.Syntax()
			return false
		default:
			used := x.geoWhere(q, a, rest)
			if used < 0 {
				return false
			}
			i += used
		}
	}
	return true
}

// keyAt is the located key that an argument is.
func (x *Ctx) keyAt(b []byte) *Key {
	for i := len(x.Keys) - 1; i > 0; i-- {
		if string(x.Keys[i].Bytes) == string(b) {
			return &x.Keys[i]
		}
	}
	return &x.Keys[0] // the source and the destination are one
}

// geoWhere reads the options of GEOSEARCH that say where to look, and returns how
// many arguments followed; -1: the error has been replied.
func (x *Ctx) geoWhere(q *geoQuery, a []byte, rest [][]byte) int {
	ok := true
	switch {
	case is(a, "FROMMEMBER") && len(rest) >= 1 && !q.fromPlace && !q.byPolygon:
		q.fromMember = true
		if q.exists {
			if q.shape.Center, ok = placeOf(&q.set, rest[0]); !ok {
				x.Error(errGeoDecode)
				return -1
			}
		}
		return 1
	case is(a, "FROMLONLAT") && len(rest) >= 2 && !q.fromMember && !q.byPolygon:
		q.fromPlace = true
		if q.shape.Center, ok = x.place(rest[0], rest[1]); !ok {
			return -1
		}
		return 2
	case is(a, "BYRADIUS") && len(rest) >= 2 && !q.byBox && !q.byPolygon:
		q.byRadius = true
		if !x.geoRadius(q, rest[0], rest[1]) {
			return -1
		}
		return 2
	case is(a, "BYBOX") && len(rest) >= 3 && !q.byRadius && !q.byPolygon:
		q.byBox = true
		if !x.geoBox(q, rest[0], rest[1], rest[2]) {
			return -1
		}
		return 3
	case is(a, "BYPOLYGON") && len(rest) >= 1 && !q.byRadius && !q.byBox && !q.fromMember && !q.fromPlace:
		q.byPolygon = true
		used, ok := x.geoPolygon(q, rest)
		if !ok {
			return -1
		}
		return used
	}
	x.Syntax()
	return -1
}

// geoComplete tells whether the options go together; false: the error has been
// replied.
func (x *Ctx) geoComplete(q *geoQuery, f geoForm) bool {
	search := !f.radius
	switch {
	case q.storeKey != nil && (q.withDist || q.withHash || q.withCoord):
		name := "STORE option in GEORADIUS"
		if f.store {
			name = "GEOSEARCHSTORE"
		}
		x.Error("ERR " + name + " is not compatible with WITHDIST, WITHHASH and WITHCOORD options")
	case search && !q.byPolygon && !q.fromMember && !q.fromPlace:
		x.Error("ERR exactly one of FROMMEMBER or FROMLONLAT can be specified for " + string(x.Args[0]))
	case search && !q.byRadius && !q.byBox && !q.byPolygon:
		x.Error("ERR exactly one of BYRADIUS and BYBOX can be specified for " + string(x.Args[0]))
	case q.any && q.count == 0:
		x.Error("ERR the ANY argument requires COUNT argument")
	default:
		return true
	}
	return false
}

// find looks at up to n more places; it reports whether all have been looked at, or
// with ANY as many found as are wanted.
func (q *geoQuery) find(n int) (done bool) {
	for ; q.next < q.ranges; q.next, q.begun = q.next+1, false {
		r := q.space[q.next]
		if !q.begun {
			q.it, q.begun = q.set.Iter(q.set.CountScore(r.Min, false), false), true
		}
		for {
			if n--; n < 0 {
				return false
			}
			if !q.it.Next() {
				break
			}
			score := q.it.Score()
			if score >= r.Max {
				break
			}
			p := geo.Decode(hashOf(score))
			d, ok := q.shape.Contains(p)
			if !ok {
				continue
			}
			m, ok := q.it.Lasting()
			if !ok {
				m = append([]byte(nil), q.it.Member()...)
			}
			q.hits = append(q.hits, geoHit{m, score, p, d})
			if q.any && int64(len(q.hits)) >= q.count {
				return true
			}
		}
	}
	return true
}

// geoReplyStep is how many hits a step replies, or stores: exact distances take a
// microsecond each.
const geoReplyStep = 1024

// geoReply replies the next hits with what was asked for; it reports whether those
// were the last.
func (x *Ctx) geoReply(q *geoQuery) (done bool) {
	if q.at == 0 {
		x.Array(len(q.hits))
	}
	parts := 1
	for _, with := range [...]bool{q.withDist, q.withHash, q.withCoord} {
		if with {
			parts++
		}
	}
	for end := min(q.at+geoReplyStep, len(q.hits)); q.at < end; q.at++ {
		h := &q.hits[q.at]
		if parts > 1 {
			x.Array(parts)
		}
		x.Bulk(h.member)
		if q.withDist {
			x.distance(geo.Exact(q.shape.Center, h.place) / q.meters)
		}
		if q.withHash {
			x.Int(int64(h.score))
		}
		if q.withCoord {
			x.position(h.place)
		}
	}
	return q.at == len(q.hits)
}

// geoStore stores the next hits as a sorted set: their hashes, or their distances. It
// reports whether those were the last.
func (x *Ctx) geoStore(q *geoQuery) (done bool) {
	if len(q.hits) == 0 {
		x.storeZSet(q.storeKey, nil)
		return true
	}
	if q.at == 0 {
		// In the large form first: what it is in the end depends on all members.
		var ok bool
		if q.made, ok = x.makeZSet(q.storeKey, math.MaxInt); !ok {
			return true
		}
	}
	for end := min(q.at+geoReplyStep, len(q.hits)); q.at < end; q.at++ {
		score := q.hits[q.at].score
		if q.storeDist {
			score = geo.Exact(q.shape.Center, q.hits[q.at].place) / q.meters
		}
		var at zset.Spot
		m := q.hits[q.at].member
		if _, ok := q.made.Find(m, &at); ok {
			continue // cells may be neighbours on both sides
		}
		if !q.made.Insert(m, score, &at) {
			q.storeKey.Slice.Drop(zsetHandle(&q.made))
			x.outOfMemory()
			return true
		}
	}
	if q.at < len(q.hits) {
		return false
	}
	q.made.Pack()
	x.storeZSet(q.storeKey, &q.made)
	x.Changed(int64(len(q.hits)) - 1)
	return true
}
