package command

import (
	"encoding/binary"
	"math/bits"

	"github.com/zeebo/xxh3"

	"sherd/internal/store/stream"
	"sherd/internal/wire/resp"
)

// Of what is not documented of Redis' idempotent adding, this was decided: an entry
// is as old as its ID says; labels that are too old are forgotten when producers add
// something, some at a time; and XINFO STREAM tells of it all once it was used.

// idemOptions are what XADD says of who adds and what.
type idemOptions struct {
	producer, name []byte
	auto           bool
	sum            [16]byte // the name, if auto
	recorded       bool
}

func (o *idemOptions) given() bool { return o.producer != nil }

// idemOption reads IDMP or IDMPAUTO and returns how many arguments follow it; 0: the
// error has been replied.
func (x *Ctx) idemOption(o *idemOptions, at int) int {
	if o.given() {
		x.Error("ERR IDMP/IDMPAUTO specified multiple times")
		return 0
	}
	o.producer = x.Args[at+1]
	if o.auto = is(x.Args[at], "IDMPAUTO"); o.auto {
		if len(o.producer) == 0 {
			x.Error("ERR IDMPAUTO requires a non-empty producer ID")
			return 0
		}
		return 1
	}
	switch o.name = x.Args[at+2]; {
	case len(o.producer) == 0:
		x.Error("ERR IDMP requires a non-empty producer ID")
		return 0
	case len(o.name) == 0:
		x.Error("ERR IDMP requires a non-empty idempotent ID")
		return 0
	}
	return 2
}

// complete makes the name of an entry that was given none. It is the sum of the hashes
// of its pairs, so that their order does not matter.
func (o *idemOptions) complete(pairs [][]byte) {
	if !o.auto {
		return
	}
	var hi, lo uint64
	for i := 0; i < len(pairs); i += 2 {
		h := xxh3.Hash128Seed(pairs[i+1], xxh3.Hash(pairs[i]))
		var carry uint64
		lo, carry = bits.Add64(lo, h.Lo, 0)
		hi, _ = bits.Add64(hi, h.Hi, carry)
	}
	binary.BigEndian.PutUint64(o.sum[:], hi)
	binary.BigEndian.PutUint64(o.sum[8:], lo)
}

// label is the entry's name.
func (o *idemOptions) label() []byte {
	if o.auto {
		return o.sum[:]
	}
	return o.name
}

// addedBefore replies the ID of an entry that was added before.
func (x *Ctx) addedBefore(s *stream.Stream, o *idemOptions) bool {
	d, ok := s.Idem()
	if !ok {
		return false
	}
	id, ok := d.Find(o.producer, o.label(), x.Now)
	if ok {
		d.CountDuplicate()
		x.StreamID(id)
	}
	return ok
}

// recordAdding remembers an entry that is to be added, if it has a name; false: memory
// is exhausted.
func (x *Ctx) recordAdding(s *stream.Stream, o *idemOptions, id stream.ID) bool {
	if !o.given() {
		return true
	}
	d, ok := s.UseIdem(x.Conf.StreamIdemSeconds, x.Conf.StreamIdemMost)
	o.recorded = ok && d.Record(o.producer, o.label(), id, x.Now)
	return o.recorded
}

// forgetAdding takes recordAdding back.
func (x *Ctx) forgetAdding(s *stream.Stream, o *idemOptions) {
	if d, ok := s.Idem(); ok && o.recorded {
		d.Forget(o.producer, o.label())
	}
}

// What XCFGSET allows.
const (
	idemSecondsMost = 86_400
	idemLabelsMost  = 10_000
)

func runXCfgSet(x *Ctx) {
	if len(x.Args) == 2 {
		x.Error("ERR At least one parameter must be specified")
		return
	}
	var seconds, most int64 // 0: as it is
	for i := 2; i < len(x.Args); i += 2 {
		duration := is(x.Args[i], "IDMP-DURATION")
		if !duration && !is(x.Args[i], "IDMP-MAXSIZE") || i+1 == len(x.Args) {
			x.Syntax()
			return
		}
		n, ok := resp.ParseInt64(x.Args[i+1])
		switch {
		case !ok:
			x.Error(errNotInteger)
			return
		case duration && (n < 1 || n > idemSecondsMost):
			x.Error("ERR IDMP-DURATION must be between 1 and 86400 seconds")
			return
		case !duration && (n < 1 || n > idemLabelsMost):
			x.Error("ERR IDMP-MAXSIZE must be between 1 and 10000 entries")
			return
		case duration:
			seconds = n
		default:
			most = n
		}
	}
	s, ok, wrong := x.findStream(&x.Keys[0])
	if wrong {
		return
	}
	if !ok {
		x.Error(errNoKey)
		return
	}
	d, ok := s.UseIdem(x.Conf.StreamIdemSeconds, x.Conf.StreamIdemMost)
	if !ok {
		x.OutOfMemory()
		return
	}
	if seconds == 0 {
		seconds = d.Seconds()
	}
	if most == 0 {
		most = d.Most()
	}
	x.Changed(1)
	x.OK()
	if seconds == d.Seconds() && most == d.Most() {
		return
	}
	d.SetLimits(seconds, most)
	if !d.Clear(entriesStep) {
		x.KeepLatched(&idemClearing{d})
	}
}

// idemClearing is XCFGSET going on: what was remembered is forgotten.
type idemClearing struct{ d stream.Idem }

// Step forgets some labels.
func (c *idemClearing) Step(*Ctx) bool { return c.d.Clear(entriesStep) }

// runXIDMPRecord counts what it records as added, as whoever replays a log expects.
func runXIDMPRecord(x *Ctx) {
	id, ok := x.streamID(x.Args[4])
	if !ok {
		return
	}
	s, ok, wrong := x.findStream(&x.Keys[0])
	if wrong {
		return
	}
	producer, name := x.Args[2], x.Args[3]
	switch {
	case !ok:
		x.Error(errNoKey)
		return
	case len(producer) == 0:
		x.Error("ERR XIDMPRECORD requires a non-empty producer ID")
		return
	case len(name) == 0:
		x.Error("ERR XIDMPRECORD requires a non-empty idempotent ID")
		return
	case !s.Has(id):
		x.Error("ERR The specified stream ID was deleted or doesn't exist")
		return
	}
	d, ok := s.UseIdem(x.Conf.StreamIdemSeconds, x.Conf.StreamIdemMost)
	if !ok {
		x.OutOfMemory()
		return
	}
	if had, ok := d.Find(producer, name, x.Now); ok {
		if had != id {
			x.Error("ERR The specified IDMP producer-id/idempotent-id pair maps to a different stream ID")
			return
		}
		x.OK()
		return
	}
	if !d.Record(producer, name, id, x.Now) {
		x.OutOfMemory()
		return
	}
	x.Changed(1)
	x.OK()
}
