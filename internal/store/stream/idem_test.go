package stream

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"sherd/internal/heap"
)

// TestIdemModel records labels beside a list of them.
func TestIdemModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, err := heap.NewArena(1 << 30)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = a.Close() }()
		h := new(heap.Heap)
		h.Init(a)
		s, _ := New(h)
		type label struct {
			producer, name string
			id             ID
		}
		var list []label // in the order they came
		seconds, most := int64(rapid.IntRange(1, 3).Draw(t, "seconds")), int64(rapid.IntRange(1, 6).Draw(t, "most"))
		d, _ := s.UseIdem(seconds, most)
		now, added := int64(10_000), int64(0)
		old := func(l label) bool { return now-int64(l.id.Ms) >= seconds*1000 }
		for range rapid.IntRange(1, 80).Draw(t, "steps") {
			now += int64(rapid.IntRange(0, 400).Draw(t, "pause"))
			producer := rapid.SampledFrom([]string{"p", "q", "\x00"}).Draw(t, "producer")
			name := rapid.StringMatching(`[a-f]{1,2}`).Draw(t, "name")
			same := func(l label) bool { return l.producer == producer && l.name == name }
			at := slices.IndexFunc(list, func(l label) bool { return same(l) && !old(l) })
			id, found := d.Find([]byte(producer), []byte(name), now)
			if found != (at >= 0) || found && id != list[at].id {
				t.Fatalf("Find(%q, %q) is %v, %v; the model has %d of %v", producer, name, id, found, at, list)
			}
			switch op := rapid.IntRange(0, 20).Draw(t, "op"); {
			case op == 0:
				seconds, most = int64(rapid.IntRange(1, 3).Draw(t, "seconds")), int64(rapid.IntRange(1, 6).Draw(t, "most"))
				d.SetLimits(seconds, most)
				for !d.Clear(2) {
				}
				list = nil
			case op == 1 && found:
				d.Forget([]byte(producer), []byte(name))
				list = slices.Delete(list, at, at+1)
				added--
			case !found:
				id := ID{uint64(now), 1}
				if !d.Record([]byte(producer), []byte(name), id, now) {
					t.Fatal("out of memory")
				}
				added++
				list = append(slices.DeleteFunc(list, same), label{producer, name, id})
				n := int64(0)
				for i := len(list) - 1; i >= 0; i-- {
					if list[i].producer == producer {
						if n++; n > most {
							list = slices.Delete(list, i, i+1)
						}
					}
				}
			}
			if err := Check(a, Nodes, s.ref); err != nil {
				t.Fatal(err)
			}
			list = slices.DeleteFunc(list, old)
			if d.Added() != added || d.Tracked() < int64(len(list)) {
				t.Fatalf("%d added, %d tracked; want %d, at least %d", d.Added(), d.Tracked(), added, len(list))
			}
		}
		if used := h.Used(); SizeBytes(a, Nodes, s.ref) != used {
			t.Fatalf("SizeBytes is %d, used %d", SizeBytes(a, Nodes, s.ref), used)
		}
		ref, _ := Copy(h, h, Nodes, s.ref)
		for r := s.ref; r != 0; r = Free(h, Nodes, r, 2) {
		}
		if err := Check(a, Nodes, ref); err != nil {
			t.Fatal(err)
		}
		c := Open(h, ref)
		e, _ := c.Idem()
		for _, l := range list {
			if id, ok := e.Find([]byte(l.producer), []byte(l.name), now); !ok || id != l.id {
				t.Fatalf("the copy has %v, %v for %v", id, ok, l)
			}
		}
		for r := ref; r != 0; r = Free(h, Nodes, r, 100) {
		}
		if h.Used() != 0 {
			t.Fatalf("%d bytes left", h.Used())
		}
	})
}
