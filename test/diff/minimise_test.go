package diff

import (
	"cmp"
	"fmt"
	"strings"
	"time"
)

// minimise removes from a sequence that shows a difference whatever it can do
// without, by delta debugging: chunks of half the length, then of a quarter,
// down to single commands, for as long as the limit allows.
func (p *pair) minimise(ops []op, proto int, limit time.Duration) ([]op, *mismatch) {
	quiet := &pair{want: p.want, got: p.got, timeout: cmp.Or(p.timeout, 3*time.Second)}
	deadline := time.Now().Add(limit)
	shows := func(ops []op) *mismatch {
		m, err := quiet.do(ops, proto)
		if err != nil {
			return nil
		}
		return m
	}
	last := shows(ops)
	if last == nil {
		return ops, nil
	}
	ops = ops[:min(len(ops), last.at+1)]
	for chunk := len(ops) / 2; chunk > 0; {
		removed := false
		for at := 0; at < len(ops) && time.Now().Before(deadline); {
			end := min(len(ops), at+chunk)
			shorter := append(append([]op(nil), ops[:at]...), ops[end:]...)
			if m := shows(shorter); m != nil {
				ops, last, removed = shorter[:min(len(shorter), m.at+1)], m, true
			} else {
				at = end
			}
		}
		if time.Now().After(deadline) {
			break
		}
		if chunk > 1 || !removed {
			chunk /= 2
		}
	}
	return ops, last
}

// maxShown is how many commands of a sequence are printed.
const maxShown = 30

// report cuts a sequence down and writes what is left as a transcript.
func (p *pair) report(ops []op, proto int, first *mismatch) string {
	small, m := p.minimise(ops, proto, 10*time.Second)
	var b strings.Builder
	if m == nil {
		fmt.Fprintf(&b, "the difference did not show again; first seen at command %d of %d:\n%s\nthe commands before it:\n", first.at, len(ops), first)
		small, m = ops[max(0, min(len(ops), first.at)-20):min(len(ops), first.at+1)], first
	}
	fmt.Fprintf(&b, "RESP%d, from empty databases:\n", proto)
	if n := len(small) - maxShown; n > 0 {
		fmt.Fprintf(&b, "  ... %d commands, of which there was no time to remove more\n", n)
		small = small[n:]
	}
	for _, o := range small {
		fmt.Fprintf(&b, "  > %.300s\n", line(o.args))
	}
	fmt.Fprintf(&b, "%s\n  %-8s %.1000s\n  %-8s %.1000s", m.what, p.want.name+":", m.want, p.got.name+":", m.got)
	return b.String()
}
