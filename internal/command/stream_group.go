package command

import (
	"sherd/internal/store/stream"
	"sherd/internal/wire/resp"
)

const (
	errGroupKey = "ERR The XGROUP subcommand requires the key to exist. " +
		"Note that for CREATE you may want to use the MKSTREAM option to create an empty stream automatically."
	errGroupBusy = "BUSYGROUP Consumer Group name already exists"
)

// groupSteps is how many blocks or entries of a group are dropped before others
// are let run.
const groupSteps = 2048

// groupOptions reads ENTRIESREAD and, for XGROUP CREATE, MKSTREAM; false: the error
// has been replied.
func (x *Ctx) groupOptions(create bool) (read int64, makes, ok bool) {
	read = stream.UnknownRead
	for i := 5; i < len(x.Args); {
		switch word := x.Args[i]; {
		case create && is(word, "MKSTREAM"):
			makes = true
			i++
		case is(word, "ENTRIESREAD") && i+1 < len(x.Args):
			if read, ok = resp.ParseInt64(x.Args[i+1]); !ok {
				x.Error(errNotInteger)
				return 0, false, false
			}
			if read < stream.UnknownRead {
				x.Error("ERR value for ENTRIESREAD must be positive or -1")
				return 0, false, false
			}
			i += 2
		default:
			x.subcommandSyntax("XGROUP")
			return 0, false, false
		}
	}
	return read, makes, true
}

func runXGroupCreate(x *Ctx) {
	read, makes, ok := x.groupOptions(true)
	if !ok {
		return
	}
	k, name := &x.Keys[0], x.Args[3]
	s, exists, wrong := x.findStream(k)
	switch {
	case wrong:
		return
	case !exists && !makes:
		x.Error(errGroupKey)
		return
	case len(x.Args) > 8:
		x.subcommandSyntax("XGROUP")
		return
	}
	var id stream.ID
	if last := x.Args[4]; len(last) != 1 || last[0] != '$' {
		if id, ok = x.streamID(last); !ok {
			return
		}
	} else if exists {
		id = s.LastID()
	}
	if !exists {
		if s, ok = x.createStream(k); !ok {
			return
		}
	}
	if _, ok := s.Group(name); ok {
		x.Error(errGroupBusy)
		return
	}
	if _, ok := s.CreateGroup(name, id, read); !ok {
		x.OutOfMemory()
		return
	}
	x.Changed(1)
	x.OK()
}

// groupAt opens the stream at a key and the group that an argument names; false:
// the error has been replied.
func (x *Ctx) groupAt(s *stream.Stream) (g stream.Group, ok bool) {
	var wrong bool
	*s, ok, wrong = x.findStream(&x.Keys[0])
	switch {
	case wrong:
		return g, false
	case !ok:
		x.Error(errGroupKey)
		return g, false
	}
	if g, ok = s.Group(x.Args[3]); !ok {
		x.noGroupFor(x.Args[3], x.Args[2])
	}
	return g, ok
}

func (x *Ctx) noGroupFor(group, key []byte) {
	x.Error("NOGROUP No such consumer group '" + string(cText(group)) + "' for key name '" + string(cText(key)) + "'")
}

func runXGroupSetID(x *Ctx) {
	read, _, ok := x.groupOptions(false)
	if !ok {
		return
	}
	var s stream.Stream
	g, ok := x.groupAt(&s)
	if !ok {
		return
	}
	if len(x.Args) > 7 {
		x.subcommandSyntax("XGROUP")
		return
	}
	id := s.LastID()
	if last := x.Args[4]; len(last) != 1 || last[0] != '$' {
		if id, ok = parseStreamID(last, 0, false, nil); !ok {
			x.Error(errStreamID)
			return
		}
	}
	g.SetLastID(id)
	g.SetEntriesRead(read)
	x.Changed(1)
	x.OK()
}

func runXGroupDestroy(x *Ctx) {
	s, ok, wrong := x.findStream(&x.Keys[0])
	switch {
	case wrong:
		return
	case !ok:
		x.Error(errGroupKey)
		return
	}
	g, ok := s.Group(x.Args[3])
	if !ok {
		x.Int(0)
		return
	}
	x.Changed(1)
	x.Int(1)
	if !s.DropGroup(&g, groupSteps) {
		x.KeepLatched(newGroupDrop(s, x.Args[3]))
	}
}

// groupDrop is XGROUP DESTROY going on.
type groupDrop struct {
	s stream.Stream
	g stream.Group
}

func newGroupDrop(s stream.Stream, name []byte) *groupDrop {
	d := &groupDrop{s: s}
	d.g, _ = d.s.Group(name)
	return d
}

// Step frees some of the group.
func (d *groupDrop) Step(*Ctx) bool { return d.s.DropGroup(&d.g, groupSteps) }

func runXGroupCreateConsumer(x *Ctx) {
	var s stream.Stream
	g, ok := x.groupAt(&s)
	if !ok {
		return
	}
	if _, exists := g.Consumer(x.Args[4]); exists {
		x.Int(0)
		return
	}
	if _, ok := g.CreateConsumer(x.Args[4], x.Now); !ok {
		x.OutOfMemory()
		return
	}
	x.Changed(1)
	x.Int(1)
}

func runXGroupDelConsumer(x *Ctx) {
	var s stream.Stream
	g, ok := x.groupAt(&s)
	if !ok {
		return
	}
	c, ok := g.Consumer(x.Args[4])
	if !ok {
		x.Int(0)
		return
	}
	x.Changed(1)
	x.Int(int64(c.PendingCount()))
	if !g.DropConsumer(&c, groupSteps) {
		d := &consumerDrop{groupDrop: *newGroupDrop(s, x.Args[3])}
		d.g, _ = d.s.Group(x.Args[3])
		d.c, _ = d.g.Consumer(x.Args[4])
		x.KeepLatched(d)
	}
}

// consumerDrop is XGROUP DELCONSUMER going on.
type consumerDrop struct {
	groupDrop
	c stream.Consumer
}

// Step takes some of the consumer's pending entries away.
func (d *consumerDrop) Step(*Ctx) bool { return d.g.DropConsumer(&d.c, groupSteps) }

func runXGroupHelp(x *Ctx) {
	x.Help("XGROUP",
		"CREATE <key> <groupname> <id|$> [option]", "Creates a consumer group. Options are MKSTREAM, which creates the stream, and ENTRIESREAD <n>, the group's counter.",
		"CREATECONSUMER <key> <groupname> <consumer>", "Creates a consumer.",
		"DELCONSUMER <key> <groupname> <consumer>", "Removes a consumer and what it has pending.",
		"DESTROY <key> <groupname>", "Removes a group.",
		"SETID <key> <groupname> <id|$> [ENTRIESREAD <n>]", "Sets the group's last delivered ID.")
}

func runXAck(x *Ctx) {
	s, ok, wrong := x.readStream(&x.Keys[0])
	if wrong {
		return
	}
	var g stream.Group
	if ok {
		g, ok = s.Group(x.Args[2])
	}
	if !ok {
		x.Int(0)
		return
	}
	for _, a := range x.Args[3:] {
		if _, ok := x.streamID(a); !ok {
			return
		}
	}
	n := int64(0)
	for _, a := range x.Args[3:] {
		id, _ := parseStreamID(a, 0, true, nil)
		if g.Ack(id) {
			n++
		}
	}
	x.Changed(n)
	x.Int(n)
}
