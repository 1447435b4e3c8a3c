package resp

import (
	"bytes"
	"math"
)

// Partial is the state of a command of which only a part has arrived. The
// zero value stands before the first byte. It holds offsets from the start of
// the command and no pointers, so the buffer may grow and move between calls,
// and no list of arguments: once the command is known to be whole, its
// arguments are picked up in a second pass over the length lines.
//
// Whatever the sizes of the pieces, every byte is looked at a constant number
// of times.
type Partial struct {
	pos  int   // bytes of the command that are done with
	seen int   // bytes up to which the present line was searched for its end
	need int   // what Need returns
	left int   // arguments still to come, once the count is known
	bulk int   // length of the present argument, -1 while its length line is read
	form uint8 // what kind of command this is
}

// The forms of a command.
const (
	formUnknown uint8 = iota
	formInline
	formCount // a multibulk whose count is not known yet
	formArgs  // a multibulk in its arguments
)

// Need says how many bytes beyond the last Resume are certain to belong to
// the command, as a hint for sizing the buffer. It never exceeds what the
// client has sent so far (or 64 KiB, when that is more), so a length that is
// announced and never sent costs next to nothing, while a buffer that grows by
// it at least doubles where that is warranted.
func (p *Partial) Need() int { return p.need }

// Pending says whether p stands inside a command.
func (p *Partial) Pending() bool { return p.form != formUnknown }

// Resume parses as Parse does. buf starts at the first byte of the command and
// holds at least the bytes it held in the earlier calls. After OK and Error, p
// is ready for the next command.
func (p *Partial) Resume(buf []byte, args [][]byte, lim *Limits) (newArgs [][]byte, consumed int, st Status, err *ProtocolError) {
	if p.form == formUnknown {
		if args, n := parseWhole(buf, args, lim); n > 0 {
			return args, n, OK, nil
		}
	}
	return p.resume(buf, args, lim)
}

// resume is Resume without the fast path.
func (p *Partial) resume(buf []byte, args [][]byte, lim *Limits) (newArgs [][]byte, consumed int, st Status, err *ProtocolError) {
	if p.form == formUnknown {
		if len(buf) == 0 {
			return args, 0, Incomplete, nil
		}
		p.form = formInline
		if buf[0] == '*' {
			p.form = formCount
		}
	}
	if p.form == formInline {
		return p.inline(buf, args, lim)
	}
	st, err = p.scan(buf, lim)
	if st == Incomplete {
		p.need = p.missing(len(buf))
		return args, 0, st, nil
	}
	consumed = p.pos
	*p = Partial{}
	if st == Error {
		return args, 0, st, err
	}
	return collect(buf, args, consumed), consumed, OK, nil
}

// scan moves over the count line and the arguments of a multibulk as far as
// they have arrived.
func (p *Partial) scan(buf []byte, lim *Limits) (Status, *ProtocolError) {
	if p.form == formCount {
		end, st := p.line(buf, '\r', lim)
		if st == Error {
			return Error, errMultibulkLine
		}
		// As Redis, take the byte after '\r' for '\n' without looking.
		if st == Incomplete || end+1 >= len(buf) {
			return Incomplete, nil
		}
		n, ok := ParseInt64(buf[1:end])
		if !ok || n > int64(lim.MaxArgs) {
			return Error, errMultibulkLen
		}
		if lim.PreAuthArgs > 0 && n > int64(lim.PreAuthArgs) {
			return Error, errMultibulkUnauth
		}
		p.pos, p.seen = end+2, end+2
		if n <= 0 {
			return OK, nil
		}
		p.form, p.left, p.bulk = formArgs, int(n), -1
	}
	for ; p.left > 0; p.left-- {
		if p.bulk < 0 {
			end, st := p.line(buf, '\r', lim)
			if st == Error {
				return Error, errBulkLine
			}
			if st == Incomplete || end+1 >= len(buf) {
				return Incomplete, nil
			}
			if buf[p.pos] != '$' {
				return Error, errExpectedBulk(buf[p.pos])
			}
			n, ok := ParseInt64(buf[p.pos+1 : end])
			if !ok || n < 0 || n > lim.MaxBulk || n > math.MaxInt-4 {
				return Error, errBulkLen
			}
			if lim.PreAuthBulk > 0 && n > lim.PreAuthBulk {
				return Error, errBulkUnauth
			}
			p.pos, p.bulk = end+2, int(n)
		}
		if len(buf)-p.pos < p.bulk+2 {
			return Incomplete, nil
		}
		// Neither does Redis look at the two bytes after an argument.
		p.pos += p.bulk + 2
		p.seen = p.pos
		p.bulk = -1
	}
	return OK, nil
}

// minArg is the size of the shortest argument, "$0\r\n\r\n".
const minArg = 6

// missing computes Need for a buffer of size bytes.
func (p *Partial) missing(size int) int {
	most := max(size, 64<<10)
	if p.form != formArgs {
		return 1
	}
	if p.bulk > most+size {
		return most
	}
	end := p.pos + p.left*minArg
	if p.bulk >= 0 {
		end += p.bulk + 2 - minArg
	}
	return min(max(end-size, 1), most)
}

// line finds the end of the line at p.pos, which is the byte stop. A zero byte
// ends Redis' search, so a line that holds one never ends: it stays Incomplete
// until it is too long.
func (p *Partial) line(buf []byte, stop byte, lim *Limits) (end int, st Status) {
	limit := min(len(buf), p.pos+lim.MaxInline+1)
	i := bytes.IndexByte(buf[p.seen:limit], stop)
	part := buf[p.seen:limit]
	if i >= 0 {
		part = part[:i]
	}
	if zero := bytes.IndexByte(part, 0); zero >= 0 {
		p.seen += zero
		i = -1
	} else {
		p.seen += len(part)
	}
	if i >= 0 {
		return p.seen, OK
	}
	if len(buf)-p.pos > lim.MaxInline {
		return 0, Error
	}
	return 0, Incomplete
}

// collect appends the arguments of a multibulk that scan found whole.
func collect(buf []byte, args [][]byte, size int) [][]byte {
	pos := bytes.IndexByte(buf, '\r') + 2
	for pos < size {
		n := 0
		for pos++; buf[pos] != '\r'; pos++ {
			n = n*10 + int(buf[pos]-'0')
		}
		pos += 2
		args = append(args, buf[pos:pos+n:pos+n])
		pos += n + 2
	}
	return args
}
