//go:build !windows

package server

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"syscall"
)

// detach starts the daemon and waits for what it reports. stdin is given to it
// again, since it reads the directives itself.
func detach(stdin []byte) (status int, done bool) {
	fail := func(err error) (int, bool) {
		fmt.Fprintln(os.Stderr, "sherd: cannot become a daemon:", err)
		return 1, true
	}
	exe, err := os.Executable()
	if err != nil {
		return fail(err)
	}
	r, w, err := os.Pipe()
	if err != nil {
		return fail(err)
	}
	cmd := exec.Command(exe, os.Args[1:]...)
	cmd.Env = append(os.Environ(), daemonMarker+"=1")
	cmd.ExtraFiles = []*os.File{w} // descriptor 3; what is nil is /dev/null
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if len(stdin) > 0 {
		cmd.Stdin = bytes.NewReader(stdin)
	}
	if err := cmd.Start(); err != nil {
		return fail(err)
	}
	_ = w.Close()
	report, _ := io.ReadAll(r)
	if string(report) == readyWord {
		return 0, true
	}
	_, _ = os.Stderr.Write(report)
	err = cmd.Wait()
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit) && exit.ExitCode() > 0:
		return exit.ExitCode(), true
	case len(report) == 0:
		fmt.Fprintln(os.Stderr, "sherd: the daemon ended without a word:", cmd.ProcessState)
	}
	return 1, true
}
