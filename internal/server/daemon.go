package server

import (
	"fmt"
	"io"
	"os"
)

// A Go process cannot fork: daemonize starts the program a second time, detached
// from the terminal, and the first waits until the second serves or has failed.
// The marker in the environment tells the second what it is; descriptor 3 is the
// pipe on which it reports.
const (
	daemonMarker = "_SHERD_DAEMON"
	heraldFd     = 3
)

// herald is how a daemon tells the process that started it how the start went.
// A nil herald tells nobody.
type herald struct{ pipe *os.File }

// readyWord is what the daemon reports when it serves. Anything else is why it
// does not.
const readyWord = "\x00ready"

// fromParent finds out whether this process is a daemon being started.
func fromParent() *herald {
	if os.Getenv(daemonMarker) == "" {
		return nil
	}
	_ = os.Unsetenv(daemonMarker)
	return &herald{os.NewFile(heraldFd, "parent")}
}

func (h *herald) ready() { h.tell(readyWord) }

func (h *herald) failed(err error) { h.tell(fmt.Sprintf("sherd: %v\n", err)) }

func (h *herald) tell(what string) {
	if h == nil {
		return
	}
	_, _ = io.WriteString(h.pipe, what)
	_ = h.pipe.Close()
}
