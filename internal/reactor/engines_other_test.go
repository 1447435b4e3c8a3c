//go:build !linux

package reactor

import (
	"testing"
	"time"
)

const uringRing = 50

func addUringEngines(map[string]Options) {}

func starved(*Loop) int64 { return 1 }

func threadCPU() time.Duration { return 0 }

func checkOptions(*testing.T, *Conn) {}
