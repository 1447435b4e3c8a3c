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
	if n := len(s.fields.due); n != 7500 {
		t.Fatalf("%d in the queue, want 7500", n)
	}
	rounds := 0
	for ; s.fields != nil && rounds < 10_000; rounds++ {
		p.sweepFields(s, 1)
		if s.fields == nil {
			break
		}
		due := s.fields.due
		for i := 1; i < len(due); i++ {
			if due[(i-1)/2].ms > due[i].ms {
				t.Fatalf("round %d: %d is before its parent", rounds, i)
			}
		}
		if len(s.fields.times) > len(due) {
			t.Fatalf("round %d: %d names, %d in the queue", rounds, len(s.fields.times), len(due))
		}
	}
	t.Logf("%d rounds", rounds)
	if s.fields != nil {
		t.Errorf("%d are left", len(s.fields.due))
	}
}
