package command

import (
	"bytes"
	"math"

	"sherd/internal/store/stream"
	"sherd/internal/wire/resp"
)

func runXPending(x *Ctx) {
	n := len(x.Args)
	if n != 3 && (n < 6 || n > 9) {
		x.Syntax()
		return
	}
	var start, end stream.ID
	var count, idle int64
	var name []byte
	if n >= 6 {
		var ok bool
		at := 3
		if is(x.Args[3], "IDLE") {
			if idle, ok = resp.ParseInt64(x.Args[4]); !ok {
				x.Error(errNotInteger)
				return
			}
			if n < 8 {
				x.Syntax()
				return
			}
			at = 5
		}
		if count, ok = resp.ParseInt64(x.Args[at+2]); !ok {
			x.Error(errNotInteger)
			return
		}
		if start, ok = x.streamStart(x.Args[at]); !ok {
			return
		}
		if end, ok = x.streamEnd(x.Args[at+1]); !ok {
			return
		}
		if at+3 < n {
			name = x.Args[at+3]
		}
	}
	s, ok, wrong := x.readStream(&x.Keys[0])
	if wrong {
		return
	}
	var g stream.Group
	if ok {
		g, ok = s.Group(x.Args[2])
	}
	switch {
	case !ok:
		x.noGroup(x.Args[1], x.Args[2], "")
	case n == 3:
		x.pendingSummary(&g)
	default:
		var it stream.PendingIter
		if name == nil {
			it = g.PendingFrom(start, end)
		} else {
			c, ok := g.Consumer(name)
			if !ok {
				x.Array(0)
				return
			}
			it = c.PendingFrom(start, end)
		}
		x.pendingRange(&it, count, idle)
	}
}

func (x *Ctx) pendingSummary(g *stream.Group) {
	x.Array(4)
	x.Int(int64(g.PendingCount()))
	first, last, ok := g.PendingEdges()
	if !ok {
		x.Null()
		x.Null()
		x.NullArray()
		return
	}
	x.StreamID(first)
	x.StreamID(last)
	if g.ConsumerCount() > entriesStep {
		l := &pendingSummary{g: *g}
		l.Step(x)
		x.KeepLatched(l)
		return
	}
	mark := len(x.Out)
	x.Array(g.ConsumerCount())
	body, n := len(x.Out), 0
	for i := range g.ConsumerCount() {
		c := g.ConsumerAt(i)
		if c.PendingCount() > 0 {
			x.pendingOf(&c)
			n++
		}
	}
	x.arrayOf(mark, body, n)
}

// pendingOf replies how much a consumer has pending.
func (x *Ctx) pendingOf(c *stream.Consumer) {
	x.Array(2)
	x.Bulk(c.Name())
	x.Out = resp.AppendBulkInt(x.Out, int64(c.PendingCount()))
}

// pendingSummary is XPENDING without a range, where there are very many consumers:
// those with something pending are counted, then replied.
type pendingSummary struct {
	g       stream.Group
	i, n    int
	replies bool
}

// Step looks at some consumers.
func (l *pendingSummary) Step(x *Ctx) bool {
	end := min(l.i+entriesStep, l.g.ConsumerCount())
	for ; l.i < end; l.i++ {
		c := l.g.ConsumerAt(l.i)
		switch {
		case c.PendingCount() == 0:
		case l.replies:
			x.pendingOf(&c)
		default:
			l.n++
		}
	}
	switch {
	case l.i < l.g.ConsumerCount():
		return false
	case l.replies:
		return true
	}
	l.i, l.replies = 0, true
	x.Array(l.n)
	return false
}

// pendingRange is XPENDING with a range. Where there is much to look at it is done in
// steps, and an IDLE then makes it go over the entries twice: how many there are has to
// be said first.
type pendingRange struct {
	it, start   stream.PendingIter
	count, idle int64
	now         int64
	n           int64
	replies     bool
}

