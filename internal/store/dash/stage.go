package dash

import (
	"sync/atomic"
	"unsafe"

	"sherd/internal/heap"
	"sherd/internal/store/prefetch"
)

// Staged access. A turn's keys are looked up together: BucketAddr for all of them,
// prefetch, CandidateAddr for all of them, prefetch, and then, one after the other
// and under the latch, the lookups proper, which find their memory in the cache.
// The first two stages run without the latch. They may read memory that a writer is
// changing or has freed, so what they return is a guess; but they only read memory
// that stays readable, and a prefetch of a wrong address does no harm.
//
// Race builds do without, since the detector would report these reads.

// BucketSpan and EntrySpan are what to hand to PrefetchPairs with the addresses of
// buckets and of candidates.
const (
	BucketSpan = 64
	EntrySpan  = 40
)

const staged = prefetch.Enabled && !raceEnabled

// BucketAddr returns the address of the bucket that a hash falls in, or nil. It
// reads the directory only.
func (t *Table) BucketAddr(a *heap.Arena, hash uint64) unsafe.Pointer {
	if !staged {
		return nil
	}
	seg := t.peekSeg(a, hash)
	if seg == 0 {
		return nil
	}
	return bucketAt(seg.ptr(a.Base()), homeOf(posOf(hash, fpOf(hash)), uint64(seg>>nShift&nMask)-1))
}

// peekSeg is segOf without the latch: 0 if there is no segment or what there is
// cannot be one. Else all of the segment is readable.
func (t *Table) peekSeg(a *heap.Arena, hash uint64) segWord {
	// The root is one word, so it is a directory that stands or stood; its memory
	// stays readable, but may hold anything by now.
	r := segWord(atomic.LoadUint64(&t.root))
	if d := r >> depthShift & depthMask; d != 0 {
		r = dirEntry(a.Base(), r, hash<<dirTop>>(64-d&63))
		if n := uint(r >> nShift & nMask); n-1 >= maxBuckets || !a.Readable(r.ref(), int(n)*bucketSize) {
			return 0
		}
	}
	return r
}

// Candidate returns the slot of the entry that most likely has the key of a hash
// whose bucket is in the cache, to be prefetched and tried with PeekSlot; 0 is none.
// It is a hint likewise.
func Candidate(bucket unsafe.Pointer, hash uint64) (slot uint64) {
	if !staged {
		return 0
	}
	fp := fpOf(hash)
	tag := tagOf(hash, 0)
	for set := match(bucket, fp); set != 0; set = restSlots(set) {
		// The depth of the segment, and with it the window of its tags, is not
		// known here: a slot that differs in the window is second best.
		w := load64(bucket, firstSlot(set)*8)
		if w>>tagShift == tag {
			return w
		}
		if w>>posShift == tag>>window {
			slot = w
		}
	}
	if slot == 0 && load8(bucket, nextOff) != 0 {
		b := bucketAt(bucket, 1)
		for set := match(b, fp); set != 0; set = restSlots(set) {
			if w := load64(b, firstSlot(set)*8); w>>posShift == tag>>window {
				slot = w
			}
		}
	}
	return slot
}

// SlotAddr returns where the entry of a slot is.
func SlotAddr(a *heap.Arena, slot uint64) unsafe.Pointer { return refPtr(a.Base(), slot) }
