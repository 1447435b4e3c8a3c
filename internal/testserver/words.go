package testserver

import (
	"errors"
	"strconv"
	"strings"
)

// SplitWords splits a line into arguments as redis-cli does: words separated
// by blanks; "..." with the escapes \n \r \t \b \a \\ \" \xHH; '...' where only
// \' is an escape.
func SplitWords(line string) ([]string, error) {
	var words []string
	for {
		line = strings.TrimLeft(line, " \t")
		if line == "" {
			return words, nil
		}
		var w strings.Builder
		quote := byte(0)
		i := 0
	word:
		for ; i < len(line); i++ {
			c := line[i]
			switch {
			case quote == 0 && (c == ' ' || c == '\t'):
				break word
			case quote == 0 && (c == '"' || c == '\''):
				quote = c
			case c == quote:
				quote = 0
				if i+1 < len(line) && line[i+1] != ' ' && line[i+1] != '\t' {
					return nil, errors.New("a closing quote is followed by " + line[i+1:])
				}
			case quote == '"' && c == '\\' && i+3 < len(line) && line[i+1] == 'x':
				n, err := strconv.ParseUint(line[i+2:i+4], 16, 8)
				if err != nil {
					return nil, err
				}
				w.WriteByte(byte(n))
				i += 3
			case quote == '"' && c == '\\' && i+1 < len(line):
				i++
				if at := strings.IndexByte("nrtba", line[i]); at >= 0 {
					w.WriteByte("\n\r\t\b\a"[at])
				} else {
					w.WriteByte(line[i])
				}
			case quote == '\'' && c == '\\' && i+1 < len(line) && line[i+1] == '\'':
				i++
				w.WriteByte('\'')
			default:
				w.WriteByte(c)
			}
		}
		if quote != 0 {
			return nil, errors.New("unbalanced quotes")
		}
		words, line = append(words, w.String()), line[i:]
	}
}
