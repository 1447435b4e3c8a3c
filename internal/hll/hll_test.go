package hll

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

func empty() []byte {
	b := make([]byte, EmptyBytes)
	PutEmpty(b)
	return b
}

func emptyDense() []byte {
	b := make([]byte, DenseBytes)
	PutHeader(b, empty())
	return b
}

func TestHash(t *testing.T) {
	ranks := [rankBits + 2]int{}
	for i := range 100_000 {
		var b [8]byte
		binary.LittleEndian.PutUint64(b[:], uint64(i))
		register, rank := Hash(b[:])
		if register < 0 || register >= Registers || rank < 1 || rank > rankBits+1 {
			t.Fatalf("Hash(%d) = %d, %d", i, register, rank)
		}
		ranks[rank]++
	}
	for r := 1; r <= 8; r++ {
		if want := 100_000 >> r; ranks[r] < want*8/10 || ranks[r] > want*12/10 {
			t.Errorf("%d elements of rank %d, want about %d", ranks[r], r, want)
		}
	}
}

// TestRegisters compares both encodings with an array.
func TestRegisters(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var model [Registers]uint8
		d, s := emptyDense(), empty()
		limit := rapid.Int64Range(18, 4000).Draw(t, "limit")
		near := rapid.IntRange(1, Registers).Draw(t, "near")
		n := rapid.IntRange(1, 600).Draw(t, "n")
		for i := range n {
			register := rapid.IntRange(0, near-1).Draw(t, "register")
			rank := uint8(rapid.IntRange(1, 6).Draw(t, "rank"))
			if i%97 == 96 {
				rank = uint8(rapid.IntRange(30, 51).Draw(t, "high"))
			}
			raised := model[register] < rank
			model[register] = max(model[register], rank)
			if got := Raise(d, register, rank); got != raised {
				t.Fatalf("Raise(%d, %d) = %v", register, rank, got)
			}
			if s == nil {
				continue
			}
			before := bytes.Clone(s)
			now, ok := RaisedOne(s, register, rank, limit)
			switch {
			case ok:
				s = now
				if raised == bytes.Equal(before, s) {
					t.Fatalf("sparse: raising %d to %d: changed is %v", register, rank, !raised)
				}
				if len(s) > int(limit) && len(s) > len(before) {
					t.Fatalf("sparse: %d bytes, limit %d", len(s), limit)
				}
			case rank <= sparseMax && int64(len(before)+4) <= limit:
				t.Fatalf("sparse: no room in %d bytes of %d", len(before), limit)
			default:
				s = nil
			}
		}
		for i, want := range model {
			if got := Register(d, i); got != want {
				t.Fatalf("dense register %d: %d, want %d", i, got, want)
			}
		}
		var ranks [Registers]uint8
		if !Merge(&ranks, d) || ranks != model {
			t.Fatal("Merge of a dense string")
		}
		count, ok := Count(d)
		if !ok || count != CountRanks(&model) {
			t.Fatalf("Count is %d, of an array %d", count, CountRanks(&model))
		}
		e := emptyDense()
		PutDense(e, &model)
		if !bytes.Equal(e, d) {
			t.Fatal("PutDense makes other bytes")
		}
		if s == nil {
			return
		}
		ranks = [Registers]uint8{}
		if !Merge(&ranks, s) || ranks != model {
			t.Fatal("Merge of a sparse string")
		}
		if got, ok := Count(s); !ok || got != count {
			t.Fatalf("Count of a sparse string is %d, of a dense one %d", got, count)
		}
		// In ascending order the walk goes on where it was: the same opcodes as
		// with a new walk each time.
		one, all := empty(), empty()
		for i, rank := range model {
			if rank > 0 {
				if one, ok = RaisedOne(one, i, rank, math.MaxInt64); !ok {
					t.Fatal("RaisedOne")
				}
			}
		}
		if all, ok = Raised(all, &model, math.MaxInt64); !ok || !bytes.Equal(one, all) {
			t.Fatalf("Raised makes other opcodes than RaisedOne")
		}
	})
}

