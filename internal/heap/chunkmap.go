package heap

import (
	"math/bits"
	"sync/atomic"
)

// chunkMap knows which chunks of an arena are free. It is lock-free: a chunk, or a
// run of them, is claimed by clearing its bits with compare-and-swap, so a thread
// that is parked half-way makes nobody wait; the worst it can do is to hide free
// chunks, and then fresh ones are taken. Bits need no tags against reuse, and
// neighbours that become free are a run again without anyone joining them. The
// lowest chunk is taken first, which keeps the arena compact.
//
// Chunks from frontier on were never handed out. Chunk 0 never is, so that no
// block has Ref 0.
type chunkMap struct {
	frontier  atomic.Uint32
	free      atomic.Int64 // chunks; may lag behind the bits
	freeDirty atomic.Int64 // chunks; may lag behind the bits

	bits  []atomic.Uint64 // a bit is set: the chunk is free
	dirty []atomic.Uint64 // a bit is set: it may have memory behind it; written by whoever holds the chunk
	// summary has a bit for each word of bits; a clear bit means that the word is
	// zero, or that whoever made it non-zero is just about to set the bit.
	summary []atomic.Uint64
}

func (m *chunkMap) open(words []atomic.Uint64) {
	n := len(words) / 3
	m.bits, m.dirty, m.summary = words[:n], words[n:2*n], words[2*n:][:wordsFor(n)]
	m.frontier.Store(1)
}

// give makes n chunks free.
func (m *chunkMap) give(first, n uint32, dirty bool) {
	m.free.Add(int64(n))
	if dirty {
		m.freeDirty.Add(int64(n))
	}
	for n > 0 {
		w, mask, k := wordMask(first, n)
		if dirty {
			m.dirty[w].Or(mask)
		} else {
			m.dirty[w].And(^mask)
		}
		m.bits[w].Or(mask)
		m.summary[w>>6].Or(1 << (w & 63))
		first, n = first+k, n-k
	}
}

// take claims n free chunks in a row; first is 0 when it finds none.
func (m *chunkMap) take(n uint32) (first uint32, dirty bool) {
	if m.free.Load() < int64(n) {
		return 0, false
	}
	if n > 1 {
		return m.takeRun(n)
	}
	if m.freeDirty.Load() > 0 {
		if c := m.takeOne(true); c != 0 {
			return c, true
		}
	}
	if c := m.takeOne(false); c != 0 {
		return c, m.claimed(c, 1)
	}
	return 0, false
}

// takeOne claims the lowest free chunk, or the lowest dirty one.
func (m *chunkMap) takeOne(dirty bool) uint32 {
	top := m.frontier.Load() >> 12
	for i := uint32(0); i <= top; i++ {
		for s := m.summary[i].Load(); s != 0; s &= s - 1 {
			w := i<<6 + uint32(bits.TrailingZeros64(s))
			for {
				v := m.bits[w].Load()
				if v == 0 {
					m.settle(w)
				}
				c := v
				if dirty {
					c &= m.dirty[w].Load()
				}
				if c == 0 {
					break
				}
				c &= -c
				if m.bits[w].CompareAndSwap(v, v&^c) {
					if dirty {
						m.claimed(w<<6+uint32(bits.TrailingZeros64(c)), 1)
					}
					return w<<6 + uint32(bits.TrailingZeros64(c))
				}
			}
		}
	}
	return 0
}

// settle clears the summary's bit of a word that was seen to be zero.
func (m *chunkMap) settle(w uint32) {
	bit := uint64(1) << (w & 63)
	m.summary[w>>6].And(^bit)
	if m.bits[w].Load() != 0 {
		m.summary[w>>6].Or(bit) // it was given something meanwhile
	}
}

// takeRun claims the first run of n free chunks.
func (m *chunkMap) takeRun(n uint32) (first uint32, dirty bool) {
	var start, length uint32
	top := m.frontier.Load()
	for w := uint32(0); w<<6 < top; w++ {
		v := m.bits[w].Load()
		for b := uint32(0); b < 64; {
			if k := uint32(bits.TrailingZeros64(v >> b)); k > 0 {
				length = 0
				if b += k; b >= 64 {
					break
				}
			}
			k := uint32(bits.TrailingZeros64(^(v >> b)))
			k = min(k, 64-b)
			if length == 0 {
				start = w<<6 + b
			}
			length += k
			b += k
			if length >= n {
				if m.claim(start, n) {
					return start, m.claimed(start, n)
				}
				length = 0
			}
		}
	}
	return 0, false
}

// takeAt claims exactly the n chunks from first on.
func (m *chunkMap) takeAt(first, n uint32) bool {
	if first+n > m.frontier.Load() || !m.claim(first, n) {
		return false
	}
	m.claimed(first, n)
	return true
}

// claim clears the bits of n chunks; on a conflict it sets them again.
func (m *chunkMap) claim(first, n uint32) bool {
	for at, left := first, n; left > 0; {
		w, mask, k := wordMask(at, left)
		for {
			v := m.bits[w].Load()
			if v&mask != mask {
				for back := first; back < at; {
					w, mask, k := wordMask(back, at-back)
					m.bits[w].Or(mask)
					m.summary[w>>6].Or(1 << (w & 63))
					back += k
				}
				return false
			}
			if m.bits[w].CompareAndSwap(v, v&^mask) {
				break
			}
		}
		at, left = at+k, left-k
	}
	return true
}

// claimed counts n chunks as taken and reports whether any is dirty.
func (m *chunkMap) claimed(first, n uint32) bool {
	dirty := 0
	for at, left := first, n; left > 0; {
		w, mask, k := wordMask(at, left)
		dirty += bits.OnesCount64(m.dirty[w].Load() & mask)
		at, left = at+k, left-k
	}
	m.free.Add(-int64(n))
	m.freeDirty.Add(-int64(dirty))
	return dirty > 0
}

// wordMask returns the word that first lies in and the bits of the k ≤ n chunks
// from first on that lie in it too.
func wordMask(first, n uint32) (word uint32, mask uint64, k uint32) {
	b := first & 63
	k = min(n, 64-b)
	return first >> 6, (^uint64(0) >> (64 - k)) << b, k
}
