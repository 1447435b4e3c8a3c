// Package clients uses the server with the clients that people use: go-redis
// and rueidis here, ioredis and node-redis under node, redis-cli and
// redis-benchmark where they are installed.
package clients

import (
	"context"
	"testing"
	"time"

	"sherd/internal/testserver"
)

func TestMain(m *testing.M) { testserver.Main(m) }

// each runs a test over every engine.
func each(t *testing.T, o testserver.Options, f func(t *testing.T, srv *testserver.Server)) {
	for _, engine := range testserver.Engines() {
		name := engine
		if name == "" {
			name = string(testserver.Default())
		}
		t.Run(name, func(t *testing.T) {
			o := o
			o.Engine = engine
			f(t, testserver.Start(t, o))
		})
	}
}

// soon is a context for everything that one test asks of a client.
func soon(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	return ctx
}
