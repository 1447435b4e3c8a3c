package resp

import (
	"slices"
	"unsafe"
)

// Little-endian images of the fixed bytes of "*N\r\n" and "$N\r\n", with a
// hole where the digit stands.
const (
	headMask  = 0xffff00ff
	headCount = '*' | '\r'<<16 | '\n'<<24
	headBulk  = '$' | '\r'<<16 | '\n'<<24
	crlf      = '\r' | '\n'<<8
)

// Parse parses one command at the start of buf and appends its arguments,
// which alias buf, to args. (Arguments of an inline command that are written
// with quotes are fresh copies instead.) It returns the extended args, the
// number of bytes the command took, and OK; an empty line, "*0" and "*-1" are
// commands without arguments. With Incomplete and Error args comes back as it
// was and consumed is 0.
//
// A multibulk that is wholly in buf and spelled as clients spell it takes the
// fast path; everything else is left to Partial, so the rules stand in one
// place.
func Parse(buf []byte, args [][]byte, lim *Limits) (newArgs [][]byte, consumed int, st Status, err *ProtocolError) {
	if args, n := parseWhole(buf, args, lim); n > 0 {
		return args, n, OK, nil
	}
	var p Partial
	return p.resume(buf, args, lim)
}

// parseWhole is the fast path; consumed is 0 when it is not for this command.
func parseWhole(buf []byte, args [][]byte, lim *Limits) (newArgs [][]byte, consumed int) {
	if len(buf) < 4 {
		return args, 0
	}
	base := unsafe.Pointer(unsafe.SliceData(buf))
	head := load32(base, 0)
	count := int(head>>8&0xff) - '0'
	pos := 4
	if head&headMask != headCount || uint(count-1) > 8 {
		if head&0xff != '*' {
			return args, 0
		}
		// Counts of more than one digit. The list of arguments grows for
		// those only that fit into the bytes that are here.
		if count, pos = lineNumber(buf, 1); pos == 0 || count > (len(buf)-pos)/minArg {
			return args, 0
		}
	}
	if count > lim.MaxArgs || lim.PreAuthArgs > 0 && count > lim.PreAuthArgs {
		return args, 0
	}
	maxBulk := lim.MaxBulk
	if lim.PreAuthBulk > 0 && lim.PreAuthBulk < maxBulk {
		maxBulk = lim.PreAuthBulk
	}
	if cap(args)-len(args) < count {
		args = slices.Grow(args, count)
	}
	out := args[len(args) : len(args)+count]
	for i := range out {
		// The shortest argument is "$0\r\n\r\n", so 6 bytes may be read.
		if len(buf)-pos < minArg {
			return args, 0
		}
		head := load32(base, pos)
		n := int(head>>8&0xff) - '0'
		start := pos + 4
		if head&headMask == headBulk {
			if uint(n) > 9 {
				return args, 0
			}
		} else {
			low := int(head>>16&0xff) - '0'
			if head&0xff != '$' || uint(n-1) > 8 || uint(low) > 9 {
				return args, 0
			}
			n = n*10 + low
			if load16(base, pos+3) == crlf {
				start++
			} else if n, start = lineNumber(buf, pos+1); start == 0 {
				return args, 0
			}
		}
		pos = start + n + 2
		if pos > len(buf) || int64(n) > maxBulk {
			return args, 0
		}
		out[i] = unsafe.Slice((*byte)(unsafe.Add(base, start)), n)
	}
	return args[:len(args)+count], pos
}

// lineNumber reads the number of up to 8 digits at pos that fills the rest of
// its line. next is where the next line begins, 0 when this one is not whole
// or not of that form. At least three bytes follow pos.
func lineNumber(buf []byte, pos int) (n, next int) {
	if buf[pos] == '0' {
		return 0, 0
	}
	for i := pos; i < pos+8 && i+2 < len(buf); i++ {
		c := buf[i] - '0'
		if c > 9 {
			return 0, 0
		}
		n = n*10 + int(c)
		if buf[i+1] == '\r' {
			if buf[i+2] != '\n' {
				return 0, 0
			}
			return n, i + 3
		}
	}
	return 0, 0
}

// load32 is the four bytes at p+pos as a little-endian number: one load.
func load32(p unsafe.Pointer, pos int) uint32 {
	b := (*[4]byte)(unsafe.Add(p, pos))
	return uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16 | uint32(b[3])<<24
}

// load16 is the two bytes at p+pos as a little-endian number.
func load16(p unsafe.Pointer, pos int) uint16 {
	b := (*[2]byte)(unsafe.Add(p, pos))
	return uint16(b[0]) | uint16(b[1])<<8
}
