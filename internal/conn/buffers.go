package conn

// buffers is the loop's store of byte buffers for replies and kept input. A
// connection holds one only while it has something in it.
type buffers struct {
	free  [][]byte // the most recently used last
	bytes int
}

const (
	bufferSize = 4 << 10  // of a new buffer
	bufferKeep = 64 << 10 // larger ones go back to the collector
	bufferPool = 4 << 20  // most bytes that are kept
)

// takeBuffer returns an empty buffer.
func (w *Worker) takeBuffer() []byte {
	p := &w.buffers
	if n := len(p.free); n > 0 {
		b := p.free[n-1]
		p.free[n-1] = nil
		p.free = p.free[:n-1]
		p.bytes -= cap(b)
		return b
	}
	return make([]byte, 0, bufferSize)
}

// giveBuffer takes a buffer back that nobody refers to any more.
func (w *Worker) giveBuffer(b []byte) {
	p := &w.buffers
	if c := cap(b); c >= bufferSize && c <= bufferKeep && p.bytes+c <= bufferPool {
		p.free = append(p.free, b[:0])
		p.bytes += c
	}
}
