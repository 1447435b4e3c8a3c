package conn

import (
	"unsafe"

	"sherd/internal/store/dash"
	"sherd/internal/store/prefetch"
)

// addresses is scratch for a group's memory addresses.
type addresses struct {
	at   [groupSize]unsafe.Pointer
	cmds [groupSize]uint8
}

// touchGroup brings the buckets and then the entries of a group's keys into the
// cache. It holds no latch: the addresses are hints, computed from what may be
// changing, and only ever prefetched or read within committed memory. A slot that
// it finds is good for an optimistic read as long as the slice has the version
// that it had before.
func (w *Worker) touchGroup(n int) {
	a := &w.addrs
	arena := w.sh.Keyspace.Arena
	k := 0
	for i := range n {
		s := &w.group[i]
		if s.slice == nil {
			continue
		}
		var free bool
		if s.version, free = s.slice.Version(); !free {
			s.version = notSeen
		}
		if b := s.table.BucketAddr(arena, s.hash); b != nil {
			a.at[k] = b
			a.cmds[k] = uint8(i)
			k++
		}
	}
	if k < 2 {
		return
	}
	prefetch.PrefetchPairs(a.at[:k], dash.BucketSpan)
	m := 0
	for j := range k {
		s := &w.group[a.cmds[j]]
		if s.slot = dash.Candidate(a.at[j], s.hash); s.slot != 0 {
			a.at[m] = dash.SlotAddr(arena, s.slot)
			m++
		}
	}
	prefetch.PrefetchPairs(a.at[:m], dash.EntrySpan)
}

// notSeen is no version of a slice that is free.
const notSeen = ^uint64(0)
