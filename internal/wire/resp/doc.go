// Package resp reads and writes the Redis serialization protocol, versions 2
// and 3: requests as a server parses them, replies as a server appends them
// and a client reads them, and numbers as both spell them.
//
// # Requests
//
// A command arrives in one of two forms:
//
//	*2\r\n$3\r\nGET\r\n$3\r\nkey\r\n      multibulk: a count, then arguments with their lengths
//	GET key\r\n                           inline: one line of words, quoted if need be
//
// Parse is for a command that is wholly in the buffer, which nearly all are.
// When it answers Incomplete, the caller keeps the bytes and goes on with a
// Partial, which remembers how far it came. Both follow Redis 7.0 in what they
// accept, in the text of every error, and in the order of the checks. Three
// habits of Redis may surprise:
//
//   - Lines end at '\r'; the byte after it, and the two bytes after an argument,
//     are skipped without a look.
//   - A line that contains a zero byte never ends, so the client waits until the
//     line is too long.
//   - Only the bound of 64 KiB on lines depends in Redis on how the bytes fell
//     into its reads; here the same bytes have the same outcome however they
//     are cut: a line may be as long as the bound and no longer.
//
// # Costs
//
// Parse reads the fixed bytes of "*N\r\n" and "$N\r\n" with one load each and
// allocates nothing. Arguments alias the buffer: whoever wants to keep one
// copies it.
//
// # Replies
//
// Encoders append to the caller's buffer and return it. Those whose reply
// differs between the protocol versions take proto, which is 2 or 3. ReplyLen
// finds the end of a reply, Scanner does the same for one that arrives in
// pieces, Value holds a decoded reply.
//
// # Numbers
//
// ParseInt64 and ParseDouble are as strict as Redis. INCRBYFLOAT and
// HINCRBYFLOAT compute in C's long double: Float80 is that type, bit for bit,
// with its parser, its sum and the form in which Redis prints it.
package resp
