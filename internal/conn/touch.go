package conn

import (
	"unsafe"

	"sherd/internal/store/dash"
	"sherd/internal/store/prefetch"
)

// addresses is scratch for a group's memory addresses.
type addresses struct {
	at   [2 * groupSize]unsafe.Pointer
	cmds [groupSize]uint8
}

// touchGroup brings the buckets and then the entries of a group's keys into the
// cache. It holds no latch: the addresses are hints, computed from what may be
// changing, and only ever prefetched or read within committed memory.
func (w *Worker) touchGroup(n int) {
	a := &w.addrs
	arena := w.sh.Keyspace.Arena
	k := 0
	for i := range n {
		s := &w.group[i]
		if s.slice == nil {
			continue
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
		if e := dash.CandidateAddr(arena, a.at[j], s.hash); e != nil {
			a.at[m] = e
			m++
		}
	}
	prefetch.PrefetchPairs(a.at[:m], dash.EntrySpan)
}
