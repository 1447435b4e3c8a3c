package dash

import (
	"unsafe"

	"sherd/internal/heap"
	"sherd/internal/invariants"
)

// noDeadline is the hint of a segment without deadlines.
const noDeadline = 1<<63 - 1

// grow makes room for a hash whose segment is full: the segment takes the next
// step of its size, or splits, or gets a chain. False: out of memory. Room is not
// certain afterwards, but after finitely many calls it is.
func (t *Table) grow(h *heap.Heap, hash uint64) bool {
	base := h.Arena().Base()
	if invariants.Enabled {
		defer t.mustBeSound(base, hash)
	}
	seg := t.segOf(base, hash)
	if seg == 0 {
		if seg = t.newSegment(h, 1, 0); seg == 0 {
			return false
		}
		t.deep = 1
		t.setRoot(seg)
		return true
	}
	for n := int(nextStep[seg.n()]); n != 0; n = int(nextStep[n]) {
		bigger := t.newSegment(h, n, seg.depth())
		if bigger == 0 {
			return false
		}
		if !t.refill(h, bigger, seg, all) {
			t.freeSegment(h, bigger)
			continue
		}
		t.setSeg(base, hash, bigger)
		t.freeSegment(h, seg)
		return true
	}
	if t.maySplit(seg) {
		return t.split(h, hash, seg)
	}
	return t.chain(h, seg)
}

// maySplit refuses to deepen a directory far beyond what the number of entries
// calls for: keys chosen to share hash bits get a chain, not gigabytes of it.
func (t *Table) maySplit(seg segWord) bool {
	d := t.depth()
	return seg.depth() < d || d < maxDepth && 32<<d <= t.count
}

// newSegment returns an empty segment, or 0.
func (t *Table) newSegment(h *heap.Heap, n, depth int) segWord {
	ref := h.Alloc(n * bucketSize)
	if ref == 0 {
		return 0
	}
	p := h.Arena().Ptr(ref)
	clear(bytesAt(p, 0, n*bucketSize))
	store64(header(p, n), soonestOff, noDeadline)
	t.bytes += int64(heap.ClassSize(n * bucketSize))
	return makeSeg(ref, n, depth)
}

// freeSegment frees a segment and its chain, but no entries.
func (t *Table) freeSegment(h *heap.Heap, seg segWord) {
	base := h.Arena().Base()
	for r := load64(header(seg.ptr(base), seg.n()), chainOff); r != 0; {
		next := load64(refPtr(base, r), 0)
		t.freeChained(h, r)
		r = next
	}
	size := seg.n() * bucketSize
	h.Free(seg.ref(), size)
	t.bytes -= int64(heap.ClassSize(size))
}

func (t *Table) freeChained(h *heap.Heap, r uint64) {
	h.Free(heap.Ref(r), bucketSize)
	t.bytes -= int64(heap.ClassSize(bucketSize))
}

// chain gives a segment that can neither grow nor split one more bucket.
func (t *Table) chain(h *heap.Heap, seg segWord) bool {
	ref := h.Alloc(bucketSize)
	if ref == 0 {
		return false
	}
	a := h.Arena()
	b := a.Ptr(ref)
	clear(bytesAt(b, 0, bucketSize))
	hd := header(seg.ptr(a.Base()), seg.n())
	store64(b, 0, load64(hd, chainOff))
	store32(hd, chainLenOff, load32(hd, chainLenOff)+1)
	store64(hd, chainOff, uint64(ref))
	t.bytes += int64(heap.ClassSize(bucketSize))
	return true
}

// all makes refill take every entry; 0 and 1 take those whose next directory bit
// is that.
const all uint64 = 2

// refill places entries of segment from in the empty segment to. First it fills the
// homes, without a search for free slots; then what found its home full is placed
// as by an insertion. False: they do not fit, or out of memory.
func (t *Table) refill(h *heap.Heap, to, from segWord, which uint64) bool {
	base := h.Arena().Base()
	dst, homes := to.ptr(base), homesOf(to.n())
	depth := uint64(from.depth())
	stale := (to.depth()^from.depth())&^(window-1) != 0
	var used [maxBuckets]uint8
	if homes == 0 {
		used[0] = headerSlots
	}
	var left [maxBuckets]uint64 // the slots of each bucket that are to be placed
	var leftover uint64
	b := from.ptr(base)
	for k := range from.n() {
		var rest uint64
		for set := occupied(b); set != 0; set = restSlots(set) {
			i := firstSlot(set)
			word, fp := load64(b, i*8), fpAt(b, i)
			if which != all && splitBit(word, depth) != which {
				continue
			}
			at := homeOf(slotPos(word, fp), homes) % maxBuckets
			u := used[at]
			if u == bucketSlots {
				rest |= set & -set
				continue
			}
			if stale {
				word = t.retag(base, word, uint64(to.depth()))
			}
			used[at]++
			put(bucketAt(dst, at), int(u), word, fp)
		}
		left[k%maxBuckets] = rest
		leftover |= rest
		b = bucketAt(b, 1)
	}
	lowerHint(base, to, hintOf(base, from))
	if leftover != 0 {
		b = from.ptr(base)
		for k := range from.n() {
			for set := left[k%maxBuckets]; set != 0; set = restSlots(set) {
				i := firstSlot(set)
				word := load64(b, i*8)
				if stale {
					word = t.retag(base, word, uint64(to.depth()))
				}
				if !t.carry(h, to, word, fpAt(b, i)) {
					return false
				}
			}
			b = bucketAt(b, 1)
		}
	}
	if link := load64(header(from.ptr(base), from.n()), chainOff); link != 0 {
		return t.carryAll(h, to, from, walker{base: base, b: refPtr(base, link), link: load64(refPtr(base, link), 0), set: occupied(refPtr(base, link))}, which)
	}
	return true
}

