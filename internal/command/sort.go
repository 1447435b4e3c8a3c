package command

import (
	"bytes"
	"math"
	"slices"

	"sherd/internal/store/dash"
	"sherd/internal/store/hash"
	"sherd/internal/store/list"
	"sherd/internal/wire/resp"
)

const errNotSortable = "ERR One or more scores can't be converted into double"

// sortCommands are SORT and SORT_RO. Which keys BY and GET read depends on the
// elements, so every slice is latched.
var sortCommands = []*Command{
	{
		Name: "sort", Arity: -2, Flags: Write | DenyOOM | MovableKeys, Reach: ReachAll, Group: "generic",
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
		Name: "sort_ro", Arity: -2, Flags: ReadOnly | MovableKeys, Reach: ReachAll, Group: "generic",
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

// sorting is a SORT: what its arguments say.
type sorting struct {
	by        []byte // a pattern, nil: the elements themselves
	unsorted  bool   // BY has no asterisk
	get       [][]byte
	desc      bool
	alpha     bool
	from, max int64 // LIMIT
	store     []byte
}

// sortItem is an element and what it is compared by.
type sortItem struct {
	element []byte
	text    []byte // ALPHA with BY; nil: there is none
	score   float64
}

func runSort(x *Ctx)   { x.sort(true) }
func runSortRO(x *Ctx) { x.sort(false) }

func (x *Ctx) sort(mayStore bool) {
	s := sorting{max: -1}
	if !s.parse(x, mayStore) {
		return
	}
	k := x.KeyOf(x.Args[1])
	e, ok := x.Read(&k)
	kind := dash.List
	if ok {
		kind = e.Kind()
		if kind != dash.List && kind != dash.Set && kind != dash.ZSet {
			x.WrongType()
			return
		}
		if kind == dash.Set && s.unsorted && s.store != nil {
			// What is stored has to be the same on every server.
			s.unsorted, s.alpha, s.by = false, true, nil
		}
	}
	items := []sortItem{}
	if ok {
		items = x.sortItems(&k, e, s.unsorted && s.desc && kind != dash.Set)
	}
	if !s.unsorted && !x.sortBy(&s, items) {
		return
	}
	x.replySorted(&s, s.limit(items))
}

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

// sortItems are the elements of a container in its own order, or back.
func (x *Ctx) sortItems(k *Key, e dash.Entry, back bool) (items []sortItem) {
	var scratch [24]byte
	switch e.Kind() {
	case dash.List:
		l := x.openList(k, e)
		items = make([]sortItem, 0, l.Len())
		for it := l.Iter(0, false); it.Next(); {
			items = append(items, sortItem{element: settled(it.Bytes(&scratch), &scratch)})
		}
	case dash.Set:
		s := x.openSet(k, e)
		items = make([]sortItem, 0, s.Len())
		for it := s.Iter(); it.Next(); {
			items = append(items, sortItem{element: bytes.Clone(it.Bytes())})
		}
	case dash.ZSet:
		z := x.openZSet(k, e)
		items = make([]sortItem, 0, z.Len())
		for it := z.Iter(0, false); it.Next(); {
			items = append(items, sortItem{element: bytes.Clone(it.Member())})
		}
	}
	if back {
		slices.Reverse(items)
	}
	return items
}

// settled is b, which stays where it is unless it is in scratch.
func settled(b []byte, scratch *[24]byte) []byte {
	if len(b) > 0 && &b[0] == &scratch[0] {
		return bytes.Clone(b)
	}
	return b
}

// sortBy finds what the items are compared by and sorts them. False: an error
// was replied.
func (x *Ctx) sortBy(s *sorting, items []sortItem) bool {
	for i := range items {
		item := &items[i]
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
	compare := func(a, b sortItem) int {
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
	if s.desc {
		slices.SortStableFunc(items, func(a, b sortItem) int { return compare(b, a) })
	} else {
		slices.SortStableFunc(items, compare)
	}
	return true
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

// replySorted replies the items, or what GET makes of them, or stores that.
func (x *Ctx) replySorted(s *sorting, items []sortItem) {
	each := max(len(s.get), 1)
	if s.store != nil {
		x.storeSorted(s, items, each)
		return
	}
	x.Array(each * len(items))
	for i := range items {
		if len(s.get) == 0 {
			x.Bulk(items[i].element)
		}
		for _, pattern := range s.get {
			if v, ok := x.byPattern(pattern, items[i].element); ok {
				x.Bulk(v)
			} else {
				x.Null()
			}
		}
	}
}

func (x *Ctx) storeSorted(s *sorting, items []sortItem, each int) {
	k := x.KeyOf(s.store)
	if len(items) == 0 {
		if e, ok := x.Find(&k); ok {
			x.Remove(&k, e)
		}
		x.Int(0)
		return
	}
	l, ok := list.New(&k.Slice.Heap, x.Conf.ListMaxPackedSize)
	for i := 0; ok && i < len(items); i++ {
		if len(s.get) == 0 {
			ok = l.Expect(1, len(items[i].element)) && l.Push(true, items[i].element)
		}
		for _, pattern := range s.get {
			v, _ := x.byPattern(pattern, items[i].element)
			ok = ok && l.Expect(1, len(v)) && l.Push(true, v)
		}
	}
	if !ok {
		if l.Ref() != 0 {
			l.Free()
		}
		x.OutOfMemory()
		return
	}
	if x.CreateOver(&k, listHandle(&l), 0) {
		n := each * len(items)
		x.listGrew(&k, n)
		x.Int(int64(n))
	}
}
