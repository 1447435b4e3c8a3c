package resp

import "io"

// Reader decodes the replies of a stream, for tests and tools.
type Reader struct {
	in   io.Reader
	buf  []byte // what was read and not yet returned
	scan Scanner
}

// NewReader reads replies from r.
func NewReader(r io.Reader) *Reader { return &Reader{in: r} }

// Buffered is the number of bytes that were read and belong to no returned
// reply.
func (r *Reader) Buffered() int { return len(r.buf) }

// Read returns the next reply, which stays valid. At the end of the stream it
// returns io.EOF between replies and io.ErrUnexpectedEOF inside one.
func (r *Reader) Read() (Value, error) {
	for {
		n, _, st := r.scan.Resume(r.buf)
		switch st {
		case Error:
			return Value{}, ErrReply
		case OK:
			reply := r.buf[:n:n]
			r.buf = r.buf[n:]
			v, _, err := Decode(reply)
			return v, err
		}
		if err := r.fill(); err != nil {
			if err == io.EOF && len(r.buf) > 0 {
				err = io.ErrUnexpectedEOF
			}
			return Value{}, err
		}
	}
}

// fill reads once more. Replies that were returned alias the old buffer, so
// what follows goes into its free end or into a new one.
func (r *Reader) fill() error {
	if cap(r.buf)-len(r.buf) < 512 {
		r.buf = append(make([]byte, 0, max(16<<10, 2*len(r.buf))), r.buf...)
	}
	n, err := r.in.Read(r.buf[len(r.buf):cap(r.buf)])
	r.buf = r.buf[:len(r.buf)+n]
	if n > 0 {
		return nil
	}
	return err
}
