package hll

// maxRank is what the 6 bits of a register can hold.
const maxRank = 63

// Register returns a register of a dense string.
func Register(b []byte, register int) uint8 {
	p := b[HeaderBytes:DenseBytes]
	at, shift := register*6>>3, uint(register*6&7)
	v := uint(p[at]) >> shift
	if shift > 2 {
		v |= uint(p[at+1]) << (8 - shift)
	}
	return uint8(v & maxRank)
}

func putRegister(b []byte, register int, rank uint8) {
	p := b[HeaderBytes:DenseBytes]
	at, shift := register*6>>3, uint(register*6&7)
	v := uint(rank) << shift
	mask := uint(maxRank) << shift
	p[at] = p[at]&^uint8(mask) | uint8(v)
	if shift > 2 {
		p[at+1] = p[at+1]&^uint8(mask>>8) | uint8(v>>8)
	}
}

// Raise makes a register of a dense string at least rank and reports whether it
// was less.
func Raise(b []byte, register int, rank uint8) bool {
	if Register(b, register) >= rank {
		return false
	}
	putRegister(b, register, rank)
	return true
}

// PutDense writes ranks, one for each register, into a dense string.
func PutDense(b []byte, ranks *[Registers]uint8) {
	p := b[HeaderBytes:DenseBytes]
	for i := 0; i < Registers; i += 4 {
		v := uint32(ranks[i]) | uint32(ranks[i+1])<<6 | uint32(ranks[i+2])<<12 | uint32(ranks[i+3])<<18
		q := p[i/4*3:]
		_ = q[2]
		q[0], q[1], q[2] = uint8(v), uint8(v>>8), uint8(v>>16)
	}
}

// four reads the registers from i on, a multiple of 4.
func four(p []byte, i int) (a, b, c, d uint8) {
	q := p[i/4*3:]
	_ = q[2]
	v := uint32(q[0]) | uint32(q[1])<<8 | uint32(q[2])<<16
	return uint8(v & maxRank), uint8(v >> 6 & maxRank), uint8(v >> 12 & maxRank), uint8(v >> 18)
}

// PutHeader makes b, of DenseBytes, an empty dense string that has the rest of
// the header from another string, which may be its beginning.
func PutHeader(b, from []byte) {
	copy(b[:HeaderBytes], from[:HeaderBytes])
	b[encodingAt] = dense
	clear(b[HeaderBytes:DenseBytes])
}
