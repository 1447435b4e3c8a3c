package reactor

import (
	"fmt"
	"sync"

	"sherd/internal/reactor/uring"
)

// uringFeatures are what newer kernels' io_uring offers.
type uringFeatures = uring.Features

// probed is what this kernel's io_uring can do. Kernels do not change while a
// program runs.
var probed = sync.OnceValues(func() (uring.Features, error) { return uring.Probe(uring.All) })

// chooseEngine settles the engine, and why it is not a better one.
func chooseEngine(o *Options) (engine, why string, err error) {
	switch o.Engine {
	case "", "auto", "uring":
	case "epoll", "portable":
		return o.Engine, "", nil
	default:
		return "", "", fmt.Errorf("reactor: engine must be auto, uring, epoll or portable, not %q", o.Engine)
	}
	if o.uring == nil {
		features, err := probed()
		if err != nil && o.Engine == "uring" {
			return "", "", fmt.Errorf("reactor: %w", err)
		}
		if err != nil {
			return "epoll", err.Error(), nil
		}
		o.uring = &features
	}
	return "uring", "", nil
}

func newEngine(name string, l *Loop) engine {
	switch name {
	case "uring":
		return &uringEngine{l: l, features: *l.group.options.uring}
	case "epoll":
		return &epollEngine{l: l}
	}
	return newPortableEngine(l)
}
