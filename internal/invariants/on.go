//go:build invariants

package invariants

// Enabled is true in builds with the tag "invariants".
const Enabled = true