func (x *Ctx) pendingRange(it *stream.PendingIter, count, idle int64) {
	r := pendingRange{it: *it, start: *it, count: max(count, 0), idle: idle, now: x.Now}
	work := int64(it.Rest())
	if idle == 0 {
		work = min(work, r.count)
	}
	if work <= entriesStep {
		mark := len(x.Out)
		x.Array(0)
		body := len(x.Out)
		for r.n < r.count && r.it.Next() {
			if r.matches() {
				r.reply(x)
				r.n++
			}
		}
		if r.n > 0 {
			x.arrayOf(mark, body, int(r.n))
		}
		return
	}
	if idle == 0 {
		r.n, r.replies = work, true
		x.Array(int(work))
	}
	if !r.Step(x) {
		later := r
		x.KeepLatched(&later)
	}
}

// matches tells whether the entry has been pending for long enough.
func (r *pendingRange) matches() bool { return r.idle == 0 || r.now-r.it.Time() >= r.idle }

// reply replies the entry.
func (r *pendingRange) reply(x *Ctx) {
	x.Array(4)
	x.StreamID(r.it.ID())
	c := r.it.Consumer()
	x.Bulk(c.Name())
	if r.it.Released() {
		x.Int(-1)
	} else {
		x.Int(max(r.now-r.it.Time(), 0))
	}
	x.Int(r.it.Times())
}

// Step looks at some entries.
func (r *pendingRange) Step(x *Ctx) bool {
	budget := entriesStep
	for ; !r.replies; budget-- {
		if budget == 0 {
			return false
		}
		if more := r.n < r.count && r.it.Next(); !more {
			r.replies, r.it = true, r.start
			x.Array(int(r.n))
		} else if r.matches() {
			r.n++
		}
	}
	for ; r.n > 0 && r.it.Next(); budget-- {
		if r.matches() {
			r.reply(x)
			r.n--
		}
		if budget <= 0 {
			return r.n == 0
		}
	}
	return true
}

// xclaimOptions are the options of XCLAIM.
type xclaimOptions struct {
	timeMs        int64 // of delivery
	times         int64 // of deliveries; -1: one more
	force, justID bool
	last          stream.ID
}

func (x *Ctx) parseClaim(o *xclaimOptions, at int) bool {
	o.times = -1
	given := int64(-1)
	for i := at; i < len(x.Args); i++ {
		word, more := x.Args[i], len(x.Args)-1-i
		var ok bool
		switch {
		case is(word, "FORCE"):
			o.force = true
		case is(word, "JUSTID"):
			o.justID = true
		case more > 0 && is(word, "IDLE"):
			i++
			if given, ok = resp.ParseInt64(x.Args[i]); !ok {
				x.Error("ERR Invalid IDLE option argument for XCLAIM")
				return false
			}
			given = x.Now - given
		case more > 0 && is(word, "TIME"):
			i++
			if given, ok = resp.ParseInt64(x.Args[i]); !ok {
				x.Error("ERR Invalid TIME option argument for XCLAIM")
				return false
			}
		case more > 0 && is(word, "RETRYCOUNT"):
			i++
			if o.times, ok = resp.ParseInt64(x.Args[i]); !ok {
				x.Error("ERR Invalid RETRYCOUNT option argument for XCLAIM")
				return false
			}
		case more > 0 && is(word, "LASTID"):
			i++
			if o.last, ok = x.streamID(x.Args[i]); !ok {
				return false
			}
		default:
			x.Error("ERR Unrecognized XCLAIM option '" + string(cText(word)) + "'")
			return false
		}
	}
	if o.timeMs = given; given < 0 || given > x.Now {
		o.timeMs = x.Now
	}
	return true
}

