package stream

import "sherd/internal/heap"

// Nodes is the only encoding.
const Nodes uint8 = 1

// EncodingName is what OBJECT ENCODING says.
func EncodingName(uint8) string { return "stream" }

// Stream is a stream that has been opened: valid for one command, or as long as
// its slice stays latched. What is changed lands in the heap at once.
type Stream struct {
	h    *heap.Heap
	a    *heap.Arena
	ref  heap.Ref
	root []byte
}

// The root block.
const (
	rootLength  = 0
	rootLast    = 8
	rootFirst   = 24
	rootDeleted = 40
	rootAdded   = 56
	rootNodes   = 64                     // index of nodes
	rootGroups  = rootNodes + indexBytes // names of groups
	rootIdem    = rootGroups + namesBytes
	rootBytes   = rootIdem + 8
)

// Limits say when a node is full: bytes it may have, and entries; 0 is no limit.
type Limits struct{ Bytes, Entries int64 }

// New makes an empty stream; false: memory is exhausted.
func New(h *heap.Heap) (Stream, bool) {
	ref := h.Alloc(rootBytes)
	if ref == 0 {
		return Stream{}, false
	}
	clear(h.Arena().Bytes(ref, rootBytes))
	return Open(h, ref), true
}

// Open opens the stream at ref.
func Open(h *heap.Heap, ref heap.Ref) Stream {
	a := h.Arena()
	return Stream{h, a, ref, a.Bytes(ref, rootBytes)}
}

// Ref is where the stream is; it never moves.
func (s *Stream) Ref() heap.Ref { return s.ref }

// Len is the number of entries.
func (s *Stream) Len() int64 { return int64(get64(s.root, rootLength)) }

// LastID is the greatest ID that was ever given out.
func (s *Stream) LastID() ID { return getID(s.root, rootLast) }

// FirstID is the first entry's ID; 0-0 of an empty stream.
func (s *Stream) FirstID() ID { return getID(s.root, rootFirst) }

// MaxDeletedID is the greatest ID of an entry that was deleted by its ID.
func (s *Stream) MaxDeletedID() ID { return getID(s.root, rootDeleted) }

// Added is how many entries were ever added.
func (s *Stream) Added() int64 { return int64(get64(s.root, rootAdded)) }

// NodeCount is the number of nodes, and PageCount that of the pages of their
// index.
func (s *Stream) NodeCount() int { x := s.nodes(); return x.count }

// PageCount is the number of pages of the index of nodes.
func (s *Stream) PageCount() int { x := s.nodes(); return x.n }

// SetLastID sets what LastID returns.
func (s *Stream) SetLastID(id ID) { putID(s.root, rootLast, id) }

// SetAdded sets what Added returns.
func (s *Stream) SetAdded(n int64) { put64(s.root, rootAdded, uint64(n)) }

// SetMaxDeletedID sets what MaxDeletedID returns.
func (s *Stream) SetMaxDeletedID(id ID) { putID(s.root, rootDeleted, id) }

// SetFirstID sets what FirstID returns, for whoever restores a stream.
func (s *Stream) SetFirstID(id ID) { putID(s.root, rootFirst, id) }

func (s *Stream) addLength(n int64) { put64(s.root, rootLength, uint64(s.Len()+n)) }

func (s *Stream) nodes() index                { return loadIndex(s.root[rootNodes:]) }
func (s *Stream) storeNodes(x *index)         { x.store(s.root[rootNodes:]) }
func nodeAt(r []byte) node                    { return nodeOf(get64(r, idBytes)) }
func putNode(r []byte, n node)                { put64(r, idBytes, n.word()) }
func viewNode(a *heap.Arena, r []byte) []byte { return nodeAt(r).view(a) }
func (s *Stream) view(r []byte) []byte        { return viewNode(s.a, r) }
func (s *Stream) freeNode(r []byte)           { n := nodeAt(r); s.h.Free(n.ref, n.room) }

// edgeID finds the first entry, or the last; false if there is none.
func (s *Stream) edgeID(last bool) (ID, bool) {
	it := s.Iter(ID{}, MaxID, last)
	ok := it.Next()
	return it.ID, ok
}

// TopID is the ID of the last entry that is there; false if there is none.
func (s *Stream) TopID() (ID, bool) { return s.edgeID(true) }

// noteFirst makes FirstID right after the first entry went.
func (s *Stream) noteFirst() {
	id, ok := ID{}, false
	if s.Len() > 0 {
		id, ok = s.edgeID(false)
	}
	if !ok {
		id = ID{}
	}
	putID(s.root, rootFirst, id)
}
