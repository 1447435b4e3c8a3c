package command

import (
	"encoding/binary"
	"math/bits"

	"sherd/internal/wire/resp"
)

// Bits are counted from the most significant bit of the first byte.

func runSetBit(x *Ctx) {
	offset, ok := x.bitOffset(x.Args[2], 0)
	if !ok {
		return
	}
	bit, ok := resp.ParseInt64(x.Args[3])
	if !ok || bit&^1 != 0 {
		x.Error("ERR bit is not an integer or out of range")
		return
	}
	k := &x.Keys[0]
	e, exists, wrong := x.FindString(k)
	if wrong {
		return
	}
	v, ok := x.extend(k, e, exists, int(offset>>3)+1)
	if !ok {
		return
	}
	p, shift := &v[offset>>3], 7-offset&7
	old := *p >> shift & 1
	*p = *p&^(1<<shift) | byte(bit)<<shift
	x.Int(int64(old))
}

func runGetBit(x *Ctx) {
	offset, ok := x.bitOffset(x.Args[2], 0)
	if !ok {
		return
	}
	e, ok, wrong := x.ReadString(&x.Keys[0])
	if wrong {
		return
	}
	var v []byte
	if ok {
		v = e.Value()
	}
	x.Int(bitAt(v, offset))
}

// bitAt is one bit of v; what lies behind its end is zero.
func bitAt(v []byte, offset int64) int64 {
	if offset>>3 >= int64(len(v)) {
		return 0
	}
	return int64(v[offset>>3] >> (7 - offset&7) & 1)
}

// bitOffset reads the place of a bit. With a field size in bits, "#n" is the
// n-th field.
func (x *Ctx) bitOffset(arg []byte, size int64) (int64, bool) {
	scale := int64(1)
	if size > 0 && len(arg) > 0 && arg[0] == '#' {
		arg, scale = arg[1:], size
	}
	n, ok := resp.ParseInt64(arg)
	if !ok || n < 0 || n > (1<<63-1)/scale || n*scale>>3 >= x.Conf.ProtoMaxBulkBytes {
		x.Error("ERR bit offset is not an integer or out of range")
		return 0, false
	}
	return n * scale, true
}

// bitRange are the optional arguments [start [end [BYTE|BIT]]] of BITCOUNT and
// BITPOS, as places of bits.
type bitRange struct {
	from, to int64 // bits [from, to)
	bits     bool  // BIT was given
	ended    bool  // an end was given
}

// bitRange reads args, of which there are up to three, for a string of n bytes.
// BITPOS looks at the unit before the end. BITCOUNT looks at it last (unitLast), and
// not at all where both places count from the end and the start lies behind.
func (x *Ctx) bitRange(args [][]byte, n int, unitLast bool) (r bitRange, ok bool) {
	start, end := int64(0), int64(-1)
	if len(args) > 0 {
		if start, ok = resp.ParseInt64(args[0]); !ok {
			x.Error(errNotInteger)
			return r, false
		}
	}
	if !unitLast && !x.bitUnit(args, &r) {
		return r, false
	}
	if len(args) > 1 {
		r.ended = true
		if end, ok = resp.ParseInt64(args[1]); !ok {
			x.Error(errNotInteger)
			return r, false
		}
	}
	if unitLast {
		if start < 0 && end < 0 && start > end {
			return r, true
		}
		if !x.bitUnit(args, &r) {
			return r, false
		}
	}
	unit, total := int64(8), int64(n)
	if r.bits {
		unit, total = 1, 8*total
	}
	start, end = span(start, end, total)
	if start > end {
		return r, true
	}
	r.from, r.to = start*unit, (end+1)*unit
	return r, true
}

// bitUnit reads the third of bitRange's args, if it is there; false: an error was
// replied.
func (x *Ctx) bitUnit(args [][]byte, r *bitRange) bool {
	if len(args) < 3 {
		return true
	}
	if r.bits = is(args[2], "BIT"); !r.bits && !is(args[2], "BYTE") {
		x.Syntax()
		return false
	}
	return true
}

func runBitCount(x *Ctx) {
	e, ok, wrong := x.ReadString(&x.Keys[0])
	if wrong {
		return
	}
	if !ok {
		x.Int(0)
		return
	}
	if n := len(x.Args); n == 3 || n > 5 {
		x.Syntax()
		return
	}
	v := e.Value()
	if r, ok := x.bitRange(x.Args[2:], len(v), true); ok {
		x.Int(countBits(v, r.from, r.to))
	}
}

// countBits counts the ones among bits [from, to) of v.
func countBits(v []byte, from, to int64) int64 {
	if from >= to {
		return 0
	}
	first, last := from>>3, (to-1)>>3
	head := byte(0xff) >> (from & 7)
	tail := byte(0xff) << (7 - (to-1)&7)
	if first == last {
		return int64(bits.OnesCount8(v[first] & head & tail))
	}
	n := bits.OnesCount8(v[first]&head) + bits.OnesCount8(v[last]&tail)
	p := v[first+1 : last]
	for ; len(p) >= 32; p = p[32:] {
		n += bits.OnesCount64(binary.LittleEndian.Uint64(p)) +
			bits.OnesCount64(binary.LittleEndian.Uint64(p[8:])) +
			bits.OnesCount64(binary.LittleEndian.Uint64(p[16:])) +
			bits.OnesCount64(binary.LittleEndian.Uint64(p[24:]))
	}
	for _, c := range p {
		n += bits.OnesCount8(c)
	}
	return int64(n)
}

func runBitPos(x *Ctx) {
	bit, ok := resp.ParseInt64(x.Args[2])
	if !ok {
		x.Error(errNotInteger)
		return
	}
	if bit&^1 != 0 {
		x.Error("ERR The bit argument must be 1 or 0.")
		return
	}
	e, ok, wrong := x.ReadString(&x.Keys[0])
	if wrong {
		return
	}
	if !ok {
		x.Int(-bit) // a key that does not exist is all zeros
		return
	}
	if len(x.Args) > 6 {
		x.Syntax()
		return
	}
	v := e.Value()
	r, ok := x.bitRange(x.Args[3:], len(v), false)
	if !ok {
		return
	}
	at := findBit(v, r.from, r.to, byte(bit))
	if at < 0 && bit == 0 && !r.ended && r.from < r.to {
		at = r.to // the string goes on in zeros
	}
	x.Int(at)
}

// findBit is the place of the first bit among [from, to) that is 0 or 1, or -1.
func findBit(v []byte, from, to int64, bit byte) int64 {
	if from >= to {
		return -1
	}
	flip := bit - 1 // 0xff when zeros are looked for
	first, last := from>>3, (to-1)>>3
	if c := (v[first] ^ flip) & (0xff >> (from & 7)); c != 0 {
		return within(first<<3+int64(bits.LeadingZeros8(c)), to)
	}
	i := first + 1
	for wide := -uint64(flip & 1); i+8 <= last; i += 8 {
		if binary.LittleEndian.Uint64(v[i:]) != wide {
			break
		}
	}
	for ; i <= last; i++ {
		if c := v[i] ^ flip; c != 0 {
			return within(i<<3+int64(bits.LeadingZeros8(c)), to)
		}
	}
	return -1
}

func within(at, to int64) int64 {
	if at >= to {
		return -1
	}
	return at
}
