// Package prefetch asks the processor to bring memory into its cache before it
// is needed.
//
// A lookup in a large table costs two dependent cache misses, a bucket and an
// entry. Looking up many keys of one turn in stages (all addresses of buckets,
// prefetch, all addresses of entries, prefetch, then execute) lets those misses
// overlap. A prefetch instruction never faults, whatever the address, so the
// addresses may be guesses that were computed from memory somebody else is
// changing.
//
// The instruction is not reachable from Go, hence assembly stubs on amd64 and
// arm64. A stub is a real call (about 1.5 ns), so the slice forms are the ones to
// use in a loop. On other architectures all of this does nothing.
package prefetch
