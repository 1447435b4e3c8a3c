package command

import (
	"math"

	"sherd/internal/store/stream"
	"sherd/internal/wire/resp"
)

// xreadOptions are the options of XREAD and XREADGROUP.
type xreadOptions struct {
	group, consumer []byte
	count           int64 // 0: all
	claim           int64 // ms that what is claimed has been pending for; -1: nothing is
	noAck           bool
	blocks          bool
	keys, ids       [][]byte
}

func (x *Ctx) parseRead(o *xreadOptions, grouped bool) bool {
	o.claim = -1
	for i := 1; i < len(x.Args); i++ {
		word, more := x.Args[i], len(x.Args)-1-i
		switch {
		case more > 0 && is(word, "BLOCK"):
			i++
			if !x.timeoutMs(x.Args[i]) {
				return false
			}
			o.blocks = true
		case more > 0 && is(word, "COUNT"):
			i++
			n, ok := resp.ParseInt64(x.Args[i])
			if !ok {
				x.Error(errNotInteger)
				return false
			}
			o.count = max(n, 0)
		case more > 0 && is(word, "STREAMS"):
			list := x.Args[i+1:]
			if len(list)%2 != 0 {
				x.Error("ERR Unbalanced XREAD list of streams: for each stream key an ID or '$' must be specified.")
				return false
			}
			o.keys, o.ids = list[:len(list)/2], list[len(list)/2:]
			i = len(x.Args)
		case more > 1 && is(word, "GROUP"):
			if !grouped {
				x.Error("ERR The GROUP option is only supported by XREADGROUP. You called XREAD instead.")
				return false
			}
			o.group, o.consumer = x.Args[i+1], x.Args[i+2]
			i += 2
		case more > 0 && is(word, "CLAIM"):
			if !grouped {
				x.Error("ERR The CLAIM option is only supported by XREADGROUP. You called XREAD instead.")
				return false
			}
			i++
			n, ok := resp.ParseInt64(x.Args[i])
			if !ok {
				x.Error("ERR min-idle-time is not an integer or out of range")
				return false
			}
			if n < 0 {
				x.Error("ERR min-idle-time must be a positive integer")
				return false
			}
			o.claim = n
		case is(word, "NOACK"):
			if !grouped {
				x.Error("ERR The NOACK option is only supported by XREADGROUP. You called XREAD instead.")
				return false
			}
			o.noAck = true
		default:
			x.Syntax()
			return false
		}
	}
	if len(o.keys) == 0 || len(o.keys) != len(x.Keys) {
		x.Syntax()
		return false
	}
	if grouped && o.group == nil {
		x.Error("ERR Missing GROUP option for XREADGROUP")
		return false
	}
	return true
}

// timeoutMs checks the argument of BLOCK.
func (x *Ctx) timeoutMs(b []byte) bool {
	switch n, ok := resp.ParseInt64(b); {
	case !ok:
		x.Error("ERR timeout is not an integer or out of range")
	case n < 0:
		x.Error("ERR timeout is negative")
	case n > math.MaxInt64-x.Now:
		x.Error("ERR timeout is out of range")
	default:
		return true
	}
	return false
}

// A reading is one stream of XREAD or XREADGROUP.
type reading struct {
	after   stream.ID
	history bool // what the consumer has pending; else what is new
}

func runXRead(x *Ctx)      { x.xread(false) }
func runXReadGroup(x *Ctx) { x.xread(true) }

func (x *Ctx) xread(grouped bool) {
	var o xreadOptions
	if !x.parseRead(&o, grouped) {
		return
	}
	var few [8]reading
	readings := few[:0]
	for i := range x.Keys {
		r, ok := x.readingOf(&x.Keys[i], &o, o.ids[i], grouped)
		if !ok {
			return
		}
		readings = append(readings, r)
	}
	if o.claim >= 0 || x.readsMuch(&o, readings, grouped) {
		l := newLongRead(x, &o, readings, grouped)
		if !l.Step(x) {
			x.KeepLatched(l)
		}
		return
	}
	mark := len(x.Out)
	x.readHead(len(readings))
	body, n := len(x.Out), 0
	for i := range readings {
		served, ok := x.readOne(&x.Keys[i], &readings[i], &o, grouped)
		if !ok {
			x.Out = x.Out[:mark]
			x.OutOfMemory()
			return
		}
		if served {
			n++
		}
	}
	switch {
	case n == 0:
		x.Out = x.Out[:mark]
		x.nothingRead(o.blocks)
	case n < len(readings):
		var head [24]byte
		h := resp.AppendArray(head[:0], n)
		if x.C.Proto > 2 {
			h = resp.AppendMap(head[:0], n, x.C.Proto)
		}
		x.replaceHead(mark, body, h)
	}
}

// nothingRead replies that there is nothing to read.
func (x *Ctx) nothingRead(blocks bool) {
	if blocks {
		// No commands wait yet, and a client that is told of a timeout at once would
		// ask again at once.
		x.Error("ERR BLOCK is not supported yet, and there is nothing to read now")
		return
	}
	x.NullArray()
}

// readsMuch tells whether there may be more to read than is replied in one go.
func (x *Ctx) readsMuch(o *xreadOptions, readings []reading, grouped bool) bool {
	if o.count > 0 && o.count <= entriesStep/int64(len(readings)) {
		return false
	}
	left := int64(entriesStep)
	for i := range readings {
		s, exists, _ := x.findStream(&x.Keys[i])
		if !exists {
			continue
		}
		n := s.Len()
		if after := readings[i].after; n > left && !grouped {
			from, ok := after.Next()
			it := s.Iter(from, stream.MaxID, false)
			if n = 0; ok {
				n = it.Rest(left + 1)
			}
		} else if grouped {
			g, _ := s.Group(o.group)
			if readings[i].history {
				n = 0
				if c, ok := g.Consumer(o.consumer); ok {
					n = int64(c.PendingCount())
				}
			} else if n > left {
				from, ok := g.LastID().Next()
				it := s.Iter(from, stream.MaxID, false)
				if n = 0; ok {
					n = it.Rest(left + 1)
				}
			}
		}
		if o.count > 0 {
			n = min(n, o.count)
		}
		if left -= n; left < 0 {
			return true
		}
	}
	return false
}

