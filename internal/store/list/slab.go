package list

import (
	"math/bits"
	"unsafe"

	"sherd/internal/heap"
)

// A slab is a chunk of the arena that a long list divides into eight frames
// itself: seven blocks of 8 KiB are all that fit a chunk beside its header.

const (
	slabSize   = 64 << 10
	slabWords  = slabSize / 8
	slabHeader = 64
	slabFrames = 8
	frameSize  = (slabSize - slabHeader) / slabFrames
	frameFrom  = 32 // nodes, from which on a list takes frames
)

// slab is a slab's header.
type slab struct {
	next, prev heap.Ref // among those with a free frame
	used       uint8    // a bit for each frame
}

func (l *List) slab(ref heap.Ref) *slab { return (*slab)(l.a.Ptr(ref)) }

func slabOf(frame heap.Ref) heap.Ref { return frame &^ (slabWords - 1) }

// newFrame takes a frame of a slab; 0 if memory is exhausted.
func (l *List) newFrame(r *root) heap.Ref {
	ref := r.partial
	if ref == 0 {
		if ref = l.h.Alloc(slabSize); ref == 0 {
			return 0
		}
		*l.slab(ref) = slab{}
		r.partial = ref
		r.slabs++
	}
	s := l.slab(ref)
	i := bits.TrailingZeros8(^s.used)
	s.used |= 1 << i
	if s.used == 0xFF {
		l.unlink(r, s)
	}
	r.frames++
	return ref + heap.Ref(slabHeader+i*frameSize)/8
}

func (l *List) freeFrame(r *root, frame heap.Ref) {
	ref := slabOf(frame)
	s := l.slab(ref)
	if s.used == 0xFF {
		s.next, s.prev = r.partial, 0
		if s.next != 0 {
			l.slab(s.next).prev = ref
		}
		r.partial = ref
	}
	s.used &^= 1 << frameIndex(frame)
	r.frames--
	if s.used == 0 {
		l.unlink(r, s)
		l.h.Free(ref, slabSize)
		r.slabs--
	}
}

func frameIndex(frame heap.Ref) int {
	return (int(frame&(slabWords-1))*8 - slabHeader) / frameSize
}

// unlink takes a slab out of the list of those with a free frame.
func (l *List) unlink(r *root, s *slab) {
	if s.prev != 0 {
		l.slab(s.prev).next = s.next
	} else {
		r.partial = s.next
	}
	if s.next != 0 {
		l.slab(s.next).prev = s.prev
	}
}

// sparse tells whether so many frames are free that repacking pays.
func (r *root) sparse() bool {
	return r.slabs*slabFrames-r.frames > r.frames/2+2*slabFrames
}

// repack moves the frame of a node to another slab, if its own is neither full
// nor the one that is being filled. Done for all nodes, it leaves at most one
// slab that is not full.
func (l *List) repack(r *root, i int) {
	n := *l.node(r, i)
	if n.class() != frameClass {
		return
	}
	if own := slabOf(n.ref()); own == r.partial || l.slab(own).used == 0xFF {
		return
	}
	ref := l.newFrame(r) // never a new slab: its own has room
	copy(l.a.Bytes(ref, frameSize), l.a.Bytes(n.ref(), frameSize))
	l.freeFrame(r, n.ref())
	l.put(r, i, makeNode(ref, frameClass, n.count()))
}

const _ = uint(slabHeader - unsafe.Sizeof(slab{}))
