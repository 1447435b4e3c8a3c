// Package reply counts replies without looking further into them than it
// takes to find their ends.
package reply

// Class is what a reply amounts to.
type Class uint8

const (
	// Fine is any reply that is neither of the others.
	Fine Class = iota
	// Null says that there was nothing: a RESP null, memcached's END without a
	// VALUE, NOT_FOUND.
	Null
	// Error is an error reply.
	Error
	// Broken says that the bytes are no reply; nothing after them can be read.
	Broken
)
