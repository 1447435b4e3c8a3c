//go:build linux

package uring

import (
	"testing"
	"time"
)

// ring makes a ring with what of want the kernel has, or skips.
func ring(t *testing.T, want Features) *Ring {
	t.Helper()
	r, err := New(8, 16, want)
	if err != nil {
		t.Skipf("the kernel refuses: %v", err)
	}
	t.Cleanup(r.Close)
	return r
}

func TestProbe(t *testing.T) {
	begin := time.Now()
	got, err := Probe(All)
	if err != nil {
		t.Skipf("the kernel refuses: %v", err)
	}
	t.Logf("in %v: %+v", time.Since(begin), got)

	// What is not wanted is not had, and the rest is had without it.
	for _, without := range []func(*Features){
		func(f *Features) { f.NoSQArray = false },
		func(f *Features) { f.DeferTaskrun = false },
		func(f *Features) { f.SingleIssuer, f.DeferTaskrun = false, false },
		func(f *Features) { f.RegisteredRing = false },
		func(f *Features) { f.NoIowait = false },
		func(f *Features) { f.MultishotAccept = false },
		func(f *Features) { f.MultishotRecv, f.Incremental = false, false },
		func(f *Features) { f.Incremental = false },
		func(f *Features) { f.QuietSend = false },
	} {
		want := got
		without(&want)
		have, err := Probe(want)
		if err != nil {
			t.Errorf("without something: %v", err)
		}
		if have != want {
			t.Errorf("got %+v, want %+v", have, want)
		}
	}
	if have, err := Probe(Features{}); err != nil || have != (Features{}) {
		t.Errorf("bare: %+v, %v", have, err)
	}
}
