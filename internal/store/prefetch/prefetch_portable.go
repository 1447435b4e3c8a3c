//go:build !amd64 && !arm64

package prefetch

import "unsafe"

// Enabled says whether a prefetch does anything on this architecture. Where it
// does not, computing addresses ahead is wasted work.
const Enabled = false

// Prefetch brings the cache line that holds p closer. Any address is allowed.
func Prefetch(p unsafe.Pointer) {}

// PrefetchAll is Prefetch for every address in ps that is not nil.
func PrefetchAll(ps []unsafe.Pointer) {}

// PrefetchPairs brings, for every address p in ps that is not nil, the lines
// that hold p and p+delta.
func PrefetchPairs(ps []unsafe.Pointer, delta uintptr) {}