// TestRaisedOver raises registers of a string that has some.
func TestRaisedOver(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		one := empty()
		for range 1 + r.IntN(300) {
			one, _ = RaisedOne(one, r.IntN(200), uint8(1+r.IntN(3)), math.MaxInt64)
		}
		all := bytes.Clone(one)
		var ranks [Registers]uint8
		for range r.IntN(300) {
			ranks[r.IntN(220)] = uint8(1 + r.IntN(4))
		}
		for i, rank := range ranks {
			if rank > 0 {
				one, _ = RaisedOne(one, i, rank, math.MaxInt64)
			}
		}
		all, ok := Raised(all, &ranks, math.MaxInt64)
		if !ok || !bytes.Equal(one, all) {
			t.Fatalf("%s\n%s", AppendOpcodes(nil, one), AppendOpcodes(nil, all))
		}
	}
}

func TestOpcodes(t *testing.T) {
	b := empty()
	for _, c := range []struct {
		register int
		rank     uint8
		want     string
	}{
		{0, 1, "v:1,1 Z:16383"},
		{2, 1, "v:1,1 z:1 v:1,1 Z:16381"},
		{1, 1, "v:1,3 Z:16381"},
		{1, 2, "v:1,1 v:2,1 v:1,1 Z:16381"},
		{16383, 32, "v:1,1 v:2,1 v:1,1 Z:16380 v:32,1"},
		{100, 3, "v:1,1 v:2,1 v:1,1 Z:97 v:3,1 Z:16282 v:32,1"},
		{164, 3, "v:1,1 v:2,1 v:1,1 Z:97 v:3,1 z:63 v:3,1 Z:16218 v:32,1"},
	} {
		b, _ = RaisedOne(b, c.register, c.rank, math.MaxInt64)
		if got := string(AppendOpcodes(nil, b)); got != c.want {
			t.Errorf("after %d to %d: %s, want %s", c.register, c.rank, got, c.want)
		}
	}
	if _, ok := RaisedOne(b, 5, 33, math.MaxInt64); ok {
		t.Error("a rank of 33 fits a sparse string")
	}
}

func TestEstimate(t *testing.T) {
	d := emptyDense()
	if n, _ := Count(d); n != 0 {
		t.Errorf("nothing counts as %d", n)
	}
	mark := 10
	for n := 1; n <= 1_000_000; n++ {
		var b [8]byte
		binary.LittleEndian.PutUint64(b[:], uint64(n))
		register, rank := Hash(b[:])
		Raise(d, register, rank)
		if n == mark {
			mark *= 10
			got, _ := Count(d)
			if off := math.Abs(float64(got)-float64(n)) / float64(n); off > 0.025 {
				t.Errorf("%d counts as %d", n, got)
			}
		}
	}
}

func FuzzHostile(f *testing.F) {
	s := empty()
	for i := range 100 {
		s, _ = RaisedOne(s, i*i%Registers, uint8(1+i%5), math.MaxInt64)
	}
	f.Add(s, 17, uint8(3))
	f.Add(emptyDense(), 16383, uint8(51))
	f.Add(append(empty(), 0x7f), 5, uint8(1))
	f.Fuzz(func(t *testing.T, b []byte, register int, rank uint8) {
		if !Valid(b) {
			return
		}
		register &= Registers - 1
		rank = 1 + rank%51
		var ranks [Registers]uint8
		merges := Merge(&ranks, b)
		Count(b)
		Cached(b)
		if !Sparse(b) {
			Raise(b, register, rank)
			return
		}
		AppendOpcodes(nil, b)
		after, ok := RaisedOne(bytes.Clone(b), register, rank, 1<<20)
		if !merges || !ok {
			return
		}
		ranks[register] = max(ranks[register], rank)
		var now [Registers]uint8
		if !Merge(&now, after) || now != ranks {
			t.Fatal("other registers changed")
		}
	})
}

func BenchmarkRaise(b *testing.B) {
	d := emptyDense()
	var e [8]byte
	for i := 0; b.Loop(); i++ {
		binary.LittleEndian.PutUint64(e[:], uint64(i))
		register, rank := Hash(e[:])
		Raise(d, register, rank)
	}
}

func BenchmarkPrepareSparse(b *testing.B) {
	s, ok := empty(), true
	for i := range 1000 {
		if s, ok = RaisedOne(s, i*7919%Registers, uint8(1+i%5), 3000); !ok {
			b.Fatal("too long")
		}
	}
	for i := 0; b.Loop(); i++ {
		var w Walk
		w.Prepare(s, i*31%Registers, 6)
	}
}

func BenchmarkCount(b *testing.B) {
	d := emptyDense()
	for b.Loop() {
		Count(d)
	}
}

func BenchmarkMerge(b *testing.B) {
	d := emptyDense()
	var ranks [Registers]uint8
	for b.Loop() {
		Merge(&ranks, d)
	}
}
