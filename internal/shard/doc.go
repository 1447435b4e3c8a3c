// Package shard divides the keyspace.
//
// A keyspace has one shard per loop, and each shard a fixed number of slices. A
// key's slice is a hash of its hash tag (the part in braces) or else of the
// whole key, so keys that share a tag share a slice:
//
//	key ── xxh3(seed) ──► 64 bits ──┬─ low bits: place in the slice's tables
//	                                └─ high 32 bits × slices >> 32: the slice
//	keyspace ─ shard 0 ─ slice 0 … 255
//	         └ shard 1 ─ slice 256 … 511
//
// A slice owns everything that is needed to serve its keys: a latch (see
// Latch), a heap and one Dash table per database. Whoever holds the latch may
// touch the heap and the tables, on any loop; that is the only rule. Since the
// heap belongs to the slice, allocation needs no lock of its own, memory is
// accounted exactly, and moving entries to give pages back is a matter between
// a slice and itself.
//
// The shard's own loop does the housekeeping of its slices: expiry, freeing of
// what was detached, defragmentation.
package shard
