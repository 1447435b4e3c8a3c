package list

import (
	"fmt"
	"math/bits"

	"sherd/internal/heap"
	"sherd/internal/store/listpack"
)

// Check walks a list and reports the first contradiction. It is for tests.
func Check(a *heap.Arena, enc uint8, ref heap.Ref) error {
	if enc == Packed {
		return listpack.Validate(listpack.View(a, ref))
	}
	l := List{a: a, ref: ref, enc: enc}
	r := l.root()
	if r.slots < leastSlots || r.slots&(r.slots-1) != 0 || r.nodes > r.slots || r.first >= r.slots {
		return fmt.Errorf("directory of %d slots, first %d, %d nodes", r.slots, r.first, r.nodes)
	}
	elements, frames := uint64(0), uint32(0)
	used := map[heap.Ref]uint8{} // by slab
	for i := range int(r.nodes) {
		n := *l.node(r, i)
		elements += uint64(n.count())
		switch {
		case n.ref() == 0 || n.count() == 0:
			return fmt.Errorf("node %d is empty", i)
		case n.plain():
			if n.count() != 1 {
				return fmt.Errorf("plain node %d has %d elements", i, n.count())
			}
			continue
		case n.class() == frameClass:
			frames++
			bit := uint8(1) << frameIndex(n.ref())
			if used[slabOf(n.ref())]&bit != 0 {
				return fmt.Errorf("the frame of node %d is another's too", i)
			}
			used[slabOf(n.ref())] |= bit
		}
		b, off, total := l.block(n)
		if off < offsetSize || off+total > len(b) {
			return fmt.Errorf("node %d: %d bytes at %d of %d", i, total, off, len(b))
		}
		p := b[off : off+total]
		if err := listpack.Validate(p); err != nil {
			return fmt.Errorf("node %d: %w", i, err)
		}
		if listpack.Len(p) != n.count() {
			return fmt.Errorf("node %d has %d elements, the directory says %d", i, listpack.Len(p), n.count())
		}
	}
	if elements != r.elements || frames != r.frames || int(r.slabs) != len(used) {
		return fmt.Errorf("%d elements, %d frames, %d slabs; counted %d, %d, %d", r.elements, r.frames, r.slabs, elements, frames, len(used))
	}
	for s := range r.slots {
		if (s-r.first)&(r.slots-1) >= r.nodes && *l.at(r, s) != 0 {
			return fmt.Errorf("slot %d is not in use and not zero", s)
		}
	}
	for g := uint32(0); g+groupSlots <= r.slots; g += groupSlots {
		sum := uint32(0)
		for s := g; s < g+groupSlots; s++ {
			sum += uint32(l.at(r, s).count())
		}
		if sum != *l.sum(r, g) {
			return fmt.Errorf("the slots from %d on have %d elements, noted %d", g, sum, *l.sum(r, g))
		}
	}
	partial, prev := 0, heap.Ref(0)
	for ref := r.partial; ref != 0; ref = l.slab(ref).next {
		s := l.slab(ref)
		if s.used == 0 || s.used == 0xFF || s.prev != prev || s.used != used[ref] {
			return fmt.Errorf("slab %x: frames %08b, of nodes %08b; before it %x, noted %x", ref, s.used, used[ref], prev, s.prev)
		}
		partial++
		prev = ref
	}
	for _, u := range used {
		if bits.OnesCount8(u) < slabFrames {
			partial--
		}
	}
	if partial != 0 {
		return fmt.Errorf("%d slabs too many are listed", partial)
	}
	return nil
}
