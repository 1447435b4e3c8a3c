package command

import (
	"bytes"
	"math"
	"slices"

	"sherd/internal/store/dash"
	"sherd/internal/store/hash"
	"sherd/internal/store/list"
	"sherd/internal/store/set"
	"sherd/internal/store/zset"
	"sherd/internal/wire/resp"
)

const errNotSortable = "ERR One or more scores can't be converted into double"

// sortCommands are SORT and SORT_RO. Which keys BY and GET read depends on the
// elements: every slice is latched if they read any.
var sortCommands = []*Command{
	{
		Name: "sort", Arity: -2, Flags: Write | DenyOOM | MovableKeys, Reach: ReachMany, Wide: sortReads, Group: "generic",
		Keys: []KeySpec{
			{Flags: RO | Access, Index: 1, Step: 1},
			{Flags: OW | Update, Index: 2, Keyword: "STORE", Step: 1},
		},
		Run: runSort,
		Doc: Doc{
			Summary: "Sorts the elements of a list, a set or a sorted set, and returns or stores them.",
			Since:   "1.0.0", Complexity: ofSort,
			Args: append(sortArgs(), Arg{Name: "destination", Type: "key", Token: "STORE", KeySpec: 2, Optional: true}),
		},
	},
	{
		Name: "sort_ro", Arity: -2, Flags: ReadOnly | MovableKeys, Reach: ReachMany, Wide: sortReads, Group: "generic",
		Keys: one(RO | Access), Run: runSortRO,
		Doc: Doc{
			Summary: "Returns the elements of a list, a set or a sorted set in order.",
			Since:   "7.0.0", Complexity: ofSort,
			Args: sortArgs(),
		},
	},
}

const ofSort = "O(N+M*log(M)), N being the number of elements and M of elements returned; O(N) if they are not sorted."

func sortArgs() []Arg {
	get := Arg{Name: "get-pattern", Type: "pattern", Token: "GET", Optional: true, Multiple: true, MultiToken: true}
	return []Arg{
		keyArg,
		{Name: "by-pattern", Type: "pattern", Token: "BY", Optional: true},
		blockArg("limit", integerArg("offset"), integerArg("count")).after("LIMIT").optional(),
		get,
		oneofArg("order", wordArg("asc", "ASC"), wordArg("desc", "DESC")).optional(),
		wordArg("sorting", "ALPHA").optional(),
	}
}

// sortReads tells whether a SORT may read, or store to, other keys than those that its
// key specs give.
func sortReads(args [][]byte) bool {
	stores := 0
	for _, a := range args[2:] {
		if bytes.IndexByte(a, '*') >= 0 {
			return true
		}
		if is(a, "STORE") {
			stores++ // the last one counts
		}
	}
	return stores > 1
}

// sorting is a SORT: what its arguments say, and how far it is.
type sorting struct {
	by        []byte // a pattern, nil: the elements themselves
	unsorted  bool   // BY has no asterisk
	get       [][]byte
	desc      bool
	alpha     bool
	from, max int64 // LIMIT
	store     []byte

	stage sortStage
	kind  dash.Kind
	list  list.Iter
	set   set.Iter
	zset  zset.Iter
	merge mergeSort[sortItem]
	items []sortItem
	at    int // item of the stage
	made  list.List
}

type sortStage uint8

const (
	sortGathers sortStage = iota // the elements
	sortReadsBy                  // what they are compared by
	sortCompares
	sortReplies
	sortStores
)

// sortItem is an element and what it is compared by.
type sortItem struct {
	element []byte
	text    []byte // ALPHA with BY; nil: there is none
	score   float64
}

func runSort(x *Ctx)   { x.sort(true) }
func runSortRO(x *Ctx) { x.sort(false) }

func (x *Ctx) sort(mayStore bool) {
	s := sorting{max: -1, kind: dash.List}
	if !s.parse(x, mayStore) {
		return
	}
	k := x.KeyOf(x.Args[1])
	if e, ok := x.Read(&k); !ok {
		s.stage = sortReadsBy // there are none
	} else if !s.open(x, &k, e) {
		return
	}
	if s.Step(x) {
		return
	}
	later := s
	later.keep()
	x.KeepLatched(&later)
}

// open begins with the elements of a container; false: the error has been replied.
func (s *sorting) open(x *Ctx, k *Key, e dash.Entry) bool {
	n := 0
	switch s.kind = e.Kind(); s.kind {
	case dash.List:
		l := x.openList(k, e)
		n, s.list = l.Len(), l.Iter(0, false)
	case dash.Set:
		if s.unsorted && s.store != nil {
			// What is stored has to be the same on every server.
			s.unsorted, s.alpha, s.by = false, true, nil
		}
		m := x.openSet(k, e)
		n, s.set = m.Held(), m.Iter()
	case dash.ZSet:
		z := x.openZSet(k, e)
		n, s.zset = int(z.Len()), z.Iter(0, false)
	default:
		x.WrongType()
		return false
	}
	s.items = make([]sortItem, 0, n)
	return true
}

