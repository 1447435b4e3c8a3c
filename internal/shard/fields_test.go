package shard

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"sherd/internal/clock"
)

// TestFieldsOfGoneHashes checks that the queue of a slice does not keep what is no
// longer there until its time has come, and stays a heap meanwhile.
func TestFieldsOfGoneHashes(t *testing.T) {
	k, err := New(Options{Loops: 1, Databases: 1, Clock: clock.New()})
	if err != nil {
		t.Fatal(err)
	}
	defer k.Close()
	s, p := k.Slice(0), k.NewKeeper(0)
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 5000 {
		// Every other key is noted twice, with an earlier deadline the second time.
		key := fmt.Appendf(nil, "h:%d", i)
		ms := 1 + r.Int64N(1e9)
		s.NoteFields(0, key, uint64(i), 1e12+ms)
		if i%2 == 0 {
			s.NoteFields(0, key, uint64(i), 1e12-ms)
		}
	}
	if n := len(s.fields[0].due); n != 7500 {
		t.Fatalf("%d in the queue, want 7500", n)
	}
	rounds := 0
	for ; s.fields[0] != nil && rounds < 10_000; rounds++ {
		p.sweepFields(s, 1)
		if s.fields[0] == nil {
			break
		}
		due := s.fields[0].due
		for i := 1; i < len(due); i++ {
			if due[(i-1)/2].ms > due[i].ms {
				t.Fatalf("round %d: %d is before its parent", rounds, i)
			}
		}
		if len(s.fields[0].times) > len(due) {
			t.Fatalf("round %d: %d names, %d in the queue", rounds, len(s.fields[0].times), len(due))
		}
	}
	t.Logf("%d rounds", rounds)
	if s.fields[0] != nil {
		t.Errorf("%d are left", len(s.fields[0].due))
	}
}

// TestFieldsOfFlushed checks that what is known of a database goes with its keys, and
// changes places with them.
func TestFieldsOfFlushed(t *testing.T) {
	k, err := New(Options{Loops: 1, Databases: 4, Clock: clock.New()})
	if err != nil {
		t.Fatal(err)
	}
	defer k.Close()
	s := k.Slice(0)
	known := func() (n [4]int) {
		for db := range n {
			n[db] = s.fieldsKnown(db)
		}
		return n
	}
	for db := range 3 {
		k.Open(db)
		key := fmt.Appendf(nil, "key:%d", db)
		if !k.Table(db, s).Set(&s.Heap, uint64(db), key, nil, 0) {
			t.Fatal("no memory")
		}
		for range db + 1 {
			s.NoteFields(db, key, uint64(db), int64(1000-s.fieldsKnown(db)))
		}
	}
	if n := known(); n != [4]int{1, 2, 3, 0} {
		t.Fatalf("known: %v", n)
	}
	k.Open(3)
	k.Swap(1, 3, s)
	k.Swap(0, 2, s)
	if n := known(); n != [4]int{3, 0, 1, 2} {
		t.Fatalf("after the swaps: %v", n)
	}
	k.Empty(0, s)
	if n := known(); n != [4]int{0, 0, 1, 2} {
		t.Fatalf("after one was emptied: %v", n)
	}
	k.EmptyAll(s)
	if n := known(); n != [4]int{} {
		t.Fatalf("after all were: %v", n)
	}
}

func (s *Slice) fieldsKnown(db int) int {
	if q := s.queue(db); q != nil {
		return len(q.due)
	}
	return 0
}
