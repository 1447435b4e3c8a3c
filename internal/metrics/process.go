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
	GoMallocs     int64 // objects ever allocated there; lags by what threads have not reported
	GoCollections int64 // cycles of the garbage collector
}

// ReadProcess asks for all of it. Where the system does not tell, fields stay 0.
func ReadProcess() Process {
	p := readSystem()
	s := []metrics.Sample{
		{Name: "/memory/classes/heap/objects:bytes"},
		{Name: "/gc/heap/allocs:objects"},
		{Name: "/gc/heap/tiny/allocs:objects"},
		{Name: "/gc/cycles/total:gc-cycles"},
	}
	metrics.Read(s) // unlike runtime.ReadMemStats, this stops no thread
	read := func(i int) int64 {
		if s[i].Value.Kind() != metrics.KindUint64 {
			return 0
		}
		return int64(s[i].Value.Uint64())
	}
	p.GoBytes, p.GoMallocs, p.GoCollections = read(0), read(1)+read(2), read(3)
	return p
}
