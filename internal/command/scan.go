package command

import (
	"bytes"
	"strconv"
	"time"

	"sherd/internal/glob"
	"sherd/internal/store/dash"
	"sherd/internal/wire/resp"
)

// A SCAN cursor is a place in one slice's table:
//
//	 52         37 36                0
//	┌─────────────┬───────────────────┐
//	│ slice       │ the table's cursor│
//	└─────────────┴───────────────────┘
//
// It stays below 2^53, so that clients whose numbers are doubles keep it whole.
// The server remembers nothing: the slices are visited in order, and a table
// finds every key that is there throughout, however it grows, splits or shrinks.
const cursorBits = 37

const (
	holdBuckets = 64                     // most buckets that are visited in one hold of a latch
	stepTime    = 300 * time.Microsecond // about how long a step may take
	stepBuckets = 128                    // so many buckets are visited before the time is looked at
)

// sieve is what SCAN and KEYS let through.
type sieve struct {
	pattern []byte // nil: everything
	kind    []byte // name of a type; nil: any
	only    int    // the one slice that can hold a match, or -1
}

// newSieve takes a pattern or nil, and the name of a type or nil.
func (x *Ctx) newSieve(pattern, kind []byte) sieve {
	s := sieve{kind: kind, only: -1}
	if pattern != nil && string(pattern) != "*" {
		s.pattern = pattern
		// The hash tag, or the whole key, may be spelled out.
		prefix, exact := glob.Prefix(pattern)
		open := bytes.IndexByte(prefix, '{')
		if exact || open >= 0 && bytes.IndexByte(prefix[open+1:], '}') > 0 {
			_, slice := x.KS.Locate(prefix)
			s.only = int(slice.Index)
		}
	}
	return s
}

// keep makes the sieve independent of the receive buffer.
func (s *sieve) keep() {
	s.pattern = bytes.Clone(s.pattern)
	s.kind = bytes.Clone(s.kind)
}

// passes judges an entry. An expired one is not there; it is left where it is.
func (s *sieve) passes(x *Ctx, e dash.Entry) bool {
	if s.pattern != nil && !glob.Match(s.pattern, e.Key(), false) {
		return false
	}
	if s.kind != nil && !equalFold(s.kind, e.Kind().String()) {
		return false
	}
	return !x.expired(e.DeadlineMs())
}

// scan is a SCAN under way.
type scan struct {
	sieve
	cursor uint64
	count  int
}

func runScan(x *Ctx) {
	cursor, ok := parseCursor(x.Args[1])
	if !ok {
		x.Error("ERR invalid cursor")
		return
	}
	s := scan{cursor: cursor, count: 10}
	var pattern, kind []byte
	for i := 2; i < len(x.Args); i += 2 {
		if i+1 == len(x.Args) {
			x.Syntax()
			return
		}
		switch a, v := x.Args[i], x.Args[i+1]; {
		case is(a, "COUNT"):
			n, ok := resp.ParseInt64(v)
			if !ok {
				x.Error(errNotInteger)
				return
			}
			if n < 1 {
				x.Syntax()
				return
			}
			s.count = int(min(n, 1<<40))
		case is(a, "MATCH"):
			pattern = v
		case is(a, "TYPE"):
			kind = v
		default:
			x.Syntax()
			return
		}
	}
	s.sieve = x.newSieve(pattern, kind)
	if !s.Step(x) {
		later := s
		later.keep()
		x.Continue(&later)
	}
}

// parseCursor reads a cursor as C's strtoul does, which Redis uses.
func parseCursor(b []byte) (uint64, bool) {
	negative := false
	digits := b
	if len(b) > 1 && (b[0] == '-' || b[0] == '+') {
		negative = b[0] == '-'
		digits = b[1:]
	}
	var n uint64
	for _, c := range digits {
		if c -= '0'; c > 9 || n > (^uint64(0)-uint64(c))/10 {
			return 0, false
		}
		n = n*10 + uint64(c)
	}
	if negative {
		n = -n
	}
	return n, true
}

// Step visits buckets until it has seen enough keys and replies what passed. It
// is not done only if it could not even begin.
func (s *scan) Step(x *Ctx) bool {
	slices := x.KS.Slices()
	end := slices
	i, at := slices, s.cursor&(1<<cursorBits-1)
	if n := s.cursor >> cursorBits; n < uint64(slices) {
		i = int(n)
	}
	if s.only >= 0 {
		if i < s.only {
			i, at = s.only, 0
		}
		end = s.only + 1
	}
	mark := len(x.Out)
	found, seen, visited, buckets := 0, 0, 0, 10*s.count
	moved, began := false, time.Now()
	for i < end && seen < s.count && buckets > 0 {
		slice := x.KS.Slice(i)
		if !slice.Spin() {
			if !moved {
				return false
			}
			break
		}
		moved = true
		t := x.KS.Table(x.C.DB, slice)
		if t.Len() == 0 {
			at = 0
		} else {
			for range holdBuckets {
				x.L.entries, at = t.ScanStep(&slice.Heap, at, x.L.entries[:0])
				for _, e := range x.L.entries {
					seen++
					if s.passes(x, e) {
						x.Bulk(e.Key())
						found++
					}
				}
				visited++
				if buckets--; at == 0 || seen >= s.count || buckets == 0 {
					break
				}
			}
		}
		slice.ReleaseUnchanged()
		if at == 0 {
			i++
		}
		if visited >= stepBuckets || i&1023 == 0 {
			if visited = 0; time.Since(began) > stepTime {
				break
			}
		}
	}
	next := uint64(i)<<cursorBits | at
	if i >= end {
		next = 0
	}
	s.reply(x, mark, next, found)
	return true
}

// reply puts the head in front of the keys, which have been appended already.
func (s *scan) reply(x *Ctx, mark int, next uint64, found int) {
	var space, digits [64]byte
	head := append(space[:0], "*2\r\n"...)
	head = resp.AppendBulk(head, strconv.AppendUint(digits[:0], next, 10))
	head = resp.AppendArray(head, found)
	keys := len(x.Out) - mark
	x.Out = append(x.Out, head...)
	copy(x.Out[mark+len(head):], x.Out[mark:mark+keys])
	copy(x.Out[mark:], head)
}
