package rdb

import (
	"errors"

	"sherd/internal/heap"
	"sherd/internal/store/dash"
	"sherd/internal/store/hash"
	"sherd/internal/store/list"
	"sherd/internal/store/listpack"
	"sherd/internal/store/set"
	"sherd/internal/store/value"
	"sherd/internal/store/zset"
)

// What Step may report.
var (
	ErrFormat = errors.New("rdb: bad data format")
	ErrModule = errors.New("rdb: a value of a module's type")
	ErrMemory = errors.New("rdb: out of memory")
)

// Limits decide how what is loaded is stored, and what is too much.
type Limits struct {
	List   int // list-max-listpack-size
	Set    set.Limits
	Hash   hash.Limits
	ZSet   zset.Limits
	Seed   uint64 // of the hash of a sorted set's members
	String int64  // bytes of a string, at most
}

// mostDeadline is the latest deadline that Redis gives a field, in milliseconds.
const mostDeadline = 1<<48 - 1

// A Loader reads a value in steps and puts it into a heap. It trusts nothing that it
// reads.
type Loader struct {
	h       *heap.Heap
	in      reader
	typ     byte
	version int
	lim     Limits
	kind    dash.Kind

	begun bool
	left  uint64 // elements to come
	base  int64  // of deadlines

	first, second text // what was read last
	pack          packed

	// What has been made; the kind says which.
	list   list.List
	set    set.Set
	zset   zset.Set
	hash   hash.Hash
	stream streamLoader
	made   bool
}

// Open begins with a value in a form, as p, which may go on behind it.
func (l *Loader) Open(h *heap.Heap, form byte, version int, p []byte, lim *Limits) {
	l.h, l.in, l.typ, l.version, l.lim = h, reader{p: p}, form, version, *lim
	switch form {
	case typeList, typeListNodes, typeListZiplists, typeListZiplist:
		l.kind = dash.List
	case typeSet, typeSetDated, typeSetIntset, typeSetPacked:
		l.kind = dash.Set
	case typeZSet, typeZSet2, typeZSetZiplist, typeZSetPacked:
		l.kind = dash.ZSet
	case typeHash, typeHash22, typeHashDated, typeHashZipmap, typeHashZiplist, typeHashPacked, typeHashPackedEx0, typeHashPackedEx:
		l.kind = dash.Hash
	case typeStream1, typeStream2, typeStream3, typeStreamReleased:
		l.kind = dash.Stream
	}
}

// Step reads about as much as most elements are and reports whether that was the
// end. After an error Value is what has to be freed.
func (l *Loader) Step(most int) (done bool, err error) {
	switch l.typ {
	case typeString:
		done = l.text(&l.first, &most)
	case typeList, typeListNodes, typeListZiplists:
		done, err = l.loadList(&most)
	case typeSet, typeSetDated:
		done, err = l.loadSet(&most)
	case typeSetIntset:
		done, err = l.loadInts(&most)
	case typeZSet, typeZSet2:
		done, err = l.loadZSet(&most)
	case typeHash, typeHash22, typeHashDated:
		done, err = l.loadHash(&most)
	case typeStream1, typeStream2, typeStream3, typeStreamReleased:
		done, err = l.loadStream(&most)
	case typeSetPacked, typeZSetPacked, typeHashPacked, typeHashPackedEx0, typeHashPackedEx,
		typeListZiplist, typeZSetZiplist, typeHashZiplist, typeHashZipmap:
		done, err = l.loadPacked(&most)
	case typeModule1, typeModule2:
		err = ErrModule
	default:
		err = ErrFormat
	}
	if err == nil && l.in.short {
		return false, ErrFormat
	}
	return done, err
}

// Keep makes the loader independent of what p was given to Open. It is called between
// two steps.
func (l *Loader) Keep() {
	was := l.in.p
	l.in.p = append([]byte(nil), was...)
	l.pack.rebase(was, l.in.p)
	l.stream.pack.rebase(was, l.in.p)
}

// Kind is the kind of the value.
func (l *Loader) Kind() dash.Kind { return l.kind }

// Read is how many bytes the value took so far.
func (l *Loader) Read() int { return l.in.at }

// Text is the value of kind String.
func (l *Loader) Text() []byte { return l.first.b }

// Value is the container that was made, whole or not. Its Ref is 0 if there is none.
func (l *Loader) Value() value.Handle {
	v := value.Handle{Kind: l.kind}
	if !l.made {
		return v
	}
	switch l.kind {
	case dash.List:
		v.Encoding, v.Ref = l.list.Encoding(), l.list.Ref()
	case dash.Set:
		v.Encoding, v.Ref = l.set.Encoding(), l.set.Ref()
	case dash.ZSet:
		v.Encoding, v.Ref = l.zset.Encoding(), l.zset.Ref()
	case dash.Hash:
		v.Encoding, v.Ref = l.hash.Encoding(), l.hash.Ref()
	case dash.Stream:
		v.Encoding, v.Ref = l.stream.handle()
	}
	return v
}

// make takes note of whether a container could be made.
func (l *Loader) make(ok bool) error {
	l.made = ok
	if !ok {
		return ErrMemory
	}
	return nil
}

// text reads a string and takes account of its length.
func (l *Loader) text(t *text, most *int) bool {
	ok := l.in.text(t, l.lim.String)
	*most -= 1 + len(t.b)/unitBytes
	return ok
}

