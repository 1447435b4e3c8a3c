package dash

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"

	"sherd/internal/heap"
)

// latched is a table as a slice has it: a version that is odd while a writer is at
// work, and beside it what the writer last stored under each key.
type latched struct {
	version atomic.Uint64
	state   [peekKeys]atomic.Uint32 // 0 missing, else the serial of the value
	m       *model
	r       *rand.Rand
	serial  uint32
	junk    []heap.Ref
}

const (
	peekKeys = 512
	junkSize = 1000
)

func peekKey(i int) string { return fmt.Sprintf("peek-%d", i) }

// peekValue is a value that can be checked: the checksum of the key, the serial and
// the length, then bytes of the serial.
func peekValue(key string, serial uint32, n int) []byte {
	v := make([]byte, 12+n)
	binary.LittleEndian.PutUint32(v[4:], serial)
	binary.LittleEndian.PutUint32(v[8:], uint32(n))
	for i := range v[12:] {
		v[12+i] = byte(serial)
	}
	binary.LittleEndian.PutUint32(v, crc32.Update(crc32.ChecksumIEEE([]byte(key)), crc32.IEEETable, v[4:]))
	return v
}

func checkPeeked(key string, serial uint32, v []byte) error {
	if len(v) < 12 {
		return fmt.Errorf("%q: %d bytes", key, len(v))
	}
	if sum := crc32.Update(crc32.ChecksumIEEE([]byte(key)), crc32.IEEETable, v[4:]); sum != binary.LittleEndian.Uint32(v) {
		return fmt.Errorf("%q: wrong checksum in %x", key, v)
	}
	if got := binary.LittleEndian.Uint32(v[4:]); got != serial {
		return fmt.Errorf("%q: serial %d, the version says %d", key, got, serial)
	}
	if n := binary.LittleEndian.Uint32(v[8:]); int(n) != len(v)-12 {
		return fmt.Errorf("%q: %d bytes, want %d", key, len(v)-12, n)
	}
	return nil
}

// write does one random thing to the table or the memory under it.
func (l *latched) write() {
	m, r := l.m, l.r
	i := r.IntN(peekKeys)
	key := peekKey(i)
	set := func(n int, ms int64) {
		l.serial++
		m.set(key, peekValue(key, l.serial, n), ms)
		l.state[i].Store(l.serial)
	}
	switch r.IntN(64) {
	default:
		set(r.IntN(100), int64(r.IntN(2)))
	case 0, 1, 2:
		set(r.IntN(4000), 0)
	case 3:
		set(r.IntN(9000), 0)
	case 4, 5, 6, 7, 8, 9:
		m.del(key)
		l.state[i].Store(0)
	case 10, 11:
		for range r.IntN(200) {
			m.set(fmt.Sprint("fill-", r.IntN(4000)), []byte("some value or other"), 0)
		}
	case 12, 13:
		for range r.IntN(400) {
			m.del(fmt.Sprint("fill-", r.IntN(4000)))
		}
	case 14:
		if r.IntN(10) == 0 {
			m.shrink()
		}
	case 15, 16:
		// Blocks that look like anything but a table, where tables were.
		for range r.IntN(20) {
			ref := m.h.Alloc(junkSize)
			l.junk = append(l.junk, ref)
			b := m.h.Arena().Bytes(ref, junkSize)
			for k := range b {
				b[k] = byte(r.Uint32())
			}
		}
	case 17, 18:
		for len(l.junk) > 0 && r.IntN(20) > 0 {
			m.h.Free(l.junk[len(l.junk)-1], junkSize)
			l.junk = l.junk[:len(l.junk)-1]
		}
	case 19:
		if r.IntN(40) == 0 {
			d := m.t.Detach()
			for !d.FreeSome(m.h, 1000) {
			}
			clear(m.m)
			for k := range l.state {
				l.state[k].Store(0)
			}
		}
	case 20:
		m.h.Trim()
		m.h.Arena().Trim(1 << 20)
	}
}

// TestPeekBesideWriter has readers peek at a table that a writer changes, grows,
// shrinks, moves, empties and frees. What a reader got counts only if the version
// stood still; then it must be exactly what the writer had stored.
func TestPeekBesideWriter(t *testing.T) {
	if !PeekSafe {
		t.Skip("no Peek here")
	}
	const seed = 11
	writes := 20000
	if testing.Short() {
		writes = 4000
	}
	t.Logf("seed %d", seed)
	l := &latched{r: rand.New(rand.NewPCG(seed, 0)), m: newModel(t, t.Fatalf)}
	a := l.m.h.Arena()
	var done atomic.Bool
	var counts [3]atomic.Uint64
	var torn atomic.Uint64
	var wg sync.WaitGroup
	for id := range 2 {
		wg.Go(func() {
			r := rand.New(rand.NewPCG(seed, uint64(id)+1))
			buf := make([]byte, 0, MaxInline)
			for !done.Load() {
				i := r.IntN(peekKeys)
				key := peekKey(i)
				hash := HashKey(0, []byte(key))
				// As a staged turn does: what was seen of a version is good for it.
				seen, slot := l.version.Load(), uint64(0)
				if b := l.m.t.BucketAddr(a, hash); b != nil {
					slot = Candidate(b, hash)
				}
				before := l.version.Load()
				var v []byte
				var ms int64
				var kind Kind
				st := Missing
				if slot != 0 && seen == before {
					v, ms, kind, st = PeekSlot(a, slot, []byte(key))
				}
				if st == Missing {
					v, ms, kind, st = l.m.t.Peek(a, hash, []byte(key))
				}
				buf = append(buf[:0], v...)
				serial := l.state[i].Load()
				if l.version.Load() != before || before&1 != 0 {
					torn.Add(1)
					continue
				}
				counts[st].Add(1)
				switch {
				case st == Missing && serial != 0:
					t.Errorf("%q is missing, the version says %d", key, serial)
				case st == Found && serial == 0:
					t.Errorf("%q is there, the version says it is not", key)
				case st == Found:
					if err := checkPeeked(key, serial, buf); err != nil || kind != String || ms < 0 || ms > 1 {
						t.Errorf("%v, %v, deadline %d", err, kind, ms)
					}
				}
				if t.Failed() {
					return
				}
			}
		})
	}
	for range writes {
		l.version.Add(1)
		l.write()
		l.version.Add(1)
		for range 500 { // leave the readers some time that is not overtaken
			l.version.Load()
		}
		if t.Failed() {
			break
		}
	}
	done.Store(true)
	wg.Wait()
	for _, ref := range l.junk {
		l.m.h.Free(ref, junkSize)
	}
	l.m.check()
	t.Logf("found %d, missing %d, retry %d; %d overtaken by the writer", counts[Found].Load(), counts[Missing].Load(), counts[Retry].Load(), torn.Load())
}
