package command

import (
	"strings"

	"sherd/internal/wire/resp"
)

// Error texts, to the letter as Redis has them.
const (
	errSyntax      = "ERR syntax error"
	errWrongType   = "WRONGTYPE Operation against a key holding the wrong kind of value"
	errNotInteger  = "ERR value is not an integer or out of range"
	errNotFloat    = "ERR value is not a valid float"
	errNoKey       = "ERR no such key"
	errOverflow    = "ERR increment or decrement would overflow"
	errOutOfRange  = "ERR index out of range"
	errSameObject  = "ERR source and destination objects are the same"
	errDBIndex     = "ERR DB index is out of range"
	errInvalidDB   = "ERR invalid DB index"
	errOffset      = "ERR offset is out of range"
	errTooLong     = "ERR string exceeds maximum allowed size (proto-max-bulk-len)"
	errOOM         = "OOM command not allowed when used memory > 'maxmemory'."
	errNaNInf      = "ERR increment would produce NaN or Infinity"
	errPositive    = "ERR value is out of range, must be positive"
	errNotPositive = "ERR value is out of range, value must between 0 and 9223372036854775807"
)

// OK replies +OK.
func (x *Ctx) OK() { x.Out = append(x.Out, "+OK\r\n"...) }

// Simple replies a status.
func (x *Ctx) Simple(s string) { x.Out = resp.AppendSimple(x.Out, s) }

// Int replies an integer.
func (x *Ctx) Int(n int64) { x.Out = resp.AppendInt(x.Out, n) }

// Bool replies 1 or 0.
func (x *Ctx) Bool(v bool) {
	if v {
		x.Out = append(x.Out, ":1\r\n"...)
	} else {
		x.Out = append(x.Out, ":0\r\n"...)
	}
}

// Bulk replies a string of bytes.
func (x *Ctx) Bulk(b []byte) { x.Out = resp.AppendBulk(x.Out, b) }

// BulkString replies a string.
func (x *Ctx) BulkString(s string) { x.Out = resp.AppendBulkString(x.Out, s) }

// Null replies that there is no value.
func (x *Ctx) Null() { x.Out = resp.AppendNull(x.Out, x.C.Proto) }

// NullArray replies that there is no array.
func (x *Ctx) NullArray() { x.Out = resp.AppendNullArray(x.Out, x.C.Proto) }

// Array begins an array of n replies.
func (x *Ctx) Array(n int) { x.Out = resp.AppendArray(x.Out, n) }

// Map begins a map of n pairs.
func (x *Ctx) Map(n int) { x.Out = resp.AppendMap(x.Out, n, x.C.Proto) }

// SetOf begins a set of n replies.
func (x *Ctx) SetOf(n int) { x.Out = resp.AppendSet(x.Out, n, x.C.Proto) }

// Verbatim replies a text for people.
func (x *Ctx) Verbatim(s string) { x.Out = resp.AppendVerbatim(x.Out, s, "txt", x.C.Proto) }

// Error replies an error; s begins with its code. It counts in errorstats.
func (x *Ctx) Error(s string) {
	x.Out = resp.AppendError(x.Out, s)
	x.CountError(s)
}

// CountError accounts an error reply by its code.
func (x *Ctx) CountError(s string) {
	x.L.Stats.ErrorReplies++
	code, _, _ := strings.Cut(s, " ")
	x.L.Errors[code]++
	if x.Cmd != nil {
		x.L.Timing[x.Cmd.ID].Failed++
	}
}

// WrongType replies that the key holds another type.
func (x *Ctx) WrongType() { x.Error(errWrongType) }

// Syntax replies a syntax error.
func (x *Ctx) Syntax() { x.Error(errSyntax) }

// Arity replies that the number of arguments does not fit the command.
func (x *Ctx) Arity() {
	x.Error("ERR wrong number of arguments for '" + x.Cmd.FullName + "' command")
}

// Help replies a container's help: pairs of a form and what it does.
func (x *Ctx) Help(container string, pairs ...string) {
	x.Array(len(pairs) + 3)
	x.Simple(container + " <subcommand> [<arg> [value] [opt] ...]. Subcommands are:")
	for i := 0; i < len(pairs); i += 2 {
		x.Simple(pairs[i])
		x.Simple("    " + pairs[i+1])
	}
	x.Simple("HELP")
	x.Simple("    Print this help.")
}
