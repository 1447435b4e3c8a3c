// Package load is what sherd-bench is made of. It measures servers from the
// outside, over real sockets, and shares only the wire codec and the reactor
// with the server it is named after.
//
//	gen ── keyspace   which key comes next
//	    ├─ request    the bytes of the next request, patched from a template
//	    ├─ reply      what came back: how many replies, errors, misses
//	    └─ latency    histograms
//	floor             a server on the same reactor that answers a constant
//	peer              starts, pins, reads and ends a server process
//	compare           interleaved rounds over several peers
//	figures           the table of figures sherd must reach
//	plot              SVG
//
// # Terms
//
// A closed loop has a fixed number of connections; each sends a batch of
// requests (the pipeline), waits for all replies, and sends the next one. It
// finds out how fast a server can be, and it is blind to stalls: while the
// server stands still, nothing is sent, so few requests see the stall.
//
// An open loop has a schedule. A batch is due at a fixed time whether or not
// the server has answered the ones before, and its latency runs from the time
// it was due. It finds out how long users wait.
//
// Lateness is the generator's own fault: the time from when a batch was due
// and had a free connection until it was sent. A gap is the time between two
// turns of a generator's loop. Both are reported beside the latencies, and
// requests that were under way during a long gap are counted as disturbed and
// kept apart in a second histogram, so that the generator's noise is not taken
// for the server's.
package load
