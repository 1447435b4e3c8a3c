package config

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// parse turns the words of a value into its text. old is the text so far,
// for directives whose lines change part of it; start tells that a file or
// another source is read, not CONFIG SET. A bad value gives a reason in the
// words of Redis.
func (d *Directive) parse(old string, words []string, start bool) (text, reason string) {
	if !d.Has(Multi) && len(words) != 1 {
		return "", "wrong number of arguments"
	}
	switch d.Kind {
	case Bool:
		switch strings.ToLower(words[0]) {
		case "yes":
			text = "yes"
		case "no":
			text = "no"
		default:
			return "", "argument must be 'yes' or 'no'"
		}
	case Int, Memory, Percent, Octal:
		text, reason = d.parseNumber(words[0])
	case Text:
		text = words[0]
	case Enum:
		text, reason = d.parseEnum(words[0])
	case Flags:
		text, reason = d.parseFlags(words)
	case Words:
		if len(words) == 1 && words[0] == "" {
			words = nil
		}
		text = joinQuoted(words)
	case Save:
		text, reason = parseSave(old, words, start)
	case Limits:
		text, reason = parseLimits(old, words)
	case Bind:
		text, reason = parseBind(words)
	case Special:
		text, reason = d.special(old, words, start)
	}
	if reason == "" && d.check != nil {
		reason = d.check(text)
	}
	if reason != "" {
		return "", reason
	}
	return text, ""
}

// oneOf is the reason for a word outside of the set.
func (d *Directive) oneOf() string {
	return "argument(s) must be one of the following: " + strings.Join(d.Values, ", ")
}

func (d *Directive) parseEnum(word string) (text, reason string) {
	for _, v := range d.Values {
		if strings.EqualFold(v, word) {
			text = v
		}
	}
	for _, v := range d.More {
		v, same, synonym := strings.Cut(v, "=")
		if strings.EqualFold(v, word) {
			if text = v; synonym {
				text = same
			}
		}
	}
	if text == "" {
		return "", d.oneOf()
	}
	return text, ""
}

// parseFlags reads words of the set; the text lists them in the set's order.
// The first of the set stands for none.
func (d *Directive) parseFlags(words []string) (text, reason string) {
	var set uint64
	for _, w := range words {
		found := false
		for i, v := range d.Values {
			if strings.EqualFold(v, w) {
				set |= 1 << i
				found = true
			}
		}
		if !found {
			return "", d.oneOf()
		}
	}
	if len(words) == 0 {
		return "", d.oneOf()
	}
	var out []string
	for i, v := range d.Values[1:] {
		if set&(2<<i) != 0 {
			out = append(out, v)
		}
	}
	if out == nil {
		return d.Values[0], ""
	}
	return strings.Join(out, " "), ""
}

func (d *Directive) parseNumber(word string) (text, reason string) {
	switch d.Kind {
	case Memory:
		n, ok := parseMemory(word)
		if !ok {
			return "", "argument must be a memory value"
		}
		return d.boundedSize(n)
	case Percent:
		if n, ok := parseMemory(word); ok {
			return d.boundedSize(n)
		}
		if p, found := strings.CutSuffix(word, "%"); found {
			if n, ok := parseInt(p); ok && n >= 0 {
				if n > -d.Min {
					return "", fmt.Sprintf("percentage argument must be less or equal to %d", -d.Min)
				}
				if n == 0 {
					return "0", ""
				}
				return strconv.FormatInt(n, 10) + "%", ""
			}
		}
		return "", "argument must be a memory or percent value"
	case Octal:
		n, err := strconv.ParseInt(strings.TrimPrefix(strings.TrimSpace(word), "+"), 8, 64)
		if err != nil {
			return "", "argument couldn't be parsed as an octal number"
		}
		if n < d.Min || n > d.Max {
			return "", fmt.Sprintf("argument must be between %o and %o inclusive", d.Min, d.Max)
		}
		return strconv.FormatInt(n, 8), ""
	}
	n, ok := parseInt(word)
	if !ok {
		return "", "argument couldn't be parsed into an integer"
	}
	return d.bounded(n)
}

func (d *Directive) bounded(n int64) (text, reason string) {
	if n < d.Min || n > d.Max {
		return "", d.outOfBounds()
	}
	if d.atLeast > 0 {
		n = max(n, d.atLeast)
	}
	return strconv.FormatInt(n, 10), ""
}

func (d *Directive) boundedSize(n uint64) (text, reason string) {
	if n > math.MaxInt64 {
		return "", d.outOfBounds()
	}
	return d.bounded(int64(n))
}

func (d *Directive) outOfBounds() string {
	return fmt.Sprintf("argument must be between %d and %d inclusive", d.Min, d.Max)
}

// parseInt reads a decimal integer as strictly as Redis: no plus sign, no
// leading zero, no space.
func parseInt(s string) (int64, bool) {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || strconv.FormatInt(n, 10) != s {
		return 0, false
	}
	return n, true
}

// parseMemory reads a size in bytes with an optional unit: k, m and g are
// powers of ten, kb, mb and gb powers of two. A size that does not fit is not
// taken (Redis computes something from it).
func parseMemory(s string) (uint64, bool) {
	digits := 0
	for digits < len(s) && s[digits] >= '0' && s[digits] <= '9' {
		digits++
	}
	var unit uint64
	switch strings.ToLower(s[digits:]) {
	case "", "b":
		unit = 1
	case "k":
		unit = 1000
	case "kb":
		unit = 1 << 10
	case "m":
		unit = 1000 * 1000
	case "mb":
		unit = 1 << 20
	case "g":
		unit = 1000 * 1000 * 1000
	case "gb":
		unit = 1 << 30
	default:
		return 0, false
	}
	if digits == 0 {
		return 0, s == ""
	}
	n, err := strconv.ParseUint(s[:digits], 10, 64)
	if err != nil || n > math.MaxUint64/unit {
		return 0, false
	}
	return n * unit, true
}

// appendMemory writes a size with the largest unit that keeps it exact.
func appendMemory(dst []byte, n int64) []byte {
	switch {
	case n != 0 && n%(1<<30) == 0:
		return append(strconv.AppendInt(dst, n>>30, 10), "gb"...)
	case n != 0 && n%(1<<20) == 0:
		return append(strconv.AppendInt(dst, n>>20, 10), "mb"...)
	case n != 0 && n%(1<<10) == 0:
		return append(strconv.AppendInt(dst, n>>10, 10), "kb"...)
	}
	return strconv.AppendInt(dst, n, 10)
}
