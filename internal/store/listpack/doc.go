// Package listpack keeps a short row of elements in one piece of memory, in the
// format in which Redis keeps the small forms of its types. What lies in the
// heap is, byte for byte, what DUMP and the RDB format carry.
//
// # Terms
//
//	element  a string of bytes, or an integer: text that is an integer in its
//	         shortest decimal form is stored as one and read back as the text
//	entry    an element as it is stored
//	place    the offset of an entry from the listpack's first byte; that of the
//	         end mark is the end place
//
// # Layout
//
//	┌──────────────┬───────────┬───────┬───────┬─────┬──────┐
//	│ total bytes  │ elements  │ entry │ entry │  …  │ 0xFF │
//	│ 4, LE        │ 2, LE     │       │       │     │      │
//	└──────────────┴───────────┴───────┴───────┴─────┴──────┘
//	                     entry: │ head │ data │ length of head and data │
//
// Elements is 65535 where there are at least as many; then they are counted. The
// first byte of the head tells the kind:
//
//	0vvvvvvv                    integer 0 … 127
//	10nnnnnn                    n bytes follow, up to 63
//	110vvvvv vvvvvvvv           integer of 13 bits, high bits first
//	1110nnnn nnnnnnnn           n bytes follow, up to 4095; high bits first
//	11110000 n:4                n bytes follow; LE
//	11110001 … 11110100         integer of 2, 3, 4, 8 bytes; LE
//	11111111                    the end
//
// The length at an entry's end is for walking backwards: in groups of seven bits,
// the lowest in the last byte, and every byte but the first has its high bit set.
//
// The format is described in Redis' listpack.md; the lengths at which a length
// takes another byte, which are one less than they could be, were taken from what
// a server writes.
//
// # In the heap
//
// A listpack's block has the class of its total, so that nothing has to be
// remembered about it; it moves when the class changes. Only where there is no
// memory left to move into when it shrinks, it stays as it is: elements is then
// set to 65535 and the capacity stands in four bytes behind the end mark. So it
// does in every block that says 65535.
//
// # Invariants
//
// Validate tests them for bytes from outside; all other functions trust them:
//   - the total is the length, and the last byte is the end mark;
//   - entries follow one another without a gap up to the end mark, and each
//     ends with its length;
//   - elements is the number of entries, or 65535.
//
// # Costs
//
// Two to three bytes beside a string, two for a small integer. Everything is
// linear in the number of elements; changes move what lies behind them.
package listpack
