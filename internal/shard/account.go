package shard

import (
	"sync/atomic"
	"unsafe"
)

// peak is the most memory that was seen in use.
type peak struct{ bytes atomic.Int64 }

// NotePeak takes note of how much is in use now and returns the most there was.
func (k *Keyspace) NotePeak(used int64) int64 {
	for {
		p := k.peak.bytes.Load()
		if used <= p || k.peak.bytes.CompareAndSwap(p, used) {
			return max(used, p)
		}
	}
}

// FixedBytes is what an empty keyspace takes.
func (k *Keyspace) FixedBytes() int64 {
	return int64(len(k.slices))*int64(unsafe.Sizeof(Slice{})) + int64(len(k.tables))*int64(unsafe.Sizeof(table{}))
}
