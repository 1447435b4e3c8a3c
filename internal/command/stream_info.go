package command

import (
	"math"

	"sherd/internal/store/stream"
	"sherd/internal/wire/resp"
)

// infoStream opens the stream that XINFO tells of; false: the error has been
// replied.
func (x *Ctx) infoStream() (s stream.Stream, ok bool) {
	s, ok, wrong := x.readStream(&x.Keys[0])
	if !ok && !wrong {
		x.Error(errNoKey)
	}
	return s, ok && !wrong
}

func (x *Ctx) namedInt(name string, n int64) {
	x.BulkString(name)
	x.Int(n)
}

func (x *Ctx) namedID(name string, id stream.ID) {
	x.BulkString(name)
	x.StreamID(id)
}

func (x *Ctx) namedBulk(name string, b []byte) {
	x.BulkString(name)
	x.Bulk(b)
}

func runXInfoConsumers(x *Ctx) {
	s, ok := x.infoStream()
	if !ok {
		return
	}
	g, ok := s.Group(x.Args[3])
	if !ok {
		x.noGroupFor(x.Args[3], x.Args[2])
		return
	}
	x.Array(g.ConsumerCount())
	if l := (consumersReply{g: g}); !l.Step(x) {
		x.KeepLatched(&consumersReply{g: g, i: l.i})
	}
}

// consumersReply is XINFO CONSUMERS, in steps.
type consumersReply struct {
	g stream.Group
	i int
}

// Step replies some consumers.
func (l *consumersReply) Step(x *Ctx) bool {
	end := min(l.i+entriesStep, l.g.ConsumerCount())
	for ; l.i < end; l.i++ {
		c := l.g.ConsumerAt(l.i)
		x.Map(4)
		x.namedBulk("name", c.Name())
		x.namedInt("pending", int64(c.PendingCount()))
		x.namedInt("idle", max(x.Now-c.Seen(), 0))
		inactive := int64(-1)
		if at := c.Active(); at != stream.NeverActive {
			inactive = max(x.Now-at, 0)
		}
		x.namedInt("inactive", inactive)
	}
	return l.i == l.g.ConsumerCount()
}

func runXInfoGroups(x *Ctx) {
	s, ok := x.infoStream()
	if !ok {
		return
	}
	x.Array(s.GroupCount())
	if l := (groupsReply{s: s}); !l.Step(x) {
		x.KeepLatched(&groupsReply{s: s, i: l.i})
	}
}

// groupsReply is XINFO GROUPS, in steps.
type groupsReply struct {
	s stream.Stream
	i int
}

// Step replies some groups.
func (l *groupsReply) Step(x *Ctx) bool {
	end := min(l.i+entriesStep, l.s.GroupCount())
	for ; l.i < end; l.i++ {
		g := l.s.GroupAt(l.i)
		x.Map(6)
		x.namedBulk("name", g.Name())
		x.namedInt("consumers", int64(g.ConsumerCount()))
		x.namedInt("pending", int64(g.PendingCount()))
		x.namedID("last-delivered-id", g.LastID())
		x.groupCounters(&g)
	}
	return l.i == l.s.GroupCount()
}

func (x *Ctx) groupCounters(g *stream.Group) {
	x.BulkString("entries-read")
	if n := g.EntriesRead(); n != stream.UnknownRead {
		x.Int(n)
	} else {
		x.Null()
	}
	x.BulkString("lag")
	if n, ok := g.Lag(); ok {
		x.Int(n)
	} else {
		x.Null()
	}
}

func runXInfoStream(x *Ctx) {
	s, ok := x.infoStream()
	if !ok {
		return
	}
	full, count := len(x.Args) > 3, int64(10)
	if full {
		n := len(x.Args) - 3
		if n != 1 && n != 3 || !is(x.Args[3], "FULL") || n == 3 && !is(x.Args[4], "COUNT") {
			x.subcommandSyntax("XINFO")
			return
		}
		if n == 3 {
			if count, ok = resp.ParseInt64(x.Args[5]); !ok {
				x.Error(errNotInteger)
				return
			}
			if count < 0 {
				count = 10
			}
		}
		if count == 0 {
			count = math.MaxInt64
		}
	}
	idem, uses := s.Idem()
	fields := 10
	if full {
		fields = 9
	}
	if uses {
		fields += 6
	}
	x.Map(fields)
	x.namedInt("length", s.Len())
	x.namedInt("radix-tree-keys", int64(s.NodeCount()))
	x.namedInt("radix-tree-nodes", int64(max(s.NodeCount()+s.PageCount(), 1))) // there is always a root
	x.namedID("last-generated-id", s.LastID())
	x.namedID("max-deleted-entry-id", s.MaxDeletedID())
	x.namedInt("entries-added", s.Added())
	x.namedID("recorded-first-entry-id", s.FirstID())
	if uses {
		x.namedInt("idmp-duration", idem.Seconds())
		x.namedInt("idmp-maxsize", idem.Most())
		x.namedInt("pids-tracked", int64(idem.ProducerCount()))
		x.namedInt("iids-tracked", idem.Tracked())
		x.namedInt("iids-added", idem.Added())
		x.namedInt("iids-duplicates", idem.Duplicates())
	}
	if full {
		f := fullInfo{s: s, count: count, entries: s.Iter(stream.ID{}, stream.MaxID, false)}
		if !f.Step(x) {
			later := f
			x.KeepLatched(&later)
		}
		return
	}
	x.namedInt("groups", int64(s.GroupCount()))
	for _, last := range [2]bool{false, true} {
		if last {
			x.BulkString("last-entry")
		} else {
			x.BulkString("first-entry")
		}
		if it := s.Iter(stream.ID{}, stream.MaxID, last); it.Next() {
			x.streamEntry(&it)
		} else {
			x.Null()
		}
	}
}

