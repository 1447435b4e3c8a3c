package linhash

import (
	"unsafe"

	"sherd/internal/heap"
)

// Insert adds an entry whose key is not in the table. deadlineMs 0 is none. False:
// out of memory, and nothing has changed.
func (t *Table) Insert(hash uint64, key, value []byte, deadlineMs int64) bool {
	if !t.makeRoom() {
		return false
	}
	kc, vc := codeOf(len(key), MostKey), codeOf(len(value), MostValue)
	if deadlineMs != 0 {
		kc |= dated
	}
	var farKey, farValue heap.Ref
	if kc&outside != 0 {
		if farKey = t.keep(key); farKey == 0 {
			return false
		}
	}
	if vc&outside != 0 {
		if farValue = t.keep(value); farValue == 0 {
			t.unkeep(farKey, len(key))
			return false
		}
	}
	bucket, _ := t.root.bucketOf(hash)
	size := sizeOf(kc, vc)
	p := t.append(t.word(bucket), fpOf(hash), kc, vc, size)
	if p == nil {
		t.unkeep(farKey, len(key))
		t.unkeep(farValue, len(value))
		return false
	}
	t.root.count++
	t.root.weight += uint64(size)
	if deadlineMs != 0 {
		store64(p, 0, uint64(deadlineMs))
		p = unsafe.Add(p, dateSize)
		t.root.dated++
		t.noteDeadline(bucket>>pageShift, deadlineMs)
	}
	if farKey != 0 {
		putPlace(p, farKey, len(key))
	} else {
		copy(bytesAt(p, len(key)), key)
	}
	p = unsafe.Add(p, int(kc&keySize))
	if farValue != 0 {
		putPlace(p, farValue, len(value))
	} else {
		copy(bytesAt(p, len(value)), value)
	}
	return true
}

func (t *Table) unkeep(r heap.Ref, n int) {
	if r != 0 {
		t.h.Free(r, n)
		t.root.bytes -= uint64(heap.ClassSize(n))
	}
}

// append makes an entry at the end of a bucket and returns where its bytes go, or
// nil when memory is exhausted.
func (t *Table) append(w *bucketWord, fp, kc, vc uint8, size int) unsafe.Pointer {
	n, width := w.count(), int(t.root.width)
	if n == countMost {
		return nil
	}
	used := 0
	if n > 0 {
		used = sizesBefore(w.ptr(t.base), n, width)
	}
	b := t.room(w, used, used, size, groups(n+1, width))
	if b == nil {
		return nil
	}
	setLane(b, n, width, fp, kc, vc)
	*w += oneEntry
	if kc&dated != 0 {
		*w |= datedBucket
	}
	t.root.most = max(t.root.most, uint32(n+1))
	return unsafe.Add(b, w.size()-used-size)
}

// SetValue changes the value of an entry, whose deadline stays. False: out of
// memory, and nothing has changed.
func (t *Table) SetValue(e Entry, value []byte) bool {
	w, width := t.word(e.bucket), int(t.root.width)
	vc := codeOf(len(value), MostValue)
	place := unsafe.Add(e.end, -int(e.vc&valSize))
	if vc == e.vc && vc&outside == 0 {
		copy(bytesAt(place, len(value)), value)
		return true
	}
	var far heap.Ref
	if vc&outside != 0 {
		if e.vc&outside != 0 {
			if r, n := placeAt(place); heap.ClassSize(n) == heap.ClassSize(len(value)) {
				copy(bytesAt(refPtr(t.base, r), len(value)), value)
				putPlace(place, r, len(value))
				return true
			}
		}
		if far = t.keep(value); far == 0 {
			return false
		}
	}
	var old heap.Ref
	var oldLen int
	if e.vc&outside != 0 {
		old, oldLen = placeAt(place)
	}
	b := w.ptr(t.base)
	before, used := sizesBefore(b, e.i, width), sizesBefore(b, w.count(), width)
	has, gets := int(e.vc&valSize), int(vc&valSize)
	if b = t.room(w, used, before+min(has, gets), gets-has, groups(w.count(), width)); b == nil {
		t.unkeep(far, len(value))
		return false
	}
	store8(lane(b, e.i, width), valCodes, vc)
	t.root.weight += uint64(gets - has)
	place = unsafe.Add(b, w.size()-before-gets)
	if far != 0 {
		putPlace(place, far, len(value))
	} else {
		copy(bytesAt(place, len(value)), value)
	}
	t.unkeep(old, oldLen)
	if gets > has {
		t.makeRoom() // the table is as good without
	}
	return true
}

// SetDeadline gives an entry a deadline, or none with 0. False: out of memory, and
// nothing has changed.
func (t *Table) SetDeadline(e Entry, deadlineMs int64) bool {
	w, width := t.word(e.bucket), int(t.root.width)
	b := w.ptr(t.base)
	before, used := sizesBefore(b, e.i+1, width), sizesBefore(b, w.count(), width)
	front := groups(w.count(), width)
	switch {
	case deadlineMs == 0 && e.kc&dated == 0:
		return true
	case deadlineMs == 0:
		b = t.room(w, used, before-dateSize, -dateSize, front)
		store8(lane(b, e.i, width), keyCodes, e.kc&^dated)
		t.root.weight -= dateSize
		t.root.dated--
		return true
	case e.kc&dated == 0:
		if b = t.room(w, used, before, dateSize, front); b == nil {
			return false
		}
		store8(lane(b, e.i, width), keyCodes, e.kc|dated)
		store64(b, uintptr(w.size()-before-dateSize), uint64(deadlineMs))
		*w |= datedBucket
		t.root.weight += dateSize
		t.root.dated++
	default:
		store64(e.p, 0, uint64(deadlineMs))
	}
	t.noteDeadline(e.bucket>>pageShift, deadlineMs)
	return true
}

// Delete removes an entry.
func (t *Table) Delete(e Entry) {
	t.remove(&e)
	for t.slack() && t.merge() {
	}
}

// remove is Delete that leaves the number of buckets as it is.
func (t *Table) remove(e *Entry) {
	w, width := t.word(e.bucket), int(t.root.width)
	b, n := w.ptr(t.base), w.count()
	t.dropOutside(e)
	size := sizeOf(e.kc, e.vc)
	t.root.count--
	t.root.weight -= uint64(size)
	if e.kc&dated != 0 {
		t.root.dated--
	}
	if n == 1 {
		t.h.Free(w.ref(), w.size())
		t.root.bytes -= uint64(w.size())
		*w = 0
		return
	}
	before, used := sizesBefore(b, e.i, width), sizesBefore(b, n, width)
	dropLane(b, e.i, n, width)
	*w -= oneEntry
	t.room(w, used, before, -size, groups(n-1, width))
}
