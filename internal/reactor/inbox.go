package reactor

import "sync/atomic"

// Message is what one loop, or any goroutine, tells a loop. It is embedded in
// what it speaks of, so that posting allocates nothing and cannot fail: an
// inbox is as long as there are messages, each posted at most once until it is
// delivered.
type Message struct {
	next *Message

	// Deliver runs on the loop's thread, before Turn. The message may be posted
	// again from within.
	Deliver func(l *Loop, m *Message)

	// Urgent messages are also delivered by Loop.DeliverUrgent: others wait for what
	// this one brings.
	Urgent bool
}

// inbox is a list that many push to and one empties whole. Pushing is one
// compare-and-swap, emptying one swap; the order is turned round afterwards,
// by whoever empties, so that messages of one sender arrive as they were sent.
type inbox struct {
	head atomic.Pointer[Message]
}

func (q *inbox) push(m *Message) {
	for {
		old := q.head.Load()
		m.next = old
		if q.head.CompareAndSwap(old, m) {
			return
		}
	}
}

func (q *inbox) empty() bool { return q.head.Load() == nil }

// take removes all messages and returns them oldest first.
func (q *inbox) take() *Message {
	if q.head.Load() == nil {
		return nil
	}
	var first *Message
	for m := q.head.Swap(nil); m != nil; {
		next := m.next
		m.next = first
		first, m = m, next
	}
	return first
}
