package stream

// A stream is written node by node and restored entry by entry.

// NodeOf is a number that the entries of one node have in common, while the stream
// does not change: that of the entry that Next came to.
func (it *Iter) NodeOf() uint64 { return uint64(it.spot.page)<<32 | uint64(it.spot.i) }

// AppendTo is Append that begins a node with the entry, or goes on with the last one,
// whatever is in it.
func (s *Stream) AppendTo(newNode bool, id ID, pairs [][]byte) bool {
	if newNode {
		return s.Append(id, pairs, Limits{Bytes: 1})
	}
	return s.Append(id, pairs, Limits{})
}

// Recount makes EntriesRead what LastID tells, for dumps that do not have it.
func (g *Group) Recount() { g.SetEntriesRead(g.s.distance(g.LastID())) }
