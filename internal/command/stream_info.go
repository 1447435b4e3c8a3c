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
	for i := range g.ConsumerCount() {
		c := g.ConsumerAt(i)
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
}

func runXInfoGroups(x *Ctx) {
	s, ok := x.infoStream()
	if !ok {
		return
	}
	x.Array(s.GroupCount())
	for i := range s.GroupCount() {
		g := s.GroupAt(i)
		x.Map(6)
		x.namedBulk("name", g.Name())
		x.namedInt("consumers", int64(g.ConsumerCount()))
		x.namedInt("pending", int64(g.PendingCount()))
		x.namedID("last-delivered-id", g.LastID())
		x.groupCounters(&g)
	}
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
		x.Map(9)
	} else {
		x.Map(10)
	}
	x.namedInt("length", s.Len())
	x.namedInt("radix-tree-keys", int64(s.NodeCount()))
	x.namedInt("radix-tree-nodes", int64(s.NodeCount()+s.PageCount()))
	x.namedID("last-generated-id", s.LastID())
	x.namedID("max-deleted-entry-id", s.MaxDeletedID())
	x.namedInt("entries-added", s.Added())
	x.namedID("recorded-first-entry-id", s.FirstID())
	if full {
		x.BulkString("entries")
		it := s.Iter(stream.ID{}, stream.MaxID, false)
		x.deliver(&s, &it, count, nil, nil)
		x.BulkString("groups")
		x.Array(s.GroupCount())
		for i := range s.GroupCount() {
			g := s.GroupAt(i)
			x.fullGroup(&g, count)
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

func (x *Ctx) fullGroup(g *stream.Group, count int64) {
	x.Map(7)
	x.namedBulk("name", g.Name())
	x.namedID("last-delivered-id", g.LastID())
	x.groupCounters(g)
	x.namedInt("pel-count", int64(g.PendingCount()))
	x.BulkString("pending")
	x.Array(int(min(count, int64(g.PendingCount()))))
	n := count
	for it := g.PendingFrom(stream.ID{}, stream.MaxID); n > 0 && it.Next(); n-- {
		x.Array(4)
		x.StreamID(it.ID())
		c := it.Consumer()
		x.Bulk(c.Name())
		x.Int(it.Time())
		x.Int(it.Times())
	}
	x.BulkString("consumers")
	x.Array(g.ConsumerCount())
	for i := range g.ConsumerCount() {
		c := g.ConsumerAt(i)
		x.Map(5)
		x.namedBulk("name", c.Name())
		x.namedInt("seen-time", c.Seen())
		x.namedInt("active-time", c.Active())
		x.namedInt("pel-count", int64(c.PendingCount()))
		x.BulkString("pending")
		x.Array(int(min(count, int64(c.PendingCount()))))
		n := count
		for it := c.PendingFrom(stream.ID{}, stream.MaxID); n > 0 && it.Next(); n-- {
			x.Array(3)
			x.StreamID(it.ID())
			x.Int(it.Time())
			x.Int(it.Times())
		}
	}
}

func runXInfoHelp(x *Ctx) {
	x.Help("XINFO",
		"CONSUMERS <key> <groupname>", "Tells of the consumers of a group.",
		"GROUPS <key>", "Tells of the groups of a stream.",
		"STREAM <key> [FULL [COUNT <count>]]", "Tells of a stream; with FULL also of its entries, groups and consumers.")
}