// count reads the number of elements, each of which has at least a byte.
func (l *Loader) count() error {
	l.begun = true
	l.left = l.in.number()
	if l.in.short || l.left == 0 || l.left > uint64(l.in.rest()) {
		return ErrFormat
	}
	return nil
}

// loadList reads elements, or nodes.
func (l *Loader) loadList(most *int) (bool, error) {
	if !l.begun {
		if err := l.count(); err != nil {
			return false, err
		}
		var ok bool
		l.list, ok = list.New(l.h, l.lim.List)
		if err := l.make(ok); err != nil {
			return false, err
		}
	}
	for *most > 0 {
		if l.pack.open {
			if done, err := l.loadEntries(most); !done || err != nil {
				return false, err
			}
			continue
		}
		if l.left == 0 {
			if l.list.Len() == 0 {
				return false, ErrFormat
			}
			l.list.Pack()
			return true, nil
		}
		l.left--
		form := uint64(nodePacked)
		switch l.typ {
		case typeList:
			form = nodePlain
		case typeListNodes:
			form = l.in.number()
		}
		if form != nodePlain && form != nodePacked || !l.text(&l.first, most) {
			return false, ErrFormat
		}
		if form == nodePlain {
			if l.typ != typeList && len(l.first.b) == 0 {
				return false, ErrFormat
			}
			if !l.push(l.first.b) {
				return false, ErrMemory
			}
			continue
		}
		l.pack.begin(l.first.b, l.typ == typeListZiplists)
	}
	return false, nil
}

// push adds an element to the list.
func (l *Loader) push(s []byte) bool {
	var few [64]byte
	p := listpack.AppendEntry(few[:0], s)
	if l.list.Encoding() == list.Packed {
		return l.list.AppendEntries(p, 0, len(p), 1)
	}
	return l.list.Push(true, s)
}

// loadEntries adds the elements of a node.
func (l *Loader) loadEntries(most *int) (done bool, err error) {
	p, ready, err := l.pack.bytes(most)
	if !ready || err != nil {
		return false, err
	}
	from, n := l.pack.at, 0
	for ; *most > 0 && l.pack.at < listpack.End(p); n++ {
		at := l.pack.at
		l.pack.at = listpack.After(p, at)
		*most -= 1 + (l.pack.at-at)/unitBytes
	}
	if n > 0 && !l.list.AppendEntries(p, from, l.pack.at, n) {
		return false, ErrMemory
	}
	if l.pack.at < listpack.End(p) {
		return false, nil
	}
	l.pack.end()
	return true, nil
}

// loadSet reads members, with deadlines in our own form.
func (l *Loader) loadSet(most *int) (bool, error) {
	for *most > 0 {
		if l.begun && l.left == 0 {
			return true, nil
		}
		if !l.begun {
			if err := l.count(); err != nil {
				return false, err
			}
			var ok bool
			if int64(min(l.left, 1<<62)) > l.lim.Set.Ints {
				l.set, ok = set.NewTable(l.h, &l.lim.Set)
			} else {
				l.set, ok = set.NewInts(l.h)
			}
			if err := l.make(ok); err != nil {
				return false, err
			}
		}
		l.left--
		deadline := uint64(0)
		if l.typ == typeSetDated {
			if deadline = l.in.number(); deadline > mostDeadline {
				return false, ErrFormat
			}
		}
		if !l.text(&l.first, most) {
			return false, ErrFormat
		}
		var added, ok bool
		if deadline != 0 {
			added, ok = l.set.AddUntil(l.first.b, int64(deadline), true, &l.lim.Set)
		} else {
			added, ok = l.set.Add(l.first.b, &l.lim.Set)
		}
		switch {
		case !ok:
			return false, ErrMemory
		case !added:
			return false, ErrFormat
		}
	}
	return false, nil
}

// loadInts reads an intset.
func (l *Loader) loadInts(most *int) (bool, error) {
	if !l.begun {
		l.begun = true
		if !l.text(&l.first, most) {
			return false, ErrFormat
		}
		n, err := set.IntsLen(l.first.b)
		if err != nil || n == 0 {
			return false, ErrFormat
		}
		l.left = uint64(n)
		l.pack.begin(l.first.b, false)
		l.pack.at = 0
	}
	p, n := l.pack.p, int(l.left)
	copied := int64(n) <= l.lim.Set.Ints
	to := min(n, l.pack.at+max(*most, 1))
	if !set.IntsAscend(p, l.pack.at, to) {
		return false, ErrFormat
	}
	*most -= to - l.pack.at
	if !copied {
		if !l.made {
			var ok bool
			l.set, ok = set.NewTable(l.h, &l.lim.Set)
			if err := l.make(ok); err != nil {
				return false, err
			}
		}
		var scratch [24]byte
		for i := l.pack.at; i < to; i++ {
			if _, ok := l.set.Add(set.IntsAt(p, i, &scratch), &l.lim.Set); !ok {
				return false, ErrMemory
			}
		}
	}
	l.pack.at = to
	if to < n {
		return false, nil
	}
	if copied {
		var ok bool
		l.set, ok = set.PutInts(l.h, p)
		return true, l.make(ok)
	}
	return true, nil
}
