package stream

import "testing"

// FuzzOperations reads operations out of bytes and checks the stream after each.
func FuzzOperations(f *testing.F) {
	f.Add([]byte{0, 1, 2, 0, 3, 4, 1, 1, 2, 2, 9, 3, 5, 5})
	f.Add([]byte("0a0b0c0d1a2b3c4d5e6f0g0h0i0j2z3z"))
	f.Fuzz(func(t *testing.T, ops []byte) {
		if len(ops) > 300 {
			return
		}
		h := newHeap(t)
		s, _ := New(h)
		for len(ops) >= 3 {
			op, a, b := ops[0]%10, ops[1], ops[2]
			ops = ops[3:]
			id := ID{uint64(a), uint64(b)}
			switch op {
			case 0, 1:
				last := s.LastID()
				id = ID{last.Ms + uint64(a)<<(b%50), last.Seq + uint64(b)<<(a%50) + 1}
				if !last.Less(id) {
					continue
				}
				value := make([]byte, int(b)*int(a%40))
				s.Append(id, [][]byte{{'f', a % 3}, value, []byte("12"), {'0' + b%10}}, Limits{int64(a) * 20, int64(b % 9)})
			case 2:
				if it := s.Iter(ID{}, MaxID, b&1 == 1); it.Next() {
					id = it.ID
				}
				first := id == s.FirstID()
				if s.Delete(id) {
					s.Deleted(id, first)
				}
			case 3:
				tr := Trim{ByID: b&1 == 1, MinID: ID{uint64(a), 0}, MaxLen: int64(a % 16), Approx: b&2 != 0}
				s.Trim(&tr, 1000, 0)
			case 4:
				g, ok := s.Group([]byte{a % 2})
				if !ok {
					g, _ = s.CreateGroup([]byte{a % 2}, ID{}, 0)
				}
				c, ok := g.Consumer([]byte{b % 3})
				if !ok {
					c, _ = g.CreateConsumer([]byte{b % 3}, 0)
				}
				for i := range uint64(b) {
					g.Deliver(ID{i * uint64(a+1) % 251, 0}, &c, 1)
				}
			case 5:
				if g, ok := s.Group([]byte{a % 2}); ok {
					g.Ack(ID{uint64(b), 0})
				}
			case 6:
				if g, ok := s.Group([]byte{a % 2}); ok {
					if p, ok := g.Pending(ID{uint64(b), 0}); ok {
						p.Release()
					} else {
						g.AddReleased(ID{uint64(b), 0}, int64(a))
					}
				}
			case 7:
				if g, ok := s.Group([]byte{a % 2}); ok {
					for from, done := (ID{}), false; !done; {
						from, done, _ = g.Order(from, 1+int(b%9))
					}
					if p, ok := g.Oldest(int64(b%2), g.Turn()); ok && !p.Released() {
						p.SetTime(int64(a))
					}
				}
			case 8:
				if d, ok := s.UseIdem(1+int64(b%3), 1+int64(b%5)); ok {
					now := int64(a) * 100
					if _, found := d.Find([]byte{a % 3}, []byte{b % 7}, now); found {
						d.CountDuplicate()
					} else {
						d.Record([]byte{a % 3}, []byte{b % 7}, ID{uint64(now) + uint64(b%2)*500, 0}, now)
					}
				}
			case 9:
				if d, ok := s.Idem(); ok && a%4 == 0 {
					d.SetLimits(int64(a), int64(1+b))
					for !d.Clear(1 + int(b%3)) {
					}
				} else if ok {
					d.Forget([]byte{a % 3}, []byte{b % 7})
				}
			}
			if err := Check(s.a, Nodes, s.ref); err != nil {
				t.Fatal(err)
			}
		}
		if n := SizeBytes(s.a, Nodes, s.ref); n != h.Used() {
			t.Fatalf("SizeBytes is %d, used %d", n, h.Used())
		}
		for r := s.Ref(); r != 0; r = Free(h, Nodes, r, 5) {
		}
		if h.Used() != 0 {
			t.Fatalf("%d bytes left", h.Used())
		}
	})
}
