package command

import (
	"bytes"
	"errors"
	"strconv"

	"sherd/internal/store/zset"
	"sherd/internal/wire/resp"
)

const (
	errBoundFloat = "ERR min or max is not a float"
	errBoundLex   = "ERR min or max not valid string range item"
)

// rangeBy is what a range of members is given by.
type rangeBy uint8

const (
	rangeByRank rangeBy = iota
	rangeByScore
	rangeByLex
)

// zrange is a range of members.
type zrange struct {
	by       rangeBy
	from, to int64 // ranks; negative ones count from the end
	min, max scoreBound
	low, top lexBound
}

// scoreBound is an end of a range of scores.
type scoreBound struct {
	score float64
	open  bool // the score itself is out
}

// lexBound is an end of a range of members.
type lexBound struct {
	member []byte
	open   bool // the member itself is out
	end    int8 // -1: before all members; 1: behind them
}

// parseBounds reads the ends of a range, of which a comes before b; false: the
// error has been replied.
func (x *Ctx) parseBounds(r *zrange, a, b []byte) bool {
	ok := false
	switch r.by {
	case rangeByRank:
		if r.from, ok = resp.ParseInt64(a); ok {
			r.to, ok = resp.ParseInt64(b)
		}
		if !ok {
			x.Error(errNotInteger)
		}
	case rangeByScore:
		if r.min, ok = parseScoreBound(a); ok {
			r.max, ok = parseScoreBound(b)
		}
		if !ok {
			x.Error(errBoundFloat)
		}
	default:
		if r.low, ok = parseLexBound(a); ok {
			r.top, ok = parseLexBound(b)
		}
		if !ok {
			x.Error(errBoundLex)
		}
	}
	return ok
}

// parseScoreBound reads a number as C's strtod does, after an optional "(". It
// is less strict than a score: white space may come first, nothing at all is
// zero, and what is too large is infinite.
func parseScoreBound(b []byte) (s scoreBound, ok bool) {
	if len(b) > 0 && b[0] == '(' {
		s.open = true
		b = b[1:]
	}
	if i := bytes.IndexByte(b, 0); i >= 0 {
		b = b[:i]
	}
	if len(b) == 0 {
		return s, true
	}
	b = bytes.TrimLeft(b, " \t\n\v\f\r")
	if s.score, ok = resp.ParseDouble(b); ok {
		return s, true
	}
	for _, c := range b {
		if (c < '0' || c > '9') && c != '.' && c != '-' && c != '+' && c|0x20 != 'e' {
			return s, false
		}
	}
	var err error
	if s.score, err = strconv.ParseFloat(string(b), 64); err != nil && !errors.Is(err, strconv.ErrRange) {
		return s, false
	}
	return s, true
}

// parseLexBound reads "-", "+", "[member" or "(member".
func parseLexBound(b []byte) (l lexBound, ok bool) {
	if len(b) == 0 {
		return l, false
	}
	switch b[0] {
	case '-':
		l.end = -1
	case '+':
		l.end = 1
	case '(':
		l.open = true
	case '[':
	default:
		return l, false
	}
	if l.end != 0 {
		return l, len(b) == 1 || b[1] == 0
	}
	l.member = b[1:]
	return l, true
}

// ranks are the ranks of the members in a range: lo and those after it, before
// hi.
func (r *zrange) ranks(s *zset.Set) (lo, hi int64) {
	n := s.Len()
	switch r.by {
	case rangeByRank:
		lo, hi = r.from, r.to
		if lo < 0 {
			lo = max(lo+n, 0)
		}
		if hi < 0 {
			hi += n
		}
		hi = min(hi, n-1) + 1
	case rangeByScore:
		if r.min.score > r.max.score {
			return 0, 0
		}
		lo = s.CountScore(r.min.score, r.min.open)
		if lo < n {
			hi = s.CountScore(r.max.score, !r.max.open)
		}
	default:
		lo = r.low.before(s, n, r.low.open)
		if lo < n {
			hi = r.top.before(s, n, !r.top.open)
		}
	}
	return lo, max(lo, hi)
}

// before is the number of members before a bound, or with orEqual up to it.
func (l *lexBound) before(s *zset.Set, n int64, orEqual bool) int64 {
	switch {
	case l.end < 0:
		return 0
	case l.end > 0:
		return n
	}
	return s.CountMember(l.member, orEqual)
}

// window is a part of a range, as LIMIT gives it. A negative count is all.
func (r *zrange) window(s *zset.Set, reverse bool, offset, count int64) (from, n int64) {
	lo, hi := r.ranks(s)
	if offset < 0 || offset >= hi-lo {
		return 0, 0
	}
	n = hi - lo - offset
	if count >= 0 {
		n = min(n, count)
	}
	if reverse {
		if r.by == rangeByRank {
			// Ranks are counted from the end.
			return s.Len() - 1 - lo - offset, n
		}
		return hi - 1 - offset, n
	}
	return lo + offset, n
}