// keep copies what lies in the connection's input.
func (s *sorting) keep() {
	s.by, s.store = bytes.Clone(s.by), bytes.Clone(s.store)
	get := make([][]byte, len(s.get))
	for i, pattern := range s.get {
		get[i] = bytes.Clone(pattern)
	}
	s.get = get
}

// sortStep is how many items a step deals with.
const sortStep = 4096

// Step goes on for so many items.
func (s *sorting) Step(x *Ctx) bool {
	for left := sortStep; left > 0; {
		from := s.at
		switch s.stage {
		case sortGathers:
			if s.gather(left) {
				s.next(sortReadsBy)
			}
		case sortReadsBy:
			if s.unsorted {
				s.stage = sortCompares
				continue
			}
			if !s.readBy(x, left) {
				return true
			}
			if s.at == len(s.items) {
				s.merge = mergeSort[sortItem]{items: s.items, compare: s.compare}
				s.next(sortCompares)
			}
		case sortCompares:
			if !s.unsorted {
				if !s.merge.step() {
					return false
				}
				s.items = s.merge.items
				left -= min(len(s.items), sortRun)
			}
			s.items = s.limit(s.items)
			s.next(sortReplies)
			if s.store != nil {
				s.stage = sortStores
				if !s.openStore(x) {
					return true
				}
			} else {
				x.Array(max(len(s.get), 1) * len(s.items))
			}
			if left <= 0 {
				return false
			}
			continue
		case sortReplies:
			s.reply(x, left)
			return s.at == len(s.items)
		case sortStores:
			if !s.storeItems(x, left) {
				return true
			}
			if s.at == len(s.items) {
				s.stored(x)
				return true
			}
		}
		left -= max(s.at-from, 1)
	}
	return false
}

func (s *sorting) next(stage sortStage) { s.stage, s.at = stage, 0 }

// parse reads the options; false: an error was replied.
func (s *sorting) parse(x *Ctx, mayStore bool) bool {
	for i := 2; i < len(x.Args); i++ {
		left := len(x.Args) - i - 1
		switch a := x.Args[i]; {
		case is(a, "ASC"):
			s.desc = false
		case is(a, "DESC"):
			s.desc = true
		case is(a, "ALPHA"):
			s.alpha = true
		case is(a, "LIMIT") && left >= 2:
			var ok bool
			if s.from, ok = resp.ParseInt64(x.Args[i+1]); ok {
				s.max, ok = resp.ParseInt64(x.Args[i+2])
			}
			if !ok {
				x.Error(errNotInteger)
				return false
			}
			i += 2
		case mayStore && is(a, "STORE") && left >= 1:
			i++
			s.store = x.Args[i]
		case is(a, "BY") && left >= 1:
			i++
			s.by = x.Args[i]
			if bytes.IndexByte(s.by, '*') < 0 {
				s.unsorted = true
			}
		case is(a, "GET") && left >= 1:
			i++
			s.get = append(s.get, x.Args[i])
		default:
			x.Syntax()
			return false
		}
	}
	return true
}

// gather takes up to n more elements; it reports whether there are no more.
func (s *sorting) gather(n int) (done bool) {
	var scratch [24]byte
	for range n {
		var element []byte
		switch {
		case s.kind == dash.List && s.list.Next():
			element = settled(s.list.Bytes(&scratch), &scratch)
		case s.kind == dash.Set && s.set.Next():
			element = bytes.Clone(s.set.Bytes())
		case s.kind == dash.ZSet && s.zset.Next():
			element = bytes.Clone(s.zset.Member())
		default:
			if s.unsorted && s.desc && s.kind != dash.Set {
				slices.Reverse(s.items)
			}
			return true
		}
		s.items = append(s.items, sortItem{element: element})
		s.at++
	}
	return false
}

// settled is b, which stays where it is unless it is in scratch.
func settled(b []byte, scratch *[24]byte) []byte {
	if len(b) > 0 && &b[0] == &scratch[0] {
		return bytes.Clone(b)
	}
	return b
}

// readBy finds what up to n more items are compared by. False: an error was replied.
func (s *sorting) readBy(x *Ctx, n int) bool {
	for end := min(s.at+n, len(s.items)); s.at < end; s.at++ {
		item := &s.items[s.at]
		by := item.element
		if s.by != nil {
			var ok bool
			if by, ok = x.byPattern(s.by, by); !ok {
				continue
			}
		}
		if s.alpha {
			// What is not stored is compared as C compares strings.
			if n := bytes.IndexByte(by, 0); n >= 0 && s.store == nil {
				by = by[:n]
			}
			if item.text = by; by == nil {
				item.text = []byte{}
			}
			continue
		}
		var ok bool
		if item.score, ok = sortScore(by); !ok {
			x.Error(errNotSortable)
			return false
		}
	}
	return true
}

