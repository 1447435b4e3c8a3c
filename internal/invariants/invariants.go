// Package invariants says at compile time whether the program checks itself.
//
// Code that costs too much for a production build, such as poisoning freed
// memory or walking a structure after every change, stands behind
//
//	if invariants.Enabled && broken() {
//		panic("…")
//	}
//
// Enabled is a constant, so an ordinary build contains nothing of it. The tests
// run both ways: `go test ./...` and `go test -tags invariants ./...`.
package invariants
