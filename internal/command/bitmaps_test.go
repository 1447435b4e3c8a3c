package command

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

func TestBitCountAndPos(t *testing.T) {
	s := newStage(t)
	s.play(`
		set k foobar => +OK
		bitcount k => :26
		bitcount k 0 0 => :4
		bitcount k 5 30 bit => :17
		bitcount k -2 -3 => :0
		bitcount k -18 -19 => :0
		bitpos k 1 -18 -19 => :1
		bitcount k 1 => -ERR syntax error
		bitcount k 1 2 foo => -ERR syntax error
		bitcount none 1 foo => :0
		bitpos k 1 => :1
		bitpos k 2 => -ERR The bit argument must be 1 or 0.
		bitpos none 0 => :0
		bitpos none 1 => :-1
		set k "\xff\xff\xff" => +OK
		bitpos k 0 => :24
		bitpos k 0 0 -1 => :-1
		bitpos k 0 1 => :24
		bitpos k 0 3 => :-1
		set k "" => +OK
		bitpos k 0 => :-1
	`)
	// Against bits counted one by one.
	const seed = 7
	r := rand.New(rand.NewPCG(seed, 0))
	for range 300 {
		v := make([]byte, r.IntN(200))
		for i := range v {
			v[i] = [...]byte{0, 0, 0xff, 0xff, byte(r.Uint32())}[r.IntN(5)]
		}
		s.do("set", "k", string(v))
		total := int64(len(v)) * 8
		from, to := r.Int64N(total+2)-total/2, r.Int64N(total+2)-total/2
		lo, hi := span(from, to, total)
		count, first := int64(0), [2]int64{-1, -1}
		for i := lo; i <= hi; i++ {
			b := bitAt(v, i)
			count += b
			if first[b] < 0 {
				first[b] = i
			}
		}
		if from < 0 && to < 0 && from > to {
			count = 0
		}
		f, e := strconv.FormatInt(from, 10), strconv.FormatInt(to, 10)
		if got := s.do("bitcount", "k", f, e, "bit"); got != fmt.Sprint(":", count) {
			t.Fatalf("seed %d: bitcount %q %s %s: %s, want %d", seed, v, f, e, got, count)
		}
		for bit := range first {
			if got := s.do("bitpos", "k", strconv.Itoa(bit), f, e, "bit"); got != fmt.Sprint(":", first[bit]) {
				t.Fatalf("seed %d: bitpos %q %d %s %s: %s, want %d", seed, v, bit, f, e, got, first[bit])
			}
		}
	}
}

func TestBitOp(t *testing.T) {
	s := newStage(t)
	s.play(`
		bitop foo d a => -ERR syntax error
		bitop not d a b => -ERR BITOP NOT must be called with a single source key.
		bitop diff d a => -ERR BITOP DIFF must be called with at least two source keys.
		bitop diff1 d a => -ERR BITOP DIFF1 must be called with at least two source keys.
		bitop andor d a => -ERR BITOP ANDOR must be called with at least two source keys.
		set d x => +OK
		bitop or d none => :0
		exists d => :0
	`)
	const seed = 11
	r := rand.New(rand.NewPCG(seed, 0))
	for round := range 400 {
		op := r.IntN(len(bitOperations))
		n := 1 + r.IntN(4)
		switch bitOperation(op) {
		case bitNot:
			n = 1
		case bitDiff, bitDiff1, bitAndOr:
			n = max(n, 2)
		}
		args := []string{"bitop", strings.ToLower(bitOperations[op]), "d"}
		var values [][]byte
		size := 0
		for i := range n {
			v := make([]byte, r.IntN([...]int{1, 10, 100, 9000}[r.IntN(4)]+1))
			for j := range v {
				v[j] = byte(r.Uint32())
			}
			key := fmt.Sprint("s", i)
			if r.IntN(5) == 0 {
				key = "d" // the destination is a source
			}
			s.do("set", key, string(v), "ex", "100")
			args = append(args, key)
			values = append(values, v)
			size = max(size, len(v))
		}
		for i, key := range args[3:] { // a later one may have replaced it
			for j := i; j < n; j++ {
				if args[3+j] == key {
					values[i] = values[j]
				}
			}
		}
		size = 0
		for _, v := range values {
			size = max(size, len(v))
		}
		want := make([]byte, size)
		for i := range want {
			for b := range 8 {
				set := 0
				for _, v := range values {
					set += int(bitAt(v, int64(i*8+b)))
				}
				x := int(bitAt(values[0], int64(i*8+b)))
				var on bool
				switch bitOperation(op) {
				case bitAnd:
					on = set == n
				case bitOr:
					on = set > 0
				case bitXor:
					on = set&1 == 1
				case bitNot:
					on = x == 0
				case bitDiff:
					on = x == 1 && set == 1
				case bitDiff1:
					on = x == 0 && set > 0
				case bitAndOr:
					on = x == 1 && set > 1
				case bitOne:
					on = set == 1
				}
				if on {
					want[i] |= 0x80 >> b
				}
			}
		}
		if got := s.do(args...); got != fmt.Sprint(":", size) {
			t.Fatalf("seed %d round %d: %v: %s, want %d", seed, round, args, got, size)
		}
		if got := s.do("get", "d"); size > 0 && got != strconv.Quote(string(want)) {
			t.Fatalf("seed %d round %d: %v of %q: %s", seed, round, args, values, got)
		}
		if size > 0 && s.do("ttl", "d") != ":-1" {
			t.Fatalf("the result has a deadline")
		}
	}
}

