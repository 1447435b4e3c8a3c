package testserver

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// A Proxy stands between a test and a server and can make the server look
// broken: it shows that a test catches what it is there to catch. It handles
// one command of a connection after the other.
type Proxy struct {
	// Expand says what is sent in a command's stead, one after the other, each
	// waiting for its reply; the last reply is the client's. nil: the command
	// itself. Called by one goroutine per connection.
	Expand func(args []string) [][]string
	// Alter changes the bytes of a reply. nil: unchanged. Called like Expand,
	// with the client's command.
	Alter func(args []string, reply Reply) []byte

	listener net.Listener
	server   string
	conns    sync.WaitGroup
}

// Start listens on a free port in front of s until the test ends.
func (p *Proxy) Start(tb testing.TB, s *Server) {
	tb.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	p.listener, p.server = l, s.Addr()
	p.conns.Add(1)
	go p.accept()
	tb.Cleanup(func() { _ = l.Close() })
}

// Addr is the address that clients connect to.
func (p *Proxy) Addr() string { return p.listener.Addr().String() }

func (p *Proxy) accept() {
	defer p.conns.Done()
	for {
		c, err := p.listener.Accept()
		if err != nil {
			return
		}
		p.conns.Add(1)
		go func() {
			defer p.conns.Done()
			defer func() { _ = c.Close() }()
			_ = p.serve(c) // an error ends the connection: that is all a client may see of it
		}()
	}
}

func (p *Proxy) serve(c net.Conn) error {
	up, err := Connect("tcp", p.server)
	if err != nil {
		return err
	}
	defer func() { _ = up.Close() }()
	in, out := bufio.NewReaderSize(c, 64<<10), bufio.NewWriter(c)
	for {
		args, err := ReadCommand(in)
		if err != nil {
			return err
		}
		commands := [][]string{args}
		if p.Expand != nil {
			if x := p.Expand(args); x != nil {
				commands = x
			}
		}
		var v Reply
		for _, cmd := range commands {
			if v, err = up.Try(cmd...); err != nil {
				return err
			}
		}
		raw := v.Raw
		if p.Alter != nil {
			if b := p.Alter(args, v); b != nil {
				raw = b
			}
		}
		if _, err := out.Write(raw); err != nil {
			return err
		}
		quit := strings.EqualFold(args[0], "QUIT")
		if in.Buffered() == 0 || quit {
			if err := out.Flush(); err != nil || quit {
				return err
			}
		}
	}
}

// ReadCommand reads one command sent as an array of bulk strings.
func ReadCommand(r *bufio.Reader) ([]string, error) {
	length := func(kind byte) (int, error) {
		l, err := r.ReadString('\n')
		if err != nil {
			return 0, err
		}
		if l[0] != kind {
			return 0, fmt.Errorf("want %c, got %q", kind, l)
		}
		return strconv.Atoi(strings.TrimSpace(l[1:]))
	}
	n, err := length('*')
	if err != nil {
		return nil, err
	}
	args := make([]string, n)
	for i := range args {
		size, err := length('$')
		if err != nil {
			return nil, err
		}
		b := make([]byte, size+2)
		if _, err := io.ReadFull(r, b); err != nil {
			return nil, err
		}
		args[i] = string(b[:size])
	}
	return args, nil
}
