package dash

import (
	"fmt"
	"unsafe"

	"sherd/internal/heap"
)

// Check walks the whole table and compares everything it keeps count of with what
// is there. entryBytes is the sum of the entries' SizeBytes.
func (t *Table) Check(h *heap.Heap) (entryBytes int64, err error) {
	base := h.Arena().Base()
	root := segWord(t.root)
	var count, volatiles int
	var bytes int64
	var deep int32
	if d := root.depth(); d > 0 {
		bytes += int64(heap.ClassSize(8 << d))
	}
	soonest := int64(noDeadline)
	for cursor := uint64(0); root != 0; {
		hash := cursorHash(cursor)
		seg := t.segOf(base, hash)
		next := segmentEnd(seg, cursor)
		if d := root.depth(); seg.depth() > d || d > 0 && next != 0 && next>>(maxDepth-d)<<(maxDepth-d) != next {
			return 0, fmt.Errorf("segment %x at %x is deeper than the directory, %d", seg, hash, d)
		}
		if d, l := root.depth(), seg.depth(); d > 0 {
			first := hash << dirTop >> (64 - d)
			for i := first; i < first+1<<(d-l); i++ {
				if s := dirEntry(base, root, i); s != seg {
					return 0, fmt.Errorf("directory: %x at %d, want %x", s, i, seg)
				}
			}
		}
		if seg.depth() == root.depth() {
			deep++
		}
		c, err := checkSegment(base, seg)
		if err != nil {
			return 0, err
		}
		bytes += c.bytes
		count += c.count
		volatiles += c.volatiles
		soonest = min(soonest, hintOf(base, seg))
		for w := walk(base, seg); w.next(); {
			e := Entry{base, w.slot, seg}
			entryBytes += int64(e.SizeBytes())
			hh := rehash(t.Seed, e.Key())
			if t.segOf(base, hh) != seg || tagOf(hh, uint64(seg.depth())) != w.word>>tagShift || fpOf(hh) != w.fp {
				return 0, fmt.Errorf("%q, hash %x, has slot %x, %x in segment %x of %x", e.Key(), hh, w.word, w.fp, seg, hash)
			}
		}
		if cursor = next; cursor == 0 {
			break
		}
	}
	switch {
	case count != t.count:
		return 0, fmt.Errorf("%d entries, counted %d", t.count, count)
	case volatiles != t.volatile:
		return 0, fmt.Errorf("%d entries with deadlines, counted %d", t.volatile, volatiles)
	case bytes != t.bytes:
		return 0, fmt.Errorf("%d bytes, counted %d", t.bytes, bytes)
	case root != 0 && deep != t.deep:
		return 0, fmt.Errorf("%d segments of full depth, counted %d", t.deep, deep)
	case t.volatile > 0 && t.NextDeadline() > soonest && soonest != noDeadline && t.soonestWrong(base):
		return 0, fmt.Errorf("an entry is due before %d", t.NextDeadline())
	}
	return entryBytes, nil
}

// soonestWrong reports whether some entry is due before NextDeadline.
func (t *Table) soonestWrong(base unsafe.Pointer) bool {
	for cursor := uint64(0); ; {
		seg := t.segOf(base, cursorHash(cursor))
		for w := walk(base, seg); w.next(); {
			if w.word&volatile != 0 && deadlineOf(refPtr(base, w.word), w.word) < t.NextDeadline() {
				return true
			}
		}
		if cursor = segmentEnd(seg, cursor); cursor == 0 {
			return false
		}
	}
}

type census struct {
	count, volatiles int
	bytes            int64
}

// checkSegment compares the counts and hints of a segment with its entries.
func checkSegment(base unsafe.Pointer, seg segWord) (c census, err error) {
	p, n := seg.ptr(base), seg.n()
	if n < 1 || n > maxBuckets || n != maxBuckets && nextStep[n] == 0 {
		return c, fmt.Errorf("segment %x has %d buckets", seg, n)
	}
	homes := homesOf(n)
	hd := header(p, n)
	var next, stash [maxBuckets]int
	for w := walk(base, seg); w.next(); {
		c.count++
		h := homeOf(slotPos(w.word, w.fp), homes)
		at := (uintptr(w.slot) - uintptr(p)) / bucketSize
		switch {
		case at == h:
		case at == h+1 && h+1 < uintptr(homes):
			next[h]++
		case at >= uintptr(homes):
			stash[h]++
		default:
			return c, fmt.Errorf("segment %x: home %d, found in bucket %d", seg, h, at)
		}
		if w.word&volatile != 0 {
			c.volatiles++
			if ms := deadlineOf(refPtr(base, w.word), w.word); ms < hintOf(base, seg) {
				return c, fmt.Errorf("segment %x: deadline %d before hint %d", seg, ms, hintOf(base, seg))
			}
		}
	}
	for i := range homes {
		b := bucketAt(p, uintptr(i))
		ns, ss := int(load8(b, nextOff)), int(load8(b, stashOff))
		if ns != next[i] || ss != stash[i] && ss != stashStuck {
			return c, fmt.Errorf("segment %x, bucket %d: %d next door and %d in the stash, counted %d and %d", seg, i, ns, ss, next[i], stash[i])
		}
	}
	if got := countOf(base, seg); got != c.count {
		return c, fmt.Errorf("segment %x: %d entries, counted %d", seg, got, c.count)
	}
	chained := uint32(0)
	for r := load64(hd, chainOff); r != 0; r = load64(refPtr(base, r), 0) {
		chained++
	}
	if chained != load32(hd, chainLenOff) {
		return c, fmt.Errorf("segment %x: %d buckets in the chain, counted %d", seg, load32(hd, chainLenOff), chained)
	}
	c.bytes = int64(heap.ClassSize(n*bucketSize)) + int64(chained)*int64(heap.ClassSize(bucketSize))
	return c, nil
}

// mustBeSound panics unless the segment of a hash is as it should be. Builds with
// invariants call it after every change of a segment's size.
func (t *Table) mustBeSound(base unsafe.Pointer, hash uint64) {
	if seg := t.segOf(base, hash); seg != 0 {
		if _, err := checkSegment(base, seg); err != nil {
			panic("dash: " + err.Error())
		}
	}
}

// mustMiss panics if the key of a new entry is in the table already.
func (t *Table) mustMiss(base unsafe.Pointer, hash, word uint64) {
	p := refPtr(base, word)
	off, n := keyOf(p, word)
	if key := bytesAt(p, off, n); find(base, t.segOf(base, hash), hash, key) != nil {
		panic(fmt.Sprintf("dash: %q is inserted twice", key))
	}
}
