package reactor

func addUringEngines(all map[string]Options) {
	all["uring"] = Options{Engine: "uring"}
	can, err := probed()
	if err != nil {
		return
	}
	// 6.1 to 6.11: buffers are used up by one receive each.
	plain := can
	plain.Incremental, plain.NoSQArray, plain.NoIowait = false, false, false
	all["uring-6.1"] = Options{Engine: "uring", uring: &plain}
	// 5.19: nothing but buffer rings and multishot accept.
	all["uring-5.19"] = Options{Engine: "uring", uring: &uringFeatures{MultishotAccept: true}}
}

// starved counts how often a connection of l found no buffer.
func starved(l *Loop) (n int64) {
	switch e := l.engine.(type) {
	case *uringEngine:
		n = e.starved
	case *epollEngine:
		n = e.starved
	default:
		n = 1 // every connection has its own buffer
	}
	return n
}
