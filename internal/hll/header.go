package hll

import "encoding/binary"

const (
	// HeaderBytes is the length of the header.
	HeaderBytes = 16
	// Registers is how many registers there are.
	Registers = 1 << precision
	// DenseBytes is the length of a dense string.
	DenseBytes = HeaderBytes + Registers*6/8
	// EmptyBytes is the length of a string that nothing was added to.
	EmptyBytes = HeaderBytes + 2

	precision = 14
	rankBits  = 64 - precision

	encodingAt = 4
	cardAt     = 8

	dense  = 0
	sparse = 1
)

const magic = "HYLL"

// PutEmpty writes the string of an empty set into b, which has EmptyBytes.
func PutEmpty(b []byte) {
	clear(b[:HeaderBytes])
	copy(b, magic)
	b[encodingAt] = sparse
	n := putZeros(b[HeaderBytes:], Registers)
	if HeaderBytes+n != EmptyBytes {
		panic("hll: an empty string of another length")
	}
}

// Valid tells whether a string may be one of this package: its header is right
// and, if it is dense, its length. What a sparse one's opcodes say is looked at
// when they are read.
func Valid(b []byte) bool {
	if len(b) < HeaderBytes || string(b[:len(magic)]) != magic {
		return false
	}
	switch b[encodingAt] {
	case dense:
		return len(b) == DenseBytes
	case sparse:
		return true
	}
	return false
}

// Sparse tells how a valid string is encoded.
func Sparse(b []byte) bool { return b[encodingAt] == sparse }

// Invalidate marks the cardinality in the header as out of date.
func Invalidate(b []byte) { b[cardAt+7] |= 0x80 }

// Cached returns the cardinality in the header; false if it is out of date.
func Cached(b []byte) (n uint64, ok bool) {
	return binary.LittleEndian.Uint64(b[cardAt:]), b[cardAt+7]&0x80 == 0
}

// PutCached stores the cardinality in the header.
func PutCached(b []byte, n uint64) { binary.LittleEndian.PutUint64(b[cardAt:], n) }
