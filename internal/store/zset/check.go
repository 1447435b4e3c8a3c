package zset

import (
	"bytes"
	"fmt"
	"math"

	"sherd/internal/heap"
	"sherd/internal/store/listpack"
)

// Check walks through a set and reports the first contradiction. It is for tests.
func Check(a *heap.Arena, enc uint8, ref heap.Ref) error {
	if enc == Packed {
		return checkPacked(listpack.View(a, ref))
	}
	t := tree{a: a, r: (*root)(a.Ptr(ref))}
	c := checker{tree: t, leaves: map[uint32]bool{}}
	n, err := c.walk(t.r.top, int(t.r.height), nil, nil)
	if err != nil {
		return err
	}
	if n != t.r.count {
		return fmt.Errorf("%d items, counted %d", t.r.count, n)
	}
	free := 0
	for id := t.r.freeID; id != 0; free++ {
		w := *t.r.leaves.at(a, id)
		if w&freeMark == 0 {
			return fmt.Errorf("leaf %d is in use and on the list of free ids", id)
		}
		id = uint32(w &^ freeMark)
	}
	if all := int(t.r.leaves.count) - 1; len(c.leaves)+free != all {
		return fmt.Errorf("%d leaves, %d free ids, %d ids", len(c.leaves), free, all)
	}
	return c.index(n)
}

func checkPacked(p []byte) error {
	if err := listpack.Validate(p); err != nil {
		return err
	}
	if listpack.Len(p)%2 != 0 {
		return fmt.Errorf("%d elements", listpack.Len(p))
	}
	var scratch [24]byte
	var last []byte
	score := math.Inf(-1)
	for i, end := listpack.First(p), listpack.End(p); i >= 0 && i < end; i = listpack.Span(p, i, 2) {
		m, s := listpack.Get(p, i, &scratch), packedScore(p, listpack.After(p, i))
		if last != nil && (s < score || s == score && bytes.Compare(last, m) >= 0) || s != s {
			return fmt.Errorf("%q (%v) before %q (%v)", last, score, m, s)
		}
		last, score = append([]byte{}, m...), s
	}
	return nil
}

type checker struct {
	tree
	leaves map[uint32]bool
	last   []byte
	score  float64
	begun  bool
}

// walk checks what is below a child: its items lie between lo and hi.
func (c *checker) walk(child uint64, height int, lo, hi *branch) (uint64, error) {
	if height == 0 {
		return c.leafOf(uint32(child), lo, hi)
	}
	n := nodeAt(c.a, heap.Ref(child))
	if n.n == 0 || n.n > n.room || int(n.room) > maxFan {
		return 0, fmt.Errorf("a node of %d branches, room for %d", n.n, n.room)
	}
	if height == int(c.r.height) && n.n < 2 {
		return 0, fmt.Errorf("a root with one branch")
	}
	var total uint64
	all := n.branches()
	for i := range all {
		from, to := lo, hi
		if i > 0 {
			from = &all[i]
		}
		if i+1 < len(all) {
			to = &all[i+1]
		}
		k, err := c.walk(all[i].child, height-1, from, to)
		if err != nil {
			return 0, err
		}
		if k != all[i].count {
			return 0, fmt.Errorf("a branch counts %d, there are %d", all[i].count, k)
		}
		total += k
	}
	return total, nil
}

func (c *checker) leafOf(id uint32, lo, hi *branch) (uint64, error) {
	if c.leaves[id] {
		return 0, fmt.Errorf("leaf %d twice", id)
	}
	c.leaves[id] = true
	l := c.leaf(id)
	n := l.items()
	if n == 0 && c.r.count != 0 {
		return 0, fmt.Errorf("leaf %d is empty", id)
	}
	if l.used() > l.room() || l.slotAt(n) != l.used() || heap.ClassSize(l.room()) != l.room() || n > maxItems {
		return 0, fmt.Errorf("leaf %d: %d items, %d of %d bytes, slots end at %d", id, n, l.used(), l.room(), l.slotAt(n))
	}
	for i := range n {
		m, s := l.member(c.a, i), l.score(i)
		if s != s || c.begun && (s < c.score || s == c.score && bytes.Compare(c.last, m) >= 0) {
			return 0, fmt.Errorf("leaf %d: %q (%v) before %q (%v)", id, c.last, c.score, m, s)
		}
		c.last, c.score, c.begun = append(c.last[:0], m...), s, true
		w := target{s, m, prefixOf(m)}
		if lo != nil && lo.compare(&w) > 0 || hi != nil && hi.compare(&w) < 0 {
			return 0, fmt.Errorf("leaf %d: %q (%v) is not between its bounds", id, m, s)
		}
		if f := c.find(m); f.id != id || f.at != i {
			return 0, fmt.Errorf("%q is item %d of leaf %d, the index says %d of %d", m, i, id, f.at, f.id)
		}
	}
	return uint64(n), nil
}

func (c *checker) index(count uint64) error {
	var n uint64
	for i := range c.r.segments.count {
		s := c.segment(i)
		if depth := c.depthOf(i); s.base > depth || s.base+hintBits < depth {
			return fmt.Errorf("segment %d of depth %d has its hint at %d", i, depth, s.base)
		}
		k := 0
		for j := range int(s.slots) {
			e := s.slot(j)
			if e == 0 {
				continue
			}
			k++
			home := s.home(e >> tagShift)
			for ; home < j; home++ {
				if o := s.slot(home); o == 0 || o>>tagShift > e>>tagShift {
					return fmt.Errorf("segment %d: slot %d cannot be reached", i, j)
				}
			}
			if home > j {
				return fmt.Errorf("segment %d: slot %d is before its home", i, j)
			}
		}
		if k != int(s.n) {
			return fmt.Errorf("segment %d counts %d entries, there are %d", i, s.n, k)
		}
		n += uint64(k)
	}
	if n != count {
		return fmt.Errorf("%d items, %d entries in the index", count, n)
	}
	return nil
}
