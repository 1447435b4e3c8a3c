package reactor

import (
	"io"
	"net"
	"testing"
	"time"
)

type echo struct{}

func (echo) Opened(c *Conn) { c.Data = new([]byte) }
func (echo) Received(c *Conn, b []byte) {
	p := c.Data.(*[]byte)
	*p = append(*p, b...)
	if !c.Sending() {
		o := *p
		*p = nil
		c.Send(o)
	}
}
func (echo) EOF(c *Conn) { c.Close() }
func (echo) Sent(c *Conn, b []byte) {
	p := c.Data.(*[]byte)
	if len(*p) > 0 {
		o := *p
		*p = nil
		c.Send(o)
	}
}
func (echo) Closed(c *Conn, err error) {}
func (echo) Turn() time.Duration       { return -1 }

func TestSmoke(t *testing.T) {
	for _, e := range []string{"uring", "epoll", "portable"} {
		t.Run(e, func(t *testing.T) {
			g, err := New(Options{Engine: e, Threads: 2, NewHandler: func(l *Loop) Handler { return echo{} }})
			if err != nil {
				t.Fatal(err)
			}
			if err := g.Start(); err != nil {
				t.Fatal(err)
			}
			ln, err := g.Listen("tcp", "127.0.0.1:0", 0, 0)
			if err != nil {
				t.Fatal(err)
			}
			for i := 0; i < 4; i++ {
				c, err := net.Dial("tcp", ln.Addr().String())
				if err != nil {
					t.Fatal(err)
				}
				c.Write([]byte("hello"))
				b := make([]byte, 5)
				if _, err := io.ReadFull(c, b); err != nil || string(b) != "hello" {
					t.Fatal(err)
				}
				defer c.Close()
			}
			g.Stop()
		})
	}
}