func TestBitField(t *testing.T) {
	s := newStage(t)
	s.play(`
		bitfield k => []
		bitfield k get u8 0 => [:0]
		exists k => :0
		bitfield k set u8 0 255 get u8 0 => [:0 :255]
		bitfield k incrby u8 0 1 => [:0]
		bitfield k overflow sat incrby u8 0 300 => [:255]
		bitfield k overflow fail incrby u8 0 1 get u8 0 => [nil :255]
		bitfield k overflow sat incrby i8 8 200 incrby i8 8 -500 => [:127 :-128]
		bitfield k set i8 8 200 get i8 8 => [:-128 :-56]
		bitfield k get u64 0 => -ERR Invalid bitfield type. Use something like i16 u8. Note that u64 is not supported but i64 is.
		bitfield k get u8 #-1 => -ERR bit offset is not an integer or out of range
		bitfield k overflow foo => -ERR Invalid OVERFLOW type specified
		bitfield k set u8 0 x => -ERR value is not an integer or out of range
		bitfield k set u8 0 1 bogus => -ERR syntax error
		bitfield k get u8 0 => [:255]
		bitfield_ro k get u8 0 get u4 4 => [:255 :15]
		bitfield_ro k set u8 0 1 => -ERR BITFIELD_RO only supports the GET subcommand
	`)
	// Any field at any place: what is written is read, and nothing else changes.
	const seed = 3
	r := rand.New(rand.NewPCG(seed, 0))
	model := make([]byte, 40)
	s.do("set", "m", string(model))
	for range 2000 {
		width := 1 + r.IntN(63)
		offset := r.IntN(40*8 - width)
		n := r.Uint64() >> (64 - width)
		s.do("bitfield", "m", "set", fmt.Sprint("u", width), strconv.Itoa(offset), strconv.FormatUint(n, 10))
		for i := range width {
			p, mask := &model[(offset+i)/8], byte(0x80>>((offset+i)%8))
			if *p &^= mask; n>>(width-1-i)&1 == 1 {
				*p |= mask
			}
		}
		if got := s.do("get", "m"); got != strconv.Quote(string(model)) {
			t.Fatalf("seed %d: u%d at %d set to %d: %s", seed, width, offset, n, got)
		}
		signed := int64(n<<(64-width)) >> (64 - width)
		if got := s.do("bitfield", "m", "get", fmt.Sprint("i", width), strconv.Itoa(offset)); got != fmt.Sprintf("[:%d]", signed) {
			t.Fatalf("seed %d: i%d at %d: %s, want %d", seed, width, offset, got, signed)
		}
	}
}
