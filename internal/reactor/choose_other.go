//go:build !linux

package reactor

import "fmt"

type uringFeatures struct{}

func chooseEngine(o *Options) (engine, why string, err error) {
	switch o.Engine {
	case "", "auto":
		return "portable", "io_uring and epoll exist on Linux only", nil
	case "portable":
		return "portable", "", nil
	case "uring", "epoll":
		return "", "", fmt.Errorf("reactor: engine %s exists on Linux only", o.Engine)
	}
	return "", "", fmt.Errorf("reactor: engine must be auto, uring, epoll or portable, not %q", o.Engine)
}

func newEngine(_ string, l *Loop) engine { return newPortableEngine(l) }
