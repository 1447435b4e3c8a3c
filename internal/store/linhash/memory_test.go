package linhash

import (
	"fmt"
	"os"
	"testing"

	"sherd/internal/heap"
)

// TestBytesPerEntry holds the table to the memory that the project has promised. SHERD_TEST_MEMORY
// makes it go up to 1.5 million entries, which takes a while.
func TestBytesPerEntry(t *testing.T) {
	for _, c := range []struct {
		name       string
		key, value string // formats
		most       float64
	}{
		{"set", "member:%08d", "", 22.7},
		{"map", "field:%08d", "value:%08d", 39.5},
	} {
		h := newHeap(t, 1<<30)
		table, _ := New(h, c.value != "", 1)
		i := 0
		for _, n := range []int{1000, 10_000, 100_000, 700_000, 1_000_000, 1_500_000} {
			if os.Getenv("SHERD_TEST_MEMORY") == "" && n > 100_000 {
				break
			}
			for ; i < n; i++ {
				key, value := fmt.Appendf(nil, c.key, i), []byte(nil)
				if c.value != "" {
					value = fmt.Appendf(nil, c.value, i)
				}
				if !table.Insert(table.Hash(key), key, value, 0) {
					t.Fatal("out of memory")
				}
			}
			if int64(table.root.bytes) != h.Used() {
				t.Fatalf("the table says %d bytes, the heap %d", table.root.bytes, h.Used())
			}
			perEntry := float64(h.Held()+h.Idle()) / float64(n)
			t.Logf("%s of %d: %.2f bytes per entry; held %.2f, used %.2f", c.name, n, perEntry,
				float64(h.Held())/float64(n), float64(h.Used())/float64(n))
			if n >= 100_000 && perEntry > c.most {
				t.Errorf("%s of %d: %.2f bytes per entry, want at most %.2f", c.name, n, perEntry, c.most)
			}
		}
	}
}

func newFilled(b *testing.B, n int, values bool) (*heap.Heap, Table, [][]byte) {
	h := newHeap(b, 1<<30)
	t, _ := New(h, values, 1)
	keys := make([][]byte, n)
	for i := range keys {
		keys[i] = fmt.Appendf(nil, "member:%08d", i*7919%n)
		t.Insert(t.Hash(keys[i]), keys[i], keys[i], 0)
	}
	return h, t, keys
}

func BenchmarkFind(b *testing.B) {
	for _, n := range []int{1000, 1_000_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			_, t, keys := newFilled(b, n, false)
			for i := 0; b.Loop(); i++ {
				k := keys[i*31%n]
				if _, ok := t.Find(t.Hash(k), k); !ok {
					b.Fatal("missing")
				}
			}
		})
	}
}

func BenchmarkInsert(b *testing.B) {
	for _, values := range []bool{false, true} {
		b.Run(fmt.Sprint("values ", values), func(b *testing.B) {
			h := newHeap(b, 1<<30)
			t, _ := New(h, values, 1)
			var key [15]byte
			copy(key[:], "member:00000000")
			for i := 0; b.Loop(); i++ {
				if i == 2_000_000 {
					for ref := t.Ref(); ref != 0; {
						ref = Free(h, ref, 1000)
					}
					t, _ = New(h, values, 1)
					i = 0
				}
				for k, n := 14, i; n > 0; n /= 10 {
					key[k] = byte('0' + n%10)
					k--
				}
				hash := t.Hash(key[:])
				if _, ok := t.Find(hash, key[:]); !ok {
					t.Insert(hash, key[:], key[:14], 0)
				}
			}
		})
	}
}

func BenchmarkDelete(b *testing.B) {
	const n = 1_000_000
	_, t, keys := newFilled(b, n, false)
	for i := 0; b.Loop(); i++ {
		k := keys[i*31%n]
		hash := t.Hash(k)
		if e, ok := t.Find(hash, k); ok {
			t.Delete(e)
		}
		if i%n >= n/2 { // and back
			t.Insert(hash, k, nil, 0)
		}
	}
}

func BenchmarkIter(b *testing.B) {
	_, t, _ := newFilled(b, 100_000, true)
	b.ReportAllocs()
	for b.Loop() {
		n := 0
		for it := t.Iter(); it.Next(); {
			n += len(it.Key()) + len(it.Value())
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/100_000, "ns/entry")
}

func BenchmarkRandom(b *testing.B) {
	_, t, _ := newFilled(b, 100_000, false)
	for i := uint64(1); b.Loop(); i++ {
		e := t.Random(i * 0x9e3779b97f4a7c15)
		_ = e.Key()
	}
}
