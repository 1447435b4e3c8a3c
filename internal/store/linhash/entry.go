package linhash

import (
	"unsafe"

	"sherd/internal/heap"
)

// Entry is the place of an entry. It is valid until the table changes.
type Entry struct {
	base   unsafe.Pointer
	p      unsafe.Pointer // its bytes: deadline, key, value
	end    unsafe.Pointer
	bucket uint64
	i      int // in its bucket
	kc, vc uint8
}

// Key returns the key, which aliases the arena.
func (e *Entry) Key() []byte {
	p := unsafe.Add(e.p, int(e.kc&dated)>>3)
	if e.kc&outside != 0 {
		return away(e.base, p)
	}
	return bytesAt(p, int(e.kc&keySize))
}

// Value returns the value, which aliases the arena; nil in a set.
func (e *Entry) Value() []byte {
	p := unsafe.Add(e.end, -int(e.vc&valSize))
	if e.vc&outside != 0 {
		return away(e.base, p)
	}
	return bytesAt(p, int(e.vc&valSize))
}

// DeadlineMs returns the deadline; 0 for none.
func (e *Entry) DeadlineMs() int64 {
	if e.kc&dated == 0 {
		return 0
	}
	return int64(load64(e.p, 0))
}

// away returns the bytes whose place is at p.
func away(base, p unsafe.Pointer) []byte {
	r, n := placeAt(p)
	return bytesAt(refPtr(base, r), n)
}

// placeAt reads a place: a Ref of 5 bytes and a length of 4.
func placeAt(p unsafe.Pointer) (heap.Ref, int) {
	return heap.Ref(uint64(load32(p, 0)) | uint64(load8(p, 4))<<32), int(load32(p, 5))
}

func putPlace(p unsafe.Pointer, r heap.Ref, n int) {
	store32(p, 0, uint32(r))
	store8(p, 4, uint8(r>>32))
	store32(p, 5, uint32(n))
}

// codeOf returns the code of a key or value of n bytes of which at most most are
// stored in the bucket.
func codeOf(n, most int) uint8 {
	if n > most {
		return outside | placeSize
	}
	return uint8(n)
}

// keep makes a block of bytes that are stored outside. 0: out of memory.
func (t *Table) keep(b []byte) heap.Ref {
	r := t.h.Alloc(len(b))
	if r != 0 {
		copy(bytesAt(refPtr(t.base, r), len(b)), b)
		t.root.bytes += uint64(heap.ClassSize(len(b)))
	}
	return r
}

// drop frees what a place refers to.
func (t *Table) drop(p unsafe.Pointer) {
	r, n := placeAt(p)
	t.h.Free(r, n)
	t.root.bytes -= uint64(heap.ClassSize(n))
}

// dropOutside frees what an entry has outside of its bucket.
func (t *Table) dropOutside(e *Entry) {
	if e.kc&outside != 0 {
		t.drop(unsafe.Add(e.p, int(e.kc&dated)>>3))
	}
	if e.vc&outside != 0 {
		t.drop(unsafe.Add(e.end, -int(e.vc&valSize)))
	}
}

// Place is a number that no other entry of the table has until the table changes.
func (e *Entry) Place() uint64 { return e.bucket*(countMost+1) + uint64(e.i) }
