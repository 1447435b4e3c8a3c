package dash

import (
	"runtime"
	"unsafe"

	"sherd/internal/heap"
)

// PeekSafe says whether Peek may be used. It relies on a processor that keeps loads
// in order; other processors, and race builds, read under the latch.
const PeekSafe = runtime.GOARCH == "amd64" && !raceEnabled

// PeekStatus is the outcome of a Peek.
type PeekStatus uint8

// Outcomes of a Peek. They count only if the slice's version has not changed.
const (
	Retry   PeekStatus = iota // look again under the latch
	Found                     // value aliases the arena: copy, then compare versions
	Missing                   // there is no such key
)

// maxChain bounds how far Peek follows what looks like a chain.
const maxChain = 8

// Peek looks a key up without the latch, while a writer may be changing anything.
// The caller reads the slice's version before, copies the value after, and believes
// both only if the version is still the same and was that of a free latch.
//
// Whatever the memory holds, Peek does not fault, loop or write: the table's root is
// one word and was valid once; everything reached from it is checked to lie in
// memory that stays readable, with lengths bounded first. Values longer than
// MaxInline, and keys as long, are left to the latch.
func (t *Table) Peek(a *heap.Arena, hash uint64, key []byte) (value []byte, deadlineMs int64, kind Kind, status PeekStatus) {
	if !PeekSafe || len(key) > MaxInline {
		return nil, 0, 0, Retry
	}
	seg := t.peekSeg(a, hash)
	if seg == 0 {
		// An implausible segment is not a missing key; but it is never there while
		// the version stands still, so the caller will not believe this anyway.
		return nil, 0, 0, Missing
	}
	fp := fpOf(hash)
	tag := tagOf(hash, uint64(seg>>depthShift&depthMask))
	b := bucketAt(seg.ptr(a.Base()), homeOf(posOf(hash, fp), uint64(seg>>nShift&nMask)-1))
	for set := match(b, fp); set != 0; set = restSlots(set) {
		if word := load64(b, firstSlot(set)*8); word>>tagShift == tag {
			if value, deadlineMs, kind, status = peekEntry(a, word, key); status != Missing {
				return value, deadlineMs, kind, status
			}
		}
	}
	if load16(b, nextOff) == 0 {
		return nil, 0, 0, Missing
	}
	return peekAway(a, seg, b, fp, tag, key)
}

// PeekSlot is Peek where Candidate has found a slot since the caller read the
// slice's version. Missing says nothing here: it is some other key's slot.
func PeekSlot(a *heap.Arena, slot uint64, key []byte) (value []byte, deadlineMs int64, kind Kind, status PeekStatus) {
	if !PeekSafe || len(key) > MaxInline {
		return nil, 0, 0, Retry
	}
	return peekEntry(a, slot, key)
}

// peekAway is findAway without the latch.
func peekAway(a *heap.Arena, seg segWord, b unsafe.Pointer, fp, tag uint64, key []byte) (value []byte, deadlineMs int64, kind Kind, status PeekStatus) {
	base := a.Base()
	p, n := seg.ptr(base), seg.n()
	hd := header(p, n)
	if n == 1 {
		return nil, 0, 0, Missing // no other bucket, whatever the counts say
	}
	if load8(b, nextOff) != 0 {
		// A home is not the last bucket, so the next one is the segment's too.
		if value, deadlineMs, kind, status = peekBucket(a, bucketAt(b, 1), fp, tag, key); status != Missing {
			return value, deadlineMs, kind, status
		}
	}
	if load8(b, stashOff) == 0 {
		return nil, 0, 0, Missing
	}
	if value, deadlineMs, kind, status = peekBucket(a, hd, fp, tag, key); status != Missing {
		return value, deadlineMs, kind, status
	}
	r := load64(hd, chainOff)
	for range maxChain {
		if r == 0 {
			return nil, 0, 0, Missing
		}
		if !a.Readable(heap.Ref(r), bucketSize) {
			break
		}
		cb := refPtr(base, r)
		if value, deadlineMs, kind, status = peekBucket(a, cb, fp, tag, key); status != Missing {
			return value, deadlineMs, kind, status
		}
		r = load64(cb, 0)
	}
	return nil, 0, 0, Retry
}

// peekBucket looks for key in one bucket.
func peekBucket(a *heap.Arena, b unsafe.Pointer, fp, tag uint64, key []byte) (value []byte, deadlineMs int64, kind Kind, status PeekStatus) {
	for set := match(b, fp); set != 0; set = restSlots(set) {
		if word := load64(b, firstSlot(set)*8); word>>tagShift == tag {
			if value, deadlineMs, kind, status = peekEntry(a, word, key); status != Missing {
				return value, deadlineMs, kind, status
			}
		}
	}
	return nil, 0, 0, Missing
}

// peekEntry looks at the entry of a slot; Missing if it has another key.
func peekEntry(a *heap.Arena, word uint64, key []byte) (value []byte, deadlineMs int64, kind Kind, status PeekStatus) {
	ref := heap.Ref(word & refMask)
	p := a.Ptr(ref)
	if word&general == 0 {
		off := uintptr(word >> 32 & 8)
		klen, vlen := uintptr(word>>klenShift&klenMax), int(word>>vlenShift&vlenMax)
		if klen != uintptr(len(key)) {
			return nil, 0, 0, Missing
		}
		if !a.Readable(ref, int(off+klen)+vlen) {
			return nil, 0, 0, Retry
		}
		if !equal(unsafe.Add(p, off), unsafe.Pointer(unsafe.SliceData(key)), klen) {
			return nil, 0, 0, Missing
		}
		if off != 0 {
			deadlineMs = int64(load64(p, 0))
		}
		return bytesAt(p, off+klen, vlen), deadlineMs, String, Found
	}
	// The largest header, so that all fields can be read.
	if !a.Readable(ref, int(optLen[optMask])) {
		return nil, 0, 0, Retry
	}
	flags, klen, vlen := load8(p, flagsOff), uintptr(load32(p, klenOff)), load32(p, vlenOff)
	if klen != uintptr(len(key)) {
		return nil, 0, 0, Missing
	}
	off := optOff(flags)
	if !a.Readable(ref, int(off+klen)) {
		return nil, 0, 0, Retry
	}
	if !equal(unsafe.Add(p, off), unsafe.Pointer(unsafe.SliceData(key)), klen) {
		return nil, 0, 0, Missing
	}
	if flags&hasDeadline != 0 {
		deadlineMs = int64(load64(p, deadlineOff))
	}
	kind = Kind(word >> kindShift & kindMask)
	if kind == String {
		if flags&hasExtern != 0 || vlen > MaxInline || !a.Readable(ref, int(off+klen)+int(vlen)) {
			return nil, 0, 0, Retry
		}
		value = bytesAt(p, off+klen, int(vlen))
	}
	return value, deadlineMs, kind, Found
}
