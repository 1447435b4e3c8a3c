package stream

import "sherd/internal/heap"

// Who adds entries may name itself and each entry, so that one that is sent twice is
// added once: the stream remembers, for each producer, the names of its last entries
// and which IDs they got. A name is forgotten when its entry's ID is older than the
// limits say, or when there are more than they allow.
//
//	idem      │ seconds │ most │ added │ duplicates │ tracked │ next to sweep │ producers │
//	producer  │ first │ last │ names │ length │ name of the producer │
//	label     │ ID │ next │ length │ name of the entry │
//
// A producer's labels are found by name in its names; first, last and next put them in
// the order in which they came. What is too old goes when its producer adds something,
// and some of two others' with it, so that nobody's stay for good. There is nothing of
// all this before it is used first.
type Idem struct {
	s    Stream
	head []byte
}

// The block of an Idem.
const (
	idemSeconds    = 0
	idemMost       = 4
	idemAdded      = 8
	idemDuplicates = 16
	idemTracked    = 24
	idemSweep      = 32
	idemProducers  = 40
	idemBytes      = idemProducers + namesBytes
)

// The blocks of producers and labels, before their names.
const (
	producerFirst  = 0
	producerLast   = 8
	producerLabels = 16
	producerName   = producerLabels + namesBytes + 4

	labelID   = 0
	labelNext = 16
	labelName = labelNext + 8 + 4
)

// sweepLabels bounds what is forgotten at a time because of its age.
const sweepLabels = 32

// Idem returns what the stream remembers of producers; false if it was never used.
func (s *Stream) Idem() (d Idem, ok bool) {
	ref := heap.Ref(get64(s.root, rootIdem))
	if ref == 0 {
		return d, false
	}
	return Idem{*s, s.a.Bytes(ref, idemBytes)}, true
}

// UseIdem is Idem, begun with these limits if it was never used; false: memory is
// exhausted.
func (s *Stream) UseIdem(seconds, most int64) (Idem, bool) {
	if d, ok := s.Idem(); ok {
		return d, true
	}
	ref := s.h.Alloc(idemBytes)
	if ref == 0 {
		return Idem{}, false
	}
	put64(s.root, rootIdem, uint64(ref))
	d := Idem{*s, s.a.Bytes(ref, idemBytes)}
	clear(d.head)
	d.SetLimits(seconds, most)
	return d, true
}

// Seconds is how long a label is remembered.
func (d *Idem) Seconds() int64 { return int64(get32(d.head, idemSeconds)) }

// Most is how many labels of a producer are remembered.
func (d *Idem) Most() int64 { return int64(get32(d.head, idemMost)) }

// SetLimits sets both.
func (d *Idem) SetLimits(seconds, most int64) {
	put32(d.head, idemSeconds, int(seconds))
	put32(d.head, idemMost, int(most))
}

// Added is how many labels were ever recorded.
func (d *Idem) Added() int64 { return int64(get64(d.head, idemAdded)) }

// Duplicates is how many entries were not added because they had been before.
func (d *Idem) Duplicates() int64 { return int64(get64(d.head, idemDuplicates)) }

// CountDuplicate counts one.
func (d *Idem) CountDuplicate() { put64(d.head, idemDuplicates, uint64(d.Duplicates()+1)) }

// Tracked is how many labels there are, of all producers.
func (d *Idem) Tracked() int64 { return int64(get64(d.head, idemTracked)) }

func (d *Idem) addTracked(n int64) { put64(d.head, idemTracked, uint64(d.Tracked()+n)) }

// ProducerCount is how many producers there are.
func (d *Idem) ProducerCount() int { x := d.producers(); return x.n }

func (d *Idem) producers() names        { return loadNames(d.head[idemProducers:]) }
func (d *Idem) storeProducers(x *names) { x.store(d.head[idemProducers:]) }

func (d *Idem) producer(ref heap.Ref) []byte { return d.s.a.Bytes(ref, producerName) }
func (d *Idem) label(ref heap.Ref) []byte    { return d.s.a.Bytes(ref, labelName) }

// old tells whether a label is to be forgotten.
func (d *Idem) old(label []byte, nowMs int64) bool {
	ms := get64(label, labelID)
	return uint64(nowMs) > ms && uint64(nowMs)-ms >= uint64(d.Seconds())*1000
}

