// Package rdb writes and reads values as Redis serialises them: what DUMP replies and
// RESTORE takes, and what stands between the keys of a file.
//
// # Terms
//
//	form     the byte that says how a value is written; types.go has them all
//	version  of the format as a whole: 10 is Redis 7.0's, 11 7.2's, 12 7.4's, 80 Valkey 9's
//	payload  form, value, and a footer of version and check sum; see footer.go
//	small    said of a value that is one string: a listpack, intset, ziplist or zipmap
//	node     a small piece of a list or a stream
//
// # How things are written
//
//	length    1, 2, 5 or 9 bytes                              length.go
//	string    length and bytes; an integer; or LZF            text.go, lzf.go
//	list      n │ plain or packed │ string │ …                nodes
//	set       n │ member │ …                                  or an intset
//	zset      n │ member │ double (8) │ …                     or a listpack
//	hash      n │ field │ value │ …                           or a listpack
//	          base (8) │ n │ deadline │ field │ value │ …     with deadlines
//	stream    n │ ID │ node │ … │ state │ groups              save_stream.go
//
// A Saver writes the earliest form that has room for everything, so that Redis 7.0
// reads all but the deadlines of fields. Members with deadlines, and pending entries
// that were released, have no form anywhere; they get one of ours, from 200 on, which
// other servers refuse. What is remembered of producers' labels is not written.
//
// A Loader reads all forms that Redis had since its version 2 and those of Valkey. The
// limits, which Redis' directives give, decide how what is read is kept: a small form
// that keeps them is copied, everything else is inserted piece by piece.
//
// # In steps
//
// Saver.Step and Loader.Step do about as much as they are told to, in elements, and go
// on where they were; a string counts for its length. Only what is one string, or one
// node, is written or read at once. Both refer to what they were given: a Saver to the
// value in the heap, a Loader to the bytes, unless Keep has copied them.
//
// # Trust
//
// What a Loader reads may be anything. These hold:
//
//   - Nothing is allocated for a length that is only announced: elements are counted
//     against the bytes that are left, and LZF is measured before it is expanded, to
//     at most 88 times its length and the limit of a string.
//   - A small form is looked through, entry by entry, before any other function sees
//     it; what has to be ordered or to occur once is tested.
//   - A pending entry of a stream has one consumer, and the consumers have no other.
//   - After an error Value returns what was made so far, which can be freed as it is.
//     Nothing else was changed.
//
// FuzzRestore and the tests of single mistakes hold it to that.
//
// # Costs
//
// A value of a few elements is written in 75 to 175 ns, without an allocation
// but for what has to be put in order first. Reading inserts: a member of a large
// sorted set costs what ZADD takes for it, and a small form what looking through it does.
package rdb
