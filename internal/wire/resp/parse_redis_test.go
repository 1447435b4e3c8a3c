package resp

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"testing"
	"time"

	"sherd/internal/testserver"
)

// unknownReplies is what redis-server 7.0 replies to a stream none of whose
// commands it knows: it repeats their arguments, as far as they fit, so the
// replies show how it cut the stream up.
func unknownReplies(stream []byte, lim *Limits) []byte {
	var out []byte
	for len(stream) > 0 {
		args, n, st, err := Parse(stream, nil, lim)
		if st == Error {
			return AppendError(out, err.Error())
		}
		if st == Incomplete {
			return out
		}
		stream = stream[n:]
		if len(args) == 0 {
			continue
		}
		var list []byte
		for _, a := range args[1:] {
			if len(list) >= 128 {
				break
			}
			list = fmt.Appendf(list, "'%s' ", cString(a, 128-len(list)))
		}
		text := fmt.Appendf(nil, "ERR unknown command '%s', with args beginning with: %s", cString(args[0], 128), list)
		out = AppendError(out, string(bytes.TrimRight(text, "\r\n")))
	}
	return out
}

// cString is what C prints of a string of bytes.
func cString(b []byte, most int) []byte {
	if zero := bytes.IndexByte(b, 0); zero >= 0 {
		b = b[:zero]
	}
	return b[:min(len(b), most)]
}

// ask sends a stream, ends its side, and returns everything the server replies.
func ask(t *testing.T, addr string, stream []byte) []byte {
	t.Helper()
	c, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(30 * time.Second))
	if _, err := c.Write(stream); err != nil {
		t.Fatal(err)
	}
	_ = c.(*net.TCPConn).CloseWrite()
	out, err := io.ReadAll(c)
	if err != nil {
		t.Fatalf("%.60q: %v after %q", stream, err, out)
	}
	return out
}

// TestAgainstRedis sends the table's and random streams to a real server.
func TestAgainstRedis(t *testing.T) {
	open := testserver.Start(t, testserver.Options{Kind: testserver.Redis})
	locked := testserver.Start(t, testserver.Options{Kind: testserver.Redis, Args: []string{"--requirepass", "secret"}})
	lim := DefaultLimits()
	preAuth := lim.BeforeAuth()
	check := func(stream []byte) {
		t.Helper()
		if got, want := unknownReplies(stream, &lim), ask(t, open.Addr(), stream); !bytes.Equal(got, want) {
			t.Errorf("%.300q:\n here %q\nredis %q", stream, got, want)
		}
		if got, want := unknownReplies(stream, &preAuth), ask(t, locked.Addr(), stream); !bytes.Equal(got, want) {
			t.Errorf("%.300q, not authenticated:\n here %q\nredis %q", stream, got, want)
		}
	}
	for _, c := range requestCases {
		check([]byte(c.in))
	}
	for _, c := range preAuthCases {
		check([]byte(c.in))
	}
	r := rand.New(rand.NewPCG(testserver.Seed(t), 0))
	streams := 600 * testserver.Scale()
	if testing.Short() {
		streams = 100
	}
	for range streams {
		check(randomRequests(r))
	}
}
