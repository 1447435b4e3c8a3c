package command

import (
	"bytes"

	"sherd/internal/glob"
	"sherd/internal/wire/resp"
)

// emptyScan is what HSCAN and its kin reply where there is no key.
const emptyScan = "*2\r\n$1\r\n0\r\n*0\r\n"

// scanMost is how many elements HSCAN and SSCAN look at in one call, whatever
// COUNT says.
const scanMost = 4096

// elementScan are the options of HSCAN and SSCAN.
type elementScan struct {
	pattern  []byte // nil: everything
	count    int
	noValues bool
}

// elementScanOptions reads them. hash tells that NOVALUES is one.
func (x *Ctx) elementScanOptions(isHash bool) (s elementScan, ok bool) {
	s.count = 10
	for i := 3; i < len(x.Args); {
		more := i+1 < len(x.Args)
		switch a := x.Args[i]; {
		case is(a, "COUNT") && more:
			n, ok := resp.ParseInt64(x.Args[i+1])
			if !ok {
				x.Error(errNotInteger)
				return s, false
			}
			if n < 1 {
				x.Syntax()
				return s, false
			}
			s.count = int(min(n, scanMost))
			i += 2
		case is(a, "MATCH") && more:
			if s.pattern = x.Args[i+1]; bytes.Equal(s.pattern, []byte("*")) {
				s.pattern = nil
			}
			i += 2
		case is(a, "NOVALUES"):
			if !isHash {
				x.Error("ERR NOVALUES option can only be used in HSCAN")
				return s, false
			}
			s.noValues = true
			i++
		default:
			x.Syntax()
			return s, false
		}
	}
	return s, true
}

func (s *elementScan) passes(name []byte) bool {
	return s.pattern == nil || glob.Match(s.pattern, name, false)
}

func runHScan(x *Ctx) {
	cursor, ok := parseCursor(x.Args[2])
	if !ok {
		x.Error("ERR invalid cursor")
		return
	}
	h, ok, wrong := x.readHash(&x.Keys[0])
	if wrong {
		return
	}
	if !ok {
		x.Out = append(x.Out, emptyScan...)
		return
	}
	s, ok := x.elementScanOptions(true)
	if !ok {
		return
	}
	mark, found, seen := len(x.Out), 0, 0
	for range 10 * s.count {
		it, next := h.Scan(cursor)
		for it.Next() {
			seen++
			name := it.Field()
			if !s.passes(name) {
				continue
			}
			x.Bulk(name)
			found++
			if !s.noValues {
				x.Bulk(it.Value())
				found++
			}
		}
		if cursor = next; cursor == 0 || seen >= s.count {
			break
		}
	}
	(&scan{}).reply(x, mark, cursor, found)
}

func runSScan(x *Ctx) {
	cursor, ok := parseCursor(x.Args[2])
	if !ok {
		x.Error("ERR invalid cursor")
		return
	}
	set, ok, wrong := x.readSet(&x.Keys[0])
	if wrong {
		return
	}
	if !ok {
		x.Out = append(x.Out, emptyScan...)
		return
	}
	s, ok := x.elementScanOptions(false)
	if !ok {
		return
	}
	mark, found, seen := len(x.Out), 0, 0
	for range 10 * s.count {
		it, next := set.Scan(cursor)
		for it.Next() {
			seen++
			if m := it.Bytes(); s.passes(m) {
				x.Bulk(m)
				found++
			}
		}
		if cursor = next; cursor == 0 || seen >= s.count {
			break
		}
	}
	(&scan{}).reply(x, mark, cursor, found)
}
