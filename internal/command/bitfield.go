package command

import (
	"math"

	"sherd/internal/wire/resp"
)

// field is one operation of BITFIELD.
type field struct {
	op       fieldOp
	overflow fieldOverflow
	signed   bool
	bits     uint8
	offset   int64
	value    int64
}

type fieldOp uint8

const (
	fieldGet fieldOp = iota
	fieldSet
	fieldIncrBy
)

// fieldOverflow says what becomes of a value that does not fit its field.
type fieldOverflow uint8

const (
	fieldWrap fieldOverflow = iota
	fieldSat
	fieldFail
)

func runBitField(x *Ctx)   { x.bitField(false) }
func runBitFieldRO(x *Ctx) { x.bitField(true) }

func (x *Ctx) bitField(onlyGet bool) {
	var few [8]field
	fields, ok := x.parseFields(few[:0])
	if !ok {
		return
	}
	size, writes := int64(0), false // bytes that are written to
	for i := range fields {
		if f := &fields[i]; f.op != fieldGet {
			writes = true
			size = max(size, (f.offset+int64(f.bits)-1)>>3+1)
		}
	}
	if writes && onlyGet {
		x.Error("ERR BITFIELD_RO only supports the GET subcommand")
		return
	}
	k := &x.Keys[0]
	var v []byte
	if writes {
		e, exists, wrong := x.FindString(k)
		if wrong {
			return
		}
		if v, ok = x.extend(k, e, exists, int(size)); !ok {
			return
		}
	} else {
		e, exists, wrong := x.ReadString(k)
		if wrong {
			return
		}
		if exists {
			v = e.Value()
		}
	}
	x.Array(len(fields))
	for i := range fields {
		if n, ok := fields[i].run(v); ok {
			x.Int(n)
		} else {
			x.Null()
		}
	}
}

// parseFields reads the operations; if one is wrong it replies the error.
func (x *Ctx) parseFields(fields []field) ([]field, bool) {
	overflow := fieldWrap
	args := x.Args
	for i := 2; i < len(args); i++ {
		f := field{overflow: overflow}
		left := len(args) - i - 1
		switch a := args[i]; {
		case is(a, "GET") && left >= 2:
			f.op = fieldGet
		case is(a, "SET") && left >= 3:
			f.op = fieldSet
		case is(a, "INCRBY") && left >= 3:
			f.op = fieldIncrBy
		case is(a, "OVERFLOW") && left >= 1:
			i++
			switch a := args[i]; {
			case is(a, "WRAP"):
				overflow = fieldWrap
			case is(a, "SAT"):
				overflow = fieldSat
			case is(a, "FAIL"):
				overflow = fieldFail
			default:
				x.Error("ERR Invalid OVERFLOW type specified")
				return nil, false
			}
			continue
		default:
			x.Syntax()
			return nil, false
		}
		var ok bool
		if f.signed, f.bits, ok = fieldType(args[i+1]); !ok {
			x.Error("ERR Invalid bitfield type. Use something like i16 u8. Note that u64 is not supported but i64 is.")
			return nil, false
		}
		if f.offset, ok = x.bitOffset(args[i+2], int64(f.bits)); !ok {
			return nil, false
		}
		i += 2
		if f.op != fieldGet {
			i++
			if f.value, ok = resp.ParseInt64(args[i]); !ok {
				x.Error(errNotInteger)
				return nil, false
			}
		}
		fields = append(fields, f)
	}
	return fields, true
}

// fieldType reads a type like i16 or u8.
func fieldType(arg []byte) (signed bool, bits uint8, ok bool) {
	if len(arg) < 2 || arg[0] != 'i' && arg[0] != 'u' {
		return false, 0, false
	}
	signed = arg[0] == 'i'
	n, ok := resp.ParseInt64(arg[1:])
	if !ok || n < 1 || n > 64 || n == 64 && !signed {
		return false, 0, false
	}
	return signed, uint8(n), true
}

// run executes the operation on v and returns its reply; ok is false for null.
func (f *field) run(v []byte) (n int64, ok bool) {
	old := f.load(v)
	if f.op == fieldGet {
		return old, true
	}
	base, add := old, f.value
	if f.op == fieldSet {
		base, add = f.value, 0
	}
	sum, beyond := f.sum(base, add)
	if beyond && f.overflow == fieldFail {
		return 0, false
	}
	f.store(v, uint64(sum))
	if f.op == fieldSet {
		return old, true
	}
	return sum, true
}

// sum is base + add as the field can hold it, and whether it had to be wrapped
// or saturated. The base of an unsigned field is a uint64 in disguise.
func (f *field) sum(base, add int64) (n int64, beyond bool) {
	over, under := false, false
	var low, high int64
	if f.signed {
		high = math.MaxInt64 >> (64 - f.bits)
		low = -high - 1
		// high-base and low-base may themselves overflow, with 64 bits only.
		over = base > high || base >= 0 && add > 0 && add > high-base || f.bits < 64 && add > high-base
		under = !over && (base < low || base < 0 && add < 0 && add < low-base || f.bits < 64 && add < low-base)
	} else {
		top := uint64(1)<<f.bits - 1
		high = int64(top)
		over = uint64(base) > top || add > 0 && add > int64(top-uint64(base))
		under = !over && add < 0 && uint64(-add) > uint64(base)
	}
	switch {
	case !over && !under:
		return base + add, false
	case f.overflow == fieldSat && over:
		return high, true
	case f.overflow == fieldSat:
		return low, true
	}
	return f.extend(uint64(base + add)), true
}

// extend makes the low bits of u a number of the field's type.
func (f *field) extend(u uint64) int64 {
	unused := 64 - f.bits
	if f.signed {
		return int64(u<<unused) >> unused
	}
	return int64(u << unused >> unused)
}

// load reads the field; what lies behind the end of v is zero.
func (f *field) load(v []byte) int64 {
	first := f.offset >> 3
	if first >= int64(len(v)) {
		return 0
	}
	var b [9]byte
	copy(b[:], v[first:])
	return f.extend(f.window(&b))
}

// window is the field in the nine bytes around it, in the low bits.
func (f *field) window(b *[9]byte) uint64 {
	u := uint64(0)
	for _, c := range b[:8] {
		u = u<<8 | uint64(c)
	}
	skip := uint(f.offset & 7)
	u = u<<skip | uint64(b[8])>>(8-skip)
	return u >> (64 - f.bits)
}

// store writes the low bits of u into the field, which lies within v.
func (f *field) store(v []byte, u uint64) {
	for i := int64(f.bits) - 1; i >= 0; {
		// The bits of one byte at a time, from the last on.
		at := f.offset + i
		shift := uint(7 - at&7)
		n := min(i, at&7) + 1
		mask := byte(1<<n-1) << shift
		p := &v[at>>3]
		*p = *p&^mask | byte(u)<<shift&mask
		u >>= uint(n)
		i -= n
	}
}
