package config

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"sherd/internal/glob"
)

// Pair is a directive's name and a value.
type Pair struct{ Name, Value string }

// state holds the values of one moment. It is immutable once a Settings
// refers to it.
type state struct {
	text  []string           // by Directive.index
	lines map[int][][]string // of repeated directives
}

func defaults() *state {
	st := &state{text: make([]string, len(table)), lines: map[int][][]string{}}
	for i, d := range table {
		st.text[i] = d.Default
	}
	dir, err := filepath.Abs(".")
	if err != nil {
		dir = "."
	}
	st.text[mustLookup("dir").index] = dir
	return st
}

func (st *state) clone() *state {
	return &state{text: slices.Clone(st.text), lines: maps.Clone(st.lines)}
}

// Hook is told about a change before it takes effect. It applies what needs
// applying, and may veto with an error (Veto names the directive at fault);
// hooks called before it are then called again with old and new exchanged,
// and must not fail.
type Hook func(old, new *Settings) error

// Store holds the settings in force. All methods may be called by any
// goroutine.
type Store struct {
	current atomic.Pointer[Settings]

	mu    sync.Mutex // held while settings change or a file is rewritten
	hooks []Hook     // under mu
	after []func()   // under mu
	file  string     // absolute path of the configuration file, or ""

	notes []string // written before the store is shared
}

// New makes a store with the defaults and, on top of them, pairs, which may
// name immutable directives: it is the embedded server's command line.
func New(pairs ...Pair) (*Store, error) {
	r := newReader()
	for _, p := range pairs {
		if err := r.pair(p); err != nil {
			return nil, err
		}
	}
	return r.store(), nil
}

// Current gives the settings in force: one atomic load.
func (s *Store) Current() *Settings { return s.current.Load() }

// OnChange adds a hook. Hooks run in the order they were added, one change
// at a time. A hook must not call Set or Rewrite.
func (s *Store) OnChange(h Hook) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hooks = append(s.hooks, h)
}

// AfterChange adds a function that is called when changed settings are in force.
func (s *Store) AfterChange(f func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.after = append(s.after, f)
}

// File is the absolute path of the configuration file, or "".
func (s *Store) File() string { return s.file }

// Notes are remarks of the start worth a line in the log each: directives
// that were set but have no effect yet.
func (s *Store) Notes() []string { return s.notes }

// Client is what CONFIG SET needs to know about who asks.
type Client struct {
	Local   bool // loopback or unix socket
	Loading bool // the server is loading its data
}

// SetError is why CONFIG SET changed nothing. Its text is the reply without
// the "ERR " in front of it.
type SetError struct {
	Name   string // the argument at fault
	Reason string
	reply  string
}

func (e *SetError) Error() string { return e.reply }

// ErrLoading is what Set gives when a directive cannot be set while data is
// loaded: the reply is the server's -LOADING error.
var ErrLoading = fmt.Errorf("config: not while loading")

// Veto makes an error for a Hook: name is the directive at fault, reason
// what CONFIG SET answers.
func Veto(name, reason string) error { return &vetoError{name, reason} }

type vetoError struct{ name, reason string }

func (e *vetoError) Error() string { return e.name + ": " + e.reason }

func failed(name, reason string) *SetError {
	return &SetError{
		Name: name, Reason: reason,
		reply: fmt.Sprintf("CONFIG SET failed (possibly related to argument '%s') - %s", name, reason),
	}
}

// Set changes directives as CONFIG SET does: all of the pairs or none.
func (s *Store) Set(pairs []Pair, who Client) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	old := s.Current()
	set, err := resolve(pairs, who, old.EnableProtected)
	if err != nil {
		return err
	}
	next := old.state.clone()
	for i, d := range set {
		words := []string{pairs[i].Value}
		if d.Has(Multi) {
			words = splitSpaces(pairs[i].Value)
		}
		text, reason := d.parse(next.text[d.index], words, false)
		if reason == "" {
			reason = d.refuses(text)
		}
		if reason != "" {
			return failed(strings.ToLower(pairs[i].Name), reason)
		}
		next.text[d.index] = text
	}
	return s.swap(old, build(next), set)
}

// splitSpaces parts a value at every single space, as CONFIG SET does.
func splitSpaces(value string) []string {
	if value == "" {
		return nil
	}
	return strings.Split(value, " ")
}

// resolve finds the directives of the pairs and whether each may be set.
func resolve(pairs []Pair, who Client, protected Access) ([]*Directive, error) {
	set := make([]*Directive, 0, len(pairs))
	for _, p := range pairs {
		d := lookup(p.Name)
		switch {
		case d == nil || d.Has(Repeated):
			return nil, &SetError{
				Name: p.Name, Reason: "unknown",
				reply: fmt.Sprintf("Unknown option or number of arguments for CONFIG SET - '%s'", p.Name),
			}
		case d.Has(Immutable):
			return nil, failed(p.Name, "can't set immutable config")
		case d.Has(Protected) && !protected.Allows(who.Local):
			return nil, failed(p.Name, "can't set protected config")
		case d.Has(NotLoading) && who.Loading:
			return nil, ErrLoading
		case slices.Contains(set, d):
			return nil, failed(p.Name, "duplicate parameter")
		}
		set = append(set, d)
	}
	return set, nil
}

// swap runs the hooks and makes next the settings in force. mu is held.
func (s *Store) swap(old, next *Settings, set []*Directive) error {
	for i, h := range s.hooks {
		err := h(old, next)
		if err == nil {
			continue
		}
		for j := i - 1; j >= 0; j-- {
			_ = s.hooks[j](next, old)
		}
		if v, ok := err.(*vetoError); ok {
			return failed(v.name, v.reason)
		}
		return failed(set[0].Name, err.Error())
	}
	s.current.Store(next)
	for _, f := range s.after {
		f()
	}
	return nil
}

// IsSensitive tells whether the value of a directive must not reach a log,
// SLOWLOG or MONITOR.
func IsSensitive(name string) bool {
	d := lookup(name)
	return d != nil && d.Has(Sensitive)
}

// Get answers CONFIG GET: every visible directive whose name matches one of
// the patterns, each once.
func (s *Store) Get(patterns []string) []Pair {
	st := s.Current().state
	var out []Pair
	for _, d := range table {
		if d.Has(Repeated) {
			continue
		}
		for _, name := range append([]string{d.Name}, d.Aliases...) {
			for _, p := range patterns {
				if matches(d, p, name) {
					out = append(out, Pair{name, st.text[d.index]})
					break
				}
			}
		}
	}
	return out
}

// matches tells whether a pattern of CONFIG GET picks a name. A pattern
// without magic is a name, and a hidden directive has to be asked for so.
func matches(d *Directive, pattern, name string) bool {
	if d.Has(Hidden) || !strings.ContainsAny(pattern, "*?[") {
		return strings.EqualFold(pattern, name)
	}
	return glob.Match([]byte(pattern), []byte(name), true)
}

// hidden stands in logs for the value of a sensitive directive.
const hidden = "(hidden)"

// Changes lists the directives whose values differ, with their new values
// fit for a log.
func Changes(old, next *Settings) []Pair {
	var out []Pair
	for i, d := range table {
		if old.state.text[i] == next.state.text[i] {
			continue
		}
		p := Pair{d.Name, next.state.text[i]}
		if d.Has(Sensitive) {
			p.Value = hidden
		}
		out = append(out, p)
	}
	return out
}

// Rewrite brings the configuration file up to the settings in force.
func (s *Store) Rewrite() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.rewrite()
}