// carryAll places the entries that a walk over segment from has still to visit.
func (t *Table) carryAll(h *heap.Heap, to, from segWord, w walker, which uint64) bool {
	stale := (to.depth()^from.depth())&^(window-1) != 0
	for w.next() {
		word := w.word
		if which != all && splitBit(word, uint64(from.depth())) != which {
			continue
		}
		if stale {
			word = t.retag(w.base, word, uint64(to.depth()))
		}
		if !t.carry(h, to, word, w.fp) {
			return false
		}
	}
	lowerHint(w.base, to, hintOf(w.base, from))
	return true
}

// carry is add for a segment in the making, which may get a chain.
func (t *Table) carry(h *heap.Heap, to segWord, word, fp uint64) bool {
	base := h.Arena().Base()
	for add(base, to, word, fp) == nil {
		if to.n() != maxBuckets || !t.chain(h, to) {
			return false
		}
	}
	return true
}

// split divides a segment in two, each as large as its entries need.
func (t *Table) split(h *heap.Heap, hash uint64, seg segWord) bool {
	base := h.Arena().Base()
	depth := seg.depth()
	var counts [2]int
	for w := walk(base, seg); w.next(); {
		counts[splitBit(w.word, uint64(depth))&1]++
	}
	var half [2]segWord
	for i, n := 0, 0; i < 2; {
		if n == 0 {
			n = fit(counts[i])
		}
		half[i] = t.newSegment(h, n, depth+1)
		if half[i] == 0 {
			break
		}
		if t.refill(h, half[i], seg, uint64(i)) {
			i, n = i+1, 0
			continue
		}
		t.freeSegment(h, half[i])
		half[i] = 0
		if n = int(nextStep[n]); n == 0 {
			break
		}
	}
	if half[1] == 0 || depth == t.depth() && !t.deepen(h) {
		for _, s := range half {
			if s != 0 {
				t.freeSegment(h, s)
			}
		}
		return false
	}
	bit := uint64(1) << (63 - dirTop - depth)
	t.setSeg(base, hash&^bit, half[0])
	t.setSeg(base, hash|bit, half[1])
	if depth+1 == t.depth() {
		t.deep += 2
	}
	t.freeSegment(h, seg)
	return true
}

// retag renews the window of a slot for a segment of the given depth; it is the
// one thing that has to read the key.
func (t *Table) retag(base unsafe.Pointer, word, depth uint64) uint64 {
	p := refPtr(base, word)
	off, n := keyOf(p, word)
	return word&^tagMask | tagOf(rehash(t.Seed, bytesAt(p, off, n)), depth)<<tagShift
}

// rehash is HashKey, but in tests that need keys with equal hashes.
var rehash = HashKey

// walker visits the entries of a segment, which must not change meanwhile but for
// the removal of the entry just visited.
type walker struct {
	base unsafe.Pointer
	b    unsafe.Pointer // current bucket
	left int            // buckets after it in the segment
	link uint64         // first bucket of the chain
	set  uint64         // slots still to visit in b

	slot unsafe.Pointer
	word uint64
	fp   uint64
}

func walk(base unsafe.Pointer, seg segWord) walker {
	p, n := seg.ptr(base), seg.n()
	return walker{base: base, b: p, left: n - 1, link: load64(header(p, n), chainOff), set: occupied(p)}
}

// next moves on to the next entry.
func (w *walker) next() bool {
	for w.set == 0 {
		switch {
		case w.left > 0:
			w.left--
			w.b = bucketAt(w.b, 1)
		case w.link != 0:
			w.b = refPtr(w.base, w.link)
			w.link = load64(w.b, 0)
		default:
			return false
		}
		w.set = occupied(w.b)
	}
	i := firstSlot(w.set)
	w.set = restSlots(w.set)
	w.slot = unsafe.Add(w.b, i*8)
	w.word = *(*uint64)(w.slot)
	w.fp = fpAt(w.b, i)
	return true
}
