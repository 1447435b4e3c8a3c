package server

import (
	"fmt"
	"os"
)

// detach does nothing: a process has no terminal to leave here.
func detach([]byte) (status int, done bool) {
	fmt.Fprintln(os.Stderr, "sherd: daemonize has no effect on this system")
	return 0, false
}
