package resp

import "bytes"

// Kind is the first byte of a reply, which says what type it has.
type Kind byte

// The kinds of both protocol versions; the second group is RESP3 only.
const (
	KindSimple Kind = '+'
	KindError  Kind = '-'
	KindInt    Kind = ':'
	KindBulk   Kind = '$'
	KindArray  Kind = '*'

	KindNull      Kind = '_'
	KindBool      Kind = '#'
	KindDouble    Kind = ','
	KindBigNumber Kind = '('
	KindBulkError Kind = '!'
	KindVerbatim  Kind = '='
	KindMap       Kind = '%'
	KindSet       Kind = '~'
	KindPush      Kind = '>'
	KindAttribute Kind = '|' // pairs that stand before the reply they describe
)

// ReplyLen finds the end of the reply at the start of buf, nested replies and
// a leading attribute included. n is its length and kind its type (that of the
// reply, not of the attribute). With Incomplete and Error n is 0.
//
// A reply that arrives in many pieces is looked at from its start every time;
// where that matters, use a Scanner.
func ReplyLen(buf []byte) (n int, kind Kind, st Status) {
	if len(buf) >= 4 {
		switch Kind(buf[0]) {
		case KindBulk:
			// A length of one or two digits, as nearly all have.
			size, start := int(buf[1]-'0'), 4
			if buf[2] != '\r' {
				size, start = size*10+int(buf[2]-'0'), 5
			}
			if buf[1]-'0' <= 9 && (start == 4 || buf[2]-'0' <= 9) && start+size+2 <= len(buf) && buf[start-2] == '\r' && buf[start-1] == '\n' {
				n = start + size + 2
				if buf[n-2] == '\r' && buf[n-1] == '\n' {
					return n, KindBulk, OK
				}
			}
		case KindInt:
			from := 1
			if buf[1] == '-' {
				from = 2
			}
			i := from
			for i < len(buf) && buf[i]-'0' <= 9 {
				i++
			}
			// Up to 18 digits are in range; what is longer is
			// left to the strict way.
			if i > from && i < from+19 && buf[from] != '0' && i+1 < len(buf) && buf[i] == '\r' && buf[i+1] == '\n' {
				return i + 2, KindInt, OK
			}
			if buf[1] == '0' && buf[2] == '\r' && buf[3] == '\n' {
				return 4, KindInt, OK
			}
		case KindSimple, KindError:
			if i := bytes.IndexByte(buf, '\r'); i > 0 && i+1 < len(buf) && buf[i+1] == '\n' {
				return i + 2, Kind(buf[0]), OK
			}
		}
	}
	var s Scanner
	return s.Resume(buf)
}

// Scanner finds the end of a reply that arrives in pieces. The zero value
// stands before a reply.
type Scanner struct {
	pos  int   // bytes that are done with
	seen int   // bytes up to which the present line was searched for its end
	left int64 // replies still to come, the present one included
	kind Kind  // of the outermost reply, once known
	open bool  // whether a reply was begun
}

// maxReply bounds announced lengths and counts.
const maxReply = 1 << 40

// Resume works as ReplyLen does. buf starts at the first byte of the reply and
// holds at least the bytes of the earlier calls. After OK and Error, s is ready
// for the next reply.
func (s *Scanner) Resume(buf []byte) (n int, kind Kind, st Status) {
	if !s.open {
		*s = Scanner{open: true, left: 1}
	}
	for s.left > 0 {
		if st = s.step(buf); st == Error {
			*s = Scanner{}
			return 0, 0, Error
		} else if st == Incomplete {
			return 0, 0, Incomplete
		}
	}
	n, kind = s.pos, s.kind
	*s = Scanner{}
	return n, kind, OK
}

// step moves over one reply that is no aggregate, or the head of one that is.
func (s *Scanner) step(buf []byte) Status {
	i := bytes.IndexByte(buf[s.seen:], '\r')
	if i < 0 {
		s.seen = len(buf)
		return Incomplete
	}
	end := s.seen + i
	s.seen = end
	if end+1 >= len(buf) {
		return Incomplete
	}
	if buf[end+1] != '\n' || end == s.pos {
		return Error
	}
	kind, text := Kind(buf[s.pos]), buf[s.pos+1:end]
	next := end + 2
	more := int64(0)
	switch kind {
	case KindSimple, KindError:
	case KindInt, KindNull, KindBool, KindDouble, KindBigNumber:
		if !validLine(kind, text) {
			return Error
		}
	case KindBulk, KindBulkError, KindVerbatim, KindArray, KindMap, KindSet, KindPush, KindAttribute:
		size, ok := ParseInt64(text)
		null := size == -1 && (kind == KindBulk || kind == KindArray)
		if !ok || size > maxReply || size < 0 && !null {
			return Error
		}
		switch {
		case null:
		case kind == KindBulk || kind == KindBulkError || kind == KindVerbatim:
			if int64(len(buf)-next) < size+2 {
				return Incomplete
			}
			next += int(size)
			if buf[next] != '\r' || buf[next+1] != '\n' || kind == KindVerbatim && (size < 4 || buf[next-int(size)+3] != ':') {
				return Error
			}
			next += 2
		case kind == KindMap:
			more = 2 * size
		case kind == KindAttribute:
			more = 2*size + 1 // and the reply it describes
		default:
			more = size
		}
	default:
		return Error
	}
	if s.kind == 0 && s.left == 1 && kind != KindAttribute {
		s.kind = kind
	}
	s.left += more - 1
	s.pos, s.seen = next, next
	return OK
}

// validLine checks the text of a reply that is one line.
func validLine(kind Kind, text []byte) bool {
	switch kind {
	case KindInt:
		_, ok := ParseInt64(text)
		return ok
	case KindNull:
		return len(text) == 0
	case KindBool:
		return len(text) == 1 && (text[0] == 't' || text[0] == 'f')
	case KindDouble:
		var n numeral
		return n.scan(text)
	}
	if len(text) > 0 && (text[0] == '-' || text[0] == '+') {
		text = text[1:]
	}
	for _, c := range text {
		if c-'0' > 9 {
			return false
		}
	}
	return len(text) > 0
}
