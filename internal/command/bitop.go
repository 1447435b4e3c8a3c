package command

import (
	"encoding/binary"

	"sherd/internal/store/dash"
)

// bitOperation is an operation of BITOP.
type bitOperation uint8

const (
	bitAnd   bitOperation = iota
	bitOr                 // in any
	bitXor                // in an odd number
	bitNot                // of the only source
	bitDiff               // in the first and in none of the others
	bitDiff1              // in one of the others but not in the first
	bitAndOr              // in the first and in one of the others
	bitOne                // in exactly one
)

var bitOperations = [...]string{"AND", "OR", "XOR", "NOT", "DIFF", "DIFF1", "ANDOR", "ONE"}

func runBitOp(x *Ctx) {
	op := bitOperation(0)
	for int(op) < len(bitOperations) && !is(x.Args[1], bitOperations[op]) {
		op++
	}
	switch n := len(x.Args) - 3; {
	case int(op) == len(bitOperations):
		x.Syntax()
		return
	case op == bitNot && n != 1:
		x.Error("ERR BITOP NOT must be called with a single source key.")
		return
	case (op == bitDiff || op == bitDiff1 || op == bitAndOr) && n < 2:
		x.Error("ERR BITOP " + bitOperations[op] + " must be called with at least two source keys.")
		return
	}
	to, from := &x.Keys[0], x.Keys[1:]
	var few [8][]byte
	sources, size := few[:0], 0
	for i := range from {
		e, ok := x.Read(&from[i])
		var v []byte
		if ok {
			if e.Kind() != dash.String {
				x.WrongType()
				return
			}
			v = e.Value()
		}
		sources = append(sources, v)
		size = max(size, len(v))
	}
	if !x.fits(int64(size)) {
		return
	}
	e, exists := x.Find(to)
	if size == 0 {
		if exists {
			x.Remove(to, e)
		}
		x.Int(0)
		return
	}
	if exists && e.Kind() != dash.String {
		x.Remove(to, e)
		exists = false
	}
	old := 0
	if exists {
		old = len(e.Value())
	}
	result, ok := x.resultOf(to, e, exists, size)
	if !ok {
		return
	}
	if exists {
		// The destination may be a source too, and may have moved.
		for i := range from {
			if from[i].Hash == to.Hash && string(from[i].Bytes) == string(to.Bytes) {
				sources[i] = result[:old]
			}
		}
	}
	op.apply(result, sources)
	x.Int(int64(size))
}

// resultOf gives the destination its length and no deadline, and returns its
// bytes.
func (x *Ctx) resultOf(to *Key, e dash.Entry, exists bool, size int) ([]byte, bool) {
	t, h := x.Table(to), &to.Slice.Heap
	if exists {
		if len(e.Value()) > size { // it is no source, else size would be greater
			if !x.Replace(to, e, nil, 0) {
				return nil, false
			}
			x.L.Stats.Dirty--
			e, _ = t.Find(h, to.Hash, to.Bytes)
		} else if e.DeadlineMs() != 0 {
			var ok bool
			if e, ok = t.SetDeadline(h, e, to.Hash, 0); !ok {
				x.outOfMemory()
				return nil, false
			}
		}
	}
	return x.extend(to, e, exists, size)
}

// apply computes the operation into result. A source may be the result's own
// beginning: each block is read from all sources before it is written.
func (op bitOperation) apply(result []byte, sources [][]byte) {
	const block = 1024
	var acc, more, part [block / 8]uint64
	for at := 0; at < len(result); at += block {
		n := min(block, len(result)-at)
		words := (n + 7) / 8
		loadBits(acc[:words], sources[0], at)
		if op == bitDiff || op == bitDiff1 || op == bitAndOr {
			clear(more[:words]) // the others' union
		} else if op == bitOne {
			clear(more[:words]) // in more than one
		}
		for _, s := range sources[1:] {
			loadBits(part[:words], s, at)
			op.join(acc[:words], more[:words], part[:words])
		}
		op.finish(acc[:words], more[:words])
		storeBits(result[at:at+n], acc[:words])
	}
}

// join takes one more source into the accumulators.
func (op bitOperation) join(acc, more, part []uint64) {
	more, part = more[:len(acc)], part[:len(acc)]
	switch op {
	case bitAnd:
		for i := range acc {
			acc[i] &= part[i]
		}
	case bitOr:
		for i := range acc {
			acc[i] |= part[i]
		}
	case bitXor:
		for i := range acc {
			acc[i] ^= part[i]
		}
	case bitDiff, bitDiff1, bitAndOr:
		for i := range more {
			more[i] |= part[i]
		}
	case bitOne:
		for i := range acc {
			more[i] |= acc[i] & part[i]
			acc[i] |= part[i]
		}
	}
}

// finish makes the result out of the accumulators.
func (op bitOperation) finish(acc, more []uint64) {
	more = more[:len(acc)]
	switch op {
	case bitNot:
		for i := range acc {
			acc[i] = ^acc[i]
		}
	case bitDiff, bitOne:
		for i := range acc {
			acc[i] &^= more[i]
		}
	case bitDiff1:
		for i := range acc {
			acc[i] = more[i] &^ acc[i]
		}
	case bitAndOr:
		for i := range acc {
			acc[i] &= more[i]
		}
	}
}

// loadBits reads words of s from byte at on; behind its end are zeros.
func loadBits(words []uint64, s []byte, at int) {
	s = s[min(at, len(s)):]
	i := 0
	for ; i < len(words) && len(s) >= 8; i++ {
		words[i] = binary.LittleEndian.Uint64(s)
		s = s[8:]
	}
	if i == len(words) {
		return
	}
	clear(words[i:])
	for j, c := range s {
		words[i] |= uint64(c) << (8 * j)
	}
}

func storeBits(to []byte, words []uint64) {
	for _, w := range words {
		if len(to) < 8 {
			for i := range to {
				to[i] = byte(w >> (8 * i))
			}
			return
		}
		binary.LittleEndian.PutUint64(to, w)
		to = to[8:]
	}
}
