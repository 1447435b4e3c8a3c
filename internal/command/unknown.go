package command

import (
	"bytes"
	"strings"
)

// UnknownText is the error of a command that does not exist.
func UnknownText(args [][]byte) string {
	var b strings.Builder
	b.WriteString("ERR unknown command '")
	b.Write(clip(args[0], 128))
	b.WriteString("', with args beginning with: ")
	used := 0
	for _, a := range args[1:] {
		if used >= 128 {
			break
		}
		a = clip(a, 128-used)
		b.WriteByte('\'')
		b.Write(a)
		b.WriteString("' ")
		used += len(a) + 3
	}
	return b.String()
}

// UnknownSubText is the error of a subcommand that does not exist.
func UnknownSubText(c *Command, args [][]byte) string {
	return "ERR unknown subcommand '" + string(clip(args[1], 128)) + "'. Try " + strings.ToUpper(c.Name) + " HELP."
}

// clip cuts what the client sent to n bytes for an error text, and at the first
// NUL, as a C string ends there.
func clip(b []byte, n int) []byte {
	b = b[:min(len(b), n)]
	if i := bytes.IndexByte(b, 0); i >= 0 {
		b = b[:i]
	}
	return b
}
