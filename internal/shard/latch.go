package shard

import "sync/atomic"

// Latch says who may touch a slice.
//
//	 63                                   2   1     0
//	┌──────────────────────────────────────┬──────┬──────┐
//	│ version                              │ wait │ held │
//	└──────────────────────────────────────┴──────┴──────┘
//
// held: some unit owns the slice. wait: somebody is queued for it, so whoever
// releases must hand over. The version grows each time a unit that may have
// written lets go; it never returns to an earlier value, so a reader that saw
// the word free before and unchanged after has read a consistent slice.
//
// Nobody ever blocks on a latch with a thread. A unit that does not get it
// after a short spin queues and its loop goes on with other work; the releaser
// passes the latch, still held, to the first in the queue. First come, first
// served: a latch with waiters is never free in between.
//
// The queue has two parts. Newcomers push themselves onto incoming (a Treiber
// stack: lock-free, so a parked thread holds nobody up); whoever holds the
// latch moves them, oldest first, onto its own list.
type Latch struct {
	word     atomic.Uint64          // atomic; any loop
	incoming atomic.Pointer[Waiter] // atomic; any loop pushes, the holder takes all
	head     *Waiter                // owned by the holder
	tail     *Waiter                // owned by the holder
}

// Waiter is one place in a latch's queue. It is embedded in the unit that
// waits and may be queued at one latch at a time.
type Waiter struct {
	next *Waiter
	// Granted is called, on the releaser's thread, when the latch has been
	// handed to this waiter. It must only post a message to the waiter's loop.
	Granted func()
}

const (
	held    = 1
	waiting = 2
	step    = 4 // one version
)

// spins bounds how long a unit looks at a held latch before it queues: about
// the time that a short command holds one.
const spins = 60

// Try takes the latch if it is free.
func (l *Latch) Try() bool {
	w := l.word.Load()
	return w&(held|waiting) == 0 && l.word.CompareAndSwap(w, w|held)
}

// Spin takes the latch if it is free or becomes free very soon.
func (l *Latch) Spin() bool {
	for range spins {
		if l.Try() {
			return true
		}
	}
	return false
}

// Held reports whether some unit owns the slice.
func (l *Latch) Held() bool { return l.word.Load()&held != 0 }

// Version returns the latch word for an optimistic read, and whether the slice
// is free to be read.
func (l *Latch) Version() (uint64, bool) {
	w := l.word.Load()
	return w, w&held == 0
}

// VersionOf returns the version in a latch word: two words with the same one
// belong to the same state of the slice.
func VersionOf(word uint64) uint64 { return word / step }

// Unchanged reports whether the slice stayed untouched since Version returned
// w. What was read in between is valid only if it did.
func (l *Latch) Unchanged(w uint64) bool { return l.word.Load() == w }

// Release lets the slice go after a unit that may have written.
func (l *Latch) Release() {
	w := l.word.Load()
	if w&waiting == 0 && l.word.CompareAndSwap(w, w-held+step) {
		return
	}
	l.handOver(step)
}

// ReleaseUnchanged lets the slice go after a unit that wrote nothing, so that
// optimistic readers beside it need not start again.
func (l *Latch) ReleaseUnchanged() {
	w := l.word.Load()
	if w&waiting == 0 && l.word.CompareAndSwap(w, w-held) {
		return
	}
	l.handOver(0)
}

// Enqueue puts w into the queue. It returns true if the latch turned out to be
// free and w holds it now; otherwise w.Granted will be called.
func (l *Latch) Enqueue(w *Waiter) bool {
	for {
		top := l.incoming.Load()
		w.next = top
		if l.incoming.CompareAndSwap(top, w) {
			break
		}
	}
	for {
		word := l.word.Load()
		if word&held == 0 {
			// Released between our last look and the push: nobody would call
			// us. Take it on behalf of the queue's first, usually ourselves.
			if !l.word.CompareAndSwap(word, word|held) {
				continue
			}
			return l.next(0, w) == w
		}
		if word&waiting != 0 || l.word.CompareAndSwap(word, word|waiting) {
			return false
		}
	}
}

func (l *Latch) handOver(bump uint64) { l.next(bump, nil) }

// next passes the held latch to the first waiter, or frees it when there is
// none. The waiter is told unless it is self.
func (l *Latch) next(bump uint64, self *Waiter) *Waiter {
	for {
		l.gather()
		first := l.head
		if first == nil {
			w := l.word.Load()
			// With waiting set, a newcomer has pushed itself since gather.
			if w&waiting != 0 && l.incoming.Load() != nil {
				continue
			}
			if !l.word.CompareAndSwap(w, (w+bump)&^(held|waiting)) {
				continue
			}
			// A newcomer that pushed itself after the gather may have seen
			// waiting still set and rely on us.
			if l.incoming.Load() == nil || !l.retake() {
				return nil
			}
			bump = 0
			continue
		}
		l.head = first.next
		if l.head == nil {
			l.tail = nil
		}
		first.next = nil
		l.setWaiting(bump)
		if first != self {
			first.Granted()
		}
		return first
	}
}

// retake takes the latch again on behalf of a newcomer; false if somebody else
// got it, who is then told that somebody waits.
func (l *Latch) retake() bool {
	for {
		w := l.word.Load()
		if w&held == 0 {
			if l.word.CompareAndSwap(w, w|held) {
				return true
			}
		} else if w&waiting != 0 || l.word.CompareAndSwap(w, w|waiting) {
			return false
		}
	}
}

// gather moves the newcomers behind those who already wait, oldest first.
func (l *Latch) gather() {
	if l.incoming.Load() == nil {
		return
	}
	top := l.incoming.Swap(nil)
	var oldest *Waiter
	newest := top
	for w := top; w != nil; {
		n := w.next
		w.next = oldest
		oldest = w
		w = n
	}
	if l.tail == nil {
		l.head = oldest
	} else {
		l.tail.next = oldest
	}
	l.tail = newest
}

// setWaiting makes the waiting bit say whether the queue is empty and adds
// bump to the version; the latch stays held.
func (l *Latch) setWaiting(bump uint64) {
	for {
		w := l.word.Load()
		n := w + bump
		if l.head == nil {
			n &^= waiting
		} else {
			n |= waiting
		}
		if l.word.CompareAndSwap(w, n) {
			break
		}
	}
	// A newcomer that pushed itself before the bit was cleared saw it set and
	// relies on it.
	if l.head == nil && l.incoming.Load() != nil {
		for {
			w := l.word.Load()
			if w&waiting != 0 || l.word.CompareAndSwap(w, w|waiting) {
				return
			}
		}
	}
}
