package testserver

import (
	"bufio"
	"errors"
	"io"
	"net"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"
)

// clientTimeout bounds every exchange of a Client, so that a server that
// never answers fails the test instead of hanging it.
const clientTimeout = 60 * time.Second

// A Client is one connection to a server, for one goroutine at a time.
type Client struct {
	net.Conn
	In      *bufio.Reader
	out     []byte
	Timeout time.Duration // of one exchange; 0: a minute
}

// Dial connects to the server's TCP port; the connection is closed when the
// test ends.
func (s *Server) Dial(tb testing.TB) *Client {
	tb.Helper()
	c, err := Connect("tcp", s.Addr())
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = c.Close() })
	return c
}

// Connect connects to an address of network "tcp" or "unix".
func Connect(network, addr string) (*Client, error) {
	c, err := net.DialTimeout(network, addr, 10*time.Second)
	if err != nil {
		return nil, err
	}
	return &Client{Conn: c, In: bufio.NewReaderSize(c, 64<<10)}, nil
}

// AppendCommand appends a command as an array of bulk strings.
func AppendCommand(dst []byte, args ...string) []byte {
	dst = append(dst, '*')
	dst = strconv.AppendInt(dst, int64(len(args)), 10)
	dst = append(dst, "\r\n"...)
	for _, a := range args {
		dst = append(dst, '$')
		dst = strconv.AppendInt(dst, int64(len(a)), 10)
		dst = append(dst, "\r\n"...)
		dst = append(dst, a...)
		dst = append(dst, "\r\n"...)
	}
	return dst
}

// Queue adds a command to the pipeline that Flush sends.
func (c *Client) Queue(args ...string) { c.out = AppendCommand(c.out, args...) }

// Flush sends the queued commands.
func (c *Client) Flush() error {
	c.arm()
	_, err := c.Write(c.out)
	c.out = c.out[:0]
	return err
}

// Receive reads one reply.
func (c *Client) Receive() (Reply, error) {
	c.arm()
	return ReadReply(c.In)
}

func (c *Client) arm() {
	t := c.Timeout
	if t == 0 {
		t = clientTimeout
	}
	_ = c.SetDeadline(time.Now().Add(t))
}

// Try sends one command and reads its reply.
func (c *Client) Try(args ...string) (Reply, error) {
	c.Queue(args...)
	if err := c.Flush(); err != nil {
		return Reply{}, err
	}
	return c.Receive()
}

// Do is Try that fails the test on an I/O or protocol error.
func (c *Client) Do(tb testing.TB, args ...string) Reply {
	tb.Helper()
	v, err := c.Try(args...)
	if err != nil {
		tb.Fatalf("%.200q: %v (received %.200q)", args, err, v.Raw)
	}
	return v
}

// Want is Do that fails the test unless the reply reads as want (see
// Reply.String).
func (c *Client) Want(tb testing.TB, want string, args ...string) {
	tb.Helper()
	if got := c.Do(tb, args...).String(); got != want {
		tb.Errorf("%.200q: got %s, want %s", args, got, want)
	}
}

// Closed waits until the server closes the connection, and says whether it
// did within d. What it still sends is dropped.
func (c *Client) Closed(d time.Duration) bool {
	_ = c.SetDeadline(time.Now().Add(d))
	_, err := io.Copy(io.Discard, c.In)
	return err == nil || !errors.Is(err, os.ErrDeadlineExceeded)
}

// Info asks for INFO of a section and returns its fields.
func (c *Client) Info(tb testing.TB, section string) map[string]string {
	tb.Helper()
	fields := map[string]string{}
	for l := range strings.Lines(c.Do(tb, "INFO", section).Text()) {
		if name, value, ok := strings.Cut(strings.TrimRight(l, "\r\n"), ":"); ok && name[0] != '#' {
			fields[name] = value
		}
	}
	return fields
}

// InfoInt is one field of INFO as a number; -1 when it is missing.
func (c *Client) InfoInt(tb testing.TB, section, field string) int64 {
	tb.Helper()
	n, err := strconv.ParseInt(c.Info(tb, section)[field], 10, 64)
	if err != nil {
		return -1
	}
	return n
}
