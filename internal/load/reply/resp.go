package reply

import (
	"bytes"

	"sherd/internal/wire/resp"
)

// RESP finds the ends of RESP replies. The zero value stands before a reply.
type RESP struct {
	scan resp.Scanner
	open bool // the reply at hand was looked at before and was not all there
}

// longString is from where on the rest of a string is skipped over instead of
// being gathered.
const longString = 4 << 10

// Next finds the end of the first reply in buf, which begins where the last
// reply ended. n is 0 when that cannot be told yet: then buf must come again
// with more behind it. n is larger than buf for a long string whose rest need
// not be looked at.
func (r *RESP) Next(buf []byte) (n int, class Class) {
	if !r.open {
		n, kind, st := resp.ReplyLen(buf)
		if st == resp.OK {
			return n, classify(buf, kind)
		}
		if n := stringLen(buf); n > longString {
			return n, Fine
		}
	}
	n, kind, st := r.scan.Resume(buf)
	r.open = st == resp.Incomplete
	switch st {
	case resp.OK:
		return n, classify(buf, kind)
	case resp.Incomplete:
		return 0, Fine
	}
	return 0, Broken
}

func classify(buf []byte, kind resp.Kind) Class {
	switch kind {
	case resp.KindError, resp.KindBulkError:
		return Error
	case resp.KindNull:
		return Null
	case resp.KindBulk, resp.KindArray:
		// RESP2's nulls: a length of -1.
		if len(buf) > 1 && buf[1] == '-' && buf[0] == byte(kind) {
			return Null
		}
	}
	return Fine
}

// stringLen is the length of the whole reply when it is a string and its head
// is there, else 0.
func stringLen(buf []byte) int {
	if len(buf) == 0 || resp.Kind(buf[0]) != resp.KindBulk {
		return 0
	}
	end := bytes.IndexByte(buf, '\n')
	if end < 2 || buf[end-1] != '\r' {
		return 0
	}
	size, ok := resp.ParseInt64(buf[1 : end-1])
	if !ok || size < 0 || size > 1<<40 {
		return 0
	}
	return end + 1 + int(size) + 2
}