// Find returns the ID of the entry to which a producer gave a name.
func (d *Idem) Find(producer, name []byte, nowMs int64) (id ID, ok bool) {
	x := d.producers()
	i, ok := x.find(d.s.a, producer, producerName)
	if !ok {
		return id, false
	}
	labels := loadNames(d.producer(x.ref(d.s.a, i))[producerLabels:])
	if i, ok = labels.find(d.s.a, name, labelName); !ok {
		return id, false
	}
	l := d.label(labels.ref(d.s.a, i))
	return getID(l, labelID), !d.old(l, nowMs)
}

// Record remembers that a producer gave a name to an entry. False: memory is exhausted
// and nothing has changed.
func (d *Idem) Record(producer, name []byte, id ID, nowMs int64) bool {
	x := d.producers()
	i, ok := x.find(d.s.a, producer, producerName)
	if !ok {
		ref := newNamed(d.s.h, producer, producerName)
		if ref == 0 {
			return false
		}
		if !x.insert(d.s.h, i, ref) {
			freeNamed(d.s.h, ref, producerName)
			return false
		}
		d.storeProducers(&x)
	}
	p := d.producer(x.ref(d.s.a, i))
	if !d.record(p, name, id) {
		if !ok {
			d.removeProducer(i)
		}
		return false
	}
	put64(d.head, idemAdded, uint64(d.Added()+1))
	for {
		if x := loadNames(p[producerLabels:]); int64(x.n) <= d.Most() {
			break
		}
		d.forgetFirst(p)
	}
	d.forgetOld(p, nowMs)
	d.sweep(nowMs)
	return true
}

// record makes a label the last of a producer's.
func (d *Idem) record(p, name []byte, id ID) bool {
	labels := loadNames(p[producerLabels:])
	i, ok := labels.find(d.s.a, name, labelName)
	var ref heap.Ref
	if ok { // too old, but not the first
		ref = labels.ref(d.s.a, i)
		d.unlink(p, ref)
	} else {
		if ref = newNamed(d.s.h, name, labelName); ref == 0 {
			return false
		}
		if !labels.insert(d.s.h, i, ref) {
			freeNamed(d.s.h, ref, labelName)
			return false
		}
		labels.store(p[producerLabels:])
		d.addTracked(1)
	}
	l := d.label(ref)
	putID(l, labelID, id)
	put64(l, labelNext, 0)
	if last := heap.Ref(get64(p, producerLast)); last != 0 {
		put64(d.label(last), labelNext, uint64(ref))
	} else {
		put64(p, producerFirst, uint64(ref))
	}
	put64(p, producerLast, uint64(ref))
	return true
}

// unlink takes a label out of the order.
func (d *Idem) unlink(p []byte, ref heap.Ref) {
	before, at := heap.Ref(0), heap.Ref(get64(p, producerFirst))
	for at != ref {
		before, at = at, heap.Ref(get64(d.label(at), labelNext))
	}
	next := get64(d.label(at), labelNext)
	if before == 0 {
		put64(p, producerFirst, next)
	} else {
		put64(d.label(before), labelNext, next)
	}
	if next == 0 {
		put64(p, producerLast, uint64(before))
	}
}

// Forget takes back what Record did last, for an entry that could not be added.
func (d *Idem) Forget(producer, name []byte) {
	x := d.producers()
	i, ok := x.find(d.s.a, producer, producerName)
	if !ok {
		return
	}
	p := d.producer(x.ref(d.s.a, i))
	labels := loadNames(p[producerLabels:])
	at, ok := labels.find(d.s.a, name, labelName)
	if !ok {
		return
	}
	ref := labels.ref(d.s.a, at)
	d.unlink(p, ref)
	d.removeLabel(p, &labels, at, ref)
	put64(d.head, idemAdded, uint64(d.Added()-1))
	if labels.n == 0 {
		d.removeProducer(i)
	}
}

func (d *Idem) removeLabel(p []byte, labels *names, at int, ref heap.Ref) {
	labels.remove(d.s.h, at)
	labels.store(p[producerLabels:])
	freeNamed(d.s.h, ref, labelName)
	d.addTracked(-1)
}

