// Package proc reads what the operating system says about a process (CPU time,
// resident memory) and binds processes to CPUs. On systems other than Linux
// the readings are missing and the functions say so.
package proc

import "errors"

// ErrUnsupported is returned where the system offers no such reading.
var ErrUnsupported = errors.New("not supported on this system")
