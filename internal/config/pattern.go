package config

// match tells whether a name matches a pattern of CONFIG GET: * any bytes,
// ? one byte, [a-z] and [^a-z] sets, backslash escapes; letters match in
// either case. Time is at most the product of the lengths: only the last
// star is ever tried again.
func match(pattern, name string) bool {
	p, n := 0, 0
	star, from := -1, 0
	for n < len(name) {
		if p < len(pattern) && pattern[p] == '*' {
			star, from = p, n
			p++
			continue
		}
		if p < len(pattern) {
			if ok, next := matchOne(pattern, p, lower(name[n])); ok {
				p = next
				n++
				continue
			}
		}
		if star < 0 {
			return false
		}
		from++
		p, n = star+1, from
	}
	for p < len(pattern) && pattern[p] == '*' {
		p++
	}
	return p == len(pattern)
}

// matchOne matches one byte against the element at p and gives the place
// behind the element.
func matchOne(pattern string, p int, c byte) (ok bool, next int) {
	switch pattern[p] {
	case '?':
		return true, p + 1
	case '[':
		return matchSet(pattern, p+1, c)
	case '\\':
		if p+1 < len(pattern) {
			p++
		}
	}
	return lower(pattern[p]) == c, p + 1
}

// matchSet matches one byte against the set whose first byte is at p. A set
// that does not close ends with the pattern.
func matchSet(pattern string, p int, c byte) (ok bool, next int) {
	negated := p < len(pattern) && pattern[p] == '^'
	if negated {
		p++
	}
	for p < len(pattern) && pattern[p] != ']' {
		switch {
		case pattern[p] == '\\' && p+1 < len(pattern):
			p++
			ok = ok || lower(pattern[p]) == c
		case p+2 < len(pattern) && pattern[p+1] == '-':
			low, high := lower(pattern[p]), lower(pattern[p+2])
			if low > high {
				low, high = high, low
			}
			ok = ok || c >= low && c <= high
			p += 2
		default:
			ok = ok || lower(pattern[p]) == c
		}
		p++
	}
	if p < len(pattern) {
		p++
	}
	return ok != negated, p
}

func lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}
