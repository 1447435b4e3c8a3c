package metrics

import "runtime/metrics"

// Process is what the operating system and the Go runtime say of the process.
type Process struct {
	OS            string
	RSSBytes      int64
	TotalMemory   int64 // of the machine
	UserSeconds   float64
	SystemSeconds float64
	GoBytes       int64 // live and not yet collected objects of the Go heap
}

// ReadProcess asks for all of it. Where the system does not tell, fields stay 0.
func ReadProcess() Process {
	p := readSystem()
	s := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(s)
	if s[0].Value.Kind() == metrics.KindUint64 {
		p.GoBytes = int64(s[0].Value.Uint64())
	}
	return p
}
