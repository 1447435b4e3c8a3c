package server

import (
	"errors"
	"net"
	"os"

	"sherd/internal/config"
)

// supervisor names who watches over the process, by the supervised directive
// and the environment; empty: nobody.
func supervisor(set *config.Settings) string {
	systemd, upstart := os.Getenv("NOTIFY_SOCKET") != "", os.Getenv("UPSTART_JOB") != ""
	switch set.Supervised {
	case "systemd", "upstart":
		return set.Supervised
	case "auto":
		if upstart {
			return "upstart"
		}
		if systemd {
			return "systemd"
		}
	}
	return ""
}

// tellSupervisor sends the supervisor a line about the server's state, in the
// form of sd_notify(3).
func tellSupervisor(set *config.Settings, log *logFile, state string) {
	switch supervisor(set) {
	case "upstart":
		if state == "READY=1" {
			log.Warn("supervision by upstart is not supported: it is not told that the server is ready")
		}
	case "systemd":
		if err := notify(os.Getenv("NOTIFY_SOCKET"), state); err != nil {
			log.Warn("systemd cannot be told the server's state", "state", state, "error", err)
		}
	}
}

// notify sends one datagram. A path that begins with @ is in the abstract
// namespace, which package net knows too.
func notify(socket, state string) error {
	if socket == "" {
		return errors.New("NOTIFY_SOCKET is not set")
	}
	c, err := net.DialUnix("unixgram", nil, &net.UnixAddr{Name: socket, Net: "unixgram"})
	if err != nil {
		return err
	}
	_, err = c.Write([]byte(state))
	_ = c.Close()
	return err
}