// removeProducer removes a producer that has no labels.
func (d *Idem) removeProducer(i int) {
	x := d.producers()
	freeNamed(d.s.h, x.ref(d.s.a, i), producerName)
	x.remove(d.s.h, i)
	d.storeProducers(&x)
}

// forgetFirst forgets the label that came first.
func (d *Idem) forgetFirst(p []byte) {
	ref := heap.Ref(get64(p, producerFirst))
	next := get64(d.label(ref), labelNext)
	put64(p, producerFirst, next)
	if next == 0 {
		put64(p, producerLast, 0)
	}
	labels := loadNames(p[producerLabels:])
	at, _ := labels.find(d.s.a, nameOf(d.s.a, ref, labelName), labelName)
	d.removeLabel(p, &labels, at, ref)
}

// forgetOld forgets some labels of a producer that are too old, and reports whether
// there is none left.
func (d *Idem) forgetOld(p []byte, nowMs int64) (empty bool) {
	for range sweepLabels {
		ref := heap.Ref(get64(p, producerFirst))
		if ref == 0 {
			return true
		}
		if !d.old(d.label(ref), nowMs) {
			return false
		}
		d.forgetFirst(p)
	}
	return get64(p, producerFirst) == 0
}

// sweep looks after two producers in turn.
func (d *Idem) sweep(nowMs int64) {
	for range 2 {
		x := d.producers()
		i := get32(d.head, idemSweep)
		if i >= x.n {
			i = 0
		}
		if x.n == 0 {
			return
		}
		if d.forgetOld(d.producer(x.ref(d.s.a, i)), nowMs) {
			d.removeProducer(i)
		} else {
			i++
		}
		put32(d.head, idemSweep, i)
	}
}

// Clear forgets all labels. It does about steps of them; done tells whether none is
// left.
func (d *Idem) Clear(steps int) (done bool) {
	for {
		x := d.producers()
		if x.n == 0 {
			return true
		}
		p := d.producer(x.ref(d.s.a, x.n-1))
		for ; get64(p, producerFirst) != 0; steps-- {
			if steps <= 0 {
				return false
			}
			ref := heap.Ref(get64(p, producerFirst))
			put64(p, producerFirst, get64(d.label(ref), labelNext))
			freeNamed(d.s.h, ref, labelName)
			d.addTracked(-1)
		}
		labels := loadNames(p[producerLabels:])
		labels.drop(d.s.h)
		d.removeProducer(x.n - 1)
		steps--
	}
}

// free frees all there is within a budget and returns what is left of that; 0: there
// is more.
func (d *Idem) free(budget int) int {
	if !d.Clear(budget) {
		return 0
	}
	d.s.h.Free(heap.Ref(get64(d.s.root, rootIdem)), idemBytes)
	put64(d.s.root, rootIdem, 0)
	return max(budget-1, 0)
}

// copyIdem copies what another stream remembers.
func (s *Stream) copyIdem(from *Stream) bool {
	old, ok := from.Idem()
	if !ok {
		return true
	}
	d, ok := s.UseIdem(old.Seconds(), old.Most())
	if !ok {
		return false
	}
	x := old.producers()
	for i := range x.n {
		ref := x.ref(from.a, i)
		for at := heap.Ref(get64(old.producer(ref), producerFirst)); at != 0; at = heap.Ref(get64(old.label(at), labelNext)) {
			l := old.label(at)
			if !d.Record(nameOf(from.a, ref, producerName), nameOf(from.a, at, labelName), getID(l, labelID), 0) {
				return false
			}
		}
	}
	copy(d.head[idemAdded:idemTracked], old.head[idemAdded:idemTracked])
	return true
}

// sizeBytes is the memory of it all.
func (d *Idem) sizeBytes() int64 {
	a := d.s.a
	x := d.producers()
	n := int64(heap.ClassSize(idemBytes)) + x.sizeBytes()
	for i := range x.n {
		ref := x.ref(a, i)
		p := d.producer(ref)
		labels := loadNames(p[producerLabels:])
		n += namedSize(a, ref, producerName) + labels.sizeBytes()
		for at := heap.Ref(get64(p, producerFirst)); at != 0; at = heap.Ref(get64(d.label(at), labelNext)) {
			n += namedSize(a, at, labelName)
		}
	}
	return n
}