// fullInfo is what XINFO STREAM FULL has more, in steps.
type fullInfo struct {
	s        stream.Stream
	count    int64
	state    infoState
	left     int64 // of the list that is being replied
	entries  stream.Iter
	group    int
	g        stream.Group
	consumer int
	pending  stream.PendingIter
}

// infoState is what comes next.
type infoState uint8

const (
	infoHead infoState = iota
	infoEntries
	infoGroups
	infoGroup
	infoPending
	infoConsumer
	infoOwn // what a consumer has pending
)

// Step replies some of it.
func (f *fullInfo) Step(x *Ctx) bool {
	for budget := entriesStep; budget > 0; budget-- {
		switch f.state {
		case infoHead:
			f.left = min(f.count, f.s.Len())
			x.BulkString("entries")
			x.Array(int(f.left))
			f.state++
		case infoEntries:
			if f.left == 0 {
				f.state++
				break
			}
			f.left--
			f.entries.Next()
			x.streamEntry(&f.entries)
		case infoGroups:
			x.BulkString("groups")
			x.Array(f.s.GroupCount())
			f.state++
		case infoGroup:
			if f.group == f.s.GroupCount() {
				return true
			}
			f.g = f.s.GroupAt(f.group)
			f.group++
			f.beginGroup(x)
			f.state++
		case infoPending:
			if f.left == 0 {
				x.BulkString("consumers")
				x.Array(f.g.ConsumerCount())
				f.consumer = 0
				f.state++
				break
			}
			f.left--
			f.pending.Next()
			c := f.pending.Consumer()
			x.Array(4)
			x.StreamID(f.pending.ID())
			x.Bulk(c.Name())
			x.Int(f.pending.Time())
			x.Int(f.pending.Times())
		case infoConsumer:
			if f.consumer == f.g.ConsumerCount() {
				if f.g.Releases() {
					x.namedInt("nacked-count", f.g.NackedCount())
				}
				f.state = infoGroup
				break
			}
			c := f.g.ConsumerAt(f.consumer)
			f.consumer++
			f.beginConsumer(x, &c)
			f.state++
		case infoOwn:
			if f.left == 0 {
				f.state = infoConsumer
				break
			}
			f.left--
			f.pending.Next()
			x.Array(3)
			x.StreamID(f.pending.ID())
			x.Int(f.pending.Time())
			x.Int(f.pending.Times())
		}
	}
	return false
}

func (f *fullInfo) beginGroup(x *Ctx) {
	g := &f.g
	if g.Releases() {
		x.Map(8)
	} else {
		x.Map(7)
	}
	x.namedBulk("name", g.Name())
	x.namedID("last-delivered-id", g.LastID())
	x.groupCounters(g)
	x.namedInt("pel-count", int64(g.PendingCount()))
	x.BulkString("pending")
	f.left = min(f.count, int64(g.PendingCount()))
	x.Array(int(f.left))
	f.pending = g.PendingFrom(stream.ID{}, stream.MaxID)
}

func (f *fullInfo) beginConsumer(x *Ctx, c *stream.Consumer) {
	x.Map(5)
	x.namedBulk("name", c.Name())
	x.namedInt("seen-time", c.Seen())
	x.namedInt("active-time", c.Active())
	x.namedInt("pel-count", int64(c.PendingCount()))
	x.BulkString("pending")
	f.left = min(f.count, int64(c.PendingCount()))
	x.Array(int(f.left))
	f.pending = c.PendingFrom(stream.ID{}, stream.MaxID)
}

func runXInfoHelp(x *Ctx) {
	x.Help("XINFO",
		"CONSUMERS <key> <groupname>", "Tells of the consumers of a group.",
		"GROUPS <key>", "Tells of the groups of a stream.",
		"STREAM <key> [FULL [COUNT <count>]]", "Tells of a stream; with FULL also of its entries, groups and consumers.")
}
