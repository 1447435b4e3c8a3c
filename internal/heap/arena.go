package heap

import (
	"errors"
	"fmt"
	"sync/atomic"
	"unsafe"
)

// Ref is the place of a block: its distance from the arena's base in words of 8
// bytes. It fits 35 bits (256 GiB). The zero Ref is nil.
type Ref uint64

const (
	chunkShift = 16
	chunkSize  = 1 << chunkShift // bytes
	chunkWords = chunkSize / 8
	wordShift  = chunkShift - 3 // Ref >> wordShift is the chunk's index

	maxReserve = 1 << (35 + 3) // bytes that a Ref can reach
	minReserve = 64 << 20      // bytes; with less NewArena fails
	alignment  = 2 << 20       // bytes; the base is aligned for huge pages

	hugeFrom = 64 << 20 // bytes; what lies before never has huge pages

	minCommit = 8 << 20 // bytes; the arena is made accessible in steps
	maxCommit = 64 << 20
)

// Arena is the address space that all heaps of a server share. It hands out
// chunks of 64 KiB and runs of them; which are free is kept in chunkMap.
//
// Every method except Close may be called from any goroutine.
type Arena struct {
	base  unsafe.Pointer // constant
	limit int64          // constant: bytes reserved from base on
	opts  Options        // constant
	raw   unsafe.Pointer // constant: what the system reserved, base unaligned
	size  int64          // constant: bytes at raw
	links []chunkLink    // constant slice; an element belongs to its chunk's holder
	side  sideTable

	_         [64]byte // the words below change while all loops read those above
	committed atomic.Int64
	chunks    chunkMap
	closed    atomic.Bool
}

// Options are the choices an arena is opened with; the zero value is the default.
type Options struct {
	// Reserve is how much address space to reserve, in bytes; 0 or more than a
	// Ref can reach means the most. It costs no memory and bounds the arena.
	Reserve int64
	// HugePages asks the system for huge pages behind all but the first 64 MiB.
	// Otherwise it is asked not to use any, whatever its own default. See doc.go.
	HugePages bool
}

// Stats describes an arena. All figures are bytes; those of an arena in use are
// each true at some moment during the call.
type Stats struct {
	Reserved  int64 // address space
	Committed int64 // made accessible so far
	Held      int64 // chunks that heaps hold, whether or not they use all of them
	FreeDirty int64 // free chunks that still have memory behind them; see Trim
	FreeClean int64 // free chunks that have none
}

// ErrReserve is returned when the system grants not even a small address range.
var ErrReserve = errors.New("heap: cannot reserve address space")

// NewArena reserves address space: reserve bytes, or the largest half, quarter, …
// of it that the system grants.
func NewArena(reserve int64) (*Arena, error) { return OpenArena(Options{Reserve: reserve}) }

// OpenArena is NewArena with all choices.
func OpenArena(o Options) (*Arena, error) {
	want := o.Reserve
	if want <= 0 || want > maxReserve {
		want = maxReserve
	}
	want = (want + chunkSize - 1) &^ (chunkSize - 1)
	want = min(max(want, 2*chunkSize), sysReserveLimit)
	var raw unsafe.Pointer
	for try := want; ; try = try / 2 &^ (chunkSize - 1) {
		var err error
		if raw, err = sysReserve(try + alignment); err == nil {
			want = try
			break
		}
		if try < minReserve {
			return nil, fmt.Errorf("%w: %w", ErrReserve, err)
		}
	}
	a := &Arena{raw: raw, size: want + alignment, limit: want, opts: o}
	a.base = unsafe.Add(raw, -uintptr(raw)&(alignment-1))
	small := want
	if o.HugePages {
		small = min(want, hugeFrom)
		sysHuge(unsafe.Add(a.base, small), want-small, true)
	}
	sysHuge(a.base, small, false)
	n := int(want >> chunkShift)
	if err := a.side.open(n); err != nil {
		_ = sysRelease(raw, a.size)
		return nil, fmt.Errorf("%w: %w", ErrReserve, err)
	}
	a.links = a.side.links(n)
	a.chunks.open(a.side.words(n))
	return a, nil
}

