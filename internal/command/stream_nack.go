package command

import (
	"math"

	"sherd/internal/store/stream"
	"sherd/internal/wire/resp"
)

// nackOptions are the options of XNACK.
type nackOptions struct {
	ids     [][]byte
	retries int64 // deliveries to be counted; -1: by the mode
	force   bool
	silent  bool
	fatal   bool
}

// parseNack reads mode and options; false: the error has been replied.
func (x *Ctx) parseNack(o *nackOptions) bool {
	o.retries = -1
	switch mode := x.Args[3]; {
	case is(mode, "SILENT"):
		o.silent = true
	case is(mode, "FATAL"):
		o.fatal = true
	case !is(mode, "FAIL"):
		x.Error("ERR mode must be SILENT, FAIL, or FATAL")
		return false
	}
	for i := 4; i < len(x.Args); i++ {
		word, rest := x.Args[i], x.Args[i+1:]
		switch {
		case is(word, "FORCE"):
			o.force = true
		case is(word, "RETRYCOUNT") && len(rest) > 0:
			n, ok := resp.ParseInt64(rest[0])
			if !ok {
				x.Error(errNotInteger)
				return false
			}
			if n < 0 {
				x.Error("ERR Invalid RETRYCOUNT value, must be >= 0")
				return false
			}
			o.retries = n
			i++
		case is(word, "IDS") && len(rest) > 0:
			n, ok := resp.ParseInt64(rest[0])
			if !ok || n < 1 || n > math.MaxInt32 {
				x.Error("ERR numids must be a positive integer")
				return false
			}
			if n > int64(len(rest)-1) {
				x.Error("ERR number of IDs doesn't match numids")
				return false
			}
			o.ids = rest[1 : 1+n]
			i += 1 + int(n)
		default:
			x.Error("ERR Unrecognized XNACK option '" + string(cText(clip(word, 128))) + "'")
			return false
		}
	}
	if o.ids == nil {
		x.Error("ERR syntax error, expected IDS keyword")
		return false
	}
	for _, a := range o.ids {
		if _, ok := x.streamID(a); !ok {
			return false
		}
	}
	return true
}

// runXNack releases pending entries, whether the stream still has them or not; only
// FORCE asks for the entry.
func runXNack(x *Ctx) {
	s, ok, wrong := x.findStream(&x.Keys[0])
	if wrong {
		return
	}
	var g stream.Group
	if ok {
		g, ok = s.Group(x.Args[2])
	}
	if !ok {
		x.noGroup(x.Args[1], x.Args[2], "")
		return
	}
	var o nackOptions
	if !x.parseNack(&o) {
		return
	}
	n := int64(0)
	for _, a := range o.ids {
		id, _ := parseStreamID(a, 0, true, nil)
		p, pending := g.Pending(id)
		switch {
		case pending:
			p.Release()
			p.SetTimes(o.times(p.Times()))
		case !o.force || !s.Has(id):
			continue
		case !g.AddReleased(id, o.times(0)):
			x.Changed(n)
			x.OutOfMemory()
			return
		}
		n++
	}
	x.Changed(n)
	x.Int(n)
}

// times is how many deliveries are counted for an entry that had so many.
func (o *nackOptions) times(had int64) int64 {
	switch {
	case o.retries >= 0:
		return o.retries
	case o.fatal:
		return math.MaxInt64
	case o.silent:
		return max(had-1, 0)
	}
	return had
}
