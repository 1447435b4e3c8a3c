// Command sherd is the server.
package main

import (
	"bytes"
	"fmt"
	"io"
	"os"

	"sherd/internal/config"
	"sherd/internal/server"
)

func main() {
	os.Exit(run(os.Args[1:]))
}

// run is main with a status instead of an exit.
func run(args []string) int {
	if text, ok := server.Usage(args); ok {
		fmt.Print(text)
		return 0
	}
	// Kept for the process that daemonize starts, which reads it again.
	var stdin bytes.Buffer
	cfg, err := config.Load(args, os.Environ(), io.TeeReader(os.Stdin, &stdin))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	stop, err := profile()
	if err != nil {
		fmt.Fprintln(os.Stderr, "sherd:", err)
		return 1
	}
	defer stop()
	return server.Main(cfg, stdin.Bytes())
}
