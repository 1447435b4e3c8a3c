package dash

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"sherd/internal/heap"
)

func newHeap(tb testing.TB) *heap.Heap {
	tb.Helper()
	a, err := heap.NewArena(1 << 30)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { a.Close() })
	h := new(heap.Heap)
	h.Init(a)
	return h
}

func TestSmoke(t *testing.T) {
	h := newHeap(t)
	var tab Table
	m := map[string]string{}
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 300000 {
		k := fmt.Sprintf("key:%d", r.IntN(40000))
		if i > 200000 {
			k = fmt.Sprintf("key:%d", r.IntN(40000))
			if e, ok := tab.Find(h, HashKey(0, []byte(k)), []byte(k)); ok {
				tab.Delete(h, e)
				delete(m, k)
			}
		} else {
			v := fmt.Sprintf("val:%d", i)
			m[k] = v
			if !tab.Set(h, HashKey(0, []byte(k)), []byte(k), []byte(v), 0) {
				t.Fatal("oom")
			}
		}
		if i%20000 == 0 {
			eb, err := tab.Check(h)
			if err != nil {
				t.Fatal(i, err)
			}
			if eb+tab.TableBytes() != h.Used() {
				t.Fatal(eb, tab.TableBytes(), h.Used())
			}
			t.Log(i, tab.Len(), tab.depth(), float64(tab.TableBytes())/float64(tab.Len()))
			if i > 200000 {
				for c := uint64(0); ; {
					c, _ = tab.Shrink(h, c)
					if c == 0 {
						break
					}
				}
				t.Log(i, tab.Len(), tab.depth(), float64(tab.TableBytes())/float64(tab.Len()))
			}
		}
	}
	for k, v := range m {
		e, ok := tab.Find(h, HashKey(0, []byte(k)), []byte(k))
		if !ok || string(e.Value()) != v {
			t.Fatal(k, v, ok)
		}
	}
	if tab.Len() != len(m) {
		t.Fatal(tab.Len(), len(m))
	}
}
