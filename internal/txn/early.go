//go:build earlyrelease

package txn

// ReleaseEarly makes latches be released before their unit has had its effect.
// It is a planted fault: the consistency tests must catch a build that has it.
const ReleaseEarly = true
