package command

import "time"

// The version that HELLO and INFO give, for clients that look at it, and our
// own.
const (
	RedisVersion = "7.4.0"
	Version      = "0.1.0"
)

// Facts are what INFO says of the server as a whole.
type Facts struct {
	RunID      string
	ReplID     string
	BuildID    string
	Started    time.Time
	Uptime     time.Duration
	PID        int
	Port       int
	Executable string
	ConfigFile string
	Engine     string
	Threads    int
	Clients    int64
}
