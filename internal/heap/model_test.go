package heap

import (
	"bytes"
	"encoding/binary"
	"testing"

	"pgregory.net/rapid"
)

// model is a heap beside the list of what was allocated from it. Every block is
// filled with its own pattern, so blocks that overlap spoil each other.
type model struct {
	t interface {
		Fatalf(string, ...any)
		Helper()
	}
	a      *Arena
	h      Heap
	blocks []modelBlock
	gone   []Detached
	used   int64
	serial byte
}

type modelBlock struct {
	r    Ref
	n    int
	fill byte
}

func (m *model) write(b modelBlock) {
	p := m.a.Bytes(b.r, b.n)
	if b.n > 4096 { // the ends are where neighbours meet
		fillBytes(p[:2048], b.fill)
		fillBytes(p[b.n-2048:], b.fill)
		return
	}
	fillBytes(p, b.fill)
}

func fillBytes(p []byte, b byte) {
	p[0] = b
	for done := 1; done < len(p); done *= 2 {
		copy(p[done:], p[:done])
	}
}

func (m *model) verify(b modelBlock, n int) {
	m.t.Helper()
	p := m.a.Bytes(b.r, b.n)[:min(n, b.n)]
	head := p[:min(len(p), 2048)]
	if n := bytes.Count(head, []byte{b.fill}); n != len(head) {
		m.t.Fatalf("block %#x of %d bytes lost its contents", b.r, b.n)
	}
	if tail := m.a.Bytes(b.r, b.n)[max(0, b.n-2048):]; n >= b.n && bytes.Count(tail, []byte{b.fill}) != len(tail) {
		m.t.Fatalf("block %#x of %d bytes lost its end", b.r, b.n)
	}
}

func (m *model) alloc(n int) {
	m.t.Helper()
	r := m.h.Alloc(n)
	if r == 0 {
		return // the arena may be small; the accounting must show nothing
	}
	if !m.a.Readable(r, n) {
		m.t.Fatalf("block %#x of %d bytes is not readable", r, n)
	}
	m.serial++
	b := modelBlock{r, n, m.serial}
	m.write(b)
	m.blocks = append(m.blocks, b)
	m.used += int64(ClassSize(n))
}

func (m *model) free(i int) {
	m.t.Helper()
	b := m.blocks[i]
	m.verify(b, b.n)
	m.h.Free(b.r, b.n)
	m.used -= int64(ClassSize(b.n))
	m.blocks[i] = m.blocks[len(m.blocks)-1]
	m.blocks = m.blocks[:len(m.blocks)-1]
}

func (m *model) grow(i, n int) {
	m.t.Helper()
	b := &m.blocks[i]
	r := m.h.Grow(b.r, b.n, n)
	if r == 0 {
		m.verify(*b, b.n)
		return
	}
	m.used += int64(ClassSize(n) - ClassSize(b.n))
	old := b.n
	b.r, b.n = r, n
	m.verify(*b, min(old, n)-max(0, min(old, n)-2048)) // the head; an old tail may lie anywhere
	m.write(*b)
}

// move empties what is marked, at most n blocks of it.
func (m *model) move(n int) {
	m.t.Helper()
	for i := range m.blocks {
		b := &m.blocks[i]
		if n == 0 {
			return
		}
		if !m.h.Evacuating(b.r) {
			continue
		}
		n--
		r := m.h.Alloc(b.n)
		if r == 0 {
			return
		}
		if m.h.Evacuating(r) {
			m.t.Fatalf("block %#x was handed out from memory that is to be emptied", r)
		}
		copy(m.a.Bytes(r, b.n), m.a.Bytes(b.r, b.n))
		m.h.Free(b.r, b.n)
		b.r = r
		m.verify(*b, b.n)
	}
}

func (m *model) detach() {
	m.gone = append(m.gone, m.h.Detach())
	m.blocks, m.used = m.blocks[:0], 0
}

func (m *model) freeGone(budget int) {
	if n := len(m.gone); n > 0 && m.gone[n-1].Free(budget) {
		m.gone = m.gone[:n-1]
	}
}

func (m *model) check() {
	m.t.Helper()
	if m.h.Used() != m.used {
		m.t.Fatalf("used %d, handed out %d", m.h.Used(), m.used)
	}
	if err := m.h.Check(); err != nil {
		m.t.Fatalf("%v", err)
	}
}

// finish frees everything and makes sure that the arena has got all of it back.
func (m *model) finish() {
	m.t.Helper()
	for len(m.blocks) > 0 {
		m.free(len(m.blocks) - 1)
	}
	m.h.FinishEvacuation()
	m.h.Trim()
	for len(m.gone) > 0 {
		m.freeGone(1000)
	}
	m.check()
	if m.h.Held() != 0 || m.h.Idle() != 0 {
		m.t.Fatalf("an empty heap holds %d bytes and %d idle", m.h.Held(), m.h.Idle())
	}
	s := m.a.Stats()
	if s.Held != 0 {
		m.t.Fatalf("heaps hold %d bytes of the arena after all was freed", s.Held)
	}
	if n := m.a.Trim(1 << 40); int64(n) != s.FreeDirty {
		m.t.Fatalf("trimmed %d bytes, %d were dirty", n, s.FreeDirty)
	}
	if s = m.a.Stats(); s.FreeDirty != 0 {
		m.t.Fatalf("%d bytes still dirty", s.FreeDirty)
	}
}

