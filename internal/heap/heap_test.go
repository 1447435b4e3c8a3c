package heap

import "testing"

func TestAllocFree(t *testing.T) {
	a, err := NewArena(1 << 30)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	var h Heap
	h.Init(a)
	r := h.Alloc(48)
	copy(a.Bytes(r, 48), "hello")
	if q := h.Grow(r, 48, 100<<10); string(a.Bytes(q, 5)) != "hello" {
		t.Fatal("contents lost")
	}
	d := h.Detach()
	for !d.Free(1) {
	}
}
