package selftest

import (
	"context"
	"testing"
	"time"
)

// The stall is made by the server's clock, so the open loop must see it on
// however slow a machine; nothing is asked of the closed loop, which a slow
// machine may disturb.
func TestOpenLoopReportsTheStall(t *testing.T) {
	const stall = 60 * time.Millisecond
	r, err := Run(context.Background(), Options{
		Stall: stall, Period: 5 * stall, Duration: 10 * stall, Rate: 1000,
	})
	if err != nil {
		t.Fatal(err)
	}
	if p99 := r.Open.Latency.P99; p99 < float64(stall.Microseconds())/2 {
		t.Errorf("open loop's p99 is %.0f µs, with a stall of %v", p99, stall)
	}
	t.Logf("stall %v: open p99 %.0f µs, closed p99 %.0f µs, findings %v", stall, r.Open.Latency.P99, r.Closed.Latency.P99, r.Findings)
}
