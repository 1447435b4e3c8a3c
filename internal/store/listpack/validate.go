package listpack

import (
	"encoding/binary"
	"errors"
)

var errCorrupt = errors.New("listpack: corrupt")

// Validate tells whether p, whatever it is, is a whole listpack. It takes time
// linear in its length.
func Validate(p []byte) error {
	if len(p) < EmptySize || int64(binary.LittleEndian.Uint32(p)) != int64(len(p)) || p[len(p)-1] != endMark {
		return errCorrupt
	}
	end := len(p) - 1
	n := 0
	for at := headerSize; at != end; n++ {
		size := claimed(p[at:end])
		if size == 0 || size > end-at {
			return errCorrupt
		}
		at += size
		back := backSize(size)
		if back > end-at {
			return errCorrupt
		}
		var want [5]byte
		putBack(want[:], size)
		if string(want[:back]) != string(p[at:at+back]) {
			return errCorrupt
		}
		at += back
	}
	if noted := int(binary.LittleEndian.Uint16(p[4:])); noted != manyFrom && noted != n {
		return errCorrupt
	}
	return nil
}

// claimed is sizeAt for an entry that may be cut off; 0 if it is not one.
func claimed(p []byte) int {
	b := p[0]
	need := 1
	switch {
	case b >= head12 && b < head32:
		need = 2
	case b == head32:
		need = 5
	}
	if len(p) < need {
		return 0
	}
	return sizeAt(p, 0)
}
