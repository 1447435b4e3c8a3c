package testserver

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// A Reply is one reply of RESP2 or RESP3, as it came and decoded.
type Reply struct {
	Raw   []byte // every byte of it
	Kind  byte   // the type byte: + - : $ * _ # , ( ! = % ~ >
	Null  bool   // $-1, *-1 or _
	Str   []byte // of + - : $ , ( ! = #, without length and line end
	Elems []Reply
}

// maxReplyDepth bounds nesting, so that a broken server cannot exhaust the
// test's stack.
const maxReplyDepth = 32

// ReadReply reads one reply.
func ReadReply(r *bufio.Reader) (Reply, error) {
	rd := replyReader{r: r}
	v, err := rd.read(0)
	if err != nil {
		return Reply{Raw: rd.raw}, err
	}
	v.locate(rd.raw, new(int))
	return v, nil
}

type replyReader struct {
	r   *bufio.Reader
	raw []byte
}

func (rd *replyReader) line() ([]byte, error) {
	at := len(rd.raw)
	for {
		part, err := rd.r.ReadSlice('\n')
		rd.raw = append(rd.raw, part...)
		if err == nil {
			break
		}
		if err != bufio.ErrBufferFull {
			return nil, err
		}
	}
	l := rd.raw[at:]
	if len(l) < 3 || l[len(l)-2] != '\r' {
		return nil, fmt.Errorf("not a reply line: %q", l)
	}
	return bytes.Clone(l[:len(l)-2]), nil
}

func (rd *replyReader) read(depth int) (Reply, error) {
	if depth > maxReplyDepth {
		return Reply{}, fmt.Errorf("replies nested deeper than %d", maxReplyDepth)
	}
	at := len(rd.raw)
	l, err := rd.line()
	if err != nil {
		return Reply{}, err
	}
	v := Reply{Kind: l[0], Str: l[1:]}
	switch v.Kind {
	case '+', '-', ',', '(', '#':
	case ':':
		if _, err := strconv.ParseInt(string(v.Str), 10, 64); err != nil {
			return v, fmt.Errorf("bad integer reply %q", l)
		}
	case '_':
		v.Null, v.Str = true, nil
	case '$', '!', '=':
		n, err := strconv.Atoi(string(v.Str))
		if err != nil || n < -1 || n > 1<<30 {
			return v, fmt.Errorf("bad length %q", l)
		}
		v.Str = nil
		if n < 0 {
			v.Null = true
			break
		}
		body := len(rd.raw)
		rd.raw = append(rd.raw, make([]byte, n+2)...)
		if _, err := io.ReadFull(rd.r, rd.raw[body:]); err != nil {
			return v, err
		}
		if !bytes.HasSuffix(rd.raw, []byte("\r\n")) {
			return v, fmt.Errorf("%q is not followed by a line end", l)
		}
		v.Str = bytes.Clone(rd.raw[body : body+n])
	case '*', '%', '~', '>':
		n, err := strconv.Atoi(string(v.Str))
		if err != nil || n < -1 || n > 1<<24 {
			return v, fmt.Errorf("bad length %q", l)
		}
		v.Str = nil
		if n < 0 {
			v.Null = true
			break
		}
		if v.Kind == '%' {
			n *= 2
		}
		for range n {
			e, err := rd.read(depth + 1)
			if err != nil {
				return v, err
			}
			v.Elems = append(v.Elems, e)
		}
	default:
		return v, fmt.Errorf("unknown reply type in %q", l)
	}
	v.Raw = rd.raw[at:len(rd.raw):len(rd.raw)] // of the right length; located again once the buffer has stopped moving
	return v, nil
}

// locate points Raw of v and of its elements into the final buffer.
func (v *Reply) locate(raw []byte, at *int) {
	start, n := *at, len(v.Raw)
	v.Raw = raw[start : start+n : start+n]
	if len(v.Elems) > 0 {
		*at += bytes.IndexByte(v.Raw, '\n') + 1
		for i := range v.Elems {
			v.Elems[i].locate(raw, at)
		}
	}
	*at = start + n
}

// IsError says whether the reply is an error.
func (v Reply) IsError() bool { return v.Kind == '-' || v.Kind == '!' }

// Int is the value of an integer reply, else 0.
func (v Reply) Int() int64 {
	n, _ := strconv.ParseInt(string(v.Str), 10, 64)
	return n
}

// Text is the string of a scalar reply; "" for null.
func (v Reply) Text() string { return string(v.Str) }

// String writes the reply as the transcripts do, every wire type
// distinguishable:
//
//	OK  -ERR text  :1  "bulk"  nil  nil*  _  [a, b]  {k: v}  ~[a]  >[a]  ,1.5  #t  (123  =txt:"…"  !"…"
func (v Reply) String() string {
	switch v.Kind {
	case '+':
		return plain(string(v.Str))
	case '-', ':', ',', '(', '#':
		return string(v.Kind) + plain(string(v.Str))
	case '_':
		return "_"
	case '$':
		if v.Null {
			return "nil"
		}
		return strconv.Quote(string(v.Str))
	case '!':
		return "!" + strconv.Quote(string(v.Str))
	case '=':
		s := string(v.Str)
		if len(s) > 4 && s[3] == ':' {
			return "=" + s[:4] + strconv.Quote(s[4:])
		}
		return "=" + strconv.Quote(s)
	case '*', '~', '>':
		if v.Null {
			return "nil" + string(v.Kind)
		}
		parts := make([]string, len(v.Elems))
		for i, e := range v.Elems {
			parts[i] = e.String()
		}
		return strings.TrimPrefix(string(v.Kind), "*") + "[" + strings.Join(parts, ", ") + "]"
	case '%':
		var parts []string
		for i := 0; i+1 < len(v.Elems); i += 2 {
			parts = append(parts, v.Elems[i].String()+": "+v.Elems[i+1].String())
		}
		return "{" + strings.Join(parts, ", ") + "}"
	}
	return fmt.Sprintf("%q", v.Raw)
}

// plain keeps a line readable where it is, and quotes what is not printable.
func plain(s string) string {
	if q := strconv.Quote(s); len(q) != len(s)+2 && strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r > '~' }) {
		return q
	}
	return s
}
