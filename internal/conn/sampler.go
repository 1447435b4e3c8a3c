package conn

import "sherd/internal/command"

// sampler keeps the rates of the last one to two seconds. It needs no timer: a
// loop that takes turns samples as it goes, and an idle one has nothing to add.
type sampler struct {
	ring [samples]sample
	next int
}

type sample struct {
	atMs              int64
	commands, in, out int64
}

const (
	samples      = 16
	sampleEachMs = 100
)

// sample notes the counters if the last note is old enough.
func (p *sampler) sample(nowMs int64, s *command.Stats) {
	last := &p.ring[(p.next+samples-1)%samples]
	if nowMs-last.atMs < sampleEachMs {
		return
	}
	p.ring[p.next] = sample{nowMs, s.Commands, s.NetIn, s.NetOut}
	p.next = (p.next + 1) % samples
}

// rates returns commands, bytes read and bytes written per second.
func (p *sampler) rates(nowMs int64, s *command.Stats) (commands, in, out float64) {
	oldest := sample{atMs: -1}
	for i := range samples {
		e := &p.ring[(p.next+i)%samples]
		if e.atMs != 0 && nowMs-e.atMs <= samples*sampleEachMs {
			oldest = *e
			break
		}
	}
	if oldest.atMs < 0 || nowMs <= oldest.atMs {
		return 0, 0, 0
	}
	per := 1000 / float64(nowMs-oldest.atMs)
	return float64(s.Commands-oldest.commands) * per, float64(s.NetIn-oldest.in) * per, float64(s.NetOut-oldest.out) * per
}
