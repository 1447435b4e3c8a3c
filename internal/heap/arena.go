package heap

import (
	"sync"
	"unsafe"
)

// Ref is the place of a block: its distance from the arena's base in units of 8
// bytes. It fits 35 bits (256 GiB). The zero Ref is nil.
type Ref uint64

const chunkSize = 64 << 10

// Arena is the address space all heaps of a server share.
type Arena struct {
	base     unsafe.Pointer
	mem      []byte
	mu       sync.Mutex
	next     int64
	reserved int64
	free     []chunkRun
}

type chunkRun struct{ off, size int64 }

// Stats describes an arena; all figures are bytes.
type Stats struct {
	Reserved  int64
	Committed int64
	InUse     int64
	FreeDirty int64
}

// NewArena reserves address space, less than asked for where the system refuses.
func NewArena(reserve int64) (*Arena, error) {
	mem, err := reserveMemory(reserve)
	if err != nil {
		return nil, err
	}
	return &Arena{base: unsafe.Pointer(unsafe.SliceData(mem)), mem: mem, next: chunkSize, reserved: int64(len(mem))}, nil
}

// Close gives the address space back; every Ref is invalid afterwards.
func (a *Arena) Close() error {
	mem := a.mem
	a.mem, a.base = nil, nil
	return releaseMemory(mem)
}

// Base returns the address of Ref 0.
func (a *Arena) Base() unsafe.Pointer { return a.base }

// Ptr returns the address of r.
func (a *Arena) Ptr(r Ref) unsafe.Pointer { return unsafe.Add(a.base, uintptr(r)<<3) }

// Bytes returns the n bytes at r.
func (a *Arena) Bytes(r Ref, n int) []byte {
	return unsafe.Slice((*byte)(unsafe.Add(a.base, uintptr(r)<<3)), n)
}

// Readable reports whether the n bytes at r may be read without a fault.
func (a *Arena) Readable(r Ref, n int) bool {
	return r != 0 && uint64(r) < uint64(a.reserved)>>3 && uint64(r)<<3+uint64(n) <= uint64(a.reserved)
}

// Trim gives up to maxBytes of free chunks back to the system.
func (a *Arena) Trim(maxBytes int) int { return 0 }

// Stats returns the arena's figures.
func (a *Arena) Stats() Stats {
	a.mu.Lock()
	defer a.mu.Unlock()
	return Stats{Reserved: a.reserved, Committed: a.reserved, InUse: a.next}
}

func (a *Arena) take(size int64) int64 {
	a.mu.Lock()
	defer a.mu.Unlock()
	for i, f := range a.free {
		if f.size == size {
			a.free = append(a.free[:i], a.free[i+1:]...)
			return f.off
		}
	}
	if a.next+size > a.reserved {
		return 0
	}
	off := a.next
	a.next += size
	return off
}

func (a *Arena) give(r chunkRun) {
	a.mu.Lock()
	a.free = append(a.free, r)
	a.mu.Unlock()
}
