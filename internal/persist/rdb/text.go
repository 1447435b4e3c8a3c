package rdb

import (
	"encoding/binary"
	"strconv"

	"sherd/internal/store/listpack"
)

const (
	intDigits   = 11 // no text that stands for an integer of 32 bits is longer
	packFrom    = 20 // bytes beyond which compressing is tried
	packGains   = 4  // bytes that it has to win
	packAtWorst = 88 // times that a compressed string can grow
)

// appendString writes a string in its shortest form: an integer if it is the text of
// one, compressed if that is wanted and wins something.
func appendString(b, s []byte, pack bool) []byte {
	if len(s) <= intDigits {
		if v, ok := listpack.ParseInt(s); ok && v == int64(int32(v)) {
			return appendInteger(b, int32(v))
		}
	}
	if pack && len(s) > packFrom {
		// The lengths go before and are known behind: leave room for them.
		mark := len(b)
		b = append(b, make([]byte, 11)...)
		if packed, ok := compress(b, s, len(s)-packGains); ok {
			n := len(packed) - len(b)
			b = appendLength(append(packed[:mark], encoded|encodedLZF), uint64(n))
			b = appendLength(b, uint64(len(s)))
			copied := copy(packed[len(b):], packed[mark+11:])
			return packed[:len(b)+copied]
		} else {
			b = packed[:mark]
		}
	}
	return append(appendLength(b, uint64(len(s))), s...)
}

func appendInteger(b []byte, v int32) []byte {
	switch {
	case v == int32(int8(v)):
		return append(b, encoded|encodedInt8, byte(v))
	case v == int32(int16(v)):
		return binary.LittleEndian.AppendUint16(append(b, encoded|encodedInt16), uint16(v))
	}
	return binary.LittleEndian.AppendUint32(append(b, encoded|encodedInt32), uint32(v))
}

// A text is a string that was read: it lies in the payload, or in space.
type text struct {
	b     []byte
	space []byte
}

// text reads a string of at most most bytes. False: there is none.
func (r *reader) text(t *text, most int64) bool {
	n, way := r.length()
	switch way {
	case -1:
		if n > uint64(r.rest()) || n > uint64(most) || r.short {
			r.short = true
			return false
		}
		t.b = r.take(int(n))
		return true
	case encodedInt8:
		return r.integer(t, int64(int8(r.byte())))
	case encodedInt16:
		if b := r.take(2); b != nil {
			return r.integer(t, int64(int16(binary.LittleEndian.Uint16(b))))
		}
	case encodedInt32:
		if b := r.take(4); b != nil {
			return r.integer(t, int64(int32(binary.LittleEndian.Uint32(b))))
		}
	case encodedLZF:
		packed, size := r.number(), r.number()
		if r.short || packed > uint64(r.rest()) || size > uint64(most) || size > packed*packAtWorst {
			break
		}
		src := r.take(int(packed))
		// Nothing is allocated for what only says that it will be long.
		if real, ok := expandedSize(src); !ok || uint64(real) != size {
			break
		}
		if uint64(cap(t.space)) < size {
			t.space = make([]byte, 0, size)
		}
		t.space = expand(t.space[:0], src)
		t.b = t.space
		return true
	}
	r.short = true
	return false
}

func (r *reader) integer(t *text, v int64) bool {
	if r.short {
		return false
	}
	t.space = strconv.AppendInt(t.space[:0], v, 10)
	t.b = t.space
	return true
}
