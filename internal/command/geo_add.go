package command

import (
	"math"
	"strconv"

	"sherd/internal/geo"
	"sherd/internal/store/zset"
	"sherd/internal/wire/resp"
)

const (
	errGeoUnit   = "ERR unsupported unit provided. please use M, KM, FT, MI"
	errGeoDecode = "ERR could not decode requested zset member"
)

// place reads a longitude and a latitude; false: the error has been replied.
func (x *Ctx) place(lon, lat []byte) (p geo.Place, ok bool) {
	if p.Longitude, ok = resp.ParseDouble(lon); ok {
		p.Latitude, ok = resp.ParseDouble(lat)
	}
	if !ok {
		x.Error(errNotFloat)
		return p, false
	}
	if !p.Valid() {
		b := append([]byte(nil), "ERR invalid longitude,latitude pair "...)
		b = appendSix(b, p.Longitude)
		b = appendSix(append(b, ','), p.Latitude)
		x.Error(string(b))
		return p, false
	}
	return p, true
}

// appendSix is C's "%f".
func appendSix(b []byte, f float64) []byte {
	if f-f != 0 {
		return resp.AppendDoubleText(b, f)
	}
	return strconv.AppendFloat(b, f, 'f', 6, 64)
}

// unit reads a unit of length and returns its meters; false: the error has been
// replied.
func (x *Ctx) unit(b []byte) (meters float64, ok bool) {
	switch {
	case is(b, "M"):
		return 1, true
	case is(b, "KM"):
		return 1000, true
	case is(b, "FT"):
		return 0.3048, true
	case is(b, "MI"):
		return 1609.34, true
	}
	x.Error(errGeoUnit)
	return 0, false
}

func runGeoAdd(x *Ctx) {
	var o zadd
	first := 2
	for ; first < len(x.Args); first++ {
		if a := x.Args[first]; !is(a, "NX") && !is(a, "XX") && !is(a, "CH") {
			break
		} else {
			o.option(a)
		}
	}
	triples := x.Args[first:]
	if len(triples)%3 != 0 || o.nx && o.xx {
		x.Syntax()
		return
	}
	var fewScores [16]float64
	var fewPairs [32][]byte
	scores, pairs := fewScores[:0], fewPairs[:0]
	for i := 0; i < len(triples); i += 3 {
		p, ok := x.place(triples[i], triples[i+1])
		if !ok {
			return
		}
		scores = append(scores, float64(geo.Encode(p)))
		pairs = append(pairs, nil, triples[i+2])
	}
	if len(scores) == 0 {
		x.Syntax()
		return
	}
	var d zsetEdit
	if !x.editZSet(&x.Keys[0], &d) {
		return
	}
	if !d.there && !o.xx {
		var ok bool
		if d.Set, ok = x.makeZSet(d.k, len(pairs[1])); !ok {
			return
		}
	}
	x.zaddTo(&d, &o, pairs, scores)
}

// placeOf is where a member is; false: there is none, or its score is no place.
func placeOf(s *zset.Set, m []byte) (p geo.Place, ok bool) {
	var at zset.Spot
	score, ok := s.Find(m, &at)
	if !ok {
		return p, false
	}
	return geo.Decode(hashOf(score)), true
}

// hashOf is the hash that a score is, converted as C does: what is negative or
// too large has no meaning, but it has a result.
func hashOf(score float64) uint64 {
	switch {
	case score >= 1<<63:
		if score < 1<<64 {
			return uint64(score-1<<63) + 1<<63
		}
		return 0
	case score > -1<<63:
		return uint64(int64(score))
	}
	return 1 << 63
}

func runGeoPos(x *Ctx)  { x.replyPlaces(false) }
func runGeoHash(x *Ctx) { x.replyPlaces(true) }

// replyPlaces replies where each of the members named is: as text, or as longitude
// and latitude.
func (x *Ctx) replyPlaces(asText bool) {
	s, exists, wrong := x.readZSet(&x.Keys[0])
	if wrong {
		return
	}
	members := x.Args[2:]
	x.Array(len(members))
	for _, m := range members {
		var at zset.Spot
		score, ok := 0.0, exists
		if ok {
			score, ok = s.Find(m, &at)
		}
		switch {
		case ok && asText:
			var text [16]byte
			x.Bulk(geo.AppendText(text[:0], hashOf(score)))
		case ok:
			x.position(geo.Decode(hashOf(score)))
		case asText:
			x.Null()
		default:
			x.NullArray()
		}
	}
}

// position replies a place.
func (x *Ctx) position(p geo.Place) {
	x.Array(2)
	x.coordinate(p.Longitude)
	x.coordinate(p.Latitude)
}

// coordinate replies a number with up to 17 digits after the point.
func (x *Ctx) coordinate(f float64) {
	var space [64]byte
	b := strconv.AppendFloat(space[:0], f, 'f', 17, 64)
	for b[len(b)-1] == '0' {
		b = b[:len(b)-1]
	}
	if b[len(b)-1] == '.' {
		b = b[:len(b)-1]
	}
	if string(b) == "-0" {
		b = b[1:]
	}
	if x.C.Proto < 3 {
		x.Bulk(b)
		return
	}
	x.Out = append(x.Out, ',')
	x.Out = append(x.Out, b...)
	x.Out = append(x.Out, "\r\n"...)
}

// distance replies a length with four digits after the point.
func (x *Ctx) distance(d float64) {
	var space [400]byte
	x.Bulk(appendFourth(space[:0], d))
}

// appendFourth rounds to four digits, after the product is rounded itself.
func appendFourth(b []byte, d float64) []byte {
	n := uint64(int64(math.RoundToEven(d * 10000)))
	b = strconv.AppendUint(b, n/10000, 10)
	b = append(b, '.')
	for unit := uint64(1000); unit > 0; unit /= 10 {
		b = append(b, '0'+byte(n/unit%10))
	}
	return b
}

func runGeoDist(x *Ctx) {
	meters := 1.0
	switch {
	case len(x.Args) > 5:
		x.Syntax()
		return
	case len(x.Args) == 5:
		var ok bool
		if meters, ok = x.unit(x.Args[4]); !ok {
			return
		}
	}
	s, ok, wrong := x.readZSet(&x.Keys[0])
	if wrong {
		return
	}
	var p, q geo.Place
	if ok {
		p, ok = placeOf(&s, x.Args[2])
	}
	if ok {
		q, ok = placeOf(&s, x.Args[3])
	}
	if !ok {
		x.Null()
		return
	}
	x.distance(geo.Exact(p, q) / meters)
}
