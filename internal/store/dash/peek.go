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
	seg, ok := t.peekSeg(a, hash)
	if !ok {
		return nil, 0, 0, Retry
	}
	if seg == 0 {
		return nil, 0, 0, Missing
	}
	base := a.Base()
	fp := fpOf(hash)
	tag := tagOf(hash, uint64(seg.depth()))
	n := seg.n()
	p := seg.ptr(base)
	homes := homesOf(n)
	b := bucketAt(p, homeOf(posOf(hash, fp), homes))
	k := peeker{a: a, base: base, key: key, fp: fp, tag: tag}
	if k.search(b) {
		return k.value, k.deadlineMs, k.kind, k.status
	}
	away := load64(b, fpOff+8) >> 48
	if homes == 0 || away == 0 {
		return nil, 0, 0, Missing
	}
	// The next bucket is the segment's too: the last home is not the last bucket.
	if away&0xff != 0 && k.search(bucketAt(b, 1)) {
		return k.value, k.deadlineMs, k.kind, k.status
	}
	if away>>8 == 0 {
		return nil, 0, 0, Missing
	}
	hd := header(p, n)
	if k.search(hd) {
		return k.value, k.deadlineMs, k.kind, k.status
	}
	r := load64(hd, chainOff)
	for range maxChain {
		if r == 0 {
			return nil, 0, 0, Missing
		}
		if r > refMask || !a.Readable(heap.Ref(r), bucketSize) {
			break
		}
		cb := refPtr(base, r)
		if k.search(cb) {
			return k.value, k.deadlineMs, k.kind, k.status
		}
		r = load64(cb, 0)
	}
	return nil, 0, 0, Retry
}

type peeker struct {
	a       *heap.Arena
	base    unsafe.Pointer
	key     []byte
	fp, tag uint64

	value      []byte
	deadlineMs int64
	kind       Kind
	status     PeekStatus
}

// search is the latch-free search of one bucket; true when it came to a result.
func (k *peeker) search(b unsafe.Pointer) bool {
	for set := match(b, k.fp); set != 0; set = restSlots(set) {
		word := load64(b, firstSlot(set)*8)
		if word>>tagShift == k.tag && k.open(word) {
			return true
		}
	}
	return false
}

// open looks at the entry of a slot; false if it has another key.
func (k *peeker) open(word uint64) bool {
	p := refPtr(k.base, word)
	if word&general == 0 {
		dl := uintptr(word >> 32 & 8)
		klen, vlen := int(word>>klenShift&klenMax), int(word>>vlenShift&vlenMax)
		if klen != len(k.key) {
			return false
		}
		if !k.a.Readable(heap.Ref(word&refMask), int(dl)+klen+vlen) {
			return true // with status Retry
		}
		if string(bytesAt(p, dl, klen)) != string(k.key) {
			return false
		}
		if dl != 0 {
			k.deadlineMs = int64(load64(p, 0))
		}
		k.value, k.kind, k.status = bytesAt(p, dl+uintptr(klen), vlen), String, Found
		return true
	}
	// The largest header, so that all fields can be read.
	if !k.a.Readable(heap.Ref(word&refMask), int(optLen[optMask])) {
		return true
	}
	flags, klen, vlen := load8(p, flagsOff), load32(p, klenOff), load32(p, vlenOff)
	if klen != uint32(len(k.key)) {
		return false
	}
	off := optOff(flags)
	if !k.a.Readable(heap.Ref(word&refMask), int(off)+int(klen)) {
		return true
	}
	if string(bytesAt(p, off, int(klen))) != string(k.key) {
		return false
	}
	if flags&hasDeadline != 0 {
		k.deadlineMs = int64(load64(p, deadlineOff))
	}
	k.kind = Kind(word >> kindShift & kindMask)
	if k.kind == String {
		if flags&hasExtern != 0 || vlen > MaxInline || !k.a.Readable(heap.Ref(word&refMask), int(off)+int(klen)+int(vlen)) {
			k.value, k.deadlineMs, k.kind = nil, 0, 0
			return true
		}
		k.value = bytesAt(p, off+uintptr(klen), int(vlen))
	}
	k.status = Found
	return true
}
