//go:build amd64 || arm64

package prefetch

import "unsafe"

// Enabled says whether a prefetch does anything on this architecture. Where it
// does not, computing addresses ahead is wasted work.
const Enabled = true

// Prefetch brings the cache line that holds p closer. Any address is allowed.
//
//go:noescape
func Prefetch(p unsafe.Pointer)

// PrefetchAll is Prefetch for every address in ps that is not nil.
//
//go:noescape
func PrefetchAll(ps []unsafe.Pointer)

// PrefetchPairs brings, for every address p in ps that is not nil, the lines
// that hold p and p+delta. It costs little more than PrefetchAll when both lie in
// one line.
//
//go:noescape
func PrefetchPairs(ps []unsafe.Pointer, delta uintptr)