func (x *Ctx) readHead(n int) {
	if x.C.Proto > 2 {
		x.Map(n)
	} else {
		x.Array(n)
	}
}

// readingOf finds out where to read from; false: the error has been replied.
func (x *Ctx) readingOf(k *Key, o *xreadOptions, id []byte, grouped bool) (r reading, ok bool) {
	s, exists, wrong := x.readStream(k)
	if wrong {
		return r, false
	}
	if grouped {
		if exists {
			_, exists = s.Group(o.group)
		}
		if !exists {
			x.noGroup(k.Bytes, o.group, " in XREADGROUP with GROUP option")
			return r, false
		}
	}
	if len(id) == 1 {
		switch id[0] {
		case '$', '+':
			if grouped {
				x.Error("ERR The " + string(id) + " ID is meaningless in the context of XREADGROUP: you want to read the history of this consumer by specifying a proper ID, or use the > ID to get new messages. The " + string(id) + " ID would just return an empty result set.")
				return r, false
			}
			if id[0] == '$' {
				if exists {
					r.after = s.LastID()
				}
			} else if exists {
				if top, ok := s.TopID(); ok {
					r.after, _ = top.Prev()
				}
			}
			return r, true
		case '>':
			if !grouped {
				x.Error("ERR The > ID can be specified only when calling XREADGROUP using the GROUP <group> <consumer> option.")
				return r, false
			}
			return r, true
		}
	}
	r.after, ok = x.streamID(id)
	r.history = r.after != stream.MaxID
	return r, ok
}

// readOne replies what there is to read from a stream. served tells whether there
// was anything; ok is false if memory is exhausted.
func (x *Ctx) readOne(k *Key, r *reading, o *xreadOptions, grouped bool) (served, ok bool) {
	s, exists, _ := x.findStream(k)
	if !exists {
		return false, true
	}
	count := o.count
	if count == 0 {
		count = math.MaxInt64
	}
	if !grouped {
		top, has := s.TopID()
		if !has || !r.after.Less(top) {
			return false, true
		}
		from, _ := r.after.Next()
		x.readKey(k.Bytes)
		it := s.Iter(from, stream.MaxID, false)
		x.deliver(&s, &it, count, nil, nil)
		return true, true
	}
	g, _ := s.Group(o.group)
	if !r.history {
		if top, has := s.TopID(); !has || !g.LastID().Less(top) {
			return false, true // and the consumer is not created
		}
	}
	c, ok := x.consumer(&g, o.consumer)
	if !ok {
		return false, false
	}
	if r.history {
		x.Changed(1)
		x.readKey(k.Bytes)
		from, _ := r.after.Next()
		x.history(&s, &c, from, count)
		return true, true
	}
	x.Changed(1)
	x.readKey(k.Bytes)
	from, _ := g.LastID().Next()
	it := s.Iter(from, stream.MaxID, false)
	if o.noAck {
		c.SetActive(x.Now)
		return true, x.deliver(&s, &it, count, &g, nil)
	}
	return true, x.deliver(&s, &it, count, &g, &c)
}

// consumer finds a group's consumer, or creates it, and notes that it was seen.
func (x *Ctx) consumer(g *stream.Group, name []byte) (c stream.Consumer, ok bool) {
	if c, ok = g.Consumer(name); ok {
		c.SetSeen(x.Now)
		return c, true
	}
	return g.CreateConsumer(name, x.Now)
}

func (x *Ctx) readKey(key []byte) {
	if x.C.Proto <= 2 {
		x.Array(2)
	}
	x.Bulk(key)
}

// deliver replies up to count entries. With a group it notes what was delivered,
// with a consumer also to whom; false: memory is exhausted.
func (x *Ctx) deliver(s *stream.Stream, it *stream.Iter, count int64, g *stream.Group, c *stream.Consumer) bool {
	mark := len(x.Out)
	x.Array(int(min(count, s.Len())))
	body, n := len(x.Out), int64(0)
	for n < count && it.Next() {
		if c != nil {
			if !g.Deliver(it.ID, c, x.Now) {
				return false
			}
			c.SetActive(x.Now)
		}
		if g != nil {
			g.Advance(it.ID)
		}
		x.streamEntry(it)
		n++
	}
	if n != min(count, s.Len()) {
		x.arrayOf(mark, body, int(n))
	}
	return true
}

// history replies what a consumer has pending, up to count entries, and counts
// that as a delivery.
func (x *Ctx) history(s *stream.Stream, c *stream.Consumer, from stream.ID, count int64) {
	mark := len(x.Out)
	x.Array(0)
	body, n := len(x.Out), int64(0)
	for it := c.PendingFrom(from, stream.MaxID); n < count && it.Next(); n++ {
		x.historic(s, &it.Pending)
	}
	if n > 0 {
		x.arrayOf(mark, body, int(n))
	}
}

// historic replies an entry that a consumer has pending and counts that as a delivery.
func (x *Ctx) historic(s *stream.Stream, p *stream.Pending) {
	id := p.ID()
	if e := s.Iter(id, id, false); e.Next() {
		x.streamEntry(&e)
		p.SetTime(x.Now)
		p.Again()
		return
	}
	x.Array(2)
	x.StreamID(id)
	x.NullArray()
}
