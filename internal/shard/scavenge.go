package shard

import "time"

const (
	scavengeBytes = 64 << 20               // given back at once at most
	scavengePause = 100 * time.Millisecond // between two batches
)

// scavenge tells Scavenge that chunks have become free.
func (k *Keyspace) scavenge() {
	select {
	case k.dirty <- struct{}{}:
	default:
	}
}

// Scavenge gives the memory of free chunks back to the system, until stop is
// closed. It runs on a goroutine of its own, since giving pages back interrupts
// every core and takes the system's time, not the loops'. It wakes only when the
// housekeeping has freed something. Some free chunks are kept, so that a heap
// that grows again need not fault its pages in.
func (k *Keyspace) Scavenge(stop <-chan struct{}) {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-stop:
			return
		case <-k.dirty:
		}
		for k.excess() > 0 {
			if k.Arena.Trim(int(min(k.excess(), scavengeBytes))) == 0 {
				break
			}
			timer.Reset(scavengePause)
			select {
			case <-stop:
				return
			case <-timer.C:
			}
		}
	}
}

// excess is how many bytes of free chunks are to be given back.
func (k *Keyspace) excess() int64 {
	s := k.Arena.Stats()
	return s.FreeDirty - (1<<20 + s.Held/32)
}
