// Package workload is what a user asks for: commands as text, a ratio, keys
// and sizes. It is compiled once per protocol that is spoken.
package workload

import (
	"fmt"

	"sherd/internal/load/keyspace"
	"sherd/internal/load/request"
)

// Spec describes the requests of a run.
type Spec struct {
	// Commands with placeholders; none: GET and SET (get and set).
	Commands []string
	// Ratio has a weight per command, in their order; GET:SET when there are
	// no Commands. A command of weight 0 is left out.
	Ratio []int

	Keys      keyspace.Spec
	DataMin   int
	DataMax   int
	ExpirySec int // what SET stores expires after so many seconds; 0: never

	// Fill is the command that stores what a key's number stands for: a key, or an
	// element of a container; empty: SET.
	Fill string
}

// Compile prepares the requests for a protocol.
func (s *Spec) Compile(p request.Protocol) (*request.Mix, request.Options, error) {
	o := request.Options{Protocol: p, Keys: s.Keys, DataMin: s.DataMin, DataMax: s.DataMax}
	if s.DataMin < 0 || s.DataMax < s.DataMin || s.DataMax > 512<<20 {
		return nil, o, fmt.Errorf("value size %d–%d is out of range", s.DataMin, s.DataMax)
	}
	if s.Keys.Count == 0 {
		return nil, o, fmt.Errorf("no keys to choose from")
	}
	texts := s.Commands
	if len(texts) == 0 {
		get, set := request.GetSet(p, s.ExpirySec)
		texts = []string{get, set}
	}
	ratio := s.Ratio
	if len(ratio) == 0 {
		for range texts {
			ratio = append(ratio, 1)
		}
	}
	if len(ratio) != len(texts) {
		return nil, o, fmt.Errorf("a ratio of %d parts for %d commands", len(ratio), len(texts))
	}
	var commands []*request.Command
	for i, text := range texts {
		if ratio[i] == 0 {
			continue
		}
		c, err := request.Compile(text, ratio[i], o)
		if err != nil {
			return nil, o, err
		}
		commands = append(commands, c)
	}
	mix, err := request.NewMix(commands)
	return mix, o, err
}

// Prefill is the workload that stores every key of s once, in order.
func (s *Spec) Prefill() *Spec {
	p := *s
	p.Commands, p.Ratio = nil, []int{0, 1}
	if s.Fill != "" {
		p.Commands, p.Ratio = []string{s.Fill}, nil
	}
	p.Keys.Dist = keyspace.Sequential
	return &p
}
