package dash

import (
	"unsafe"

	"sherd/internal/heap"
	"sherd/internal/invariants"
)

// Entry is the place of an entry. It is valid until the next insertion or
// maintenance step of its table; deleting or replacing other entries leaves it
// where it is, and replacing its own value too.
type Entry struct {
	base unsafe.Pointer // of the arena
	slot unsafe.Pointer
	seg  segWord
}

// An entry is one block in one of three forms.
//
//	compact                     key, value
//	compact with a deadline     deadline(8), key, value
//	general                     header, optional fields, key, value or nothing
//
// A string is compact when its key has at most 63 bytes, its value at most 127,
// and no optional field but the deadline is set; the slot then holds the lengths.
// The general header is
//
//	0  kind
//	1  encoding
//	2  flags
//	3  free
//	4  length of the key (uint32)
//	8  length of a string (uint32)
//
// and the optional fields, each only where its flag is set, in this order:
// deadline (8), access clock (4), memcached flags (4) and cas (8), extern (8).
// Extern is a container's Ref, or for a string longer than MaxInline the Ref of
// its bytes and, above it, their capacity in units of 8.
const (
	kindOff  = 0
	encOff   = 1
	flagsOff = 2
	klenOff  = 4
	vlenOff  = 8
	fixedLen = 12

	hasDeadline = 1
	hasClock    = 2
	hasMemc     = 4
	hasExtern   = 8
	isRaw       = 16
	optMask     = 15

	deadlineOff = fixedLen // always first
)

// MaxInline is the longest string value that is stored beside its key.
const MaxInline = 4096

// optLen is the size of header and optional fields for each set of flags.
var optLen = func() (l [optMask + 1]uint8) {
	for f := range l {
		n := fixedLen
		if f&hasDeadline != 0 {
			n += 8
		}
		if f&hasClock != 0 {
			n += 4
		}
		if f&hasMemc != 0 {
			n += 12
		}
		if f&hasExtern != 0 {
			n += 8
		}
		l[f] = uint8(n)
	}
	return l
}()

func optOff(flags uint8) uintptr { return uintptr(optLen[flags&optMask]) }

func clockOff(flags uint8) uintptr  { return optOff(flags & hasDeadline) }
func memcOff(flags uint8) uintptr   { return optOff(flags & (hasDeadline | hasClock)) }
func externOff(flags uint8) uintptr { return optOff(flags & (hasDeadline | hasClock | hasMemc)) }

// keyOf returns where the key of the entry in a slot is.
func keyOf(p unsafe.Pointer, word uint64) (off uintptr, klen int) {
	if word&general == 0 {
		return uintptr(word >> 32 & 8), int(word >> klenShift & klenMax)
	}
	return optOff(load8(p, flagsOff)), int(load32(p, klenOff))
}

// blockSize returns what was asked of the heap for the entry in a slot.
func blockSize(p unsafe.Pointer, word uint64) int {
	if word&general == 0 {
		return int(word>>32&8 + word>>klenShift&klenMax + word>>vlenShift&vlenMax)
	}
	flags := load8(p, flagsOff)
	n := int(optOff(flags)) + int(load32(p, klenOff))
	if flags&hasExtern == 0 {
		n += int(load32(p, vlenOff))
	}
	return n
}

// keyIs reports whether the entry in a slot has the given key.
func keyIs(base unsafe.Pointer, word uint64, key []byte) bool {
	p := refPtr(base, word)
	if word&general == 0 {
		n := uintptr(word >> klenShift & klenMax)
		return n == uintptr(len(key)) && equal(unsafe.Add(p, word>>32&8), unsafe.Pointer(unsafe.SliceData(key)), n)
	}
	n := int(load32(p, klenOff))
	return n == len(key) && string(bytesAt(p, optOff(load8(p, flagsOff)), n)) == string(key)
}

// The extern field of a string: the Ref of its bytes, and their capacity.
func makeExtern(r heap.Ref, size int) uint64 { return uint64(r) | uint64(size)>>3<<refBits }
func externRef(x uint64) heap.Ref            { return heap.Ref(x & refMask) }
func externCap(x uint64) int                 { return int(x >> refBits << 3) }

// word returns the slot's word.
func (e Entry) word() uint64 {
	w := *(*uint64)(e.slot)
	if invariants.Enabled && w == 0 {
		panic("dash: an entry is used that was deleted")
	}
	return w
}

