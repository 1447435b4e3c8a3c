// Package glob matches keys, channels and directive names against Redis'
// patterns, to the letter of what a redis-server on amd64 does.
//
// # Terms
//
// A pattern is a sequence of elements. A star ('*') stands for any bytes, also
// none; every other element stands for exactly one byte:
//
//	?          any byte
//	[abc]      one of a set; [^abc] one outside it; [a-z] has a range
//	\x         the byte x, whatever it means otherwise
//	x          the byte x
//
// # Corners that follow Redis
//
//   - A set that is never closed ends with the pattern: "[ab" is "[ab]",
//     "[^" is any byte, "[" matches nothing.
//   - In a set, a backslash makes the next byte literal (and, for that byte,
//     case matters even when it does not elsewhere), but not as the end of a
//     range; "[a-]" is a range that ends at ']'.
//   - The ends of a range may stand in either order, and are compared as signed
//     bytes.
//   - A backslash that ends the pattern is literal.
//   - The empty string is matched by the empty pattern only, not even by "*".
//     (Commands that take "*" as "everything" never ask.)
//   - Case means ASCII letters.
//
// # Cost
//
// Since every element but the star takes one byte, the earliest place where
// the elements between two stars match is as good as any later one: a mismatch
// only ever goes back to the last star. No recursion; the time is at most
// proportional to len(pattern) × len(s), and to their sum when stars are
// followed by literals that are rare in s. Nothing is allocated.
package glob

import "bytes"

// Match says whether the whole of s matches the whole of pattern. With nocase
// ASCII letters match in both cases.
func Match(pattern, s []byte, nocase bool) bool {
	if len(s) == 0 {
		return len(pattern) == 0
	}
	var (
		p, i     int  // next element, next byte
		starred  bool // whether a star was met
		afterP   int  // the element after the last star
		starFrom int  // where in s its elements were last tried
	)
	for {
		if p < len(pattern) && pattern[p] == '*' {
			for p < len(pattern) && pattern[p] == '*' {
				p++
			}
			if p == len(pattern) {
				return true
			}
			starred, afterP, starFrom = true, p, i
			if i = seek(pattern, p, s, i, nocase); i < 0 {
				return false
			}
			starFrom = i
		}
		if i == len(s) {
			return p == len(pattern)
		}
		if p < len(pattern) {
			if c := pattern[p]; c == s[i] && c != '[' && c != '\\' { // a byte as it is
				p++
				i++
				continue
			}
			if next, ok := element(pattern, p, s[i], nocase); ok {
				p = next
				i++
				continue
			}
		}
		if !starred {
			return false
		}
		p = afterP
		if i = seek(pattern, p, s, starFrom+1, nocase); i < 0 {
			return false
		}
		starFrom = i
	}
}

// seek returns the first place at or after i where the element at p, which
// follows a star, may match, or -1 when there is none.
func seek(pattern []byte, p int, s []byte, i int, nocase bool) int {
	if i >= len(s) {
		return -1
	}
	c := pattern[p]
	if c == '?' || c == '[' || c == '\\' || nocase && lower(c)-'a' < 26 {
		return i
	}
	n := bytes.IndexByte(s[i:], c)
	if n < 0 {
		return -1
	}
	return i + n
}

// element matches the element at p, which is no star, against c. next is the
// offset of the element after it.
func element(pattern []byte, p int, c byte, nocase bool) (next int, ok bool) {
	switch pattern[p] {
	case '?':
		return p + 1, true
	case '[':
		return set(pattern, p+1, c, nocase)
	case '\\':
		if p+1 < len(pattern) {
			p++
		}
	}
	return p + 1, pattern[p] == c || nocase && lower(pattern[p]) == lower(c)
}

// set matches the set whose '[' stands before p.
func set(pattern []byte, p int, c byte, nocase bool) (next int, ok bool) {
	outside := p < len(pattern) && pattern[p] == '^'
	if outside {
		p++
	}
	in := false
	for p < len(pattern) {
		left := len(pattern) - p
		switch {
		case pattern[p] == '\\' && left >= 2:
			p++
			in = in || pattern[p] == c
		case pattern[p] == ']':
			return p + 1, in != outside
		case left >= 3 && pattern[p+1] == '-':
			in = in || inRange(pattern[p], pattern[p+2], c, nocase)
			p += 2
		default:
			in = in || pattern[p] == c || nocase && lower(pattern[p]) == lower(c)
		}
		p++
	}
	return p, in != outside
}

func inRange(start, end, c byte, nocase bool) bool {
	// The ends are ordered first and folded after, as Redis does it.
	if int8(start) > int8(end) {
		start, end = end, start
	}
	if nocase {
		start, end, c = lower(start), lower(end), lower(c)
	}
	return int8(start) <= int8(c) && int8(c) <= int8(end)
}

func lower(c byte) byte {
	if c-'A' < 26 {
		return c + 'a' - 'A'
	}
	return c
}

// Prefix returns the bytes with which everything that matches pattern (case
// sensitively) begins, as far as they can be had without copying. exact says
// that the pattern has no special bytes, so that it matches only itself.
func Prefix(pattern []byte) (prefix []byte, exact bool) {
	for i, c := range pattern {
		if c == '*' || c == '?' || c == '[' || c == '\\' {
			return pattern[:i], false
		}
	}
	return pattern, true
}
