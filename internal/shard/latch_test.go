package shard

import (
	"runtime"
	"sync"
	"testing"
)

// TestLatchExclusive lets goroutines contend for few latches, some waiting in
// the queue, and counts in unprotected memory: a lost update is a broken latch,
// a lost wake-up a hang.
func TestLatchExclusive(t *testing.T) {
	const goroutines, rounds = 8, 20000
	var latches [2]Latch
	var counts [2]int
	var wg sync.WaitGroup
	for g := range goroutines {
		wg.Add(1)
		go func() {
			defer wg.Done()
			granted := make(chan struct{}, 1)
			w := &Waiter{Granted: func() { granted <- struct{}{} }}
			for i := range rounds {
				n := (i*7 + g) & 1
				l := &latches[n]
				if !l.Try() {
					if (i+g)%3 == 0 {
						runtime.Gosched()
					}
					if !l.Enqueue(w) {
						<-granted
					}
				}
				counts[n]++
				if i%5 == 0 {
					l.ReleaseUnchanged()
				} else {
					l.Release()
				}
			}
		}()
	}
	wg.Wait()
	if counts[0]+counts[1] != goroutines*rounds {
		t.Fatalf("lost updates: %v, want a sum of %d", counts, goroutines*rounds)
	}
	for i := range latches {
		if w := latches[i].word.Load(); w&(held|waiting) != 0 || latches[i].head != nil || latches[i].incoming.Load() != nil {
			t.Fatalf("latch %d not idle afterwards: word %x", i, w)
		}
	}
}

func TestLatchFirstComeFirstServed(t *testing.T) {
	var l Latch
	if !l.Try() {
		t.Fatal("a fresh latch is not free")
	}
	var order []int
	ws := make([]Waiter, 5)
	for i := range ws {
		ws[i].Granted = func() { order = append(order, i) }
		if l.Enqueue(&ws[i]) {
			t.Fatal("granted while held")
		}
	}
	if l.Try() {
		t.Fatal("taken while held")
	}
	for i := range ws {
		l.Release()
		if len(order) != i+1 || order[i] != i {
			t.Fatalf("after release %d the order is %v", i, order)
		}
		if l.Try() {
			t.Fatal("barged in before a waiter")
		}
	}
	l.Release()
	if !l.Try() {
		t.Fatal("not free after the last release")
	}
}

func TestLatchVersion(t *testing.T) {
	var l Latch
	v, ok := l.Version()
	if !ok || !l.Unchanged(v) {
		t.Fatal("free latch not readable")
	}
	l.Try()
	if _, ok := l.Version(); ok || l.Unchanged(v) {
		t.Fatal("held latch looks readable")
	}
	l.ReleaseUnchanged()
	if !l.Unchanged(v) {
		t.Fatal("a reader's unit changed the version")
	}
	l.Try()
	l.Release()
	if l.Unchanged(v) {
		t.Fatal("a writer's unit left the version")
	}
}

func BenchmarkLatchUncontended(b *testing.B) {
	var l Latch
	for b.Loop() {
		l.Try()
		l.Release()
	}
}
