// Package set is the type of that name: distinct strings in no order. A set has one
// of three forms.
//
//	intset    integers only, ascending, in 2, 4 or 8 bytes each; found by halving
//	listpack  up to so many short members of any kind; found by looking at each
//	table     anything else; see linhash
//
// The first two are one block each, in Redis' own formats, so that what DUMP and the
// RDB format carry is a copy.
//
// # Growth
//
// A set is made in the form that fits its first member and the number that comes
// with it. It changes form when a member does not fit in: an intset becomes a
// listpack when the first member that is no integer comes, if both still are small
// enough, and any of the two becomes a table when Limits, which Redis' directives
// give, are exceeded. That copies as many members as the limit allows. No set
// returns to an earlier form.
//
// # Deadlines
//
// A member may have a deadline, in milliseconds since the epoch. With the first one a
// set becomes a table, whose entries have room for it. A set is opened with the
// time: a member whose deadline has passed is not there from that moment on. It is
// not found, not counted and not met by an Iter. Writers remove those they meet, and
// the housekeeping calls Expire, which removes them piece by piece. Until then Held
// counts them.
//
// # Use
//
// OpenAt makes a Set on the stack for one command. What changes it may move it and
// change its form: Ref and Encoding tell, and the caller stores both. A set that
// holds no member any more is freed by the caller. Out of memory leaves it as it was.
//
// # Costs
//
// An intset of 512 costs 2 to 8 bytes a member, a listpack two beside the member, a
// table 4 to 7. A change of a small form moves what lies behind it: tens of
// nanoseconds.
package set
