package portable

import (
	"errors"
	"net"
	"sync"
	"time"
)

// Kind says what an Event tells.
type Kind uint8

const (
	Received Kind = iota // Data arrived; the reader waits for Stream.Again
	EOF                  // the peer has shut down its side; the reader has ended
	Sent                 // the buffer handed to Stream.Send is written
	Failed               // reading or writing failed with Err
	Ended                // last event of a Stream: both goroutines are gone
	Accepted             // Conn was accepted by the Acceptor
	Refused              // accepting failed with Err; the Acceptor tries again after a pause
	Done                 // last event of an Acceptor
)

// Event is something that happened to a Stream or an Acceptor.
type Event struct {
	Kind  Kind
	Owner any // what the Stream or Acceptor was made for
	Data  []byte
	Conn  net.Conn
	Err   error
}

// Poller collects the events of one loop.
type Poller struct {
	mu     sync.Mutex
	events []Event // guarded by mu

	spare []Event       // the waiter's: the list it returned last
	awake chan struct{} // holds a token when there is something to look at
	timer *time.Timer   // the waiter's
}

// New makes a poller.
func New() *Poller {
	return &Poller{awake: make(chan struct{}, 1)}
}

// Wait returns the events that happened since the last call, waiting for one
// as long as timeout says: not at all for 0, without end when negative. The
// list is valid until the next call.
func (p *Poller) Wait(timeout time.Duration) []Event {
	if events := p.take(); len(events) > 0 || timeout == 0 {
		return events
	}
	if timeout < 0 {
		<-p.awake
		return p.take()
	}
	if p.timer == nil {
		p.timer = time.NewTimer(timeout)
	} else {
		p.timer.Reset(timeout)
	}
	select {
	case <-p.awake:
	case <-p.timer.C:
	}
	p.timer.Stop()
	return p.take()
}

func (p *Poller) take() []Event {
	clear(p.spare)
	p.mu.Lock()
	events := p.events
	p.events = p.spare[:0]
	p.mu.Unlock()
	p.spare = events
	return events
}

// Wake makes a Wait that sleeps, or the next one, return. Any goroutine.
func (p *Poller) Wake() {
	select {
	case p.awake <- struct{}{}:
	default:
	}
}

func (p *Poller) post(e Event) {
	p.mu.Lock()
	p.events = append(p.events, e)
	p.mu.Unlock()
	p.Wake()
}

// Acceptor accepts connections from a listener.
type Acceptor struct {
	p     *Poller
	nl    net.Listener
	owner any
	quit  chan struct{}
}

// Accept starts to accept from nl.
func (p *Poller) Accept(nl net.Listener, owner any) *Acceptor {
	a := &Acceptor{p: p, nl: nl, owner: owner, quit: make(chan struct{})}
	go a.run()
	return a
}

// Close closes the listener; Done follows.
func (a *Acceptor) Close() {
	close(a.quit)
	_ = a.nl.Close()
}

func (a *Acceptor) run() {
	defer a.p.post(Event{Kind: Done, Owner: a.owner})
	for pause := time.Duration(0); ; {
		nc, err := a.nl.Accept()
		if err == nil {
			pause = 0
			a.p.post(Event{Kind: Accepted, Owner: a.owner, Conn: nc})
			continue
		}
		if errors.Is(err, net.ErrClosed) {
			return
		}
		a.p.post(Event{Kind: Refused, Owner: a.owner, Err: err})
		pause = min(max(2*pause, 10*time.Millisecond), time.Second)
		select {
		case <-time.After(pause):
		case <-a.quit:
			return
		}
	}
}
