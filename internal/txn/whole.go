//go:build !earlyrelease

package txn

// ReleaseEarly is true in a test build with a planted fault.
const ReleaseEarly = false
