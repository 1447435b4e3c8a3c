package dash

import (
	"unsafe"

	"sherd/internal/heap"
)

// segWord is what the directory holds for a segment: where it is, how many
// buckets it has and how many directory bits lead to it. A bucket's address
// follows from it without a look at the segment.
//
//	 0–34  Ref
//	35–41  buckets, header and stash included: 1–32; 0 in the root of a directory
//	42–46  local depth
//
// The table's root is such a word too: that of the only segment, or the Ref and
// depth of the directory.
type segWord uint64

const (
	nShift     = 35
	nMask      = 127
	depthShift = 42
	depthMask  = 31
	maxBuckets = 32
)

func makeSeg(r heap.Ref, n, depth int) segWord {
	return segWord(uint64(r) | uint64(n)<<nShift | uint64(depth)<<depthShift)
}

func (s segWord) ref() heap.Ref                       { return heap.Ref(s & refMask) }
func (s segWord) n() int                              { return int(s >> nShift & nMask) }
func (s segWord) depth() int                          { return int(s >> depthShift & depthMask) }
func (s segWord) ptr(b unsafe.Pointer) unsafe.Pointer { return refPtr(b, uint64(s)) }

// header returns the last bucket of a segment of n buckets at p.
//
//	 0  earliest deadline in the segment, or before it; noDeadline if none
//	 8  Ref of the chain's first bucket
//	16  buckets in the chain
//	24  kept for the snapshot: version of the walk that last met this segment,
//	32  and one bit per bucket that this walk has passed or a writer has saved
//	40  nine slots of the stash
func header(p unsafe.Pointer, n int) unsafe.Pointer {
	return unsafe.Add(p, uintptr(n-1)*bucketSize)
}

const (
	soonestOff  = 0
	chainOff    = 8
	chainLenOff = 16
	headerSlots = 5 // slots the header takes

	chainLink = 1 // slots the link of a chained bucket takes
)

// steps are the sizes of a segment in buckets, all of them exact classes of the
// heap. A segment of n has n-1 homes; its last bucket holds the header and, in what
// the header leaves, the stash. The only bucket of a segment of one is both.
//
// Every step frees the segment before it, and what that leaves has to be filled by
// the entries that come until the next: many small steps to a large size leave more
// holes than they save in the table. Measured over 7,000 to 28,000 keys of 48 bytes
// to a heap, what a heap holds per key, mean and worst: 18, 20, then 4 at a time to
// 64: 63.2, 65.0; with 8 at a time above 40: 61.6, 62.9; to 32 as here: 60.7, 61.3.
var steps = [...]uint8{1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20, 24, 28, 32}

// nextStep is the size after each; 0: the segment splits.
var nextStep = func() (next [nMask + 1]uint8) {
	for i, n := range steps[1:] {
		next[steps[i]] = n
	}
	return next
}()

func homesOf(n int) uint64 { return uint64(n - 1) }

// fits returns how many entries a segment of n buckets holds with some room left.
func fits(n int) int { return (n*bucketSlots - headerSlots) * 7 / 8 }

// fit returns the smallest size that holds count entries with some room left.
func fit(count int) int {
	for _, n := range steps {
		if fits(int(n)) >= count {
			return int(n)
		}
	}
	return maxBuckets
}

// homeOf returns the home bucket of a position.
func homeOf(pos, homes uint64) uintptr { return uintptr(pos * homes >> posBits) }

func bucketAt(p unsafe.Pointer, i uintptr) unsafe.Pointer { return unsafe.Add(p, i*bucketSize) }

// place stores a slot in the segment of n buckets at p and returns where, or nil
// if there is no room: at home, else in the next bucket, else where moving a few
// others makes room, else in the stash.
func place(p unsafe.Pointer, n int, word, fp uint64) unsafe.Pointer {
	homes := homesOf(n)
	if homes == 0 {
		if i := freeSlotFrom(p, headerSlots); i >= 0 {
			return put(p, i, word, fp)
		}
		return nil
	}
	h := homeOf(slotPos(word, fp), homes)
	b := bucketAt(p, h)
	if i := freeSlot(b); i >= 0 {
		return put(b, i, word, fp)
	}
	if h+1 < uintptr(homes) {
		nb := bucketAt(b, 1)
		if i := freeSlot(nb); i >= 0 {
			addCount(b, nextOff, 1)
			return put(nb, i, word, fp)
		}
	}
	if s := displace(p, homes, h, word, fp); s != nil {
		return s
	}
	hd := header(p, n)
	if i := freeSlotFrom(hd, headerSlots); i >= 0 {
		countStash(b)
		return put(hd, i, word, fp)
	}
	return nil
}

func addCount(b unsafe.Pointer, off uintptr, d uint8) { store8(b, off, load8(b, off)+d) }

// countStash counts one more entry of home b in the stash.
func countStash(b unsafe.Pointer) {
	if load8(b, stashOff) != stashStuck {
		addCount(b, stashOff, 1)
	}
}

