package hll

import "strconv"

const (
	zeroMax  = 64        // registers of a ZERO
	xzeroMax = Registers // registers of an XZERO
	valMax   = 4         // registers of a VAL
	// sparseMax is the greatest rank of a sparse string.
	sparseMax = 32
	// mergeSteps is how many opcodes are looked at for VALs that can be one.
	mergeSteps = 5
)

func isVal(op byte) bool   { return op&0x80 != 0 }
func isXZero(op byte) bool { return op&0xc0 == 0x40 }

func val(rank uint8, run int) byte { return 0x80 | (rank-1)<<2 | uint8(run-1) }

// putZeros writes the opcode of a run of zeros and returns its length.
func putZeros(b []byte, run int) int {
	if run > zeroMax {
		b[0], b[1] = 0x40|uint8((run-1)>>8), uint8(run-1)
		return 2
	}
	b[0] = uint8(run - 1)
	return 1
}

// An opcode is one of a sparse string.
type opcode struct {
	rank uint8 // 0: zeros
	run  int   // registers it covers; at least 1
	size int   // bytes
}

// readOpcode reads the opcode at a place of a string; false if the string ends
// within it.
func readOpcode(b []byte, at int) (opcode, bool) {
	op := b[at]
	switch {
	case isVal(op):
		return opcode{op>>2&0x1f + 1, int(op&3) + 1, 1}, true
	case isXZero(op):
		if at+1 >= len(b) {
			return opcode{}, false
		}
		return opcode{0, int(op&0x3f)<<8 + int(b[at+1]) + 1, 2}, true
	}
	return opcode{0, int(op&0x3f) + 1, 1}, true
}

// A Walk is a place among the opcodes of a sparse string. It goes forward only:
// registers have to be asked for in ascending order. The zero Walk is at the
// beginning.
type Walk struct {
	// The opcode before the previous one, where the next search begins: a merge
	// may change the previous one, but never this.
	resumeAt, resumeFirst int
}

// An Edit is a change of a sparse string that was found to be needed.
type Edit struct {
	seq  [5]byte // what comes instead of the opcode
	n    int     // bytes of seq
	at   int     // the opcode
	size int     // its bytes
	prev int     // the opcode before it, or itself
}

// Grow is by how many bytes the string gets longer; it may be negative.
func (e *Edit) Grow() int { return e.n - e.size }

// A Verdict says what it takes to raise a register of a sparse string.
type Verdict uint8

// The verdicts.
const (
	Change  Verdict = iota // apply the Edit
	Keep                   // nothing: the register is as great already
	Promote                // a rank that only a dense string can hold
	Corrupt                // the opcodes do not cover the register
)

// Prepare finds out how to make a register at least rank.
func (w *Walk) Prepare(b []byte, register int, rank uint8) (e Edit, v Verdict) {
	if rank > sparseMax {
		return e, Promote
	}
	at, first := max(w.resumeAt, HeaderBytes), w.resumeFirst
	prev, prevFirst := at, first
	prev2, prev2First := at, first
	// The opcodes before the register: what readOpcode does, without its result.
	for at < len(b) {
		op, run, size := b[at], 0, 1
		switch {
		case isVal(op):
			run = int(op&3) + 1
		case !isXZero(op):
			run = int(op) + 1
		case at+1 < len(b):
			run, size = int(op&0x3f)<<8+int(b[at+1])+1, 2
		default:
			return e, Corrupt
		}
		if register < first+run {
			break
		}
		prev2, prev2First = prev, prevFirst
		prev, prevFirst = at, first
		at += size
		first += run
	}
	if at >= len(b) {
		return e, Corrupt
	}
	op, _ := readOpcode(b, at)
	w.resumeAt, w.resumeFirst = prev2, prev2First
	if op.rank >= rank {
		return e, Keep
	}
	e.at, e.size, e.prev = at, op.size, prev
	before, behind := register-first, first+op.run-1-register
	e.run(op.rank, before)
	e.run(rank, 1)
	e.run(op.rank, behind)
	return e, Change
}

// run appends an opcode to what comes instead.
func (e *Edit) run(rank uint8, run int) {
	switch {
	case run == 0:
	case rank == 0:
		e.n += putZeros(e.seq[e.n:], run)
	default:
		e.seq[e.n] = val(rank, run)
		e.n++
	}
}

