package command

import (
	"strconv"

	"sherd/internal/store/dash"
	"sherd/internal/store/stream"
	"sherd/internal/store/value"
	"sherd/internal/wire/resp"
)

// Error texts of the commands on streams.
const (
	errStreamID    = "ERR Invalid stream ID specified as stream command argument"
	errStreamStart = "ERR invalid start ID for the interval"
	errStreamEnd   = "ERR invalid end ID for the interval"
)

// maxStreamID is the longest text that is looked at for an ID.
const maxStreamID = 127

// parseStreamID reads ms-seq, or ms alone, with missing for seq. strict forbids
// - and +, the least and the greatest ID. With auto, ms-* is allowed, and auto is
// set if it was met.
func parseStreamID(b []byte, missing uint64, strict bool, auto *bool) (id stream.ID, ok bool) {
	if len(b) > maxStreamID {
		return id, false
	}
	b = cText(b)
	if len(b) == 1 && (b[0] == '-' || b[0] == '+') {
		if strict {
			return id, false
		}
		if b[0] == '+' {
			id = stream.MaxID
		}
		return id, true
	}
	ms, seq, dashed := b, []byte(nil), false
	for i, c := range b {
		if c == '-' {
			ms, seq, dashed = b[:i], b[i+1:], true
			break
		}
	}
	if id.Ms, ok = parseUnsigned(ms); !ok {
		return id, false
	}
	switch {
	case !dashed:
		id.Seq = missing
	case auto != nil && len(seq) == 1 && seq[0] == '*':
		*auto = true
	default:
		id.Seq, ok = parseUnsigned(seq)
	}
	return id, ok
}

// cText is b up to its first NUL.
func cText(b []byte) []byte {
	for i, c := range b {
		if c == 0 {
			return b[:i]
		}
	}
	return b
}

// parseUnsigned reads what Redis reads as an unsigned number: a plain integer, or
// whatever C's strtoull takes as a whole.
func parseUnsigned(b []byte) (uint64, bool) {
	if n, ok := resp.ParseInt64(b); ok {
		return uint64(n), n >= 0
	}
	for len(b) > 0 && (b[0] == ' ' || b[0]-'\t' < 5) {
		b = b[1:]
	}
	negative := false
	if len(b) > 0 && (b[0] == '-' || b[0] == '+') {
		negative = b[0] == '-'
		b = b[1:]
	}
	if len(b) == 0 {
		return 0, false
	}
	n := uint64(0)
	for _, c := range b {
		c -= '0'
		if c > 9 || n > (1<<64-1)/10 || n*10 > 1<<64-1-uint64(c) {
			return 0, false
		}
		n = n*10 + uint64(c)
	}
	if negative {
		n = -n
	}
	return n, true
}

// streamID reads an ID that may not be - or +, or replies the error.
func (x *Ctx) streamID(b []byte) (stream.ID, bool) {
	id, ok := parseStreamID(b, 0, true, nil)
	if !ok {
		x.Error(errStreamID)
	}
	return id, ok
}

// streamStart and streamEnd read an end of a range, which "(" excludes, or reply
// the error.
func (x *Ctx) streamStart(b []byte) (id stream.ID, ok bool) {
	if len(b) > 1 && b[0] == '(' {
		if id, ok = x.streamID(b[1:]); ok {
			if id, ok = id.Next(); !ok {
				x.Error(errStreamStart)
			}
		}
		return id, ok
	}
	if id, ok = parseStreamID(b, 0, false, nil); !ok {
		x.Error(errStreamID)
	}
	return id, ok
}

func (x *Ctx) streamEnd(b []byte) (id stream.ID, ok bool) {
	out := len(b) > 1 && b[0] == '('
	if out {
		id, ok = parseStreamID(b[1:], 1<<64-1, true, nil)
	} else {
		id, ok = parseStreamID(b, 1<<64-1, false, nil)
	}
	if !ok {
		x.Error(errStreamID)
	} else if out {
		if id, ok = id.Prev(); !ok {
			x.Error(errStreamEnd)
		}
	}
	return id, ok
}

// StreamID replies an ID.
func (x *Ctx) StreamID(id stream.ID) {
	var text [48]byte
	x.Bulk(appendStreamID(text[:0], id))
}

func appendStreamID(dst []byte, id stream.ID) []byte {
	dst = strconv.AppendUint(dst, id.Ms, 10)
	dst = append(dst, '-')
	return strconv.AppendUint(dst, id.Seq, 10)
}

// streamEntry replies the entry that an iterator is at.
func (x *Ctx) streamEntry(it *stream.Iter) {
	x.Array(2)
	x.entryParts(it)
}

// entryParts replies ID and fields of the entry that an iterator is at.
func (x *Ctx) entryParts(it *stream.Iter) {
	x.StreamID(it.ID)
	x.Array(2 * it.Fields)
	var scratch [24]byte
	for it.NextField() {
		x.Bulk(it.Field(&scratch))
		x.Bulk(it.Value(&scratch))
	}
}

// arrayOf makes an array that was begun at mark one of n elements, whatever was
// expected of it.
func (x *Ctx) arrayOf(mark, body, n int) {
	var head [24]byte
	h := resp.AppendArray(head[:0], n)
	x.replaceHead(mark, body, h)
}

func (x *Ctx) replaceHead(mark, body int, h []byte) {
	switch d := len(h) - (body - mark); {
	case d > 0:
		x.Out = append(x.Out, h[:d]...)
		copy(x.Out[body+d:], x.Out[body:len(x.Out)-d])
	case d < 0:
		copy(x.Out[body+d:], x.Out[body:])
		x.Out = x.Out[:len(x.Out)+d]
	}
	copy(x.Out[mark:], h)
}

// streamAt opens the stream of an entry.
func streamAt(k *Key, e dash.Entry) stream.Stream { return stream.Open(&k.Slice.Heap, e.Ref()) }

// readStream opens the stream at a key for reading; a hit or miss is counted.
func (x *Ctx) readStream(k *Key) (s stream.Stream, ok, wrong bool) {
	e, ok, wrong := x.ReadKind(k, dash.Stream)
	if ok && !wrong {
		s = streamAt(k, e)
	}
	return s, ok, wrong
}

// findStream opens the stream at a key.
func (x *Ctx) findStream(k *Key) (s stream.Stream, ok, wrong bool) {
	e, ok, wrong := x.FindKind(k, dash.Stream)
	if ok && !wrong {
		s = streamAt(k, e)
	}
	return s, ok, wrong
}

// createStream puts an empty stream under a key that does not exist.
func (x *Ctx) createStream(k *Key) (stream.Stream, bool) {
	s, ok := stream.New(&k.Slice.Heap)
	if !ok {
		x.OutOfMemory()
		return s, false
	}
	return s, x.Create(k, value.Handle{Kind: dash.Stream, Encoding: stream.Nodes, Ref: s.Ref()}, 0)
}

// noGroup replies that a key or its group does not exist.
func (x *Ctx) noGroup(key, group []byte, more string) {
	x.Error("NOGROUP No such key '" + string(cText(key)) + "' or consumer group '" + string(cText(group)) + "'" + more)
}

// subcommandSyntax replies that a subcommand's arguments are not understood.
func (x *Ctx) subcommandSyntax(container string) {
	x.Error("ERR unknown subcommand or wrong number of arguments for '" + string(cText(clip(x.Args[1], 128))) + "'. Try " + container + " HELP.")
}