// size turns two random numbers into a block size: mostly small, of few classes.
func modelSize(kind, n int) int {
	switch kind & 15 {
	case 0:
		return n % 33000
	case 1:
		return n % 5000
	case 2:
		return 128 * (n % 65)
	case 3:
		return 512 * (n % 65)
	case 4:
		return 32<<10 + n*5%(300<<10)
	case 5, 6, 7:
		return n % 300
	case 8, 9, 10:
		return 48
	}
	return 16 + n%4*24
}

func TestModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, err := NewArena(int64(rapid.SampledFrom([]int{1 << 20, 4 << 20, 64 << 20}).Draw(t, "reserve")))
		if err != nil {
			t.Fatal(err)
		}
		defer a.Close()
		m := &model{t: t, a: a}
		m.h.Init(a)
		kind, num := rapid.IntRange(0, 15), rapid.IntRange(0, 1<<16)
		count := rapid.IntRange(1, 200)
		pick := func() int { return num.Draw(t, "which") % len(m.blocks) }
		t.Repeat(map[string]func(*rapid.T){
			"alloc": func(t *rapid.T) {
				k, n := kind.Draw(t, "kind"), num.Draw(t, "size")
				for i := range count.Draw(t, "count") {
					m.alloc(max(1, modelSize(k, n+i*(n&1))))
				}
			},
			"free": func(t *rapid.T) {
				for range count.Draw(t, "count") {
					if len(m.blocks) > 0 {
						m.free(int(uint(num.Draw(t, "which")) % uint(len(m.blocks))))
					}
				}
			},
			"freeMost": func(t *rapid.T) {
				step := rapid.IntRange(2, 20).Draw(t, "step")
				for i := len(m.blocks) - 1; i >= 0; i-- {
					if i%step != 0 {
						m.free(i)
					}
				}
			},
			"grow": func(t *rapid.T) {
				if len(m.blocks) > 0 {
					m.grow(pick(), 1+modelSize(kind.Draw(t, "kind"), num.Draw(t, "size")))
				}
			},
			"growBit": func(t *rapid.T) {
				if len(m.blocks) > 0 {
					i := pick()
					m.grow(i, max(1, m.blocks[i].n+num.Draw(t, "by")-1<<15))
				}
			},
			"plan": func(t *rapid.T) {
				m.h.PlanEvacuation(rapid.IntRange(0, 20).Draw(t, "slack"), rapid.Bool().Draw(t, "anew"))
			},
			"move":   func(t *rapid.T) { m.move(count.Draw(t, "count")) },
			"finish": func(t *rapid.T) { m.move(1 << 30); m.h.FinishEvacuation() },
			"trim":   func(t *rapid.T) { m.h.Trim(); a.Trim(count.Draw(t, "count") << 16) },
			"detach": func(t *rapid.T) { m.detach() },
			"gone":   func(t *rapid.T) { m.freeGone(count.Draw(t, "count") / 8) },
			"":       func(t *rapid.T) { m.check() },
		})
		m.finish()
	})
}

// FuzzHeap reads operations from bytes: one for what, two for a size or a number.
func FuzzHeap(f *testing.F) {
	f.Add([]byte("\x05\x10\x00\x45\x20\x00\x81\x01\x00\xc1\x02\x00"))
	f.Fuzz(func(t *testing.T, in []byte) {
		a, err := NewArena(2 << 20)
		if err != nil {
			t.Fatal(err)
		}
		defer a.Close()
		m := &model{t: t, a: a}
		m.h.Init(a)
		for ; len(in) >= 3; in = in[3:] {
			op, n := in[0], int(binary.LittleEndian.Uint16(in[1:]))
			some := len(m.blocks) > 0
			switch op >> 5 {
			case 0, 1:
				m.alloc(max(1, modelSize(int(op), n)))
			case 2:
				for i := range n & 63 {
					m.alloc(max(1, modelSize(int(op), n+i)))
				}
			case 3, 4:
				for i := range int(op&31) + 1 {
					if len(m.blocks) > 0 {
						m.free((n + i*7) % len(m.blocks))
					}
				}
			case 5:
				if some {
					m.grow(n%len(m.blocks), 1+modelSize(int(op), n))
				}
			case 6:
				switch op & 7 {
				case 0:
					m.h.Trim()
				case 1:
					a.Trim(n << 8)
				case 2:
					m.detach()
				default:
					m.freeGone(n & 15)
				}
			case 7:
				switch op & 3 {
				case 0:
					m.h.PlanEvacuation(n&31, n&32 != 0)
				case 1:
					m.h.FinishEvacuation()
				default:
					m.move(n & 255)
				}
			}
			m.check()
		}
		m.finish()
	})
}
