package stream

import (
	"encoding/binary"

	"sherd/internal/store/listpack"
)

// What a node is in Redis' dumps is a listpack:
//
//	master  │ live │ deleted │ n │ field 1 … field n │ 0 │
//	entry   │ flags │ ms │ seq │ value 1 … value n │ elements │          same fields
//	        │ flags │ ms │ seq │ n │ field │ value │ … │ elements │     other fields
//
// elements counts those of the entry before it. A node has the same elements, but
// for the 0 and the last of each entry, without the lengths behind them.

// appendListpack appends the listpack of a node.
func appendListpack(dst, p []byte) []byte {
	from := len(dst)
	dst = append(dst, make([]byte, listpack.HeaderSize)...)
	n := 0
	number := func(v int64) {
		var b [9]byte
		dst = listpack.AppendBare(dst, b[:putNumber(b[:], v)])
		n++
	}
	elements := func(at, count int) {
		for range count {
			size := listpack.Bare(p, at)
			dst = listpack.AppendBare(dst, p[at:at+size])
			at += size
		}
		n += count
	}
	m := readMaster(p)
	number(liveIn(p))
	number(deletedIn(p))
	number(int64(m.fields))
	elements(m.fieldsAt, m.fields)
	number(0)
	for at := m.firstAt; p[at] != endMark; {
		e := readEntry(p, at, &m)
		before := n
		number(int64(e.flags))
		number(e.ms)
		number(e.seq)
		if !e.same() {
			number(int64(e.fields))
		}
		elements(e.fieldsAt, e.elements())
		number(int64(n - before))
		at = e.end(p)
	}
	dst = append(dst, endMark)
	binary.LittleEndian.PutUint32(dst[from:], uint32(len(dst)-from))
	binary.LittleEndian.PutUint16(dst[from+4:], uint16(min(n, 65535)))
	return dst
}