func runXClaim(x *Ctx) {
	s, ok, wrong := x.readStream(&x.Keys[0])
	if wrong {
		return
	}
	var g stream.Group
	if ok {
		g, ok = s.Group(x.Args[2])
	}
	if !ok {
		x.noGroup(x.Args[1], x.Args[2], "")
		return
	}
	idle, ok := resp.ParseInt64(x.Args[4])
	if !ok {
		x.Error("ERR Invalid min-idle-time argument for XCLAIM")
		return
	}
	at := 5
	for at < len(x.Args) {
		if _, ok := parseStreamID(x.Args[at], 0, true, nil); !ok {
			break
		}
		at++
	}
	var o xclaimOptions
	if !x.parseClaim(&o, at) {
		return
	}
	if g.LastID().Less(o.last) {
		g.SetLastID(o.last)
		x.Changed(1)
	}
	var c stream.Consumer
	mark := len(x.Out)
	x.Array(at - 5)
	body, n := len(x.Out), 0
	for _, a := range x.Args[5:at] {
		id, _ := parseStreamID(a, 0, true, nil)
		e := s.Iter(id, id, false)
		if !e.Next() {
			if g.Ack(id) {
				x.Changed(1)
			}
			continue
		}
		p, pending := g.Pending(id)
		switch {
		case pending:
			if idle > 0 && x.Now-p.Time() < idle {
				continue
			}
			ok = x.claimant(&g, &c) && g.Reassign(&p, &c)
		case o.force:
			if ok = x.claimant(&g, &c) && g.Deliver(id, &c, x.Now); ok {
				p, _ = g.Pending(id)
			}
		default:
			continue
		}
		if !ok {
			x.Out = x.Out[:mark]
			x.OutOfMemory()
			return
		}
		p.SetTime(o.timeMs)
		switch {
		case o.times >= 0:
			p.SetTimes(o.times)
		case !o.justID:
			p.Again()
		}
		c.SetActive(x.Now)
		x.claimed(&e, o.justID)
		x.Changed(1)
		n++
	}
	x.arrayOf(mark, body, n)
}

// claimant makes c the consumer that claims, who is created with the first entry;
// false: memory is exhausted.
func (x *Ctx) claimant(g *stream.Group, c *stream.Consumer) (ok bool) {
	if c.Valid() {
		return true
	}
	*c, ok = x.consumer(g, x.Args[3])
	return ok
}

// claimed replies an entry that was claimed.
func (x *Ctx) claimed(e *stream.Iter, justID bool) {
	if justID {
		x.StreamID(e.ID)
	} else {
		x.streamEntry(e)
	}
}

// attemptsFactor is how many pending entries XAUTOCLAIM looks at for each one
// that it may claim.
const attemptsFactor = 10

func runXAutoClaim(x *Ctx) {
	idle, ok := resp.ParseInt64(x.Args[4])
	if !ok {
		x.Error("ERR Invalid min-idle-time argument for XAUTOCLAIM")
		return
	}
	start, ok := x.streamStart(x.Args[5])
	if !ok {
		return
	}
	count, justID := int64(100), false
	for i := 6; i < len(x.Args); i++ {
		switch word := x.Args[i]; {
		case is(word, "COUNT") && i+1 < len(x.Args):
			i++
			if count, ok = resp.ParseInt64(x.Args[i]); !ok || count < 1 || count > math.MaxInt64/16 {
				x.Error("ERR COUNT must be > 0")
				return
			}
		case is(word, "JUSTID"):
			justID = true
		default:
			x.Syntax()
			return
		}
	}
	s, ok, wrong := x.readStream(&x.Keys[0])
	if wrong {
		return
	}
	var g stream.Group
	if ok {
		g, ok = s.Group(x.Args[2])
	}
	if !ok {
		x.noGroup(x.Args[1], x.Args[2], "")
		return
	}
	a := autoClaim{
		s: s, g: g, consumer: x.Args[3], it: g.PendingFrom(start, stream.MaxID),
		idle: idle, left: count, attempts: count * attemptsFactor, justID: justID, now: x.Now,
	}
	if min(a.attempts, int64(a.it.Rest())) > entriesStep {
		later := a
		later.consumer = bytes.Clone(a.consumer)
		later.long = true
		if !later.Step(x) {
			x.KeepLatched(&later)
		}
		return
	}
	mark := len(x.Out)
	x.Array(3)
	cursorAt := len(x.Out)
	x.StreamID(stream.ID{})
	listAt := len(x.Out)
	x.Array(0)
	body := len(x.Out)
	if a.more = a.it.Next(); !a.claim(x, math.MaxInt) {
		x.Out = x.Out[:mark]
		x.OutOfMemory()
		return
	}
	if a.n > 0 {
		x.arrayOf(listAt, body, a.n)
	}
	a.replyGone(x)
	if a.more {
		var text [48]byte
		var head [64]byte
		x.replaceHead(cursorAt, listAt, resp.AppendBulk(head[:0], appendStreamID(text[:0], a.it.ID())))
	}
}

