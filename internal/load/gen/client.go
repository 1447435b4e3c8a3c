package gen

import (
	"errors"
	"fmt"

	"sherd/internal/load/reply"
	"sherd/internal/reactor"
	"sherd/internal/wire/resp"
)

// client is one connection's side of the conversation. Owned by its loop.
type client struct {
	conn *reactor.Conn

	out     []byte // the batch; the kernel reads it until Sent
	carry   []byte // the beginning of a reply whose rest has not come
	replies reply.RESP
	skip    int // bytes of a long reply that are still to come and are not looked at
	skipped reply.Class

	setup   int   // replies to Setup still to come
	pending int   // replies to the batch still to come
	begun   int64 // when the batch was due (open loop) or sent (closed loop)
	freedAt int64 // when the batch before was answered
	sendPos int   // place in the mix's order of the next request
	readPos int   // of the next reply
	free    bool  // in the worker's queue of free connections
}

// start sends what Setup wants, and reports whether there is anything to wait
// for.
func (cl *client) start(setup [][]string) bool {
	for _, args := range setup {
		cl.out = resp.AppendCommandStrings(cl.out, args...)
	}
	cl.setup = len(setup)
	if cl.setup > 0 {
		cl.conn.Send(cl.out)
	}
	return cl.setup > 0
}

// idle reports that the next batch may be built.
func (cl *client) idle() bool {
	return cl.pending == 0 && cl.setup == 0 && !cl.conn.Sending() && !cl.conn.Closing()
}

// received takes the bytes that came for cl.
func (w *worker) received(cl *client, b []byte) {
	if cl.skip > 0 {
		n := min(cl.skip, len(b))
		cl.skip -= n
		b = b[n:]
		if cl.skip > 0 {
			return
		}
		w.reply(cl, nil, cl.skipped)
	}
	if len(cl.carry) > 0 {
		cl.carry = append(cl.carry, b...)
		b = cl.carry
	}
	for len(b) > 0 {
		var n int
		var class reply.Class
		if w.memcache {
			n, class = reply.Memcache(b)
		} else {
			n, class = cl.replies.Next(b)
		}
		if class == reply.Broken {
			w.fail(fmt.Errorf("the server sent what is no reply: %.60q", b))
			cl.conn.Close()
			return
		}
		if n == 0 {
			break
		}
		if n > len(b) {
			cl.skip, cl.skipped = n-len(b), class
			b = nil
			break
		}
		if !w.reply(cl, b[:n], class) {
			return
		}
		b = b[n:]
	}
	if len(b) > 0 || len(cl.carry) > 0 {
		cl.carry = append(cl.carry[:0], b...) // may overlap: append moves
	}
	w.settle(cl)
}

// reply counts one reply. It reports false when cl is to be left alone.
func (w *worker) reply(cl *client, text []byte, class reply.Class) bool {
	if cl.setup > 0 {
		cl.setup--
		if class == reply.Error {
			w.fail(fmt.Errorf("the server refused the connection's setup: %s", line(text)))
			cl.conn.Close()
			return false
		}
		return true
	}
	if cl.pending == 0 {
		w.fail(fmt.Errorf("the server sent a reply nobody asked for: %.60q", text))
		cl.conn.Close()
		return false
	}
	cl.pending--
	i := w.order[cl.readPos]
	if cl.readPos++; cl.readPos == len(w.order) {
		cl.readPos = 0
	}
	w.chunk[i]++
	if class != reply.Fine {
		w.remark(i, text, class)
	}
	return true
}

// remark counts a miss or an error of command i.
func (w *worker) remark(i uint8, text []byte, class reply.Class) {
	c := &w.counts[i]
	if class == reply.Null {
		c.nulls++
		if w.reads[i] {
			w.misses++
		}
		return
	}
	c.errors++
	w.errors++
	if w.errorText == "" {
		w.errorText = line(text)
	}
}

// settle records what the chunk just read amounts to: all its requests belong
// to one batch and so have one latency.
func (w *worker) settle(cl *client) {
	recorded := cl.begun >= w.recordFrom && cl.begun < w.recordTo
	latency := w.now - cl.begun
	for i := range w.chunk {
		n := w.chunk[i]
		if n == 0 {
			continue
		}
		w.chunk[i] = 0
		w.counts[i].ops += n
		w.done += n
		if recorded {
			w.hists[i].Record(latency, n)
			if w.open && cl.begun >= w.gapEnd {
				w.undisturbed.Record(latency, n)
			}
		}
	}
	if cl.pending == 0 {
		cl.freedAt = w.now
		w.release(cl)
	}
}

// release queues cl for its next batch if it can take one.
func (w *worker) release(cl *client) {
	if !cl.free && cl.idle() {
		cl.free = true
		w.queue.push(cl)
	}
}

// build makes and sends a batch of n requests.
func (w *worker) build(cl *client, n int) {
	out := cl.out[:0]
	pos := cl.sendPos
	for range n {
		out = w.source.Append(out, w.commands[w.order[pos]])
		if pos++; pos == len(w.order) {
			pos = 0
		}
	}
	cl.sendPos, cl.out, cl.pending = pos, out, n
	cl.conn.SendQuiet(out)
}

// line is the first line of a reply, for people.
func line(text []byte) string {
	for i, ch := range text {
		if ch == '\r' || ch == '\n' {
			text = text[:i]
			break
		}
	}
	if len(text) > 0 && text[0] == '-' {
		text = text[1:]
	}
	return string(text[:min(len(text), 200)])
}

var errLost = errors.New("the server closed the connection")

// clientQueue is a ring of the connections that are free, oldest first, so
// that load goes round all of them.
type clientQueue struct {
	ring []*client
	head int
	n    int
}

func newQueue(size int) clientQueue { return clientQueue{ring: make([]*client, max(size, 1))} }

func (q *clientQueue) push(cl *client) {
	at := q.head + q.n
	if at >= len(q.ring) {
		at -= len(q.ring)
	}
	q.ring[at] = cl
	q.n++
}

func (q *clientQueue) pop() *client {
	cl := q.ring[q.head]
	if q.head++; q.head == len(q.ring) {
		q.head = 0
	}
	q.n--
	cl.free = false
	return cl
}
