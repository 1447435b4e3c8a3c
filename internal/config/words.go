package config

import (
	"strings"
)

// split cuts a line into words by the rules of redis.conf: words are parted
// by white space; "double quotes" know \n \r \t \b \a, \xHH and a backslash
// before any other byte; 'single quotes' know \' only. A closing quote must
// end its word. ok is false for a quote that does not close or does not end
// its word.
func split(line string) (words []string, ok bool) {
	i := 0
	for {
		for i < len(line) && isSpace(line[i]) {
			i++
		}
		if i == len(line) {
			return words, true
		}
		var w strings.Builder
		for i < len(line) && !isSpace(line[i]) {
			switch line[i] {
			case 0:
				// Redis reads C strings: a zero byte ends the line.
				return append(words, w.String()), true
			case '"':
				if i, ok = unquoteDouble(&w, line, i+1); !ok {
					return nil, false
				}
			case '\'':
				if i, ok = unquoteSingle(&w, line, i+1); !ok {
					return nil, false
				}
			default:
				w.WriteByte(line[i])
				i++
				continue
			}
			// After a closing quote the word ends.
			if i < len(line) && !isSpace(line[i]) {
				return nil, false
			}
			break
		}
		words = append(words, w.String())
	}
}

// unquoteDouble reads up to the closing double quote; next is behind it.
func unquoteDouble(w *strings.Builder, line string, i int) (next int, ok bool) {
	for i < len(line) {
		c := line[i]
		switch {
		case c == '"':
			return i + 1, true
		case c == '\\' && i+3 < len(line) && line[i+1] == 'x' && isHex(line[i+2]) && isHex(line[i+3]):
			w.WriteByte(unhex(line[i+2])<<4 | unhex(line[i+3]))
			i += 4
		case c == '\\' && i+1 < len(line):
			e := line[i+1]
			switch e {
			case 'n':
				e = '\n'
			case 'r':
				e = '\r'
			case 't':
				e = '\t'
			case 'b':
				e = '\b'
			case 'a':
				e = '\a'
			}
			w.WriteByte(e)
			i += 2
		default:
			w.WriteByte(c)
			i++
		}
	}
	return i, false
}

// unquoteSingle reads up to the closing single quote; next is behind it.
func unquoteSingle(w *strings.Builder, line string, i int) (next int, ok bool) {
	for i < len(line) {
		switch {
		case line[i] == '\'':
			return i + 1, true
		case line[i] == '\\' && i+1 < len(line) && line[i+1] == '\'':
			w.WriteByte('\'')
			i += 2
		default:
			w.WriteByte(line[i])
			i++
		}
	}
	return i, false
}

// appendQuoted writes a word so that split reads it back.
func appendQuoted(dst []byte, word string) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	for i := 0; i < len(word); i++ {
		switch c := word[i]; c {
		case '\\', '"':
			dst = append(dst, '\\', c)
		case '\n':
			dst = append(dst, '\\', 'n')
		case '\r':
			dst = append(dst, '\\', 'r')
		case '\t':
			dst = append(dst, '\\', 't')
		case '\a':
			dst = append(dst, '\\', 'a')
		case '\b':
			dst = append(dst, '\\', 'b')
		default:
			if c >= ' ' && c < 0x7f {
				dst = append(dst, c)
			} else {
				dst = append(dst, '\\', 'x', hex[c>>4], hex[c&15])
			}
		}
	}
	return append(dst, '"')
}

// joinQuoted writes words as one line, quoting those that need it.
func joinQuoted(words []string) string {
	var out []byte
	for i, w := range words {
		if i > 0 {
			out = append(out, ' ')
		}
		if plain(w) {
			out = append(out, w...)
		} else {
			out = appendQuoted(out, w)
		}
	}
	return string(out)
}

// plain tells whether a word needs no quotes.
func plain(w string) bool {
	if w == "" || w[0] == '#' {
		return false
	}
	for i := 0; i < len(w); i++ {
		if c := w[i]; c <= ' ' || c >= 0x7f || c == '"' || c == '\'' || c == '\\' {
			return false
		}
	}
	return true
}

func isSpace(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }

func isHex(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}

func unhex(c byte) byte {
	switch {
	case c <= '9':
		return c - '0'
	case c <= 'F':
		return c - 'A' + 10
	}
	return c - 'a' + 10
}
