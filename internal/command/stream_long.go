package command

import (
	"bytes"
	"math"

	"sherd/internal/store/stream"
)

// longRead is XREAD or XREADGROUP where there may be much to read, or something to
// claim. First it goes over all streams and does what the reading changes, which tells
// how much there is to be replied; then it replies. Both are done in steps.
//
// Of what is not documented of CLAIM this was decided: entries that the stream does not
// have any more cease to be pending, as with XAUTOCLAIM; what was released has been
// idle since 1970; and a consumer is created only for somebody who gets something.
type longRead struct {
	grouped, noAck  bool
	claims, blocks  bool
	group, consumer []byte
	count           int64 // of each stream
	claim           int64 // ms
	now             int64
	parts           []readPart
	i               int  // the part that is at work
	replies         bool // else it gathers
	served          int  // parts with something to reply
	short           bool // memory is exhausted
}

// readPart is one stream of a longRead.
type readPart struct {
	reading
	key      []byte
	s        stream.Stream
	exists   bool
	g        stream.Group
	c        stream.Consumer
	state    partState
	orderAt  stream.ID // up to where the pending entries have been put in order
	turn     uint64
	claimed  []claimed
	from     stream.ID
	n        int64 // entries to reply behind those that were claimed
	it       stream.Iter
	pending  stream.PendingIter
	answered int // claimed entries
}

// claimed is an entry that was claimed, and how it was pending before.
type claimed struct {
	id          stream.ID
	idle, times int64
}

// partState is what is to be done with a stream.
type partState uint8

const (
	partBegin partState = iota
	partOrder           // put in order what is pending
	partClaim
	partNew // go over new entries
	partDone
	partHead // reply how much there is
	partReply
)

func newLongRead(x *Ctx, o *xreadOptions, readings []reading, grouped bool) *longRead {
	l := &longRead{
		grouped: grouped, noAck: o.noAck, claims: o.claim >= 0, blocks: o.blocks,
		group: bytes.Clone(o.group), consumer: bytes.Clone(o.consumer),
		count: o.count, claim: o.claim, now: x.Now,
		parts: make([]readPart, len(readings)),
	}
	if l.count == 0 {
		l.count = math.MaxInt64
	}
	for i := range readings {
		p := &l.parts[i]
		p.reading = readings[i]
		p.history = p.history && grouped
		p.key = bytes.Clone(x.Keys[i].Bytes)
		p.s, p.exists, _ = x.findStream(&x.Keys[i])
	}
	return l
}

// Step goes on with it.
func (l *longRead) Step(x *Ctx) bool {
	x.Now = l.now
	budget := entriesStep
	for !l.replies {
		if l.i == len(l.parts) || l.short {
			if l.i, l.replies = 0, true; !l.head(x) {
				return true
			}
			break
		}
		if p := &l.parts[l.i]; !l.gather(x, p, &budget) {
			return false
		} else if p.history && p.c.Valid() || p.n+int64(len(p.claimed)) > 0 {
			p.state = partHead
			l.served++
		}
		l.i++
	}
	for ; l.i < len(l.parts); l.i++ {
		if p := &l.parts[l.i]; p.state >= partHead && !l.reply(x, p, &budget) {
			return false
		}
	}
	return true
}

// head replies how many streams there are; false: nothing else is to be replied.
func (l *longRead) head(x *Ctx) bool {
	switch {
	case l.served > 0: // if memory ran out behind what was gathered, that is replied
		x.readHead(l.served)
		return true
	case l.short:
		x.OutOfMemory()
	default:
		x.nothingRead(l.blocks)
	}
	return false
}

// gather does what the reading changes; false: there is more to do.
func (l *longRead) gather(x *Ctx, p *readPart, budget *int) bool {
	for p.exists && !l.short {
		switch p.state {
		case partBegin:
			l.begin(x, p)
		case partOrder:
			var done, ok bool
			if p.orderAt, done, ok = p.g.Order(p.orderAt, max(*budget, 1)); !done {
				*budget = 0
				return false
			}
			l.short = !ok
			p.turn = p.g.Turn()
			p.state = partClaim
		case partClaim:
			if !l.claimSome(x, p, budget) {
				return false
			}
		case partNew:
			if !l.passSome(x, p, budget) {
				return false
			}
		default:
			return true
		}
	}
	return true
}

