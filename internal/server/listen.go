package server

import (
	"errors"
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"sherd/internal/config"
	"sherd/internal/reactor"
)

// endpoint is what the directives say to listen on.
type endpoint struct {
	network  string
	host     string // of a unix socket: its path
	port     int
	optional bool // nothing is wrong if this host has no such address
}

// listening is an endpoint that is listened on.
type listening struct {
	at endpoint
	l  *reactor.Listener
}

func (e endpoint) same(o endpoint) bool {
	return e.network == o.network && e.host == o.host && e.port == o.port
}

func (e endpoint) String() string {
	if e.network == "unix" {
		return e.host
	}
	return fmt.Sprintf("%s port %d", e.host, e.port)
}

// endpoints lists what the bind directive asks for at a port.
func endpoints(bind []config.Address, port int) []endpoint {
	out := make([]endpoint, 0, len(bind))
	for _, a := range bind {
		network, host := split(a.Host)
		out = append(out, endpoint{network, host, port, a.Optional})
	}
	return out
}

// split turns a word of the bind directive into a network and a host.
func split(host string) (network, addr string) {
	switch host {
	case "*":
		return "tcp4", "0.0.0.0"
	case "::*":
		return "tcp6", "::"
	}
	if ip := net.ParseIP(host); ip != nil && ip.To4() == nil {
		return "tcp6", host
	}
	return "tcp", host
}

// open listens on one endpoint; nil without an error: it is optional, and not
// there.
func (s *Server) open(set *config.Settings, e endpoint) (*reactor.Listener, error) {
	address, perm := e.host, set.UnixSocketPerm
	if e.network != "unix" {
		address, perm = net.JoinHostPort(e.host, strconv.Itoa(e.port)), 0
	}
	l, err := s.group.Listen(e.network, address, set.TCPBacklog, perm)
	switch {
	case err == nil:
		return l, nil
	case e.optional && (errors.Is(err, syscall.EADDRNOTAVAIL) || errors.Is(err, syscall.EAFNOSUPPORT)):
		return nil, nil
	}
	return nil, fmt.Errorf("could not listen on %v: %w", e, plain(err))
}

// plain drops what the operating system says twice.
func plain(err error) error {
	if errors.Is(err, syscall.EADDRINUSE) {
		return addressInUse{err}
	}
	return err
}

// addressInUse is an error of a listener in plain words.
type addressInUse struct{ error }

func (addressInUse) Error() string   { return "the address is already in use" }
func (e addressInUse) Unwrap() error { return e.error }

// listen opens every address of the bind directive and the unix socket.
func (s *Server) listen(set *config.Settings) error {
	if set.Port != 0 || s.anyPort {
		list := endpoints(set.Bind, set.Port)
		opened := 0
		for i := range list {
			l, err := s.open(set, list[i])
			if err != nil {
				return err
			}
			if l == nil {
				continue
			}
			opened++
			if list[i].port == 0 { // the same for all addresses
				for j := i; j < len(list); j++ {
					list[j].port = l.Addr().(*net.TCPAddr).Port
				}
			}
			s.listeners = append(s.listeners, listening{list[i], l})
		}
		if opened == 0 && len(list) > 0 {
			return fmt.Errorf("no address of the bind directive can be listened on at port %d", set.Port)
		}
	}
	if set.UnixSocket != "" {
		e := endpoint{network: "unix", host: set.UnixSocket}
		l, err := s.open(set, e)
		if err != nil {
			return err
		}
		s.listeners = append(s.listeners, listening{e, l})
	}
	return nil
}

// relisten follows a change of port and bind: what is new is opened, then what
// is gone is closed, so that a failure changes nothing. Where both cannot be
// open at once (an address and all addresses, on one port) the old ones are
// closed first, and opened again after a failure. It waits for loop 0, so it
// must not run on a loop.
func (s *Server) relisten(old, next *config.Settings) error {
	if old.Port == next.Port && slices.Equal(old.Bind, next.Bind) {
		return nil
	}
	s.changing.Lock()
	defer s.changing.Unlock()
	if s.closing.Load() {
		return errors.New("the server is stopping")
	}
	port := next.Port
	if port == 0 && old.Port == 0 && s.anyPort {
		port = s.port()
	}
	var want []endpoint
	if port != 0 {
		want = endpoints(next.Bind, port)
	}
	var keep, surplus []listening
	for _, l := range s.listeners {
		if l.at.network == "unix" || slices.ContainsFunc(want, l.at.same) {
			keep = append(keep, l)
		} else {
			surplus = append(surplus, l)
		}
	}
	want = slices.DeleteFunc(want, func(e endpoint) bool {
		return slices.ContainsFunc(keep, func(l listening) bool { return l.at.same(e) })
	})
	opened, err := s.openAll(next, want)
	if err == nil && len(opened) == 0 && len(want) > 0 && len(keep) == 0 {
		err = errors.New("no address of the bind directive can be listened on")
	}
	if errors.Is(err, syscall.EADDRINUSE) && old.Port == next.Port && len(surplus) > 0 {
		closeAll(surplus)
		if opened, err = s.openAll(next, want); err != nil {
			again, lost := s.openAll(old, specs(surplus))
			if lost != nil {
				s.log.Error("an address that was listened on is lost", "error", lost)
			}
			s.setListeners(again, keep)
		}
		surplus = nil
	}
	if err != nil {
		s.log.Warn("the listeners stay what they were", "error", err)
		if old.Port != next.Port {
			return config.Veto("port", "Unable to listen on this port. Check server logs.")
		}
		return config.Veto("bind", "Failed to bind to specified addresses.")
	}
	s.setListeners(opened, keep)
	closeAll(surplus)
	return nil
}

// openAll opens all endpoints or none.
func (s *Server) openAll(set *config.Settings, list []endpoint) (opened []listening, err error) {
	for _, e := range list {
		l, err := s.open(set, e)
		if err != nil {
			closeAll(opened)
			return nil, err
		}
		if l != nil {
			opened = append(opened, listening{e, l})
		}
	}
	return opened, nil
}

func closeAll(list []listening) {
	for _, l := range list {
		l.l.Close()
	}
}

func specs(list []listening) (out []endpoint) {
	for _, l := range list {
		out = append(out, l.at)
	}
	return out
}

// setListeners replaces the list; TCP comes before the unix socket.
func (s *Server) setListeners(lists ...[]listening) {
	all := slices.Concat(lists...)
	slices.SortStableFunc(all, func(a, b listening) int {
		return b2i(a.at.network == "unix") - b2i(b.at.network == "unix")
	})
	s.mu.Lock()
	defer s.mu.Unlock()
	s.listeners = all
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// port is the TCP port listened on, 0 when there is none.
func (s *Server) port() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, l := range s.listeners {
		if a, ok := l.l.Addr().(*net.TCPAddr); ok {
			return a.Port
		}
	}
	return 0
}

// addresses lists everything listened on.
func (s *Server) addresses() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	names := make([]string, len(s.listeners))
	for i, l := range s.listeners {
		names[i] = l.l.Addr().String()
	}
	return strings.Join(names, ", ")
}
