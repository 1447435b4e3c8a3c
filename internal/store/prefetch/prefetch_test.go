package prefetch

import (
	"testing"
	"unsafe"
)

// Nothing but speed can be observed of a prefetch; what must hold is that no
// address makes it fault and that the slice forms stay inside their slice.
func TestAnyAddress(t *testing.T) {
	var x [256]byte
	Prefetch(nil)
	Prefetch(unsafe.Pointer(&x[100]))
	Prefetch(unsafe.Add(unsafe.Pointer(&x[0]), 1<<40))
	PrefetchAll(nil)
	PrefetchPairs(nil, 64)
	ps := []unsafe.Pointer{nil, unsafe.Pointer(&x[0]), nil, unsafe.Pointer(&x[255]), unsafe.Add(unsafe.Pointer(&x[0]), 1<<44)}
	for n := range len(ps) + 1 {
		PrefetchAll(ps[:n])
		PrefetchPairs(ps[:n], 64)
		PrefetchPairs(ps[:n], 1<<40)
	}
}

func BenchmarkPrefetchAll(b *testing.B) {
	var x [64][64]byte
	var ps [64]unsafe.Pointer
	for i := range ps {
		ps[i] = unsafe.Pointer(&x[i])
	}
	for i := 0; i < b.N; i += len(ps) {
		PrefetchAll(ps[:])
	}
}
