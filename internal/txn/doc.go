// Package txn latches the slices that a unit of work needs, all in one order,
// and lets them go together.
//
// A unit (a command over several keys, FLUSHALL, later EXEC and scripts) takes
// the latches of its slices in ascending order before its first effect and
// releases them after its last. Two units can therefore never wait for each
// other in a circle, every unit is atomic, and the order in which units hold
// their slices is one serial order that agrees with real time: strict
// serializability. A latch that is not free after a short spin is waited for in
// the slice's queue, never with the thread: Acquire returns false, the loop
// goes on, and when everything is held the unit's Ready is posted to its loop.
//
// The package runs no command and knows none.
package txn
