package dash

import (
	"unsafe"

	"sherd/internal/heap"
	"sherd/internal/invariants"
)

// Table maps keys to entries. The zero value is empty and holds no memory. All of
// it is guarded by the latch of its slice, but for what Peek and BucketAddr read.
type Table struct {
	// Seed is the seed of the hashes handed in (HashKey). Set before the first
	// insertion and constant from then on.
	Seed uint64

	root     uint64 // a segWord; written atomically, read by Peek and BucketAddr
	count    int
	volatile int   // entries with a deadline
	bytes    int64 // of segments, chains and the directory, in class sizes
	soonest  int64 // no entry's deadline is earlier; 0 for none
	deep     int32 // segments as deep as the directory
	sweep    sweep
}

// Len returns the number of entries, expired ones included.
func (t *Table) Len() int { return t.count }

// Volatile returns the number of entries with a deadline.
func (t *Table) Volatile() int { return t.volatile }

// TableBytes returns the heap bytes of the table itself, without its entries.
func (t *Table) TableBytes() int64 { return t.bytes }

// segOf returns the segment of a hash, 0 in an empty table.
func (t *Table) segOf(base unsafe.Pointer, hash uint64) segWord {
	r := segWord(t.root)
	if d := r >> depthShift & depthMask; d != 0 {
		r = dirEntry(base, r, hash<<dirTop>>(64-d&63))
	}
	return r
}

// Find returns the entry of key.
func (t *Table) Find(h *heap.Heap, hash uint64, key []byte) (Entry, bool) {
	base := h.Arena().Base()
	seg := t.segOf(base, hash)
	s := find(base, seg, hash, key)
	return Entry{base, s, seg}, s != nil
}

// find returns the slot of key in its segment, or nil.
func find(base unsafe.Pointer, seg segWord, hash uint64, key []byte) unsafe.Pointer {
	if seg == 0 {
		return nil
	}
	fp := fpOf(hash)
	tag := tagOf(hash, uint64(seg>>depthShift&depthMask))
	b := bucketAt(seg.ptr(base), homeOf(posOf(hash, fp), uint64(seg>>nShift&nMask)-1))
	for set := match(b, fp); set != 0; set = restSlots(set) {
		s := unsafe.Add(b, firstSlot(set)*8)
		if word := *(*uint64)(s); word>>tagShift == tag && keyIs(base, word, key) {
			return s
		}
	}
	if load16(b, nextOff) == 0 {
		return nil
	}
	return findAway(base, seg, b, fp, tag, key)
}

// findAway looks for key, whose home is b, in the next bucket, the stash and the
// chain.
func findAway(base unsafe.Pointer, seg segWord, b unsafe.Pointer, fp, tag uint64, key []byte) unsafe.Pointer {
	if load8(b, nextOff) != 0 {
		if s := search(base, bucketAt(b, 1), fp, tag, key); s != nil {
			return s
		}
	}
	if load8(b, stashOff) == 0 {
		return nil
	}
	hd := header(seg.ptr(base), seg.n())
	if s := search(base, hd, fp, tag, key); s != nil {
		return s
	}
	for r := load64(hd, chainOff); r != 0; {
		b := refPtr(base, r)
		if s := search(base, b, fp, tag, key); s != nil {
			return s
		}
		r = load64(b, 0)
	}
	return nil
}

// search looks for key in one bucket.
func search(base, b unsafe.Pointer, fp, tag uint64, key []byte) unsafe.Pointer {
	for set := match(b, fp); set != 0; set = restSlots(set) {
		s := unsafe.Add(b, firstSlot(set)*8)
		if word := *(*uint64)(s); word>>tagShift == tag && keyIs(base, word, key) {
			return s
		}
	}
	return nil
}

// insert places the entry of word, whose key is not in the table and whose
// deadline is given. False: out of memory, nothing changed.
func (t *Table) insert(h *heap.Heap, hash, word uint64, deadlineMs int64) (Entry, bool) {
	base := h.Arena().Base()
	fp := fpOf(hash)
	if invariants.Enabled {
		t.mustMiss(base, hash, word)
	}
	for {
		if seg := t.segOf(base, hash); seg != 0 {
			w := word | tagOf(hash, uint64(seg.depth()))<<tagShift
			if s := add(base, seg, w, fp); s != nil {
				t.count++
				if deadlineMs != 0 {
					t.volatile++
					t.noteDeadline(base, seg, deadlineMs)
				}
				return Entry{base, s, seg}, true
			}
		}
		if !t.grow(h, hash) {
			return Entry{}, false
		}
	}
}

// add places a slot in a segment, or in the chain it has.
func add(base unsafe.Pointer, seg segWord, word, fp uint64) unsafe.Pointer {
	p, n := seg.ptr(base), seg.n()
	s := place(p, n, word, fp)
	hd := header(p, n)
	if s == nil {
		r := load64(hd, chainOff)
		if r == 0 {
			return nil
		}
		b := refPtr(base, r)
		i := freeSlotFrom(b, chainLink)
		if i < 0 {
			return nil
		}
		s = put(b, i, word, fp)
		countStash(bucketAt(p, homeOf(slotPos(word, fp), homesOf(n))))
	}
	return s
}

// Delete removes an entry and frees its memory, a string's included; what a
// container holds must have been freed.
func (t *Table) Delete(h *heap.Heap, e Entry) {
	word := t.remove(e)
	freeBlock(h, word)
	if t.count == 0 {
		t.release(h)
	}
}

// remove takes an entry out of its slot and returns the slot's word.
func (t *Table) remove(e Entry) uint64 {
	word := e.word()
	unplace(e.base, e.seg, e.slot)
	t.count--
	if word&volatile != 0 {
		t.volatile--
	}
	return word
}

// release frees the segment of a table that has become empty. One with a
// directory is left to Shrink, which goes step by step.
func (t *Table) release(h *heap.Heap) {
	if seg := segWord(t.root); seg != 0 && seg.depth() == 0 {
		t.setRoot(0)
		t.freeSegment(h, seg)
		t.soonest = 0
	}
}

// freeBlock frees the entry in a slot and a string's bytes outside of it.
func freeBlock(h *heap.Heap, word uint64) {
	p := refPtr(h.Arena().Base(), word)
	if word&general != 0 && word>>kindShift&kindMask == uint64(String) {
		if f := load8(p, flagsOff); f&hasExtern != 0 {
			x := load64(p, externOff(f))
			h.Free(externRef(x), externCap(x))
		}
	}
	freeSlotBlock(h, p, word)
}

// freeSlotBlock frees the entry in a slot, but nothing outside of it.
func freeSlotBlock(h *heap.Heap, p unsafe.Pointer, word uint64) {
	h.Free(heap.Ref(word&refMask), max(blockSize(p, word), 1))
}
