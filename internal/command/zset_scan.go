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
	var text [40]byte
	if s.Encoding() == zset.Packed {
		for it := s.Iter(0, false); it.Next(); {
			if m := it.Member(); pattern == nil || glob.Match(pattern, m, false) {
				found += x.scanned(m, it.AppendScore(text[:0]), scores)
			}
		}
		x.scanHead(mark, 0, found)
		return
	}
	var few [64]zset.Item
	for budget := min(count, zsetPiece); budget > 0; {
		var list []zset.Item
		list, cursor = s.Scan(cursor, int(budget), few[:0])
		for i := range list {
			if m := list[i].Member; pattern == nil || glob.Match(pattern, m, false) {
				found += x.scanned(m, resp.AppendDoubleText(text[:0], list[i].Score), scores)
			}
		}
		if budget -= int64(len(list)); cursor == 0 {
			break
		}
	}
	x.scanHead(mark, cursor, found)
}

// scanned replies a member, and its score if it is wanted, and returns how many
// elements that were.
func (x *Ctx) scanned(m, score []byte, scores bool) int {
	x.Bulk(m)
	if !scores {
		return 1
	}
	x.Bulk(score)
	return 2
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
