package resp

import "bytes"

// inline parses a command written as one line of words.
func (p *Partial) inline(buf []byte, args [][]byte, lim *Limits) ([][]byte, int, Status, *ProtocolError) {
	end, st := p.line(buf, '\n', lim)
	if st == Incomplete {
		p.need = p.missing(len(buf))
		return args, 0, Incomplete, nil
	}
	*p = Partial{}
	if st == Error {
		return args, 0, Error, errInlineLine
	}
	line := buf[:end]
	if end > 0 && buf[end-1] == '\r' {
		line = buf[:end-1]
	}
	out, ok := SplitArgs(args, line)
	if !ok {
		return args, 0, Error, errInlineQuotes
	}
	return out, end + 1, OK, nil
}

// SplitArgs appends the words of line to dst by the rules of Redis' inline
// commands and configuration lines. Words are separated by white space. Inside
// double quotes stand any bytes, with \n \r \t \b \a, \xHH, and a backslash
// before any other byte meaning that byte; inside single quotes only \' is
// special. A quote may open in the middle of a word, but after one that closes
// comes white space or the end. ok is false when quotes are not balanced so.
//
// The line ends at a zero byte. A word without quotes aliases line, one with quotes is a copy.
func SplitArgs(dst [][]byte, line []byte) (words [][]byte, ok bool) {
	if zero := bytes.IndexByte(line, 0); zero >= 0 {
		line = line[:zero]
	}
	i := 0
	for {
		for i < len(line) && isSpace(line[i]) {
			i++
		}
		if i == len(line) {
			return dst, true
		}
		start := i
		for i < len(line) && !endsWord(line[i]) && line[i] != '"' && line[i] != '\'' {
			i++
		}
		if i == len(line) || endsWord(line[i]) {
			dst = append(dst, line[start:i:i])
			continue
		}
		var word []byte
		if word, i, ok = quotedWord(line, start, i); !ok {
			return dst, false
		}
		dst = append(dst, word)
	}
}

// quotedWord decodes the word that starts at start and has its quote at i. It
// returns the word and the offset after it.
func quotedWord(line []byte, start, i int) (word []byte, next int, ok bool) {
	word = append(make([]byte, 0, 32), line[start:i]...)
	quote := line[i]
	for i++; i < len(line); i++ {
		c := line[i]
		switch {
		case c == quote:
			closed := i+1 == len(line) || isSpace(line[i+1])
			return word, i + 1, closed
		case c != '\\' || i+1 == len(line):
			word = append(word, c)
		case quote == '\'':
			if line[i+1] == '\'' {
				i++
			}
			word = append(word, line[i])
		case line[i+1] == 'x' && i+3 < len(line) && hexValue(line[i+2]) < 16 && hexValue(line[i+3]) < 16:
			word = append(word, hexValue(line[i+2])<<4|hexValue(line[i+3]))
			i += 3
		default:
			i++
			word = append(word, unescape(line[i]))
		}
	}
	return nil, 0, false
}

// isSpace is the C library's isspace in the C locale.
func isSpace(c byte) bool { return c == ' ' || c-'\t' < 5 }

// endsWord says whether c ends a word outside quotes. Vertical tab and form
// feed do not, although they are skipped between words.
func endsWord(c byte) bool { return c == ' ' || c == '\n' || c == '\r' || c == '\t' }

func unescape(c byte) byte {
	switch c {
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	case 'b':
		return '\b'
	case 'a':
		return '\a'
	}
	return c
}

// hexValue is the value of a hexadecimal digit, 16 for any other byte.
func hexValue(c byte) byte {
	switch {
	case c-'0' < 10:
		return c - '0'
	case c|0x20 >= 'a' && c|0x20 <= 'f':
		return c | 0x20 - 'a' + 10
	}
	return 16
}
