package command

// Client is the session of one connection. It is owned by the connection's
// loop; other loops reach it only by a message (Ctx.Gather).
type Client struct {
	ID     int64
	DB     int
	Proto  int  // 2 or 3
	Authed bool // no password is asked, or it was given

	Name, LibName, LibVer string

	CreatedMs int64 // of the shared clock
	ActiveMs  int64 // last time bytes arrived
	Last      *Command
	Calls     int64 // commands executed
	NetIn     int64 // bytes
	NetOut    int64 // bytes

	Reply      ReplyMode
	NoEvict    bool
	NoTouch    bool
	Monitor    bool
	CloseAfter bool // close once the replies so far have left

	fieldsets *fieldsets // nil: it has prepared none

	Link Link
}

// ReplyMode is what CLIENT REPLY set.
type ReplyMode uint8

// The modes. SkipNext suppresses the reply of the next command, and turns into
// SkipThis while that command runs.
const (
	ReplyOn ReplyMode = iota
	ReplyOff
	SkipNext
	SkipThis
)

// Link is what a session asks of its connection.
type Link interface {
	RemoteAddr() string
	LocalAddr() string
	Fd() int
	IsUnix() bool
	// Query tells the query buffer's use in bytes: filled, free, and the memory
	// of the arguments of the command that waits, if any.
	Query() (filled, free, args int)
	// Output tells the replies that have not left: bytes in the buffer being
	// filled, buffers queued, and memory of both.
	Output() (filled, queued, memory int)
	// Blocked says that the connection waits for a slice, a task or a pause.
	Blocked() bool
	// Kill closes the connection; what it has not sent is dropped.
	Kill()
	// Push appends to the output from outside a command, on the connection's
	// loop, and has it sent.
	Push(b []byte)
}

// User is the name of the user the client runs as.
func (c *Client) User() string { return "default" }
