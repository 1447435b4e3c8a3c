package command

import (
	"strconv"

	"sherd/internal/glob"
	"sherd/internal/store/zset"
	"sherd/internal/wire/resp"
)

func runZScan(x *Ctx) {
	cursor, ok := parseCursor(x.Args[2])
	if !ok {
		x.Error("ERR invalid cursor")
		return
	}
	s, ok, wrong := x.readZSet(&x.Keys[0])
	if wrong {
		return
	}
	if !ok {
		x.Array(2)
		x.BulkString("0")
		x.Array(0)
		return
	}
	count := int64(10)
	var pattern []byte
	scores := true
	for i := 3; i < len(x.Args); i++ {
		switch a := x.Args[i]; {
		case is(a, "COUNT") && i+1 < len(x.Args):
			i++
			if count, ok = resp.ParseInt64(x.Args[i]); !ok {
				x.Error(errNotInteger)
				return
			}
			if count < 1 {
				x.Syntax()
				return
			}
		case is(a, "MATCH") && i+1 < len(x.Args):
			i++
			if pattern = x.Args[i]; string(pattern) == "*" {
				pattern = nil
			}
		case is(a, "NOSCORES"):
			scores = false
		default:
			x.Syntax()
			return
		}
	}
	mark := len(x.Out)
	found := 0
	show := func(m []byte, score float64) {
		if pattern != nil && !glob.Match(pattern, m, false) {
			return
		}
		x.Bulk(m)
		found++
		if scores {
			var text [40]byte
			x.Bulk(resp.AppendDoubleText(text[:0], score))
			found++
		}
	}
	next := uint64(0)
	if s.Encoding() == zset.Packed {
		for it := s.Iter(0, false); it.Next(); {
			show(it.Member(), it.Score())
		}
	} else {
		var list []zset.Item
		for budget := min(count, zsetPiece); budget > 0; {
			list, cursor = s.Scan(cursor, int(budget), list[:0])
			for _, m := range list {
				show(m.Member, m.Score)
			}
			if budget -= int64(len(list)); cursor == 0 {
				break
			}
		}
		next = cursor
	}
	x.scanHead(mark, next, found)
}

// scanHead puts the head of a SCAN-like reply in front of the elements that were
// appended from mark on.
func (x *Ctx) scanHead(mark int, next uint64, found int) {
	var space, digits [64]byte
	head := append(space[:0], "*2\r\n"...)
	head = resp.AppendBulk(head, strconv.AppendUint(digits[:0], next, 10))
	head = resp.AppendArray(head, found)
	n := len(x.Out) - mark
	x.Out = append(x.Out, head...)
	copy(x.Out[mark+len(head):], x.Out[mark:mark+n])
	copy(x.Out[mark:], head)
}
