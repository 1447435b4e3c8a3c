// Package hll estimates how many distinct elements were seen, in strings that
// are the same, byte for byte, as those of Redis: a string written by one can be
// read and gone on with by the other.
//
// # Terms
//
//	register  one of 16384; an element's hash chooses it with its lowest 14 bits
//	rank      one more than the number of zero bits that follow in the hash; a
//	          register keeps the greatest rank it saw, 0 to 51
//	sparse    the registers as runs, for few elements
//	dense     the registers as 6-bit numbers
//
// # Layout
//
//	 0          4      5          8                       16
//	┌──────────┬──────┬──────────┬───────────────────────┬─────────
//	│ H Y L L  │ enc  │ unused   │ cardinality (LE)      │ registers
//	└──────────┴──────┴──────────┴───────────────────────┴─────────
//	            0 dense, 1 sparse  top bit: not valid
//
// Dense registers follow one another without gaps, low bits first, 12288 bytes
// in all, and the string has always that length. Sparse registers are a row of
// opcodes that cover all 16384:
//
//	00nnnnnn           ZERO    n+1 registers are 0
//	01nnnnnn nnnnnnnn  XZERO   n+1 registers are 0
//	1vvvvvnn           VAL     n+1 registers are v+1
//
// # Changing a sparse string
//
// A register that grows splits the run that it lies in: into at most XZERO VAL
// XZERO. Then up to five opcodes from the one before the split are looked at for
// VALs of the same value, which become one while it fits four registers. Which
// opcodes result depends on the order of the changes, and this order of looking
// is part of what makes two servers agree. A string becomes dense when a rank
// exceeds 32, or when a split would make it longer than the caller allows.
//
// The caller owns the bytes and their length: an Edit says how much longer a
// string gets before it is applied. Whatever the bytes are, nothing here reads
// or writes outside of them; runs that do not cover the registers are reported
// as corrupt where that is noticed.
//
// # Costs
//
// Adding to a dense string takes the hash and one register. In a sparse one the
// opcodes up to the register are walked, some thousand at most with the usual
// limit. Counting reads all registers, and its result is kept in the header.
package hll
