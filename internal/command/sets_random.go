package command

import (
	"math"

	"sherd/internal/store/dash"
	"sherd/internal/store/set"
	"sherd/internal/store/value"
	"sherd/internal/wire/resp"
)

const errRandomCount = "ERR value is out of range, value must between -9223372036854775807 and 9223372036854775807"

// randomCount reads how many members or fields are to be drawn.
func (x *Ctx) randomCount(arg []byte) (n int64, ok bool) {
	n, ok = resp.ParseInt64(arg)
	switch {
	case !ok:
		x.Error(errNotInteger)
	case n == math.MinInt64:
		x.Error(errRandomCount)
		ok = false
	}
	return n, ok
}

func runSRandMember(x *Ctx) {
	switch len(x.Args) {
	case 2:
		s, ok, wrong := x.readSet(&x.Keys[0])
		size := 0
		if ok {
			size = s.Len()
		}
		switch {
		case wrong:
		case size > 0:
			var scratch [24]byte
			m, _ := x.drawMember(&s, size, &scratch)
			x.Bulk(m)
		default:
			x.Null()
		}
		return
	case 3:
	default:
		x.Syntax()
		return
	}
	count, ok := x.randomCount(x.Args[2])
	if !ok {
		return
	}
	s, ok, wrong := x.readSet(&x.Keys[0])
	if wrong {
		return
	}
	size := int64(0)
	if ok {
		size = int64(s.Len())
	}
	if size == 0 || count == 0 {
		x.Array(0)
		return
	}
	d := memberDraw{s: s, left: count, size: int(size)}
	switch {
	case count < 0:
		d.left = -count
	case count >= size:
		d.left, d.pass, d.of = size, true, size
	default:
		// Few of many are drawn and doubles left out; else one pass chooses.
		d.of = size
		d.pass = s.Encoding() != set.Hashed || count > size/drawShare || s.Held() != int(size)
		d.distinct = !d.pass
	}
	if d.pass {
		d.it = s.Iter()
	}
	x.Array(int(d.left))
	if !d.Step(x) {
		later := d
		x.KeepLatched(&later)
	}
}

// drawShare: a pass over everything is made for more than the eighth part.
const drawShare = 8

// drawMember draws a member of a set that has size members, at least one. Those whose
// deadline has passed are drawn again, but not forever.
func (x *Ctx) drawMember(s *set.Set, size int, scratch *[24]byte) (m []byte, place uint64) {
	for range 64 {
		var ok bool
		if m, place, ok = s.Random(x.L.Rand.Uint64(), scratch); ok {
			return m, place
		}
	}
	it := s.Iter()
	for n := x.L.Rand.IntN(size); n >= 0 && it.Next(); n-- {
	}
	return append(scratch[:0], it.Bytes()...), 0
}

// memberDraw is a SRANDMEMBER with a count under way.
type memberDraw struct {
	s        set.Set
	size     int   // members there are
	left     int64 // members to reply
	distinct bool  // no member twice
	drawn    drawn
	pass     bool // they are chosen in one pass over all
	of       int64
	it       set.Iter
}

// Step replies the next members.
func (d *memberDraw) Step(x *Ctx) bool {
	for range streamStep {
		if d.left == 0 {
			return true
		}
		if d.pass {
			// Each of those to come is chosen with the same chance.
			if !d.it.Next() {
				return true
			}
			if x.L.Rand.Int64N(d.of) < d.left {
				x.Bulk(d.it.Bytes())
				d.left--
			}
			d.of--
			continue
		}
		var scratch [24]byte
		m, place := x.drawMember(&d.s, d.size, &scratch)
		if d.distinct && !d.drawn.add(place) {
			continue
		}
		x.Bulk(m)
		d.left--
	}
	return d.left == 0
}

// drawn is the places that have been drawn.
type drawn struct {
	n    int
	few  [32]uint64
	many map[uint64]struct{}
}

// add reports false if the place had been drawn before.
func (d *drawn) add(place uint64) bool {
	if d.many == nil {
		for _, p := range d.few[:d.n] {
			if p == place {
				return false
			}
		}
		if d.n < len(d.few) {
			d.few[d.n] = place
			d.n++
			return true
		}
		d.many = make(map[uint64]struct{}, 4*len(d.few))
		for _, p := range d.few {
			d.many[p] = struct{}{}
		}
	}
	before := len(d.many)
	d.many[place] = struct{}{}
	return len(d.many) > before
}

func runSPop(x *Ctx) {
	var d setEdit
	if len(x.Args) > 3 {
		x.Syntax()
		return
	}
	count, counted := int64(1), len(x.Args) == 3
	if counted {
		n, ok := resp.ParseInt64(x.Args[2])
		if !ok || n < 0 {
			x.Error(errPositive)
			return
		}
		count = n
	}
	if !x.editSet(&x.Keys[0], &d) {
		return
	}
	size := int64(0)
	if d.exists {
		size = int64(d.Len())
	}
	switch {
	case size == 0 && !counted:
		x.Null()
		return
	case size == 0 || count == 0:
		x.SetOf(0)
		return
	}
	if counted {
		x.SetOf(int(min(count, size)))
	}
	x.Changed(min(count, size))
	if count >= size {
		x.popAll(&d)
		return
	}
	p := memberPop{e: d.e, s: d.Set, left: count, sweeps: d.Held() != int(size)}
	if !p.Step(x) {
		later := p
		x.KeepLatched(&later)
	}
}

// popAll replies all members and takes the key away.
func (x *Ctx) popAll(d *setEdit) {
	x.Vacate(d.k, d.e)
	r := popStream{
		memberStream: memberStream{it: d.Iter()},
		k:            Key{Slice: d.k.Slice},
		v:            value.Handle{Kind: dash.Set, Encoding: d.Encoding(), Ref: d.Ref()},
	}
	if !r.Step(x) {
		later := r
		x.KeepLatched(&later)
	}
}

// popStream replies the members of a set that no key has any more.
type popStream struct {
	memberStream
	k Key
	v value.Handle
}

// Step replies the next members, and frees the set in the end.
func (r *popStream) Step(x *Ctx) bool {
	if !r.memberStream.Step(x) {
		return false
	}
	r.k.Slice.Drop(r.v)
	return true
}

// memberPop is a SPOP under way.
type memberPop struct {
	e    dash.Entry
	s    set.Set
	left int64 // less than there are

	// Members whose deadline has passed go first, so that none is drawn.
	sweeps bool
}

// popSweep is how many buckets of a table a step sweeps.
const popSweep = 256

// Step replies and removes the next members.
func (p *memberPop) Step(x *Ctx) bool {
	if p.sweeps {
		_, _, p.sweeps = p.s.Expire(popSweep)
		x.Rehome(p.e, p.s.Encoding(), p.s.Ref())
		if p.sweeps {
			return false
		}
	}
	for range min(p.left, streamStep) {
		var scratch [24]byte
		m, _, _ := p.s.Random(x.L.Rand.Uint64(), &scratch)
		x.Bulk(m)
		// What was drawn lies in the set; the reply has a copy that stays.
		p.s.Remove(x.Out[len(x.Out)-2-len(m) : len(x.Out)-2])
	}
	p.left -= min(p.left, streamStep)
	x.Rehome(p.e, p.s.Encoding(), p.s.Ref())
	return p.left == 0
}
