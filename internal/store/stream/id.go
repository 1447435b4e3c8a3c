package stream

import "math"

// ID names an entry: the millisecond and a number within it.
type ID struct{ Ms, Seq uint64 }

// MaxID is greater than every other.
var MaxID = ID{math.MaxUint64, math.MaxUint64}

// Compare returns -1, 0 or 1.
func (i ID) Compare(o ID) int {
	switch {
	case i == o:
		return 0
	case i.Less(o):
		return -1
	}
	return 1
}

// Less tells whether i comes before o.
func (i ID) Less(o ID) bool { return i.Ms < o.Ms || i.Ms == o.Ms && i.Seq < o.Seq }

// IsZero tells whether i is 0-0, which no entry has.
func (i ID) IsZero() bool { return i == ID{} }

// Next returns the following ID; false behind the last.
func (i ID) Next() (ID, bool) {
	switch {
	case i.Seq != math.MaxUint64:
		return ID{i.Ms, i.Seq + 1}, true
	case i.Ms != math.MaxUint64:
		return ID{i.Ms + 1, 0}, true
	}
	return ID{}, false
}

// Prev returns the preceding ID; false before 0-0.
func (i ID) Prev() (ID, bool) {
	switch {
	case i.Seq != 0:
		return ID{i.Ms, i.Seq - 1}, true
	case i.Ms != 0:
		return ID{i.Ms - 1, math.MaxUint64}, true
	}
	return MaxID, false
}
