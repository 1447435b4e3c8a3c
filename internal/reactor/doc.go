// Package reactor runs loops: threads that each own connections and do nothing
// but look what happened, let a Handler work on it, and hand the kernel the
// replies. It knows nothing of what the bytes mean.
package reactor