// open returns the entry's block and the slot's word.
func (e Entry) open() (unsafe.Pointer, uint64) {
	w := e.word()
	return refPtr(e.base, w), w
}

// flags returns the entry's block and its flags, none for a compact entry.
func (e Entry) flags() (unsafe.Pointer, uint8) {
	p, w := e.open()
	if w&general == 0 {
		return p, 0
	}
	return p, load8(p, flagsOff)
}

// Key returns the key; it aliases the arena.
func (e Entry) Key() []byte {
	p, w := e.open()
	off, n := keyOf(p, w)
	return bytesAt(p, off, n)
}

// Value returns a string's bytes, which alias the arena and may be written to;
// nil for other kinds.
func (e Entry) Value() []byte {
	p, w := e.open()
	if w&general == 0 {
		k := w>>32&8 + w>>klenShift&klenMax
		return bytesAt(p, uintptr(k), int(w>>vlenShift&vlenMax))
	}
	if w>>kindShift&kindMask != uint64(String) {
		return nil
	}
	return generalValue(e.base, p)
}

func generalValue(base, p unsafe.Pointer) []byte {
	flags, n := load8(p, flagsOff), int(load32(p, vlenOff))
	if flags&hasExtern != 0 {
		return bytesAt(refPtr(base, load64(p, externOff(flags))), 0, n)
	}
	return bytesAt(p, optOff(flags)+uintptr(load32(p, klenOff)), n)
}

// Kind returns the kind of the value without touching the entry.
func (e Entry) Kind() Kind {
	if w := e.word(); w&general != 0 {
		return Kind(w >> kindShift & kindMask)
	}
	return String
}

// Encoding returns what InsertRef or SetEncoding stored; 0 if nothing was.
func (e Entry) Encoding() uint8 {
	if p, w := e.open(); w&general != 0 {
		return load8(p, encOff)
	}
	return 0
}

// SetEncoding changes the encoding of a container, or of a Raw string until its
// value is replaced; other strings have no place for one.
func (e Entry) SetEncoding(c uint8) {
	if p, w := e.open(); w&general != 0 {
		store8(p, encOff, c)
	}
}

// DeadlineMs returns the deadline; 0 for none.
func (e Entry) DeadlineMs() int64 {
	p, w := e.open()
	if w&volatile == 0 {
		return 0
	}
	return deadlineOf(p, w)
}

// deadlineOf returns the deadline of an entry that has one.
func deadlineOf(p unsafe.Pointer, w uint64) int64 {
	if w&general == 0 {
		return int64(load64(p, 0))
	}
	return int64(load64(p, deadlineOff))
}

// Raw reports whether the string was made by Resize (OBJECT ENCODING raw).
func (e Entry) Raw() bool { _, f := e.flags(); return f&isRaw != 0 }

// Ref returns the container of the entry; 0 for strings.
func (e Entry) Ref() heap.Ref {
	p, f := e.flags()
	if f&hasExtern == 0 || e.Kind() == String {
		return 0
	}
	return heap.Ref(load64(p, externOff(f)))
}

// SetRef replaces the container of an entry that is not a string.
func (e Entry) SetRef(r heap.Ref) {
	p, f := e.flags()
	store64(p, externOff(f), uint64(r))
}

// Clock returns the access clock, if the entry has one.
func (e Entry) Clock() (uint32, bool) {
	p, f := e.flags()
	if f&hasClock == 0 {
		return 0, false
	}
	return load32(p, clockOff(f)), true
}

// TouchClock sets the access clock in place; false if the entry has none.
func (e Entry) TouchClock(c uint32) bool {
	p, f := e.flags()
	if f&hasClock == 0 {
		return false
	}
	store32(p, clockOff(f), c)
	return true
}

// Memcached returns the memcached fields, if the entry has them.
func (e Entry) Memcached() (flags uint32, cas uint64, ok bool) {
	p, f := e.flags()
	if f&hasMemc == 0 {
		return 0, 0, false
	}
	o := memcOff(f)
	return load32(p, o), load64(p, o+4), true
}

// SizeBytes returns the heap bytes of the entry, a string's included; what a
// container holds is its package's to count.
func (e Entry) SizeBytes() int {
	p, w := e.open()
	n := heap.ClassSize(blockSize(p, w))
	if w&general != 0 && w>>kindShift&kindMask == uint64(String) {
		if f := load8(p, flagsOff); f&hasExtern != 0 {
			n += heap.ClassSize(externCap(load64(p, externOff(f))))
		}
	}
	return n
}
