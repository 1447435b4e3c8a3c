package command

import (
	"strconv"
)

// MonitorLine is what MONITOR shows of a command:
//
//	+1339518083.107412 [0 127.0.0.1:60866] "keys" "*"
func MonitorLine(x *Ctx) []byte {
	now := wallMicros(x)
	b := append([]byte(nil), '+')
	b = strconv.AppendInt(b, now/1e6, 10)
	b = append(b, '.')
	us := strconv.Itoa(int(now % 1e6))
	for range 6 - len(us) {
		b = append(b, '0')
	}
	b = append(b, us...)
	b = append(b, " ["...)
	b = strconv.AppendInt(b, int64(x.C.DB), 10)
	b = append(b, ' ')
	if x.C.Link.IsUnix() {
		b = append(b, "unix:"...)
	}
	b = append(b, x.C.Link.RemoteAddr()...)
	b = append(b, ']')
	for i, a := range x.Args {
		b = append(b, ' ')
		if i > 0 && secret(x.Cmd) {
			b = append(b, `"(redacted)"`...)
			continue
		}
		b = appendQuoted(b, a)
	}
	return append(b, "\r\n"...)
}

// secret tells whether a command's arguments may hold a password.
func secret(c *Command) bool {
	switch c.FullName {
	case "auth", "hello", "migrate", "acl|setuser", "config|set":
		return true
	}
	return false
}

// trimArgs copies arguments for a journal: at most so many, each cut short.
func trimArgs(c *Command, args [][]byte) [][]byte {
	n := min(len(args), slowArgs)
	out := make([][]byte, n)
	for i := range n {
		a := args[i]
		switch {
		case i > 0 && secret(c):
			a = []byte("(redacted)")
		case i == slowArgs-1 && len(args) > slowArgs:
			a = []byte("... (" + strconv.Itoa(len(args)-slowArgs+1) + " more arguments)")
		case len(a) > slowArgBytes:
			rest := len(a) - slowArgBytes
			a = append(append([]byte(nil), a[:slowArgBytes]...), "... ("+strconv.Itoa(rest)+" more bytes)"...)
		default:
			a = append([]byte(nil), a...)
		}
		out[i] = a
	}
	return out
}

// appendQuoted writes b as a quoted word that redis-cli could read back.
func appendQuoted(dst, b []byte) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	for _, c := range b {
		switch {
		case c == '\\' || c == '"':
			dst = append(dst, '\\', c)
		case c == '\n':
			dst = append(dst, '\\', 'n')
		case c == '\r':
			dst = append(dst, '\\', 'r')
		case c == '\t':
			dst = append(dst, '\\', 't')
		case c == '\a':
			dst = append(dst, '\\', 'a')
		case c == '\b':
			dst = append(dst, '\\', 'b')
		case c >= ' ' && c < 0x7f:
			dst = append(dst, c)
		default:
			dst = append(dst, '\\', 'x', hex[c>>4], hex[c&15])
		}
	}
	return append(dst, '"')
}
