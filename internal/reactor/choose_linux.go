package reactor

import "fmt"

// uringFeatures is a set of things that newer kernels' io_uring offers.
type uringFeatures uint32

// chooseEngine settles the engine, and why it is not a better one.
func chooseEngine(o *Options) (engine, why string, err error) {
	switch o.Engine {
	case "", "auto", "uring":
		return "epoll", "io_uring is not built yet", nil
	case "epoll", "portable":
		return o.Engine, "", nil
	}
	return "", "", fmt.Errorf("reactor: engine must be auto, uring, epoll or portable, not %q", o.Engine)
}

func newEngine(name string, l *Loop) engine {
	switch name {
	case "epoll":
		return &epollEngine{l: l}
	}
	return newPortableEngine(l)
}
