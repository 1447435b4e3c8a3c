package command

import (
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
	mark := len(x.Out)
	x.Array(g.ConsumerCount())
	body, n := len(x.Out), 0
	for i := range g.ConsumerCount() {
		c := g.ConsumerAt(i)
		if p := c.PendingCount(); p > 0 {
			x.Array(2)
			x.Bulk(c.Name())
			x.Out = resp.AppendBulkInt(x.Out, int64(p))
			n++
		}
	}
	x.arrayOf(mark, body, n)
}

func (x *Ctx) pendingRange(it *stream.PendingIter, count, idle int64) {
	mark := len(x.Out)
	x.Array(0)
	body, n := len(x.Out), 0
	for count > 0 && it.Next() {
		elapsed := x.Now - it.Time()
		if idle != 0 && elapsed < idle {
			continue
		}
		x.Array(4)
		x.StreamID(it.ID())
		c := it.Consumer()
		x.Bulk(c.Name())
		x.Int(max(elapsed, 0))
		x.Int(it.Times())
		n++
		count--
	}
	if n > 0 {
		x.arrayOf(mark, body, n)
	}
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
			p.SetTimes(p.Times() + 1)
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
	var c stream.Consumer
	mark := len(x.Out)
	x.Array(3)
	cursorAt := len(x.Out)
	x.StreamID(stream.ID{})
	listAt := len(x.Out)
	x.Array(0)
	body, n := len(x.Out), 0
	var few [16]stream.ID
	gone := few[:0]
	it := g.PendingFrom(start, stream.MaxID)
	more := it.Next()
	for attempts := count * attemptsFactor; attempts > 0 && count > 0 && more; attempts-- {
		id := it.ID()
		e := s.Iter(id, id, false)
		if !e.Next() {
			g.Ack(id)
			x.Changed(1)
			gone = append(gone, id)
			count--
			it = g.PendingFrom(id, stream.MaxID)
			more = it.Next()
			continue
		}
		if idle > 0 && x.Now-it.Time() < idle {
			more = it.Next()
			continue
		}
		if !x.claimant(&g, &c) || !g.Reassign(&it.Pending, &c) {
			x.Out = x.Out[:mark]
			x.OutOfMemory()
			return
		}
		it.SetTime(x.Now)
		if !justID {
			it.SetTimes(it.Times() + 1)
		}
		c.SetActive(x.Now)
		x.claimed(&e, justID)
		x.Changed(1)
		n++
		count--
		more = it.Next()
	}
	if n > 0 {
		x.arrayOf(listAt, body, n)
	}
	x.Array(len(gone))
	for _, id := range gone {
		x.StreamID(id)
	}
	if more {
		var text [48]byte
		var head [64]byte
		x.replaceHead(cursorAt, listAt, resp.AppendBulk(head[:0], appendStreamID(text[:0], it.ID())))
	}
}
