//go:build !amd64

package metrics

import "time"

var started = time.Now()

// Ticks reads the monotonic clock in nanoseconds.
func Ticks() uint64 { return uint64(time.Since(started)) }
