package peer

import (
	"slices"
	"strings"
	"testing"

	"sherd/internal/load/request"
)

func TestParsePeer(t *testing.T) {
	cases := []struct {
		text     string
		protocol request.Protocol
		threads  int
		want     string // the command line, on port 7000 in /d
	}{
		{
			"redis-server=/opt/r/redis-server", request.Redis, 1,
			"/opt/r/redis-server|--port|7000|--bind|127.0.0.1|--save||--appendonly|no|--dir|/d",
		},
		{
			"valkey-server=valkey-server", request.Redis, 4,
			"valkey-server|--port|7000|--bind|127.0.0.1|--save||--appendonly|no|--dir|/d|--io-threads|4",
		},
		{
			"valkey-server=v --port {port} --io-threads {threads}", request.Redis, 4,
			"v|--port|7000|--io-threads|4",
		},
		{
			"memcached-1.6=/m", request.Memcache, 2,
			"/m|-p|7000|-U|0|-l|127.0.0.1|-t|2|-m|16384|-c|16384|-u|root",
		},
		{"mine=server -p {port} -t {threads} --name 'a b'", request.Redis, 3, "server|-p|7000|-t|3|--name|a b"},
		{"mine=server", request.Redis, 1, "server|--port|7000"},
		{"cache,memcached=c -p {port}", request.Memcache, 1, "c|-p|7000"},
	}
	for _, c := range cases {
		s, err := ParsePeer(c.text)
		if err != nil {
			t.Errorf("%q: %v", c.text, err)
			continue
		}
		args, err := s.args(7000, c.threads, "/d")
		if err != nil {
			t.Errorf("%q: %v", c.text, err)
		}
		if got := strings.Join(args, "|"); got != c.want || s.Protocol != c.protocol {
			t.Errorf("%q:\n got %s (%v)\nwant %s (%v)", c.text, got, s.Protocol, c.want, c.protocol)
		}
	}
	for _, bad := range []string{"", "redis-server", "=x", "a=", "a= ", "a,http=x", `a="x`} {
		if _, err := ParsePeer(bad); err == nil {
			t.Errorf("peer %q was taken", bad)
		}
	}
}

func TestFindUnknown(t *testing.T) {
	if _, err := Find("nosuch-server", t.TempDir()); err == nil || !strings.Contains(err.Error(), "--peer") {
		t.Errorf("error %v", err)
	}
	for _, name := range []string{"sherd", "redis-server", "valkey-server", "memcached", "dragonfly", "floor"} {
		if !slices.Contains(Known(), name) {
			t.Errorf("%s is not known by name", name)
		}
	}
}
