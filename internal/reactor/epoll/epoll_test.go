//go:build linux

package epoll

import (
	"errors"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

func poller(t *testing.T) *Poller {
	t.Helper()
	p, err := New()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p
}

// wait returns the only event that comes.
func wait(t *testing.T, p *Poller) *Event {
	t.Helper()
	events := make([]Event, 4)
	for range 100 { // signals cut a wait short
		n, err := p.Wait(events, 100*time.Millisecond, false)
		if err != nil || n > 1 {
			t.Fatalf("%d events, %v", n, err)
		}
		if n == 1 {
			return &events[0]
		}
	}
	t.Fatal("no event")
	return nil
}

func none(t *testing.T, p *Poller) {
	t.Helper()
	events := make([]Event, 4)
	if n, err := p.Wait(events, 0, false); n != 0 || err != nil {
		t.Fatalf("%d events, tag %x, %v", n, events[0].Tag(), err)
	}
}

func TestEdges(t *testing.T) {
	p := poller(t)
	sp, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(sp[0])
	const tag = 0x0102030405060708
	if err := p.Add(sp[0], Readable, tag); err != nil {
		t.Fatal(err)
	}
	none(t, p)
	buf := make([]byte, 16)
	if n, errno := Receive(sp[0], buf); !errors.Is(errno, unix.EAGAIN) {
		t.Errorf("received %d, %v", n, errno)
	}
	for range 2 {
		if n, errno := Send(sp[1], []byte("hello")); n != 5 || errno != 0 {
			t.Fatalf("sent %d, %v", n, errno)
		}
		if e := wait(t, p); e.Tag() != tag || e.Mask() != unix.EPOLLIN {
			t.Errorf("tag %x, mask %x", e.Tag(), e.Mask())
		}
		none(t, p) // it was reported, read or not
	}
	if n, errno := Receive(sp[0], buf); n != 10 || errno != 0 {
		t.Errorf("received %d, %v", n, errno)
	}
	if err := p.Modify(sp[0], Readable|Writable, tag); err != nil {
		t.Fatal(err)
	}
	if e := wait(t, p); e.Mask() != unix.EPOLLOUT {
		t.Errorf("mask %x", e.Mask())
	}
	_ = unix.Close(sp[1])
	if e := wait(t, p); e.Mask()&EventIn == 0 {
		t.Errorf("mask %x", e.Mask())
	}
	if n, errno := Receive(sp[0], buf); n != 0 || errno != 0 {
		t.Errorf("received %d, %v", n, errno)
	}
	if _, errno := Send(sp[0], buf); !errors.Is(errno, unix.EPIPE) {
		t.Errorf("sent to a closed peer: %v", errno)
	}
	if err := p.Remove(sp[0]); err != nil {
		t.Fatal(err)
	}
	none(t, p)
}

func TestWake(t *testing.T) {
	p := poller(t)
	none(t, p)
	for range 3 {
		p.Wake()
		if e := wait(t, p); e.Tag() != WakeTag {
			t.Errorf("tag %x", e.Tag())
		}
		none(t, p)
	}
	go p.Wake()
	events := make([]Event, 4)
	for {
		n, err := p.Wait(events, -1, false)
		if err != nil {
			t.Fatal(err)
		}
		if n == 1 {
			break
		}
	}
}

func TestTimeout(t *testing.T) {
	for _, coarse := range []bool{false, true} {
		p := poller(t)
		p.coarse = coarse
		const nap = 3500 * time.Microsecond
		begin := time.Now()
		for range 10 {
			if n, err := p.Wait(make([]Event, 1), nap, false); n != 0 || err != nil {
				t.Fatalf("%d events, %v", n, err)
			}
		}
		if d := time.Since(begin); d < 5*nap { // signals cut some short
			t.Errorf("ten times %v took %v", nap, d)
		}
	}
}
