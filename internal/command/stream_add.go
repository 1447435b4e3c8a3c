package command

import (
	"sherd/internal/store/stream"
	"sherd/internal/wire/resp"
)

const (
	errStreamZero      = "ERR The ID specified in XADD must be greater than 0-0"
	errStreamSmall     = "ERR The ID specified in XADD is equal or smaller than the target stream top item"
	errStreamExhausted = "ERR The stream has exhausted the last possible ID, unable to add more items"
	errStreamTooLarge  = "ERR Elements are too large to be stored"
)

// streamElementsMost is how many bytes the fields and values of an entry may
// have together.
const streamElementsMost = 1 << 30

// trimSteps is how many nodes a command trims before it lets others run.
const trimSteps = 512

// xaddOptions are the options that XADD and XTRIM have in common, and XADD's ID.
type xaddOptions struct {
	trim    stream.Trim
	trims   bool // trim is given
	refs    stream.Refs
	refsSet bool
	create  bool
	id      stream.ID
	idGiven bool // else: the next
	idAuto  bool // the second part is to be chosen
	idem    idemOptions
}

// parseTrim reads the options of XADD or XTRIM. It returns the place of the ID, or
// behind the end; false: the error has been replied.
func (x *Ctx) parseTrim(o *xaddOptions, xadd bool) (int, bool) {
	o.create = true
	limited := false
	i := 2
options:
	for ; i < len(x.Args); i++ {
		word, more := x.Args[i], len(x.Args)-1-i
		switch {
		case xadd && len(word) == 1 && word[0] == '*':
			break options
		case more > 0 && (is(word, "MAXLEN") || is(word, "MINID")):
			if o.trims {
				x.Error("ERR syntax error, MAXLEN and MINID options at the same time are not compatible")
				return 0, false
			}
			o.trims, o.trim.ByID, o.trim.Approx = true, is(word, "MINID"), false
			if next := x.Args[i+1]; more > 1 && len(next) == 1 && (next[0] == '~' || next[0] == '=') {
				o.trim.Approx = next[0] == '~'
				i++
			}
			i++
			var ok bool
			if o.trim.ByID {
				if o.trim.MinID, ok = parseStreamID(x.Args[i], 0, false, nil); !ok {
					x.Error(errStreamID)
					return 0, false
				}
			} else if o.trim.MaxLen, ok = resp.ParseInt64(x.Args[i]); !ok {
				x.Error(errNotInteger)
				return 0, false
			} else if o.trim.MaxLen < 0 {
				x.Error("ERR The MAXLEN argument must be >= 0.")
				return 0, false
			}
		case more > 0 && is(word, "LIMIT"):
			var ok bool
			i++
			if o.trim.Limit, ok = resp.ParseInt64(x.Args[i]); !ok {
				x.Error(errNotInteger)
				return 0, false
			}
			if o.trim.Limit < 0 {
				x.Error("ERR The LIMIT argument must be >= 0.")
				return 0, false
			}
			limited = true
		case xadd && is(word, "NOMKSTREAM"):
			o.create = false
		case o.takeRefs(word):
		case xadd && (more > 0 && is(word, "IDMPAUTO") || more > 1 && is(word, "IDMP")):
			n := x.idemOption(&o.idem, i)
			if n == 0 {
				return 0, false
			}
			i += n
		case xadd:
			var ok bool
			if o.id, ok = parseStreamID(word, 0, true, &o.idAuto); !ok {
				x.Error(errStreamID)
				return 0, false
			}
			if o.idem.given() {
				x.Error("ERR IDMP/IDMPAUTO can be used only with auto-generated IDs")
				return 0, false
			}
			o.idGiven = true
			break options
		default:
			x.Syntax()
			return 0, false
		}
	}
	switch {
	case o.trim.Limit > 0 && !o.trims:
		x.Error("ERR syntax error, LIMIT cannot be used without specifying a trimming strategy")
		return 0, false
	case !xadd && !o.trims:
		x.Error("ERR syntax error, XTRIM must be called with a trimming strategy")
		return 0, false
	case limited && !o.trim.Approx:
		x.Error("ERR syntax error, LIMIT cannot be used without the special ~ option")
		return 0, false
	case !limited && o.trim.Approx:
		if o.trim.Limit = min(x.Conf.StreamNodeEntries, 10_000) * 100; o.trim.Limit <= 0 {
			o.trim.Limit = 10_000
		}
	}
	return i, true
}

// takeRefs takes an option that says what becomes of references.
func (o *xaddOptions) takeRefs(word []byte) bool {
	if o.refsSet {
		return false
	}
	o.refs, o.refsSet = refsOf(word)
	return o.refsSet
}

