//go:build !linux && !darwin

package server

// allowFiles takes what the system gives.
func allowFiles(n uint64) uint64 { return n }
