package heap

import (
	"sync/atomic"
	"unsafe"
)

// chunkLink is what the arena keeps of a chunk outside of it, so that a list of
// chunks can be walked and given back without touching them.
type chunkLink struct {
	next, prev uint32 // the holder's list
	pages      uint32 // the big block that begins here has this many times 4 KiB
	kind       uint32 // kindNone, kindUnits, kindBig
}

const (
	kindNone  = iota // free, or inside a big block
	kindUnits        // divided into units
	kindBig          // begins a big block
)

const linkSize = 16 // bytes

// size is the class size of a big block.
func (l chunkLink) size() int { return int(l.pages) * bigStep }

// run is how many chunks a big block takes.
func (l chunkLink) run() uint32 { return chunksFor(l.size()) }

// sideTable is a second reservation, for the arena's own bookkeeping: three
// bitmaps, 1 MiB for the largest arena, and the links, which are made accessible
// step by step as the arena is.
type sideTable struct {
	p         unsafe.Pointer
	size      int64
	maps      int64        // bytes of the bitmaps
	committed atomic.Int64 // bytes
}

// sideStep is the granularity of commitments: a multiple of any page size.
const sideStep = 64 << 10

func (s *sideTable) open(chunks int) error {
	s.maps = (3*8*int64(wordsFor(chunks)) + sideStep - 1) &^ (sideStep - 1)
	s.size = (s.maps + linkSize*int64(chunks) + sideStep - 1) &^ (sideStep - 1)
	p, err := sysReserve(s.size)
	if err != nil {
		return err
	}
	if err := sysCommit(p, s.maps); err != nil {
		_ = sysRelease(p, s.size)
		return err
	}
	s.p = p
	s.committed.Store(s.maps)
	return nil
}

func (s *sideTable) close() error { return sysRelease(s.p, s.size) }

// commit makes the links of the first chunks accessible.
func (s *sideTable) commit(chunks int) error {
	need := (s.maps + linkSize*int64(chunks) + sideStep - 1) &^ (sideStep - 1)
	have := s.committed.Load()
	if need <= have {
		return nil
	}
	if err := sysCommit(unsafe.Add(s.p, have), need-have); err != nil {
		return err
	}
	for have < need && !s.committed.CompareAndSwap(have, need) {
		have = s.committed.Load()
	}
	return nil
}

func (s *sideTable) links(chunks int) []chunkLink {
	return unsafe.Slice((*chunkLink)(unsafe.Add(s.p, s.maps)), chunks)
}

func (s *sideTable) words(chunks int) []atomic.Uint64 {
	return unsafe.Slice((*atomic.Uint64)(s.p), 3*wordsFor(chunks))
}

// wordsFor is how many words hold a bit for each chunk.
func wordsFor(chunks int) int { return (chunks + 63) / 64 }
