package command

import (
	"math"
	"strings"

	"sherd/internal/wire/resp"
)

// lolwut draws a sherd of a painted pot: LOLWUT [VERSION n] [columns rows].
func lolwut(x *Ctx) {
	args := x.Args[1:]
	strict := false // Redis' versions 5 and 6 read what follows as numbers, others do not look
	if len(args) >= 2 && is(args[0], "VERSION") {
		v, ok := resp.ParseInt64(args[1])
		if !ok {
			x.Error(errNotInteger)
			return
		}
		strict = v == 5 || v == 6
		args = args[2:]
	}
	columns, rows := int64(64), int64(16)
	for i, to := range []*int64{&columns, &rows} {
		if i >= len(args) {
			break
		}
		n, ok := resp.ParseInt64(args[i])
		if !ok && strict {
			x.Error(errNotInteger)
			return
		}
		if !ok {
			break
		}
		*to = min(max(n, 8), 160)
	}
	x.Verbatim(sherdDrawing(int(columns), int(rows), x.L.Rand.Float64()) + "\nRedis ver. " + RedisVersion + ", sherd " + Version + "\n")
}

// sherdDrawing is a piece of a pot with bands of ornament; where it broke
// depends on seed.
func sherdDrawing(columns, rows int, seed float64) string {
	bands := []string{"~", "/\\", "=", "<>", ".", "^v"}
	var b strings.Builder
	for y := range rows {
		h := float64(y) / float64(rows)
		left := 0.25 + 0.18*math.Sin(7*h+seed*6.28) + 0.04*math.Sin(31*h+seed*11)
		right := 0.8 + 0.14*math.Sin(5*h+seed*9) - 0.04*math.Sin(29*h+seed*5)
		band := bands[int(h*float64(len(bands)))]
		for x := range columns {
			at := float64(x) / float64(columns)
			switch {
			case at < left || at > right:
				b.WriteByte(' ')
			case at-left < 1.5/float64(columns) || right-at < 1.5/float64(columns):
				b.WriteByte('|')
			default:
				b.WriteByte(band[x%len(band)])
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}