func (s *sorting) compare(a, b sortItem) int {
	if s.desc {
		a, b = b, a
	}
	switch {
	case s.alpha && (a.text == nil || b.text == nil):
		switch {
		case a.text != nil:
			return 1
		case b.text != nil:
			return -1
		}
		return 0
	case s.alpha:
		return bytes.Compare(a.text, b.text)
	case a.score < b.score:
		return -1
	case a.score > b.score:
		return 1
	}
	return bytes.Compare(a.element, b.element)
}

// sortScore reads a number as C's strtod does: spaces may come before it, and
// nothing at all is 0.
func sortScore(b []byte) (float64, bool) {
	if i := bytes.IndexByte(b, 0); i >= 0 {
		b = b[:i]
	}
	if len(b) == 0 {
		return 0, true
	}
	f, ok := resp.ParseDouble(bytes.TrimLeft(b, " \t\n\v\f\r"))
	return f, ok && !math.IsNaN(f)
}

// limit is what LIMIT leaves of the items.
func (s *sorting) limit(items []sortItem) []sortItem {
	n := int64(len(items))
	from := min(max(s.from, 0), n)
	end := n
	if s.max >= 0 {
		end = min(from+min(s.max, n), n)
	}
	return items[from:end]
}

// byPattern reads the key, or the field of a hash, whose name a pattern makes of
// an element. The value stays where it is, or is the element.
func (x *Ctx) byPattern(pattern, element []byte) ([]byte, bool) {
	if len(pattern) == 1 && pattern[0] == '#' {
		return element, true
	}
	star := bytes.IndexByte(pattern, '*')
	if star < 0 {
		return nil, false
	}
	end, field := len(pattern), []byte(nil)
	if i := bytes.Index(pattern[star+1:], []byte("->")); i >= 0 && star+1+i+2 < len(pattern) {
		end = star + 1 + i
		field = pattern[end+2:]
	}
	name := make([]byte, 0, end+len(element))
	name = append(name, pattern[:star]...)
	name = append(name, element...)
	name = append(name, pattern[star+1:end]...)
	k := x.KeyOf(name)
	e, ok := x.Read(&k)
	switch {
	case !ok:
		return nil, false
	case field == nil:
		if e.Kind() != dash.String {
			return nil, false
		}
		return bytes.Clone(e.Value()), true
	case e.Kind() != dash.Hash:
		return nil, false
	}
	h := hash.Open(&k.Slice.Heap, e.Encoding(), e.Ref(), x.KS.Clock.Now())
	var f hash.Field
	if !h.Find(field, &f) {
		return nil, false
	}
	return bytes.Clone(f.Value()), true
}

// reply replies up to n more items, or what GET makes of them.
func (s *sorting) reply(x *Ctx, n int) {
	mark := len(x.Out)
	for end := min(s.at+n, len(s.items)); s.at < end && len(x.Out)-mark < listStepBytes; s.at++ {
		element := s.items[s.at].element
		if len(s.get) == 0 {
			x.Bulk(element)
		}
		for _, pattern := range s.get {
			if v, ok := x.byPattern(pattern, element); ok {
				x.Bulk(v)
			} else {
				x.Null()
			}
		}
	}
}

// openStore makes the list that is stored; false: memory is exhausted, and the error
// replied.
func (s *sorting) openStore(x *Ctx) (ok bool) {
	if len(s.items) == 0 {
		return true
	}
	k := x.KeyOf(s.store)
	if s.made, ok = list.New(&k.Slice.Heap, x.Conf.ListMaxPackedSize); !ok {
		x.OutOfMemory()
	}
	return ok
}

// storeItems adds up to n more items to the list. False: memory is exhausted, and the
// error replied.
func (s *sorting) storeItems(x *Ctx, n int) bool {
	ok := true
	for end := min(s.at+n, len(s.items)); ok && s.at < end; s.at++ {
		element := s.items[s.at].element
		if len(s.get) == 0 {
			ok = s.made.Expect(1, len(element)) && s.made.Push(true, element)
		}
		for _, pattern := range s.get {
			v, _ := x.byPattern(pattern, element)
			ok = ok && s.made.Expect(1, len(v)) && s.made.Push(true, v)
		}
	}
	if !ok {
		x.KeyOf(s.store).Slice.Drop(listHandle(&s.made))
		x.OutOfMemory()
	}
	return ok
}

// stored puts the list in its place.
func (s *sorting) stored(x *Ctx) {
	k := x.KeyOf(s.store)
	if len(s.items) == 0 {
		if e, ok := x.Find(&k); ok {
			x.Remove(&k, e)
		}
		x.Int(0)
		return
	}
	if x.CreateOver(&k, listHandle(&s.made), 0) {
		n := max(len(s.get), 1) * len(s.items)
		x.listGrew(&k, n)
		x.Int(int64(n))
	}
}