func runXAdd(x *Ctx) {
	var o xaddOptions
	at, ok := x.parseTrim(&o, true)
	if !ok {
		return
	}
	pairs := x.Args[min(at+1, len(x.Args)):]
	if len(pairs) < 2 || len(pairs)%2 == 1 {
		x.Arity()
		return
	}
	if o.idGiven && !o.idAuto && o.id.IsZero() {
		x.Error(errStreamZero)
		return
	}
	k := &x.Keys[0]
	s, exists, wrong := x.findStream(k)
	switch {
	case wrong:
		return
	case !exists && !o.create:
		x.Null()
		return
	}
	if o.idem.given() {
		o.idem.complete(pairs)
		if exists && x.addedBefore(&s, &o.idem) {
			return
		}
	}
	var last stream.ID
	if exists {
		last = s.LastID()
	}
	id, ok := x.nextStreamID(last, &o)
	if !ok {
		return
	}
	size := 0
	for _, b := range pairs {
		size += len(b)
	}
	if size > streamElementsMost {
		x.Error(errStreamTooLarge)
		return
	}
	if !exists {
		if s, ok = x.createStream(k); !ok {
			return
		}
	}
	limits := stream.Limits{Bytes: x.Conf.StreamNodeBytes, Entries: x.Conf.StreamNodeEntries}
	if !x.recordAdding(&s, &o.idem, id) || !s.Append(id, pairs, limits) {
		x.forgetAdding(&s, &o.idem)
		if !exists {
			if e, ok := x.Find(k); ok {
				x.Remove(k, e)
			}
		}
		x.OutOfMemory()
		return
	}
	x.Changed(1)
	x.StreamID(id)
	if !o.trims {
		return
	}
	t := trimming{s: s, trim: stream.TrimRefs{Trim: o.trim, Refs: o.refs}}
	if !t.Step(x) {
		later := t
		x.KeepLatched(&later)
	}
}

// nextStreamID chooses the ID of an entry behind last, or replies why there is
// none.
func (x *Ctx) nextStreamID(last stream.ID, o *xaddOptions) (id stream.ID, ok bool) {
	if last == stream.MaxID {
		x.Error(errStreamExhausted)
		return id, false
	}
	switch {
	case !o.idGiven:
		if now := uint64(x.Now); now > last.Ms {
			return stream.ID{Ms: now}, true
		}
		id, _ = last.Next()
	case o.idAuto && o.id.Ms == last.Ms:
		id = last
		id.Seq++ // 0 after the greatest: too small
	default:
		id = o.id
	}
	if !last.Less(id) {
		x.Error(errStreamSmall)
		return id, false
	}
	return id, true
}

func runXTrim(x *Ctx) {
	var o xaddOptions
	if _, ok := x.parseTrim(&o, false); !ok {
		return
	}
	s, ok, wrong := x.findStream(&x.Keys[0])
	if wrong {
		return
	}
	if !ok {
		x.Int(0)
		return
	}
	t := trimming{s: s, trim: stream.TrimRefs{Trim: o.trim, Refs: o.refs}, replies: true}
	if !t.Step(x) {
		later := t
		x.KeepLatched(&later)
	}
}

// trimming is XTRIM, or the end of XADD, in steps.
type trimming struct {
	s       stream.Stream
	trim    stream.TrimRefs
	replies bool
}

// Step removes some nodes, or some entries if groups matter.
func (t *trimming) Step(x *Ctx) (done bool) {
	if t.trim.Refs == stream.KeepRefs {
		t.trim.Removed, done = t.s.Trim(&t.trim.Trim, trimSteps, t.trim.Removed)
	} else {
		done = t.trim.Step(&t.s, entriesStep)
	}
	if done && t.replies {
		x.Changed(t.trim.Removed)
		x.Int(t.trim.Removed)
	}
	return done
}

func runXLen(x *Ctx) {
	s, ok, wrong := x.readStream(&x.Keys[0])
	switch {
	case wrong:
	case ok:
		x.Int(s.Len())
	default:
		x.Int(0)
	}
}

func runXDel(x *Ctx) {
	s, ok, wrong := x.findStream(&x.Keys[0])
	if wrong {
		return
	}
	if !ok {
		x.Int(0)
		return
	}
	for _, a := range x.Args[2:] {
		if _, ok := x.streamID(a); !ok {
			return
		}
	}
	n, first := int64(0), false
	var greatest stream.ID
	for _, a := range x.Args[2:] {
		id, _ := parseStreamID(a, 0, true, nil)
		if s.Delete(id) {
			n++
			first = first || id == s.FirstID()
			if greatest.Less(id) {
				greatest = id
			}
		}
	}
	if n > 0 {
		s.Deleted(greatest, first)
		x.Changed(n)
	}
	x.Int(n)
}

func runXSetID(x *Ctx) {
	id, ok := x.streamID(x.Args[2])
	if !ok {
		return
	}
	added := int64(-1)
	var deleted stream.ID
	for i := 3; i < len(x.Args); i += 2 {
		more := i+1 < len(x.Args)
		switch word := x.Args[i]; {
		case more && is(word, "ENTRIESADDED"):
			if added, ok = resp.ParseInt64(x.Args[i+1]); !ok {
				x.Error(errNotInteger)
				return
			}
			if added < 0 {
				x.Error("ERR entries_added must be positive")
				return
			}
		case more && is(word, "MAXDELETEDID"):
			if deleted, ok = x.streamID(x.Args[i+1]); !ok {
				return
			}
			if id.Less(deleted) {
				x.Error("ERR The ID specified in XSETID is smaller than the provided max_deleted_entry_id")
				return
			}
		default:
			x.Syntax()
			return
		}
	}
	s, ok, wrong := x.findStream(&x.Keys[0])
	if wrong {
		return
	}
	if !ok {
		x.Error(errNoKey)
		return
	}
	if s.Len() > 0 {
		if top, _ := s.TopID(); id.Less(top) {
			x.Error("ERR The ID specified in XSETID is smaller than the target stream top item")
			return
		}
		if added != -1 && s.Len() > added {
			x.Error("ERR The entries_added specified in XSETID is smaller than the target stream length")
			return
		}
	}
	s.SetLastID(id)
	if added != -1 {
		s.SetAdded(added)
	}
	if !deleted.IsZero() {
		s.SetMaxDeletedID(deleted)
	}
	x.Changed(1)
	x.OK()
}
