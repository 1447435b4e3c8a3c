package heap

import "fmt"

// What invariant builds do: freed blocks are filled with poison, which must still
// be there when they are handed out again; blocks handed out are filled with a
// scribble, so that nobody takes them for cleared; and every Free is checked.

const (
	poisonByte   = 0xdb
	scribbleByte = 0xa5
)

func (h *Heap) fill(r Ref, n int, b byte) {
	p := h.arena.Bytes(r, n)
	p[0] = b
	for done := 1; done < n; done *= 2 {
		copy(p[done:], p[:done])
	}
}

func (h *Heap) poison(r Ref, n int)   { h.fill(r, n, poisonByte) }
func (h *Heap) scribble(r Ref, n int) { h.fill(r, n, scribbleByte) }

// checkPoison makes sure that nobody wrote to a free block, and scribbles on it.
func (h *Heap) checkPoison(r Ref, n int) {
	for i, b := range h.arena.Bytes(r, n) {
		if b != poisonByte {
			panic(fmt.Sprintf("heap: block %#x of %d bytes was written to after it was freed, at byte %d", r, n, i))
		}
	}
	h.scribble(r, n)
}

// checkFree panics unless r is a block of class c in use, and poisons it.
func (h *Heap) checkFree(r Ref, c uint) {
	index, at := uint32(r>>wordShift), uint(r)%chunkWords
	if h.st == nil || h.arena.links[index].kind != kindUnits {
		panic(fmt.Sprintf("heap: free of %#x, which is no block of the heap", r))
	}
	record := h.chunk(index).owner[at/unitWords]
	if record >= maxSpans {
		panic(fmt.Sprintf("heap: free of %#x with %d bytes, where no span is", r, classes[c].words*8))
	}
	s := h.chunk(index).span(record)
	if uint(s.class) != c {
		panic(fmt.Sprintf("heap: free of %#x with %d bytes, but it has %d", r, classes[c].words*8, classes[s.class].words*8))
	}
	i := (at - uint(s.first)*unitWords) / uint(classes[c].words)
	if i*uint(classes[c].words)+uint(s.first)*unitWords != at || i >= uint(s.limit) {
		panic(fmt.Sprintf("heap: free of %#x, which is not where a block begins", r))
	}
	if s.free>>i&1 != 0 {
		panic(fmt.Sprintf("heap: block %#x is freed twice", r))
	}
	h.poison(r, int(classes[c].words)*8)
}

// checkFreeUnits panics unless r is a block of units, or a big one, of that size.
func (h *Heap) checkFreeUnits(r Ref, size int) {
	index, at := uint32(r>>wordShift), uint(r)%chunkWords/unitWords
	link := h.arena.links[index]
	if size > maxBlock {
		if link.kind != kindBig || uint(r)%chunkWords != 0 || link.size() != size {
			panic(fmt.Sprintf("heap: free of %#x with %d bytes, which is no such block", r, size))
		}
		return
	}
	if link.kind != kindUnits || h.chunk(index).owner[at] != unitBlock || uint(r)%unitWords != 0 {
		panic(fmt.Sprintf("heap: free of %#x with %d bytes, where no such block begins", r, size))
	}
	n := uint(1)
	for at+n < chunkUnits && h.chunk(index).owner[at+n] == unitBlockRest {
		n++
	}
	if int(n)*unitSize != size {
		panic(fmt.Sprintf("heap: free of %#x with %d bytes, but it has %d", r, size, n*unitSize))
	}
}

// Check walks everything the heap has and reports the first contradiction. It is
// for tests.
func (h *Heap) Check() error {
	var used, held, idle int64
	var count uint32
	var inClass [numClasses]uint32
	listed := map[spanID]bool{}
	if h.st != nil {
		for c := range h.st.class {
			prev := spanID(0)
			for id := h.st.class[c].head; id != 0; id = h.span(id).next {
				s := h.span(id)
				if listed[id] || s.prev != prev || int(s.class) != c || s.free == 0 || h.chunk(id>>spanBits).evac {
					return fmt.Errorf("class %d: span %#x does not belong on the list: %+v", c, id, *s)
				}
				listed[id], prev = true, id
			}
		}
	}
	for i := h.list; i != 0; i = h.arena.links[i].next {
		ch := h.chunk(i)
		count++
		if ch.index != i {
			return fmt.Errorf("chunk %d: header says %d", i, ch.index)
		}
		held += int64(chunkUnits-ch.free.count()) * unitSize
		idle += int64(ch.dirty()) * unitSize
		live, seen := 0, units{}
		for u := uint(0); u < chunkUnits; u++ {
			free := ch.free.has(u)
			switch o := ch.owner[u]; {
			case free != (o == unitFree), ch.fresh.has(u) && !free:
				return fmt.Errorf("chunk %d: unit %d: owner %#x, free %v", i, u, o, free)
			case o == unitBlock:
				live++
				used += unitSize
			case o == unitBlockRest:
				used += unitSize
			case o < maxSpans && !seen.has(uint(o)):
				seen = seen.or(unitRange(uint(o), 1))
				s, id := ch.span(o), makeSpanID(i, o)
				live++
				used += int64(s.inUse()) * int64(classes[s.class].words) * 8
				if !ch.evac {
					inClass[s.class] += uint32(s.units)
				}
				if uint(s.first) != u || s.free&^s.all() != 0 || classes[s.class].limit(uint(s.units)) != uint(s.limit) {
					return fmt.Errorf("chunk %d: record %d: %+v at unit %d", i, o, *s, u)
				}
				if listed[id] != (s.free != 0 && !ch.evac) {
					return fmt.Errorf("chunk %d: record %d: listed %v: %+v", i, o, listed[id], *s)
				}
				if s.free == s.all() && (ch.evac || s.next|s.prev != 0) {
					return fmt.Errorf("chunk %d: record %d: empty and not dropped: %+v", i, o, *s)
				}
			}
		}
		if seen != ch.records() || live != int(ch.live) {
			return fmt.Errorf("chunk %d: records %v, in use %v; live %d, counted %d", i, ch.records(), seen, ch.live, live)
		}
		if live == 0 && i != h.home && i != h.spare {
			return fmt.Errorf("chunk %d: empty and not given back", i)
		}
		if want := uint8(ch.free.longestLog()); !ch.evac && ch.bin != want || ch.evac && ch.bin != noBin {
			return fmt.Errorf("chunk %d: in list %d, longest run %d", i, ch.bin, want)
		}
	}
	for i := h.bigs; i != 0; i = h.arena.links[i].next {
		used += int64(h.arena.links[i].size())
		held += int64(h.arena.links[i].size())
	}
	switch {
	case used != h.used || held != h.held:
		return fmt.Errorf("used %d, counted %d; held %d, counted %d", h.used, used, h.held, held)
	case idle != h.idle || count != h.count:
		return fmt.Errorf("idle %d, counted %d; chunks %d, counted %d", h.idle, idle, h.count, count)
	}
	for c, n := range inClass {
		if h.st != nil && h.st.class[c].units != n {
			return fmt.Errorf("class %d: %d units, counted %d", c, h.st.class[c].units, n)
		}
	}
	return nil
}
