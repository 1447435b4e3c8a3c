package command

import (
	"sherd/internal/store/stream"
	"sherd/internal/wire/resp"
)

// refsOf tells which option a word is; false: none of them.
func refsOf(word []byte) (stream.Refs, bool) {
	switch {
	case is(word, "KEEPREF"):
		return stream.KeepRefs, true
	case is(word, "DELREF"):
		return stream.DropRefs, true
	case is(word, "ACKED"):
		return stream.AckedOnly, true
	}
	return 0, false
}

// refsAndIDs reads the options and IDs of XDELEX and XACKDEL; false: the error
// has been replied.
func (x *Ctx) refsAndIDs(at int) (refs stream.Refs, ids [][]byte, ok bool) {
	given := false
	for i := at; i < len(x.Args); i++ {
		word := x.Args[i]
		if r, is := refsOf(word); is && !given {
			refs, given = r, true
			continue
		}
		if !is(word, "IDS") || i+1 >= len(x.Args) || ids != nil {
			x.Syntax()
			return 0, nil, false
		}
		n, ok := resp.ParseInt64(x.Args[i+1])
		rest := x.Args[i+2:]
		switch {
		case !ok || n < 1:
			x.Error("ERR Number of IDs must be a positive integer")
			return 0, nil, false
		case n > int64(len(rest)):
			x.Error("ERR The `numids` parameter must match the number of arguments")
			return 0, nil, false
		}
		ids = rest[:n]
		i += 1 + int(n)
	}
	if ids == nil {
		x.Syntax()
		return 0, nil, false
	}
	for _, a := range ids {
		if _, ok := x.streamID(a); !ok {
			return 0, nil, false
		}
	}
	return refs, ids, true
}

// What XDELEX and XACKDEL reply for an ID.
const (
	refsNoEntry = -1
	refsDeleted = 1
	refsKept    = 2 // somebody refers to it still
)

func runXDelEx(x *Ctx)  { x.deleteRefs(2, false) }
func runXAckDel(x *Ctx) { x.deleteRefs(3, true) }

// deleteRefs deletes entries, those that were pending in a group if acks.
func (x *Ctx) deleteRefs(at int, acks bool) {
	refs, ids, ok := x.refsAndIDs(at)
	if !ok {
		return
	}
	s, exists, wrong := x.findStream(&x.Keys[0])
	if wrong {
		return
	}
	var g stream.Group
	if exists && acks {
		g, exists = s.Group(x.Args[2])
	}
	x.Array(len(ids))
	n, first := int64(0), false
	var greatest stream.ID
	for _, a := range ids {
		id, _ := parseStreamID(a, 0, true, nil)
		if !exists || acks && !g.Ack(id) {
			x.Int(refsNoEntry)
			continue
		}
		if acks {
			x.Changed(1)
		}
		if refs == stream.DropRefs {
			s.Forget(id)
		}
		if refs == stream.AckedOnly && s.Has(id) && s.Referenced(id) {
			x.Int(refsKept)
			continue
		}
		switch {
		case s.Delete(id):
			n++
			first = first || id == s.FirstID()
			if greatest.Less(id) {
				greatest = id
			}
			x.Int(refsDeleted)
		case acks:
			x.Int(refsDeleted) // acknowledged, and gone before
		default:
			x.Int(refsNoEntry)
		}
	}
	if n > 0 {
		s.Deleted(greatest, first)
		x.Changed(n)
	}
}
