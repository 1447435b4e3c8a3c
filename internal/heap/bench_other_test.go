//go:build !linux || race

package heap

import "time"

var started = time.Now()

func threadTime() int64            { return int64(time.Since(started)) }
func residentBytes(a *Arena) int64 { return a.Stats().Held }
