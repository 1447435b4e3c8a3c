//go:build linux

package uring

import (
	"fmt"
	"os"
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/unix"
)

// BufRing is a ring of equally large buffers that receives of a Ring pick
// from. The caller gives buffers to the kernel by number and gets them back
// with completions:
//
//	Give ──► [ring of free buffers] ──► receive ──► completion with FlagBuffer
//	  ▲                                                     │
//	  └──────────────── when the bytes are done with ◄──────┘
//
// A ring of incremental buffers fills each from front to back with the bytes
// of many receives. The caller keeps account of how far: Take does.
type BufRing struct {
	r           *Ring
	group       uint16
	size        int
	incremental bool
	ring        []byte
	bufs        []buf
	mask        uint16
	tail        uint16
	mem         []byte
	used        []int32 // incremental: bytes of each buffer that are filled
}

// NewBufRing makes a ring for count (a power of two) buffers of size bytes
// under a group number. All buffers are the caller's at first.
func (r *Ring) NewBufRing(group uint16, count, size int, incremental bool) (*BufRing, error) {
	b := &BufRing{r: r, group: group, size: size, incremental: incremental, mask: uint16(count - 1)}
	var err error
	page := os.Getpagesize()
	bytes := (count*int(unsafe.Sizeof(buf{})) + page - 1) &^ (page - 1)
	if b.ring, err = anonymous(bytes); err != nil {
		return nil, err
	}
	if b.mem, err = anonymous(count * size); err != nil {
		_ = unix.Munmap(b.ring)
		return nil, err
	}
	b.bufs = unsafe.Slice((*buf)(unsafe.Pointer(&b.ring[0])), count)
	b.used = make([]int32, count)
	reg := &bufReg{ringAddr: uint64(uintptr(unsafe.Pointer(&b.ring[0]))), ringEntries: uint32(count), bgid: group}
	if incremental {
		reg.flags = pbufRingIncremental
	}
	if _, _, errno := unix.Syscall6(unix.SYS_IO_URING_REGISTER, uintptr(r.fd), registerPbufRing,
		uintptr(unsafe.Pointer(reg)), 1, 0, 0); errno != 0 {
		b.unmap()
		return nil, fmt.Errorf("io_uring buffer ring: %w", errno)
	}
	return b, nil
}

func anonymous(bytes int) ([]byte, error) {
	return unix.Mmap(-1, 0, bytes, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
}

func (b *BufRing) unmap() {
	_ = unix.Munmap(b.ring)
	_ = unix.Munmap(b.mem)
}

// Close gives the memory back. No receive may be in flight.
func (b *BufRing) Close() {
	reg := &bufReg{bgid: b.group}
	_, _, _ = unix.Syscall6(unix.SYS_IO_URING_REGISTER, uintptr(b.r.fd), unregisterPbufRing,
		uintptr(unsafe.Pointer(reg)), 1, 0, 0)
	b.unmap()
}

// Give stages a buffer for the kernel, empty. Publish shows it.
func (b *BufRing) Give(id int) {
	e := &b.bufs[b.tail&b.mask]
	b.tail++
	b.used[id] = 0
	// Not the whole entry: the first one's last field is the ring's tail.
	e.addr = uint64(uintptr(unsafe.Pointer(&b.mem[id*b.size])))
	e.len = uint32(b.size)
	e.bid = uint16(id)
}

// Publish lets the kernel see the buffers given since the last time.
func (b *BufRing) Publish() {
	// The tail is 16 bits wide and shares a word with the first entry's number,
	// which is ours too: one 32-bit store writes both.
	word := (*uint32)(unsafe.Pointer(&b.bufs[0].bid))
	atomic.StoreUint32(word, uint32(b.bufs[0].bid)|uint32(b.tail)<<16)
}

// Take returns the bytes of a completion that used a buffer, and whether the
// buffer is the caller's now; if not, the kernel goes on to fill it behind
// these bytes.
func (b *BufRing) Take(c *CQE) (data []byte, id int, ours bool) {
	id = c.Buffer()
	n := int(max(c.Res, 0))
	at := id*b.size + int(b.used[id])
	data = b.mem[at : at+n : at+n]
	if b.incremental && c.Flags&FlagBufMore != 0 {
		b.used[id] += int32(n)
		return data, id, false
	}
	return data, id, true
}

// Size is the size of each buffer.
func (b *BufRing) Size() int { return b.size }
