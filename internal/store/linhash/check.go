package linhash

import (
	"fmt"

	"sherd/internal/heap"
)

// Check walks a table and reports the first contradiction. It is for tests.
func Check(a *heap.Arena, ref heap.Ref) error {
	t := view(a, ref)
	r := t.root
	size := heap.ClassSize(rootSize+int(r.pages)*recordSize) + int(r.page0)*8
	if n := t.pagesUsed(); n > uint64(r.pages) {
		return fmt.Errorf("linhash: %d pages, room for %d", n, r.pages)
	} else if n > 1 {
		size += int(n-1) * pageLen * 8
	}
	if r.buckets <= pageLen && r.buckets > uint64(r.page0) {
		return fmt.Errorf("linhash: %d buckets, the first page has %d", r.buckets, r.page0)
	}
	var sum checked
	sum.seen = map[string]bool{}
	for bucket := range r.buckets {
		if err := t.checkBucket(bucket, &sum); err != nil {
			return fmt.Errorf("linhash: bucket %d of %d: %w", bucket, r.buckets, err)
		}
	}
	size += sum.size
	if uint64(sum.count) != r.count || uint64(sum.weight) != r.weight || uint64(sum.dated) != r.dated || uint64(size) != r.bytes {
		return fmt.Errorf("linhash: %d entries of %d bytes, %d dated, %d bytes in all; the root has %d, %d, %d, %d",
			sum.count, sum.weight, sum.dated, size, r.count, r.weight, r.dated, r.bytes)
	}
	return nil
}

type checked struct {
	count, weight, dated, size int
	seen                       map[string]bool
}

func (t *Table) checkBucket(bucket uint64, sum *checked) error {
	w, width := t.word(bucket), int(t.root.width)
	if *w == 0 {
		return nil
	}
	n := w.count()
	if n == 0 || n > int(t.root.most) {
		return fmt.Errorf("%d entries, the most is %d", n, t.root.most)
	}
	b := w.ptr(t.base)
	data := sizesBefore(b, n, width)
	if w.size() != heap.ClassSize(w.size()) || groups(n, width)+data > w.size() {
		return fmt.Errorf("%d entries of %d bytes in a block of %d", n, data, w.size())
	}
	for i := n; i%groupLen != 0; i++ {
		if kc, vc := codes(b, i, width); kc|vc|load8(lane(b, i, width), 0) != 0 {
			return fmt.Errorf("entry %d of %d is not zero", i, n)
		}
	}
	sum.count += n
	sum.weight += data
	sum.size += w.size()
	due := t.record(bucket >> pageShift).dueMs
	i := 0
	for it := t.bucketIter(w); it.Next(); i++ {
		key := it.Key()
		hash := t.Hash(key)
		if home, _ := t.root.bucketOf(hash); home != bucket {
			return fmt.Errorf("%q belongs into %d", key, home)
		}
		if fp := load8(lane(b, i, width), 0); fp != fpOf(hash) {
			return fmt.Errorf("%q has fingerprint %d", key, fp)
		}
		if sum.seen[string(key)] {
			return fmt.Errorf("%q is there twice", key)
		}
		sum.seen[string(key)] = true
		if it.kc&outside != 0 {
			sum.size += heap.ClassSize(len(key))
		}
		if it.vc&outside != 0 {
			sum.size += heap.ClassSize(len(it.Value()))
		}
		if ms := it.DeadlineMs(); it.kc&dated != 0 {
			sum.dated++
			if *w&datedBucket == 0 || due == 0 || due > ms {
				return fmt.Errorf("%q: deadline %d, the page's earliest is %d", key, ms, due)
			}
		}
	}
	return nil
}
