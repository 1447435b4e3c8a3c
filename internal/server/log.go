package server

import (
	"io"
	"log/slog"
	"os"
	"sync"

	"sherd/internal/config"
)

// logFile is the log: structured lines on stderr, or in a file that is opened
// anew when it has been rotated away.
type logFile struct {
	*slog.Logger
	out   *reopener
	level slog.LevelVar
}

type reopener struct {
	mu   sync.Mutex
	path string // empty: stderr
	file *os.File
}

// levels are Redis' names.
var levels = map[string]slog.Level{
	"debug":   slog.LevelDebug,
	"verbose": slog.LevelDebug + 2,
	"notice":  slog.LevelInfo,
	"warning": slog.LevelWarn,
	"nothing": slog.LevelError + 4,
}

func openLog(set *config.Settings) (*logFile, error) {
	out := &reopener{path: set.LogFile, file: os.Stderr}
	if out.path != "" {
		f, err := openAppend(out.path)
		if err != nil {
			return nil, err
		}
		out.file = f
	}
	l := &logFile{out: out}
	l.level.Set(levels[set.LogLevel])
	l.Logger = slog.New(slog.NewTextHandler(io.Writer(out), &slog.HandlerOptions{Level: &l.level}))
	return l, nil
}

func openAppend(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
}

// setLevel changes what is logged from now on.
func (l *logFile) setLevel(name string) { l.level.Set(levels[name]) }

// Write appends a line. When the file has been moved or removed, as log
// rotation does, a new one is begun under its name.
func (r *reopener) Write(b []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.path != "" && r.gone() {
		r.reopen()
	}
	return r.file.Write(b)
}

func (r *reopener) gone() bool {
	at, err := os.Stat(r.path)
	if err != nil {
		return true
	}
	open, err := r.file.Stat()
	return err != nil || !os.SameFile(at, open)
}

func (r *reopener) reopen() {
	f, err := openAppend(r.path)
	if err != nil {
		return // go on with the old one
	}
	_ = r.file.Close()
	r.file = f
}

// Reopen begins the file anew, after a rotation.
func (l *logFile) Reopen() {
	l.out.mu.Lock()
	defer l.out.mu.Unlock()
	if l.out.path != "" {
		l.out.reopen()
	}
}

// inFile tells whether the log goes to a file rather than to stderr.
func (l *logFile) inFile() bool { return l.out.path != "" }

// Close closes the file.
func (l *logFile) Close() {
	l.out.mu.Lock()
	defer l.out.mu.Unlock()
	if l.out.path != "" {
		_ = l.out.file.Close()
	}
}