// Apply makes the change in a string of n bytes that has room for Grow more, and
// returns how long it is then. The cardinality is marked as out of date.
func (e *Edit) Apply(b []byte, n int) int {
	copy(b[e.at+e.n:], b[e.at+e.size:n])
	copy(b[e.at:], e.seq[:e.n])
	n = mergeVals(b[:n+e.Grow()], e.prev)
	Invalidate(b)
	return n
}

// mergeVals joins equal VALs among some opcodes from a place on, and returns the
// string's new length.
func mergeVals(b []byte, at int) int {
	end := len(b)
	for i := 0; at < end && i < mergeSteps; i++ {
		op := b[at]
		switch {
		case isXZero(op):
			at += 2
			continue
		case !isVal(op):
			at++
			continue
		}
		if at+1 < end {
			next := b[at+1]
			if run := int(op&3) + int(next&3) + 2; isVal(next) && op>>2 == next>>2 && run <= valMax {
				b[at+1] = op&^3 | uint8(run-1)
				copy(b[at:], b[at+1:end])
				end--
				continue
			}
		}
		at++
	}
	return end
}

// Merge raises ranks, one for each register, to those of a string. False: the
// string is corrupt; ranks may have been raised.
func Merge(ranks *[Registers]uint8, b []byte) bool {
	if !Sparse(b) {
		p := b[HeaderBytes:DenseBytes]
		for i := 0; i < Registers; i += 4 {
			r0, r1, r2, r3 := four(p, i)
			ranks[i] = max(ranks[i], r0)
			ranks[i+1] = max(ranks[i+1], r1)
			ranks[i+2] = max(ranks[i+2], r2)
			ranks[i+3] = max(ranks[i+3], r3)
		}
		return true
	}
	register := 0
	for at := HeaderBytes; at < len(b); {
		op, ok := readOpcode(b, at)
		if !ok || register+op.run > Registers {
			return false
		}
		if op.rank > 0 {
			for i := register; i < register+op.run; i++ {
				ranks[i] = max(ranks[i], op.rank)
			}
		}
		register += op.run
		at += op.size
	}
	return register == Registers
}

// AppendOpcodes appends a readable form of a sparse string's opcodes: z:n and
// Z:n for ZERO and XZERO, v:value,n for VAL. An XZERO that the string cuts off is
// read as if a zero byte followed, as one does in Redis.
func AppendOpcodes(dst, b []byte) []byte {
	for at := HeaderBytes; at < len(b); {
		op, ok := readOpcode(b, at)
		if !ok {
			op = opcode{0, int(b[at]&0x3f)<<8 + 1, 2}
		}
		if len(dst) > 0 {
			dst = append(dst, ' ')
		}
		switch {
		case op.rank > 0:
			dst = append(dst, "v:"...)
			dst = strconv.AppendInt(dst, int64(op.rank), 10)
			dst = append(dst, ',')
		case op.size == 2:
			dst = append(dst, "Z:"...)
		default:
			dst = append(dst, "z:"...)
		}
		dst = strconv.AppendInt(dst, int64(op.run), 10)
		at += op.size
	}
	return dst
}

// Raised raises the registers of a sparse string to ranks, in ascending order,
// and returns the string, which may have moved. False: it would have to be dense,
// being longer than maxBytes or holding too great a rank, or it is corrupt.
func Raised(b []byte, ranks *[Registers]uint8, maxBytes int64) ([]byte, bool) {
	var w Walk
	ok := true
	for register, rank := range ranks {
		if rank == 0 {
			continue
		}
		if b, ok = w.raised(b, register, rank, maxBytes); !ok {
			return b, false
		}
	}
	return b, true
}

// RaisedOne is Raised for one register.
func RaisedOne(b []byte, register int, rank uint8, maxBytes int64) ([]byte, bool) {
	var w Walk
	return w.raised(b, register, rank, maxBytes)
}

func (w *Walk) raised(b []byte, register int, rank uint8, maxBytes int64) ([]byte, bool) {
	e, v := w.Prepare(b, register, rank)
	switch v {
	case Keep:
		return b, true
	case Promote, Corrupt:
		return b, false
	}
	n, grow := len(b), e.Grow()
	if grow > 0 {
		if int64(n+grow) > maxBytes {
			return b, false
		}
		b = append(b, e.seq[:grow]...) // room; Apply writes it
	}
	return b[:e.Apply(b, n)], true
}