// autoClaim is XAUTOCLAIM. If there may be many entries to look at it is done in steps:
// first all are claimed, then replied.
type autoClaim struct {
	s              stream.Stream
	g              stream.Group
	c              stream.Consumer
	consumer       []byte
	it             stream.PendingIter
	more           bool // it has an entry
	idle           int64
	left, attempts int64
	now            int64
	justID         bool
	n              int // entries claimed
	gone           []stream.ID

	long, begun, replies bool
	claimed              []stream.ID // if long
	answered             int
}

// claim looks at up to most entries. They are replied, or remembered if there may be
// many. False: memory is exhausted.
func (a *autoClaim) claim(x *Ctx, most int) bool {
	for ; most > 0 && a.attempts > 0 && a.left > 0 && a.more; most-- {
		a.attempts--
		id := a.it.ID()
		e := a.s.Iter(id, id, false)
		if !e.Next() {
			a.g.Ack(id)
			x.Changed(1)
			a.gone = append(a.gone, id)
			a.left--
			a.it = a.g.PendingFrom(id, stream.MaxID)
			a.more = a.it.Next()
			continue
		}
		if a.idle > 0 && a.now-a.it.Time() < a.idle {
			a.more = a.it.Next()
			continue
		}
		if !a.c.Valid() {
			var ok bool
			if a.c, ok = x.consumer(&a.g, a.consumer); !ok {
				return false
			}
		}
		if !a.g.Reassign(&a.it.Pending, &a.c) {
			return false
		}
		a.it.SetTime(a.now)
		if !a.justID {
			a.it.Again()
		}
		a.c.SetActive(a.now)
		if a.long {
			a.claimed = append(a.claimed, id)
		} else {
			x.claimed(&e, a.justID)
		}
		x.Changed(1)
		a.n++
		a.left--
		a.more = a.it.Next()
	}
	return true
}

func (a *autoClaim) replyGone(x *Ctx) {
	x.Array(len(a.gone))
	for _, id := range a.gone {
		x.StreamID(id)
	}
}

// Step claims some entries, or replies some.
func (a *autoClaim) Step(x *Ctx) bool {
	x.Now = a.now
	if !a.begun {
		a.begun, a.more = true, a.it.Next()
	}
	if !a.replies {
		ok := a.claim(x, entriesStep)
		if !ok && a.n+len(a.gone) == 0 {
			x.OutOfMemory()
			return true
		}
		if ok && a.attempts > 0 && a.left > 0 && a.more {
			return false
		}
		a.replies = true
		x.Array(3)
		if a.more {
			x.StreamID(a.it.ID())
		} else {
			x.StreamID(stream.ID{})
		}
		x.Array(a.n)
	}
	for budget := entriesStep; a.answered < a.n; a.answered++ {
		if budget--; budget < 0 {
			return false
		}
		id := a.claimed[a.answered]
		e := a.s.Iter(id, id, false)
		e.Next()
		x.claimed(&e, a.justID)
	}
	for budget := entriesStep; !a.counted(x); budget-- {
		if budget <= 0 {
			return false
		}
		x.StreamID(a.gone[0])
		a.gone = a.gone[1:]
	}
	return true
}

// counted replies once how many entries are gone, and tells whether all are replied.
func (a *autoClaim) counted(x *Ctx) bool {
	if a.long {
		a.long = false
		x.Array(len(a.gone))
	}
	return len(a.gone) == 0
}
