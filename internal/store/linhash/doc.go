// Package linhash is the large form of sets and hashes: a table of entries, each a
// key and perhaps a value and a deadline, that grows and shrinks by one bucket at a
// time. It is linear hashing (Litwin, 1980) with buckets that are as large as what
// they hold.
//
// # Terms
//
//	entry      a key, with a value in a map, with a deadline where it has one
//	bucket     the entries whose hashes end in the same bits; one heap block
//	directory  the buckets' words, in pages of 512; the root knows the pages
//	code       a byte that tells how many bytes a key, or a value, takes
//	lane       the bytes of the groups that stand for one entry
//	outside    a key over 63 bytes, or a value over 127, in a block of its own
//
// # Which bucket
//
// Of n buckets, 2^d ≤ n < 2^(d+1), the first n-2^d and the last n-2^d are told apart
// by d+1 bits of the hash, its lowest, the others by d:
//
//	n = 6    000  001  10  11  100  101        the next split: 10 into 010 and 110
//
// So the directory only ever changes at its end, by one bucket: a split takes the
// entries out of the sibling that differs in the highest bit, a merge gives them
// back. No insertion has to do more than that.
//
// # A bucket
//
//	┌───────────────┬───────────────┬───────────────┐
//	│ fingerprints  │ codes of keys │ and of values │  a group: 8 entries, 8 bytes each
//	├───────────────┴───────────────┴───────────────┤
//	│ more groups                                   │  sets have no codes of values
//	├───────────────────────────────────────────────┤
//	│ room                                          │  to the next class of the heap
//	├───────────────┬───────────────┬───────────────┤
//	│ … entry 2     │ entry 1       │ entry 0       │
//	└───────────────┴───────────────┴───────────────┘
//	           entry: │ deadline (8), if it has one │ key │ value │
//
// Groups grow upwards and entries downwards, so an insertion that finds room moves
// nothing. Where an entry lies follows from the sizes of those before it: eight
// codes are added with a few instructions. The fingerprint is the hash's highest
// byte and never 0, which marks a lane that is not used. The codes:
//
//	key    o d nnnnnn     o: outside, the entry has 9 bytes of Ref and length instead
//	value  o nnnnnnn      d: the entry begins with a deadline
//	                      n: bytes
//
// Number of entries and size of the block stand in the directory's word: a random
// draw, or a miss in an empty bucket, touches no bucket.
//
// # Growth
//
// Buckets hold 16 entries on average, or 400 bytes of them, whichever is less: over
// a round of splits between 11 and 23, and single ones more or less by chance. When
// either is exceeded an insertion splits one bucket; a deletion merges one when both
// have fallen below five eighths of that. Blocks have the heap's class for what they
// hold and move when it changes.
//
// # Deadlines
//
// Each page of the directory knows a time before which nothing in it is due, and
// each word whether its bucket has deadlines at all. Expire sweeps the pages that are
// due, in pieces of as many buckets as it is told to, and so never looks at the
// rest of a large table. Entries without a deadline pay a bit for this.
//
// # Scan
//
// A cursor is a place in the space of hashes, read from their lowest bit on: there a
// bucket is an interval, and splitting and merging divide and unite neighbouring
// ones. A walk visits the interval at the cursor as a whole and goes on behind it.
// What is there throughout is met at least once; what a merge has brought into an
// interval already passed may be met twice.
//
// # What is never true
//
// Check tests it:
//   - an entry in another bucket than its hash tells, or twice;
//   - a lane without an entry that is not zero;
//   - counts, or the bytes taken from the heap, that differ from what counting gives;
//   - an entry that is due before its page is.
//
// Memory exhausted leaves the table as it was, and a deletion never needs any.
//
// # Costs
//
// For a set of members of 15 bytes 18.7 bytes an entry, 21.7 with what the heap loses
// between blocks; for a map of two times 14 bytes 33.4 and 37. That is a byte and two or
// three codes, a part of the bucket's rounding, and half a byte of directory.
// Looking up touches the root, a word, the groups and the entry, which is three
// misses of the cache in a table that exceeds it.
package linhash
