package resp

// Limits bounds what a client may send. A zero PreAuth field means that the
// client is authenticated (or needs no authentication). The parser only reads
// Limits, so one value may serve every connection of a loop.
type Limits struct {
	MaxBulk     int64 // longest argument in bytes (proto-max-bulk-len)
	MaxArgs     int   // most arguments of one command
	MaxInline   int   // longest inline command, count line or length line, in bytes
	PreAuthArgs int   // most arguments before authentication; 0: no such limit
	PreAuthBulk int64 // longest argument before authentication; 0: no such limit
}

// Redis' own bounds.
const (
	DefaultMaxBulk     = 512 << 20
	DefaultMaxArgs     = 1<<31 - 1
	DefaultMaxInline   = 64 << 10
	DefaultPreAuthArgs = 10
	DefaultPreAuthBulk = 16 << 10
)

// DefaultLimits are the limits of an authenticated client.
func DefaultLimits() Limits {
	return Limits{MaxBulk: DefaultMaxBulk, MaxArgs: DefaultMaxArgs, MaxInline: DefaultMaxInline}
}

// BeforeAuth returns l with the limits of a client that has yet to authenticate.
func (l Limits) BeforeAuth() Limits {
	l.PreAuthArgs, l.PreAuthBulk = DefaultPreAuthArgs, DefaultPreAuthBulk
	return l
}

// Status is the outcome of parsing a prefix of the request stream.
type Status uint8

const (
	OK         Status = iota // one whole command was parsed (it may have no arguments)
	Incomplete               // more bytes are needed; nothing was consumed
	Error                    // the stream is broken: reply with the error, then close
)

// ProtocolError is what the client did wrong. The connection cannot be used
// any further, since the parser no longer knows where a command starts.
type ProtocolError struct{ Text string }

// Error returns the text of the error reply without the leading '-', for
// AppendError: "ERR Protocol error: …".
func (e *ProtocolError) Error() string { return "ERR Protocol error: " + e.Text }

var (
	errMultibulkLen    = &ProtocolError{"invalid multibulk length"}
	errMultibulkUnauth = &ProtocolError{"unauthenticated multibulk length"}
	errMultibulkLine   = &ProtocolError{"too big mbulk count string"}
	errBulkLen         = &ProtocolError{"invalid bulk length"}
	errBulkUnauth      = &ProtocolError{"unauthenticated bulk length"}
	errBulkLine        = &ProtocolError{"too big bulk count string"}
	errInlineLine      = &ProtocolError{"too big inline request"}
	errInlineQuotes    = &ProtocolError{"unbalanced quotes in request"}
)

// errExpectedBulk names the byte that stood where '$' should. A reply is one
// line, so a line break in it is shown as a space.
func errExpectedBulk(got byte) *ProtocolError {
	if got == '\r' || got == '\n' {
		got = ' '
	}
	return &ProtocolError{string(append([]byte("expected '$', got '"), got, '\''))}
}