// displace makes room for a slot whose home h and the bucket after it are full,
// by shifting one entry each of a few neighbouring buckets: guests of h go back home
// to the left, or natives of h+1 move on to the right.
func displace(p unsafe.Pointer, homes uint64, h uintptr, word, fp uint64) unsafe.Pointer {
	const reach = 3
	for d := uintptr(1); d <= reach; d++ {
		// Left: h-d has room and each bucket from h-d+1 to h has a guest from
		// the bucket before it.
		if h >= d && freeSlot(bucketAt(p, h-d)) >= 0 {
			ok := true
			for k := uintptr(1); k <= d; k++ {
				ok = ok && load8(bucketAt(p, h-k), nextOff) != 0
			}
			if ok {
				for k := d; k > 0; k-- {
					from, to := bucketAt(p, h-k+1), bucketAt(p, h-k)
					i := slotOfHome(from, homes, h-k)
					move(from, i, to)
					addCount(to, nextOff, ^uint8(0))
				}
				return put(bucketAt(p, h), freeSlot(bucketAt(p, h)), word, fp)
			}
		}
		// Right: h+1+d has room and each bucket from h+1 to h+d has a native.
		if h+1+d < uintptr(homes) && freeSlot(bucketAt(p, h+1+d)) >= 0 {
			ok := true
			for k := uintptr(1); k <= d; k++ {
				// All its slots are taken, so natives are what is not guests.
				ok = ok && load8(bucketAt(p, h+k-1), nextOff) < bucketSlots
			}
			if ok {
				for k := d; k > 0; k-- {
					from, to := bucketAt(p, h+k), bucketAt(p, h+k+1)
					i := slotOfHome(from, homes, h+k)
					move(from, i, to)
					addCount(from, nextOff, 1)
				}
				nb := bucketAt(p, h+1)
				addCount(bucketAt(p, h), nextOff, 1)
				return put(nb, freeSlot(nb), word, fp)
			}
		}
	}
	return nil
}

// slotOfHome returns the index of a slot of b whose home is h; there is one.
func slotOfHome(b unsafe.Pointer, homes uint64, h uintptr) uintptr {
	for i := uintptr(0); i < bucketSlots; i++ {
		if fp := fpAt(b, i); fp != 0 && homeOf(slotPos(load64(b, i*8), fp), homes) == h {
			return i
		}
	}
	panic("dash: the counts of a bucket are wrong")
}

// move takes slot i of bucket from into a free slot of bucket to.
func move(from unsafe.Pointer, i uintptr, to unsafe.Pointer) {
	put(to, freeSlot(to), load64(from, i*8), fpAt(from, i))
	clearSlot(from, i)
}

func clearSlot(b unsafe.Pointer, i uintptr) {
	store64(b, i*8, 0)
	store8(b, fpOff+i, 0)
}

// unplace removes the slot s of a segment.
func unplace(base unsafe.Pointer, seg segWord, s unsafe.Pointer) {
	b, i := bucketOf(base, seg, s)
	word, fp := load64(b, i*8), fpAt(b, i)
	clearSlot(b, i)
	countAway(base, seg, b, word, fp, -1)
}

// replace undoes an unplace that nothing followed.
func replace(base unsafe.Pointer, seg segWord, s unsafe.Pointer, word, fp uint64) {
	b, i := bucketOf(base, seg, s)
	put(b, int(i), word, fp)
	countAway(base, seg, b, word, fp, 1)
}

// bucketOf returns the bucket of a slot and the slot's index.
func bucketOf(base unsafe.Pointer, seg segWord, s unsafe.Pointer) (b unsafe.Pointer, i uintptr) {
	p := seg.ptr(base)
	off := uintptr(s) - uintptr(p)
	if off < uintptr(seg.n())*bucketSize {
		return bucketAt(p, off/bucketSize), off % bucketSize / 8
	}
	for r := load64(header(p, seg.n()), chainOff); r != 0; r = load64(b, 0) {
		b = refPtr(base, r)
		if off = uintptr(s) - uintptr(b); off < bucketSize {
			return b, off / 8
		}
	}
	panic("dash: an entry outside of its segment")
}

// countAway adds d to the count that its home keeps of a slot in bucket b.
func countAway(base unsafe.Pointer, seg segWord, b unsafe.Pointer, word, fp uint64, d int8) {
	homes := homesOf(seg.n())
	if homes == 0 {
		return
	}
	h := homeOf(slotPos(word, fp), homes)
	hb := bucketAt(seg.ptr(base), h)
	switch {
	case b == hb:
	case b == bucketAt(hb, 1) && h+1 < uintptr(homes):
		addCount(hb, nextOff, uint8(d))
	case load8(hb, stashOff) != stashStuck:
		addCount(hb, stashOff, uint8(d))
	}
}
