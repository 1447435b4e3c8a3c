package listpack

import "encoding/binary"

const (
	headerSize = HeaderSize
	manyFrom   = 65535 // elements that are counted rather than noted
	// maxTotal bounds a listpack; it is Redis' bound too.
	maxTotal = 1 << 30
)

// HeaderSize is where the first entry is.
const HeaderSize = 6

// EmptySize is the length of a listpack without elements.
const EmptySize = headerSize + 1

// Total is the length that a listpack says it has, in bytes.
func Total(p []byte) int { return int(binary.LittleEndian.Uint32(p)) }

// Len returns the number of elements.
func Len(p []byte) int {
	n := int(binary.LittleEndian.Uint16(p[4:]))
	if n == manyFrom {
		return count(p)
	}
	return n
}

func count(p []byte) int {
	n := 0
	for at := headerSize; p[at] != endMark; n++ {
		at = After(p, at)
	}
	return n
}

func setLen(p []byte, n int) {
	binary.LittleEndian.PutUint16(p[4:], uint16(min(n, manyFrom)))
}

// End returns the place behind the last element.
func End(p []byte) int { return len(p) - 1 }

// First returns the place of the first element, -1 if there is none.
func First(p []byte) int {
	if p[headerSize] == endMark {
		return -1
	}
	return headerSize
}

// After returns the place behind the element at a place: the next element's, or
// the end.
func After(p []byte, at int) int {
	n := sizeAt(p, at)
	return at + n + backSize(n)
}

// Next returns the place of the element behind another, -1 if there is none.
func Next(p []byte, at int) int {
	if at = After(p, at); p[at] == endMark {
		return -1
	}
	return at
}

// Last returns the place of the last element, -1 if there is none.
func Last(p []byte) int { return Prev(p, len(p)-1) }

// Prev returns the place of the element before another, or before the end, -1
// if there is none.
func Prev(p []byte, at int) int {
	if at == headerSize {
		return -1
	}
	i := at - 1
	n := int(p[i] & 0x7F)
	for shift := 7; p[i]&0x80 != 0; shift += 7 {
		i--
		n |= int(p[i]&0x7F) << shift
	}
	return i - n
}

// Seek returns the place of the element with an index; a negative one counts
// from the end, -1 being the last. It returns -1 if there is no such element.
func Seek(p []byte, index int) int {
	n := int(binary.LittleEndian.Uint16(p[4:]))
	if n != manyFrom {
		if index < 0 {
			index += n
		}
		if uint(index) >= uint(n) {
			return -1
		}
		if index > n/2 {
			index -= n
		}
	}
	if index >= 0 {
		at := headerSize
		for ; p[at] != endMark; at = After(p, at) {
			if index == 0 {
				return at
			}
			index--
		}
		return -1
	}
	at := len(p) - 1
	for ; index < 0 && at >= 0; index++ {
		at = Prev(p, at)
	}
	return at
}

// Find returns the place of the first element that is s, looking at the one at a
// place and after that at every skip+1st; -1 if there is none. at may be -1 or
// the end.
func Find(p []byte, at int, s []byte, skip int) int {
	n := NeedleOf(s)
	return n.Find(p, at, skip)
}

// Find is the function Find for a needle. Short strings and small integers, which
// are most of what there is, are looked at and passed without a call.
func (n *Needle) Find(p []byte, at, skip int) int {
	if at < 0 {
		return -1
	}
	for p[at] != endMark {
		switch b := p[at]; {
		case b < head6:
			if n.isInt && n.v == int64(b) {
				return at
			}
		case b < head13:
			if size := int(b & 0x3F); size == len(n.Text) && string(p[at+1:at+1+size]) == string(n.Text) {
				return at
			}
		case n.At(p, at):
			return at
		}
		for k := skip; ; k-- {
			switch b := p[at]; {
			case b < head6:
				at += 2
			case b < head13:
				at += 2 + int(b&0x3F)
			default:
				at = After(p, at)
			}
			if k == 0 || p[at] == endMark {
				break
			}
		}
	}
	return -1
}

// Span returns the place behind n elements from a place on, or the end if there
// are fewer.
func Span(p []byte, at, n int) int {
	for ; n > 0 && p[at] != endMark; n-- {
		at = After(p, at)
	}
	return at
}
