package server

import (
	"crypto/rand"
	"encoding/hex"
	"hash/fnv"
	"os"
	"runtime/debug"
	"time"

	"sherd/internal/command"
)

func newFacts(s *Server) command.Facts {
	random := func() string {
		var id [20]byte
		_, _ = rand.Read(id[:])
		return hex.EncodeToString(id[:])
	}
	exe, _ := os.Executable()
	f := command.Facts{
		RunID:      random(),
		ReplID:     random(),
		BuildID:    buildID(),
		Started:    time.Now(),
		PID:        os.Getpid(),
		Executable: exe,
		ConfigFile: s.cfg.File(),
		Engine:     s.group.Engine(),
		Threads:    len(s.group.Loops),
	}
	return f
}

// buildID is a short name of what was built: the revision where it is known.
func buildID() string {
	h := fnv.New64a()
	if b, ok := debug.ReadBuildInfo(); ok {
		_, _ = h.Write([]byte(b.String()))
	}
	return hex.EncodeToString(h.Sum(nil))
}