func (l *longRead) begin(x *Ctx, p *readPart) {
	if !l.grouped {
		var ok bool
		p.state = partDone
		if p.from, ok = p.after.Next(); ok {
			p.it = p.s.Iter(p.from, stream.MaxID, false)
			p.state = partNew
		}
		return
	}
	p.g, _ = p.s.Group(l.group)
	if !p.history {
		p.state = partNew
		p.from, _ = p.g.LastID().Next()
		p.it = p.s.Iter(p.from, stream.MaxID, false)
		if top, has := p.s.TopID(); !has || !p.g.LastID().Less(top) {
			p.it = p.s.Iter(stream.MaxID, stream.ID{}, false) // nothing
		}
		if l.claims {
			p.state = partOrder
		}
		return
	}
	p.state = partDone
	if l.needConsumer(x, p) {
		x.Changed(1)
		p.from, _ = p.after.Next()
		p.pending = p.c.PendingFrom(p.from, stream.MaxID)
		p.n = min(int64(p.pending.Rest()), l.count)
	}
}

// needConsumer sees to it that the consumer exists; false: memory is exhausted.
func (l *longRead) needConsumer(x *Ctx, p *readPart) bool {
	if !p.c.Valid() {
		var ok bool
		if p.c, ok = x.consumer(&p.g, l.consumer); !ok {
			l.short = true
			return false
		}
	}
	return true
}

// claimSome claims entries that have been pending for long enough.
func (l *longRead) claimSome(x *Ctx, p *readPart, budget *int) bool {
	for int64(len(p.claimed)) < l.count {
		e, ok := p.g.Oldest(max(l.now-l.claim, 0), p.turn)
		if !ok {
			break
		}
		if *budget--; *budget < 0 {
			return false
		}
		id := e.ID()
		if !p.s.Has(id) {
			p.g.Ack(id)
			x.Changed(1)
			continue
		}
		had := claimed{id, max(l.now-e.Time(), 0), e.Times()}
		if !l.needConsumer(x, p) {
			return true
		}
		if !p.g.Reassign(&e, &p.c) {
			l.short = true
			return true
		}
		e.SetTime(l.now)
		e.Again()
		p.c.SetActive(l.now)
		x.Changed(1)
		p.claimed = append(p.claimed, had)
	}
	p.state = partNew
	return true
}

// passSome goes over new entries, and delivers them if there is a group.
func (l *longRead) passSome(x *Ctx, p *readPart, budget *int) bool {
	most := l.count - int64(len(p.claimed)) - p.n
	if !l.grouped {
		n, done := p.it.Count(most, max(*budget, 1))
		if p.n += n; !done {
			*budget = 0
			return false
		}
		p.state = partDone
		return true
	}
	for ; most > 0 && p.it.Next(); most-- {
		if p.n == 0 {
			if !l.needConsumer(x, p) {
				return true
			}
			x.Changed(1)
			p.c.SetActive(l.now)
		}
		if !l.noAck && !p.g.Deliver(p.it.ID, &p.c, l.now) {
			l.short = true
			return true
		}
		p.g.Advance(p.it.ID)
		p.n++
		if *budget--; *budget <= 0 {
			return false
		}
	}
	p.state = partDone
	return true
}

// reply replies what was gathered of a stream; false: there is more.
func (l *longRead) reply(x *Ctx, p *readPart, budget *int) bool {
	if p.state == partHead {
		x.readKey(p.key)
		x.Array(len(p.claimed) + int(p.n))
		p.it = p.s.Iter(p.from, stream.MaxID, false)
		p.state = partReply
	}
	for ; p.answered < len(p.claimed); p.answered++ {
		if *budget--; *budget < 0 {
			return false
		}
		had := p.claimed[p.answered]
		e := p.s.Iter(had.id, had.id, false)
		e.Next()
		x.Array(4)
		x.entryParts(&e)
		x.Int(had.idle)
		x.Int(had.times)
	}
	for ; p.n > 0; p.n-- {
		if *budget--; *budget < 0 {
			return false
		}
		switch {
		case p.history:
			p.pending.Next()
			x.historic(&p.s, &p.pending.Pending)
			continue
		case l.claims:
			p.it.Next()
			x.Array(4)
			x.entryParts(&p.it)
			x.Int(0)
			x.Int(0)
		default:
			p.it.Next()
			x.streamEntry(&p.it)
		}
	}
	return true
}
