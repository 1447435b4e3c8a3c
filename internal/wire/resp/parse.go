package resp

import "encoding/binary"

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
// Counts below 10 and arguments below 100 bytes, wholly in buf, take the fast
// path; everything else is left to Partial, so the rules stand in one place.
func Parse(buf []byte, args [][]byte, lim *Limits) (newArgs [][]byte, consumed int, st Status, err *ProtocolError) {
	if len(buf) < 4 {
		return parseSlow(buf, args, lim)
	}
	head := binary.LittleEndian.Uint32(buf)
	count := int(head>>8&0xff) - '0'
	if head&headMask != headCount || uint(count-1) > 8 || count > lim.MaxArgs || lim.PreAuthArgs > 0 && count > lim.PreAuthArgs {
		return parseSlow(buf, args, lim)
	}
	maxBulk := int(lim.MaxBulk)
	if lim.PreAuthBulk > 0 && lim.PreAuthBulk < lim.MaxBulk {
		maxBulk = int(lim.PreAuthBulk)
	}
	out := args
	pos := 4
	for ; count > 0; count-- {
		if len(buf)-pos < 6 { // the shortest argument: "$0\r\n\r\n"
			return parseSlow(buf, args, lim)
		}
		head := binary.LittleEndian.Uint32(buf[pos:])
		n := int(head>>8&0xff) - '0'
		start := pos + 4
		switch {
		case head&headMask == headBulk:
			if uint(n) > 9 {
				return parseSlow(buf, args, lim)
			}
		case head&0xff == '$' && uint(n-1) <= 8:
			low := int(head>>16&0xff) - '0'
			if uint(low) <= 9 && binary.LittleEndian.Uint16(buf[pos+3:]) == crlf {
				n = n*10 + low
				start = pos + 5
				break
			}
			if n, start = bulkHead(buf, pos); n < 0 {
				return parseSlow(buf, args, lim)
			}
		default:
			return parseSlow(buf, args, lim)
		}
		if n > maxBulk || n+2 > len(buf)-start {
			return parseSlow(buf, args, lim)
		}
		out = append(out, buf[start:start+n:start+n])
		pos = start + n + 2
	}
	return out, pos, OK, nil
}

// bulkHead reads the "$N\r\n" at pos when N has up to 8 digits and is written
// as it should be; otherwise n is -1.
func bulkHead(buf []byte, pos int) (n, start int) {
	for i := pos + 1; i < len(buf)-1 && i <= pos+9; i++ {
		c := buf[i]
		if c == '\r' && buf[i+1] == '\n' && i > pos+1 && (buf[pos+1] != '0' || i == pos+2) {
			return n, i + 2
		}
		if c-'0' > 9 {
			break
		}
		n = n*10 + int(c-'0')
	}
	return -1, 0
}

// parseSlow parses any command, one form after the other.
func parseSlow(buf []byte, args [][]byte, lim *Limits) ([][]byte, int, Status, *ProtocolError) {
	var p Partial
	return p.Resume(buf, args, lim)
}
