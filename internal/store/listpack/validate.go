package listpack

import (
	"encoding/binary"
	"errors"
)

var errCorrupt = errors.New("listpack: corrupt")

// Validate tells whether p, whatever it is, is a whole listpack. It takes time
// linear in its length.
func Validate(p []byte) error {
	var v Validator
	_, err := v.Step(p, len(p))
	return err
}

// A Validator is Validate in steps. Its zero value begins.
type Validator struct{ at, n int }

// Step looks at no more than most elements of p, which is the same every time, and
// reports whether it has come to the end.
func (v *Validator) Step(p []byte, most int) (done bool, err error) {
	if v.at == 0 {
		if len(p) < EmptySize || int64(binary.LittleEndian.Uint32(p)) != int64(len(p)) || p[len(p)-1] != endMark {
			return false, errCorrupt
		}
		v.at = headerSize
	}
	end := len(p) - 1
	for ; v.at != end; v.n++ {
		if most--; most < 0 {
			return false, nil
		}
		size := claimed(p[v.at:end])
		if size == 0 || size > end-v.at {
			return false, errCorrupt
		}
		v.at += size
		back := backSize(size)
		if back > end-v.at {
			return false, errCorrupt
		}
		var want [5]byte
		putBack(want[:], size)
		if string(want[:back]) != string(p[v.at:v.at+back]) {
			return false, errCorrupt
		}
		v.at += back
	}
	if noted := int(binary.LittleEndian.Uint16(p[4:])); noted != manyFrom && noted != v.n {
		return false, errCorrupt
	}
	return true, nil
}

// Count is the number of elements that were looked at.
func (v *Validator) Count() int { return v.n }

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
