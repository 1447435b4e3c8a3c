package dash

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// TestScanWhileChanging checks SCAN's promise: a key that is there from the first
// step to the last comes at least once, whatever grows, splits, shrinks and merges
// between the steps.
func TestScanWhileChanging(t *testing.T) {
	rounds := 20
	scale := 1
	if testing.Short() {
		rounds = 5
	}
	if raceEnabled {
		rounds, scale = 2, 8
	}
	for seed := range uint64(rounds) {
		r := rand.New(rand.NewPCG(seed, 1))
		m := newModel(t, func(f string, args ...any) { t.Fatalf("seed %d: "+f, append([]any{seed}, args...)...) })
		stay := r.IntN(3000 / scale)
		for i := range stay {
			m.set(fmt.Sprintf("stay%d", i), []byte("x"), 0)
		}
		extra := 0
		grow := func(n int) {
			for range n {
				m.set(fmt.Sprintf("extra%d", extra), []byte("y"), 0)
				extra++
			}
		}
		cut := func(n int) {
			for ; n > 0 && extra > 0; n-- {
				extra--
				m.del(fmt.Sprintf("extra%d", extra))
			}
		}
		grow(r.IntN(4) * r.IntN(4000/scale))
		seen := make([]bool, stay)
		steps := 0
		var dst []Entry
		for cursor := uint64(0); ; {
			dst, cursor = m.t.ScanStep(m.h, cursor, dst[:0])
			for _, e := range dst {
				var i int
				if _, err := fmt.Sscanf(string(e.Key()), "stay%d", &i); err == nil {
					seen[i] = true
				}
			}
			if cursor == 0 {
				break
			}
			if steps++; steps > 100000 {
				t.Fatalf("seed %d: the scan does not end", seed)
			}
			switch r.IntN(40) {
			case 0:
				grow(r.IntN(6000 / scale))
			case 1, 2:
				cut(r.IntN(9000 / scale))
				m.shrink()
			case 3:
				// One step of maintenance somewhere.
				m.t.Shrink(m.h, r.Uint64N(1<<maxDepth))
			}
		}
		for i, ok := range seen {
			if !ok {
				t.Fatalf("seed %d: key %d of %d was never returned", seed, i, stay)
			}
		}
	}
}

// TestScanAnyCursor hands ScanStep, Expired and Shrink cursors they never gave out.
func TestScanAnyCursor(t *testing.T) {
	m := newModel(t, t.Fatalf)
	for i := range 2000 {
		m.set(fmt.Sprint(i), []byte("x"), int64(i%3)*1e6)
	}
	r := rand.New(rand.NewPCG(3, 4))
	for range 1000 {
		c := r.Uint64() >> r.IntN(64)
		for steps := 0; ; steps++ {
			if _, c = m.t.ScanStep(m.h, c, nil); c == 0 || steps == 50 {
				break
			}
		}
		c = r.Uint64() >> r.IntN(64)
		m.t.Expired(m.h, c, 10, nil)
		m.t.Shrink(m.h, c)
	}
	m.check()
	m.expire(5)
}

// TestExpiredIsCheap checks that hints let a sweep pass over what is not due, and
// that they recover after being too early.
func TestExpiredIsCheap(t *testing.T) {
	m := newModel(t, t.Fatalf)
	const keys = 8000
	for i := range keys {
		m.set(fmt.Sprint(i), []byte("x"), 1000+int64(i%10))
	}
	m.expire(10) // finds nothing
	if got := m.t.NextDeadline(); got != 1000 {
		t.Errorf("NextDeadline %d, want 1000", got)
	}
	for i := range keys {
		if i%10 != 9 {
			m.del(fmt.Sprint(i))
		}
	}
	if got := m.t.NextDeadline(); got > 1009 {
		t.Errorf("NextDeadline %d, want at most 1009", got)
	}
	m.expire(1008) // hints say 1000, but nothing is due; now they learn better
	if got := m.t.NextDeadline(); got != 1009 {
		t.Errorf("NextDeadline %d, want 1009", got)
	}
	steps := 0
	for cursor := uint64(0); ; steps++ {
		var dst []Entry
		if dst, cursor = m.t.Expired(m.h, cursor, 1008, nil); len(dst) > 0 {
			t.Fatal("found something")
		}
		if cursor == 0 {
			break
		}
	}
	if steps > 2 {
		t.Errorf("%d steps for a pass with nothing due", steps)
	}
	m.expire(1009)
	if m.t.Len() != 0 || m.t.NextDeadline() != noDeadline {
		t.Errorf("%d entries, NextDeadline %d", m.t.Len(), m.t.NextDeadline())
	}
}
