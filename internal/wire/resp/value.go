package resp

import (
	"errors"
	"io"
	"math"
	"strconv"
	"strings"
)

// Value is one decoded reply.
type Value struct {
	Kind  Kind
	Null  bool    // $-1, *-1 and _
	Str   []byte  // the text of everything that is no aggregate; of a verbatim string without its format
	Int   int64   // of an integer; 1 or 0 of a truth value
	Float float64 // of a double
	Ext   string  // the format of a verbatim string: "txt"
	Elems []Value // of an aggregate; a map's keys and values take turns
	Attr  []Value // what an attribute before the reply said, keys and values in turn
}

// maxDepth bounds the nesting of decoded replies.
const maxDepth = 64

var (
	// ErrReply says that the bytes are no reply.
	ErrReply = errors.New("resp: malformed reply")
	// ErrDepth says that a reply is nested too deeply to decode.
	ErrDepth = errors.New("resp: reply nested too deeply")
)

// Decode decodes the reply at the start of buf. It copies nothing, so the
// value aliases buf. n is the length of the reply; io.ErrUnexpectedEOF says
// that its end is missing.
func Decode(buf []byte) (v Value, n int, err error) {
	n, _, st := ReplyLen(buf)
	switch st {
	case Incomplete:
		return Value{}, 0, io.ErrUnexpectedEOF
	case Error:
		return Value{}, 0, ErrReply
	}
	d := decoder{buf: buf[:n]}
	v, err = d.value(0)
	return v, n, err
}

// decoder walks over bytes that a Scanner found well-formed.
type decoder struct {
	buf []byte
	pos int
}

// line takes the rest of the present line.
func (d *decoder) line() []byte {
	start := d.pos
	for d.buf[d.pos] != '\r' {
		d.pos++
	}
	d.pos += 2
	return d.buf[start : d.pos-2]
}

// number takes the rest of the line as a length or count.
func (d *decoder) number() int {
	n, _ := ParseInt64(d.line())
	return int(n)
}

func (d *decoder) value(depth int) (v Value, err error) {
	if depth > maxDepth {
		return v, ErrDepth
	}
	v.Kind = Kind(d.buf[d.pos])
	d.pos++
	if v.Kind == KindAttribute {
		attr, err := d.values(2*d.number(), depth)
		if err != nil {
			return v, err
		}
		v, err = d.value(depth + 1)
		v.Attr = append(attr, v.Attr...)
		return v, err
	}
	switch v.Kind {
	case KindInt:
		v.Str = d.line()
		v.Int, _ = ParseInt64(v.Str)
	case KindNull:
		d.line()
		v.Null = true
	case KindBool:
		v.Str = d.line()
		if v.Str[0] == 't' {
			v.Int = 1
		}
	case KindDouble:
		v.Str = d.line()
		if v.Float, err = strconv.ParseFloat(string(v.Str), 64); err != nil && math.Abs(v.Float) < 1 {
			v.Float = math.NaN() // "-nan", the one spelling that Go does not know
		}
		err = nil
	case KindBulk, KindBulkError, KindVerbatim:
		n := d.number()
		if n < 0 {
			v.Null = true
			break
		}
		v.Str = d.buf[d.pos : d.pos+n]
		d.pos += n + 2
		if v.Kind == KindVerbatim {
			v.Ext, v.Str = string(v.Str[:3]), v.Str[4:]
		}
	case KindArray, KindMap, KindSet, KindPush:
		n := d.number()
		if n < 0 {
			v.Null = true
			break
		}
		if v.Kind == KindMap {
			n *= 2
		}
		v.Elems, err = d.values(n, depth)
	default:
		v.Str = d.line()
	}
	return v, err
}

func (d *decoder) values(n, depth int) ([]Value, error) {
	list := make([]Value, 0, n)
	for range n {
		v, err := d.value(depth + 1)
		if err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	return list, nil
}

// String writes the reply so that every type of the wire can be told apart:
//
//	OK  -ERR text  :1  "bulk"  nil  nil*  _  [a, b]  {k: v}  ~[a]  >[a]
//	,1.5  #t  (123  =txt:"…"  !"…"  |{k: v} reply
func (v Value) String() string {
	var b strings.Builder
	v.print(&b)
	return b.String()
}

func (v *Value) print(b *strings.Builder) {
	if v.Attr != nil {
		b.WriteByte('|')
		printPairs(b, v.Attr)
		b.WriteByte(' ')
	}
	switch v.Kind {
	case KindSimple:
		b.WriteString(plain(v.Str))
	case KindError, KindInt, KindDouble, KindBigNumber, KindBool:
		b.WriteByte(byte(v.Kind))
		b.WriteString(plain(v.Str))
	case KindNull:
		b.WriteByte('_')
	case KindMap:
		printPairs(b, v.Elems)
	case KindArray, KindSet, KindPush:
		if v.Null {
			b.WriteString("nil*")
			return
		}
		if v.Kind != KindArray {
			b.WriteByte(byte(v.Kind))
		}
		b.WriteByte('[')
		for i := range v.Elems {
			if i > 0 {
				b.WriteString(", ")
			}
			v.Elems[i].print(b)
		}
		b.WriteByte(']')
	default:
		if v.Null {
			b.WriteString("nil")
			return
		}
		if v.Kind != KindBulk {
			b.WriteByte(byte(v.Kind))
		}
		if v.Kind == KindVerbatim {
			b.WriteString(v.Ext + ":")
		}
		b.WriteString(strconv.Quote(string(v.Str)))
	}
}

func printPairs(b *strings.Builder, list []Value) {
	b.WriteByte('{')
	for i := range list {
		switch {
		case i == 0:
		case i%2 == 0:
			b.WriteString(", ")
		default:
			b.WriteString(": ")
		}
		list[i].print(b)
	}
	b.WriteByte('}')
}

// plain keeps a line as it is where it is printable, and quotes it otherwise.
func plain(s []byte) string {
	for _, c := range s {
		if c < ' ' || c > '~' {
			return strconv.Quote(string(s))
		}
	}
	return string(s)
}
