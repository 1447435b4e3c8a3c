//go:build linux

package uring

import (
	"testing"
	"time"
)

func TestProbe(t *testing.T) {
	for i := 0; i < 5; i++ {
		start := time.Now()
		f, err := Probe(All)
		t.Logf("%v %+v %v", time.Since(start), f, err)
	}
}
