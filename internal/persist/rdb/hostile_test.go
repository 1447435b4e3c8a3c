package rdb

import (
	"bytes"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// TestHostile reads what somebody might have made up.
func TestHostile(t *testing.T) {
	far := "\x81\x80\x00\x00\x00\x00\x00\x00\x00" // a length of 2^63
	state := "\x02\x07\x00\x05\x01\x05\x02\x03"
	pending := func(ids ...string) string {
		s := string(appendLength(nil, uint64(len(ids))))
		for _, id := range ids {
			s += id + le(8, 5) + "\x01"
		}
		return s
	}
	owned := func(ids ...string) string {
		return string(appendLength(nil, uint64(len(ids)))) + strings.Join(ids, "")
	}
	other := strings.Replace(entryID, "\x06", "\x07", 1)
	streamOf := func(groups string) string { return "\x01" + nodeKey + str(node) + state + groups }
	groupOf := func(name, pending string, consumers ...string) string {
		return str(name) + "\x06\x00\x03" + pending + string(appendLength(nil, uint64(len(consumers)))) + strings.Join(consumers, "")
	}
	consumer := func(name, owned string) string { return str(name) + le(8, 1) + owned }
	nodeOf := func(entries ...string) string {
		return "\x01" + nodeKey + str(lp(entries...)) + "\x01\x07\x00\x05\x01\x00\x00\x01\x00"
	}
	for _, c := range []struct {
		name string
		form byte
		body string
	}{
		{"form that is none", 8, "\x01a"},
		{"form of a file", 250, "\x01a"},
		{"nothing", typeString, ""},
		{"length of 2^63", typeString, far + "a"},
		{"length of 2^64-1", typeString, "\x81\xff\xff\xff\xff\xff\xff\xff\xffa"},
		{"length in no form", typeString, "\x82\x00\x00\x00\x01a"},
		{"encoding that is none", typeString, "\xc4\x01"},
		{"LZF of 2^63 bytes", typeString, "\xc3\x05" + far + "\x00a\xe0\x0c\x00"},
		{"LZF from 2^63 bytes", typeString, "\xc3" + far + "\x16\x00a\xe0\x0c\x00"},
		{"LZF that is longer than said", typeString, "\xc3\x05\x15\x00a\xe0\x0c\x00"},
		{"LZF that is shorter than said", typeString, "\xc3\x05\x17\x00a\xe0\x0c\x00"},
		{"LZF that refers to nothing", typeString, "\xc3\x05\x16\x00a\xe0\x0c\x01"},
		{"empty list", typeList, "\x00"},
		{"list of 2^63", typeList, far + "\x01a"},
		{"list of nodes without elements", typeListNodes, "\x01\x02" + str(lp())},
		{"list of a node of no form", typeListNodes, "\x01\x03" + str(lp(num(1)))},
		{"list of an empty plain node", typeListNodes, "\x01\x01\x00"},
		{"list of a number for a length", typeList, "\xc0\x01a"},
		{"ziplist that is empty", typeListZiplist, str(zl())},
		{"ziplist that goes on", typeListZiplist, str(zl("\x01a") + "\xff")},
		{"ziplist of a string that is too long", typeListZiplist, str(zl("\x3fa"))},
		{"ziplist of a string of 2^32-1", typeListZiplist, str(zl("\x80\xff\xff\xff\xffa"))},
		{"ziplist of a wrong last entry", typeListZiplist, str(strings.Replace(zl("\x01a", "\x01b"), "\x0d\x00\x00\x00\x02", "\x0a\x00\x00\x00\x02", 1))},
		{"ziplist of a wrong count", typeListZiplist, str(strings.Replace(zl("\x01a", "\x01b"), "\x02\x00\x00\x01", "\x03\x00\x00\x01", 1))},
		{"ziplist of a wrong length before", typeListZiplist, str(strings.Replace(zl("\x01a", "\x01b"), "\x03\x01b", "\x02\x01b", 1))},
		{"ziplist of a head that is none", typeListZiplist, str(zl("\xf0", "\xff"))},
		{"empty set", typeSet, "\x00"},
		{"set of 2^63", typeSet, far + "\x01a"},
		{"set with a member twice", typeSet, "\x02\x01a\x01a"},
		{"set with a number twice", typeSet, "\x02\xc0\x01\x011"},
		{"set with a number twice among words", typeSet, "\x03\xc0\x01\x01a\x011"},
		{"intset that is empty", typeSetIntset, str("\x02\x00\x00\x00\x00\x00\x00\x00")},
		{"intset of 3 bytes each", typeSetIntset, str("\x03\x00\x00\x00\x01\x00\x00\x00abc")},
		{"intset of a wrong count", typeSetIntset, str("\x02\x00\x00\x00\x02\x00\x00\x00\x01\x00")},
		{"intset of 2^32-1", typeSetIntset, str("\x02\x00\x00\x00\xff\xff\xff\xff\x01\x00")},
		{"intset that does not ascend", typeSetIntset, str("\x02\x00\x00\x00\x02\x00\x00\x00\x01\x00\x00\x00")},
		{"intset with a number twice", typeSetIntset, str("\x02\x00\x00\x00\x02\x00\x00\x00\x01\x00\x01\x00")},
		{"intset that is short", typeSetIntset, str("\x02\x00\x00")},
		{"set, listpack that is empty", typeSetPacked, str(lp())},
		{"set, listpack with a member twice", typeSetPacked, str(lp(word("a"), num(1), word("a")))},
		{"set, listpack with a number twice", typeSetPacked, str(lp(word("1"), num(1)))},
		{"listpack of a wrong length", typeSetPacked, str(lp(word("a")) + "\xff")},
		{"listpack of a wrong length behind", typeSetPacked, str(lp("\x81a\x03"))},
		{"listpack of a wrong count", typeSetPacked, str(strings.Replace(lp(word("a")), "\x01\x00\x81", "\x02\x00\x81", 1))},
		{"listpack of a string that is too long", typeSetPacked, str(lp("\xbfa\x02"))},
		{"listpack of a string of 2^32-1", typeSetPacked, str(lp("\xf0\xff\xff\xff\xffa\x06"))},
		{"empty zset", typeZSet2, "\x00"},
		{"zset with a member twice", typeZSet2, "\x02\x01a" + double(1) + "\x01a" + double(2)},
		{"zset with no number", typeZSet2, "\x01\x01a" + "\x00\x00\x00\x00\x00\x00\xf8\x7f"},
		{"zset with no number, text", typeZSet, "\x01\x01a\xfd"},
		{"zset with the word nan", typeZSet, "\x01\x01a\x03nan"},
		{"zset with a word", typeZSet, "\x01\x01a\x03abc"},
		{"zset, listpack that is empty", typeZSetPacked, str(lp())},
		{"zset, listpack of an odd number", typeZSetPacked, str(lp(word("a"), num(1), word("b")))},
		{"zset, listpack out of order", typeZSetPacked, str(lp(word("a"), num(2), word("b"), num(1)))},
		{"zset, listpack out of order in the members", typeZSetPacked, str(lp(word("b"), num(1), word("a"), num(1)))},
		{"zset, listpack with a member twice", typeZSetPacked, str(lp(word("a"), num(1), word("a"), num(2)))},
		{"zset, listpack with nan", typeZSetPacked, str(lp(word("a"), word("nan")))},
		{"zset, listpack with a word", typeZSetPacked, str(lp(word("a"), word("x")))},
		{"zset, listpack with nothing for a score", typeZSetPacked, str(lp(word("a"), word("")))},
		{"empty hash", typeHash, "\x00"},
		{"hash with a field twice", typeHash, "\x02\x01a\x011\x01a\x012"},
		{"hash of 2^63", typeHash, far + "\x01a\x01b"},
		{"hash, listpack that is empty", typeHashPacked, str(lp())},
		{"hash, listpack of an odd number", typeHashPacked, str(lp(num(1)))},
		{"hash, listpack with a field twice", typeHashPacked, str(lp(num(1), num(2), word("1"), num(3)))},
		{"hash, zipmap that is empty", typeHashZipmap, str("\x00\xff")},
		{"hash, zipmap of a wrong count", typeHashZipmap, str("\x02\x01a\x01\x00b\xff")},
		{"hash, zipmap of a long name", typeHashZipmap, str("\x01\xfe\xff\xff\xff\xffa\x01\x00b\xff")},
		{"hash, zipmap that goes on", typeHashZipmap, str("\x01\x01a\x01\x00b\xff\xff")},
		{"hash, zipmap with a field twice", typeHashZipmap, str("\x02\x01a\x01\x00b\x01a\x01\x00b\xff")},
		{"hash with a deadline of 2^63", typeHashDated, le(8, 1000) + "\x01" + far + "\x01a\x01x"},
		{"hash with a deadline beyond all", typeHashDated, le(8, 1<<48-1) + "\x01\x02\x01a\x01x"},
		{"hash with deadlines from 2^63 on", typeHashDated, le(8, 1<<63) + "\x01\x02\x01a\x01x"},
		{"hash, listpack with a word for a deadline", typeHashPackedEx, le(8, 1) + str(lp(word("a"), num(1), word("9")))},
		{"hash, listpack with a negative deadline", typeHashPackedEx, le(8, 1) + str(lp(word("a"), num(1), "\xdf\xff\x02"))},
		{"stream of 2^63 nodes", typeStream2, far},
		{"stream of a node with a short ID", typeStream2, "\x01\x03abc" + str(node)},
		{"stream of a wrong length", typeStream2, "\x01" + nodeKey + str(node) + "\x03\x07\x00\x05\x01\x05\x02\x03\x00"},
		{"stream with an earlier last ID", typeStream2, "\x01" + nodeKey + str(node) + "\x02\x05\x09\x05\x01\x05\x02\x03\x00"},
		{"stream with a node twice", typeStream2, "\x02" + nodeKey + str(node) + nodeKey + str(node) + "\x04\x07\x00\x05\x01\x05\x02\x03\x00"},
		{"node that is empty", typeStream2, nodeOf()},
		{"node of more live entries than said", typeStream2, nodeOf(num(0), num(0), num(1), word("a"), num(0), num(2), num(0), num(0), num(1), num(4))},
		{"node of fewer entries than said", typeStream2, nodeOf(num(2), num(0), num(1), word("a"), num(0), num(2), num(0), num(0), num(1), num(4))},
		{"node of 2^31 fields", typeStream2, nodeOf(num(1), num(0), "\xf3\x00\x00\x00\x7f\x05", word("a"), num(0))},
		{"node of -1 fields", typeStream2, nodeOf(num(1), num(0), "\xdf\xff\x02", num(0))},
		{"node without a terminator", typeStream2, nodeOf(num(1), num(0), num(1), word("a"), num(1), num(2), num(0), num(0), num(1), num(4))},
		{"entry of a wrong number of elements", typeStream2, nodeOf(num(1), num(0), num(1), word("a"), num(0), num(2), num(0), num(0), num(1), num(5))},
		{"entry of 2^31 fields", typeStream2, nodeOf(num(1), num(0), num(1), word("a"), num(0), num(0), num(0), num(0), "\xf3\x00\x00\x00\x7f\x05", num(1), num(4))},
		{"entry that is cut off", typeStream2, nodeOf(num(1), num(0), num(1), word("a"), num(0), num(2), num(0))},
		{"entry with a word for a number", typeStream2, nodeOf(num(1), num(0), num(1), word("a"), num(0), num(2), word("x"), num(0), num(1), num(4))},
		{"entry 0-0", typeStream2, "\x01\x10" + strings.Repeat("\x00", 16) + str(lp(num(1), num(0), num(1), word("a"), num(0), num(2), num(0), num(0), num(1), num(4))) + "\x01\x07\x00\x05\x01\x00\x00\x01\x00"},
		{"group twice", typeStream2, streamOf("\x02" + groupOf("g", pending()) + groupOf("g", pending()))},
		{"groups 2^63", typeStream2, streamOf(far)},
		{"pending 2^63", typeStream2, streamOf("\x01" + str("g") + "\x06\x00\x03" + far)},
		{"pending with nobody", typeStream2, streamOf("\x01" + groupOf("g", pending(entryID), consumer("c", owned())))},
		{"pending twice in the group", typeStream2, streamOf("\x01" + groupOf("g", pending(entryID, entryID), consumer("c", owned(entryID, entryID))))},
		{"pending twice with one", typeStream2, streamOf("\x01" + groupOf("g", pending(entryID, other), consumer("c", owned(entryID, entryID))))},
		{"pending with two", typeStream2, streamOf("\x01" + groupOf("g", pending(entryID, other), consumer("c", owned(entryID)), consumer("d", owned(entryID))))},
		{"pending with somebody only", typeStream2, streamOf("\x01" + groupOf("g", pending(entryID), consumer("c", owned(other))))},
		{"consumer twice", typeStream2, streamOf("\x01" + groupOf("g", pending(), consumer("c", owned()), consumer("c", owned())))},
		{"consumers 2^63", typeStream2, streamOf("\x01" + str("g") + "\x06\x00\x03\x00" + far)},
		{"consumer with 2^63 pending", typeStream2, streamOf("\x01" + groupOf("g", pending(entryID), consumer("c", far)))},
	} {
		for _, step := range []int{1, 4096} {
			for i, lim := range []Limits{stock, tight} {
				r := newRoom(t, 16<<20)
				l, err := r.load(c.form, 12, []byte(c.body), lim, step, false)
				if !errors.Is(err, ErrFormat) {
					t.Errorf("%s, step %d, limits %d: %v: %s", c.name, step, i, err, r.show(l))
				}
				r.free(l)
				if r.h.Used() != 0 {
					t.Errorf("%s, step %d: %d bytes are left", c.name, step, r.h.Used())
				}
			}
		}
	}
	r := newRoom(t, 1<<20)
	for _, form := range []byte{typeModule1, typeModule2} {
		if _, err := r.load(form, 10, []byte("\x81\x00\x00\x00\x00\x00\x00\x00\x01"), stock, 1, false); !errors.Is(err, ErrModule) {
			t.Errorf("module: %v", err)
		}
	}
}

// TestBombs reads small payloads that pretend to be large: memory follows what is
// there.
func TestBombs(t *testing.T) {
	var zeros []byte // LZF of many zeros: what is said to be 500 MiB is some KiB
	zeros = append(zeros, 0, 0)
	for len(zeros) < 6000 {
		zeros = append(zeros, 0xe0, 0xff, 0)
	}
	real, _ := expandedSize(zeros)
	bomb := func(size uint64) string {
		return string(appendLength(appendLength([]byte{0xc3}, uint64(len(zeros))), size)) + string(zeros)
	}
	for _, c := range []struct {
		form byte
		body string
	}{
		{typeString, bomb(500 << 20)},
		{typeString, "\x80\x1f\xff\xff\xffa"},
		{typeList, "\x80\x1f\xff\xff\xff" + strings.Repeat("\x00", 100)},
		{typeHashDated, le(8, 1) + "\x80\x1f\xff\xff\xff" + strings.Repeat("\x00", 100)},
		{typeStream2, "\x80\x1f\xff\xff\xff" + strings.Repeat("\x00", 100)},
		{typeSetPacked, bomb(uint64(real))},
		{typeListZiplist, bomb(uint64(real))},
	} {
		r := newRoom(t, 64<<20)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		l, err := r.load(c.form, 12, []byte(c.body), stock, 4096, false)
		runtime.ReadMemStats(&after)
		if err == nil {
			t.Errorf("form %d passes", c.form)
		}
		if took, most := after.TotalAlloc-before.TotalAlloc, uint64(4*(real+1<<20)); took > most {
			t.Errorf("form %d: %d bytes were allocated", c.form, took)
		}
		r.free(l)
	}
	// A string may not be longer than the limit.
	r := newRoom(t, 64<<20)
	lim := stock
	lim.String = 1000
	for _, s := range []string{bomb(uint64(real)), str(strings.Repeat("a", 1001))} {
		if _, err := r.load(typeString, 10, []byte(s), lim, 10, false); err == nil {
			t.Error("a string beyond the limit passes")
		}
	}
	if _, err := r.load(typeString, 10, []byte(bomb(uint64(real))), stock, 10, false); err != nil {
		t.Error(err)
	}
}

// TestOutOfMemory lets memory end somewhere in each value.
func TestOutOfMemory(t *testing.T) {
	for _, form := range []byte{typeList, typeSet, typeZSet2, typeHash, typeStream2} {
		var b bytes.Buffer
		n := 60000
		switch form {
		case typeStream2:
			const nodes = 20000
			b.Write(appendLength(nil, nodes))
			for i := range nodes {
				b.WriteString("\x10")
				b.Write(appendRawID(nil, id(uint64(i+1))))
				b.WriteString(str(lp(num(1), num(0), num(1), word("a"), num(0), num(2), num(0), num(0), word(strings.Repeat("v", 60)), num(4))))
			}
		default:
			b.Write(appendLength(nil, uint64(n)))
			for i := range n {
				b.WriteString(str(fmt.Sprintf("element:%d", i)))
				if form == typeZSet2 {
					b.WriteString(double(float64(i)))
				} else if form == typeHash {
					b.WriteString(str("value"))
				}
			}
		}
		r := newRoom(t, 512<<10)
		l, err := r.load(form, 10, b.Bytes(), stock, 4096, false)
		if !errors.Is(err, ErrMemory) {
			t.Errorf("form %d: %v", form, err)
		}
		r.free(l)
		if r.h.Used() != 0 {
			t.Errorf("form %d: %d bytes are left", form, r.h.Used())
		}
	}
}