// Close gives the address space back. No heap of the arena, nor anything that
// reads its memory, may be used afterwards. Closing twice does nothing.
func (a *Arena) Close() error {
	if !a.closed.CompareAndSwap(false, true) {
		return nil
	}
	err := a.side.close()
	if e := sysRelease(a.raw, a.size); e != nil {
		err = e
	}
	a.base, a.raw, a.links = nil, nil, nil
	return err
}

// Base returns the address of Ref 0.
func (a *Arena) Base() unsafe.Pointer { return a.base }

// Ptr returns the address of r.
func (a *Arena) Ptr(r Ref) unsafe.Pointer { return unsafe.Add(a.base, uintptr(r)<<3) }

// Bytes returns the n bytes at r.
func (a *Arena) Bytes(r Ref, n int) []byte {
	return unsafe.Slice((*byte)(unsafe.Add(a.base, uintptr(r)<<3)), n)
}

// Readable reports whether the n bytes at r, which may be a torn or stale Ref, can
// be read without a fault. What was readable once stays so until Close: memory
// given back reads as zeros.
func (a *Arena) Readable(r Ref, n int) bool {
	return r-1 < maxReserve>>3 && uint64(n) <= maxReserve &&
		uint64(r)<<3+uint64(n) <= uint64(a.committed.Load())
}

// Stats returns the arena's figures.
func (a *Arena) Stats() Stats {
	free, dirty := a.chunks.free.Load(), a.chunks.freeDirty.Load()
	return Stats{
		Reserved:  a.limit,
		Committed: a.committed.Load(),
		Held:      max(0, int64(a.chunks.frontier.Load())-1-free) << chunkShift,
		FreeDirty: max(0, dirty) << chunkShift,
		FreeClean: max(0, free-dirty) << chunkShift,
	}
}

// take returns n chunks in a row and whether any may have memory behind it; 0
// when there are none. It never waits for another thread.
func (a *Arena) take(n uint32) (first uint32, dirty bool) {
	if first, dirty = a.chunks.take(n); first != 0 {
		return first, dirty
	}
	for {
		first = a.chunks.frontier.Load()
		if !a.commit(int64(first+n) << chunkShift) {
			// Someone may have given chunks back meanwhile.
			return a.chunks.take(n)
		}
		if a.chunks.frontier.CompareAndSwap(first, first+n) {
			return first, false
		}
	}
}

// takeAt takes exactly the n chunks from first on, and reports whether it could.
func (a *Arena) takeAt(first, n uint32) bool {
	if a.chunks.frontier.Load() == first {
		return a.commit(int64(first+n)<<chunkShift) && a.chunks.frontier.CompareAndSwap(first, first+n)
	}
	return a.chunks.takeAt(first, n)
}

// give takes back n chunks, all of which may have memory behind them.
func (a *Arena) give(first, n uint32) { a.chunks.give(first, n, true) }

// commit makes the arena accessible up to end, and reports whether it could. Two
// threads may do the same part at once, which is harmless, so neither waits.
func (a *Arena) commit(end int64) bool {
	for {
		have := a.committed.Load()
		if end <= have {
			return true
		}
		if end > a.limit {
			return false
		}
		step := min(max(have/8, minCommit), maxCommit)
		next := min(max(end, (have+step)&^(minCommit-1)), a.limit)
		p := unsafe.Add(a.base, have)
		if a.side.commit(int(next>>chunkShift)) != nil || sysCommit(p, next-have) != nil {
			// A machine that counts commitments may still grant a small step.
			if next = end; a.side.commit(int(next>>chunkShift)) != nil || sysCommit(p, next-have) != nil {
				return false
			}
		}
		for now := have; now < next && !a.committed.CompareAndSwap(now, next); {
			now = a.committed.Load()
		}
	}
}
