// Command sherd is the server.
package main

import (
	"fmt"
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
	cfg, err := config.Load(args, os.Environ(), os.Stdin)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return server.Main(cfg)
}
