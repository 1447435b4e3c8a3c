// Package hash is the type of that name: fields with values, each perhaps with a
// deadline. A hash has one of three forms.
//
//	Packed  a listpack     field, value, field, value, …
//	Dated   a listpack     field, value, deadline, field, value, deadline, …
//	Hashed  a table        see linhash
//
// A deadline is an integer in milliseconds since the epoch; 0 is none. The first
// form is Redis' own, byte for byte. The second has the elements of Redis' form of
// that kind but keeps them in the order of insertion.
//
// # Growth
//
// A hash begins as a listpack and gets deadlines with the first field that has one.
// It becomes a table when a field or value is longer, or there are more fields,
// than Limits allow, which Redis' directives give. No hash returns to an earlier
// form.
//
// # Deadlines
//
// A hash is opened with the time. A field whose deadline has passed is not there
// from that moment on: it is not found, not counted and not met by an Iter. Writers
// remove those they meet, and the housekeeping calls Expire, which removes them
// piece by piece. Until then Held counts them.
//
// # Use
//
// Open makes a Hash on the stack for one command. What changes it may move it and
// change its form: Ref and Encoding tell, and the caller stores both. A hash that
// holds no field any more is freed by the caller. Out of memory leaves it as it was.
//
// # Costs
//
// A listpack takes two to three bytes beside each field and value and is searched
// from its beginning: some nanoseconds a field. A table takes 6 to 9 bytes a field.
package hash
