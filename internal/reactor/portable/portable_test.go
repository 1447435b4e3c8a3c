package portable

import (
	"net"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// next returns events one by one.
type next struct {
	p    *Poller
	left []Event
}

func (n *next) event(t *testing.T, want Kind) Event {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); len(n.left) == 0; {
		if time.Now().After(deadline) {
			t.Fatalf("no event, want %d", want)
		}
		n.left = append(n.left, n.p.Wait(time.Second)...)
	}
	e := n.left[0]
	n.left = n.left[1:]
	if e.Kind != want {
		t.Fatalf("event %+v, want %d", e, want)
	}
	return e
}

func TestStream(t *testing.T) {
	defer goleak.VerifyNone(t)
	p := New()
	events := &next{p: p}
	nl, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	a := p.Accept(nl, "listener")
	nc, err := net.Dial("tcp", nl.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	e := events.event(t, Accepted)
	if e.Owner != "listener" {
		t.Errorf("owner %v", e.Owner)
	}
	s := p.Open(e.Conn, "stream")

	if _, err := nc.Write([]byte("one")); err != nil {
		t.Fatal(err)
	}
	if e := events.event(t, Received); string(e.Data) != "one" || e.Owner != "stream" {
		t.Fatalf("event %+v", e)
	}
	s.Taken()
	s.Pause()
	s.Again() // nothing happens: it is paused
	if _, err := nc.Write([]byte("two")); err != nil {
		t.Fatal(err)
	}
	s.Send([]byte("reply"))
	events.event(t, Sent)
	if got := p.Wait(20 * time.Millisecond); len(got) != 0 {
		t.Fatalf("events in spite of the pause: %+v", got)
	}
	s.Resume()
	s.Again()
	if e := events.event(t, Received); string(e.Data) != "two" {
		t.Fatalf("event %+v", e)
	}
	s.Taken()
	s.Again()
	if err := nc.(*net.TCPConn).CloseWrite(); err != nil {
		t.Fatal(err)
	}
	events.event(t, EOF)
	s.Send([]byte("late"))
	events.event(t, Sent)
	s.Close()
	s.Close()
	events.event(t, Ended)
	got := make([]byte, 9)
	if _, err := nc.Read(got); err != nil || string(got[:5]) != "reply" {
		t.Errorf("got %q, %v", got, err)
	}
	a.Close()
	events.event(t, Done)
}

func TestWake(t *testing.T) {
	p := New()
	if got := p.Wait(0); len(got) != 0 {
		t.Fatal(got)
	}
	p.Wake()
	p.Wake()
	if got := p.Wait(-1); len(got) != 0 {
		t.Fatal(got)
	}
	go p.Wake()
	if got := p.Wait(-1); len(got) != 0 {
		t.Fatal(got)
	}
	begin := time.Now()
	if got := p.Wait(5 * time.Millisecond); len(got) != 0 || time.Since(begin) < 5*time.Millisecond {
		t.Errorf("%v after %v", got, time.Since(begin))
	}
}
