package rdb

import (
	"bytes"
	"unsafe"

	"sherd/internal/store/dash"
	"sherd/internal/store/hash"
	"sherd/internal/store/list"
	"sherd/internal/store/listpack"
	"sherd/internal/store/set"
	"sherd/internal/store/zset"
)

// packed is a small form that is being looked through: a listpack, or a ziplist or
// zipmap that is made one first.
type packed struct {
	p       []byte
	at      int  // the next element
	open    bool // there is one
	ready   bool // p is a valid listpack
	counted bool
	check   listpack.Validator
	old     oldForm
	isOld   bool
	prev    int             // place of the element before
	prevNum float64         // and its score
	names   map[string]bool // met before
}

// begin takes a small form over.
func (k *packed) begin(p []byte, isOld bool) {
	*k = packed{p: p, open: true, isOld: isOld, at: listpack.HeaderSize, prev: -1}
}

func (k *packed) end() { *k = packed{} }

// rebase follows p's bytes, if they are in was, to where they were copied.
func (k *packed) rebase(was, to []byte) {
	k.p = moved(k.p, was, to)
}

// moved returns the part of to that p is of was; p itself if it is none.
func moved(p, was, to []byte) []byte {
	if len(p) == 0 || len(was) == 0 {
		return p
	}
	first := uintptr(unsafe.Pointer(unsafe.SliceData(p)))
	base := uintptr(unsafe.Pointer(unsafe.SliceData(was)))
	if first < base || first >= base+uintptr(len(was)) {
		return p
	}
	off := int(first - base)
	return to[off : off+len(p)]
}

// bytes returns the listpack once it is known to be valid.
func (k *packed) bytes(most *int) (p []byte, ready bool, err error) {
	if k.ready {
		return k.p, true, nil
	}
	if k.isOld {
		done, err := k.old.convert(k.p, most)
		if !done || err != nil {
			return nil, false, err
		}
		k.p, k.ready = k.old.out, true
		return k.p, true, nil
	}
	before := k.check.Count()
	done, err := k.check.Step(k.p, max(*most, 1))
	*most -= (k.check.Count() - before + 1) / 2
	switch {
	case err != nil:
		return nil, false, ErrFormat
	case !done:
		return nil, false, nil
	}
	k.ready = true
	return k.p, true, nil
}

// stride is how many elements of a small form belong together.
func (l *Loader) stride() int {
	switch l.typ {
	case typeHashPackedEx, typeHashPackedEx0:
		return 3
	case typeListZiplist, typeSetPacked:
		return 1
	}
	return 2
}

// loadPacked reads a value that is one small form. If it keeps the limits, it is
// looked through and copied; otherwise its elements are inserted.
func (l *Loader) loadPacked(most *int) (bool, error) {
	if !l.begun {
		l.begun = true
		if l.typ == typeHashPackedEx {
			l.in.take(8) // the first deadline
		}
		if !l.text(&l.first, most) {
			return false, ErrFormat
		}
		l.pack.begin(l.first.b, l.typ == typeHashZipmap || l.typ == typeListZiplist || l.typ == typeZSetZiplist || l.typ == typeHashZiplist)
		l.pack.old.zipmap = l.typ == typeHashZipmap
	}
	p, ready, err := l.pack.bytes(most)
	if !ready || err != nil {
		return false, err
	}
	if l.kind == dash.List {
		return l.loadPackedList(most)
	}
	stride := l.stride()
	if !l.pack.counted {
		l.pack.counted = true
		n := listpack.Len(p)
		if n == 0 || n%stride != 0 {
			return false, ErrFormat
		}
		l.left = uint64(n / stride)
		if !l.fits(p, n/stride) {
			if err := l.makeLarge(); err != nil {
				return false, err
			}
		}
	}
	for ; l.left > 0; l.left-- {
		if *most <= 0 {
			return false, nil
		}
		at := l.pack.at
		l.pack.at = listpack.Span(p, at, stride)
		*most -= 1 + (l.pack.at-at)/unitBytes
		if err := l.element(p, at); err != nil {
			return false, err
		}
	}
	if l.made {
		return true, nil
	}
	return true, l.copyPacked(p)
}

func (l *Loader) loadPackedList(most *int) (bool, error) {
	if !l.made {
		var ok bool
		l.list, ok = list.New(l.h, l.lim.List)
		if err := l.make(ok); err != nil {
			return false, err
		}
	}
	done, err := l.loadEntries(most)
	switch {
	case err != nil || !done:
		return false, err
	case l.list.Len() == 0:
		return false, ErrFormat
	}
	l.list.Pack()
	return true, nil
}

// fits tells whether the limits allow a small form of so many elements. Redis looks
// at their number only, but for zipmaps.
func (l *Loader) fits(p []byte, n int) bool {
	switch l.kind {
	case dash.Set:
		return int64(n) <= l.lim.Set.Packed
	case dash.ZSet:
		return n <= l.lim.ZSet.Entries
	}
	if l.pack.old.zipmap && int64(l.pack.old.longest) > l.lim.Hash.PackedBytes {
		return false
	}
	return int64(n) <= l.lim.Hash.Packed
}

func (l *Loader) makeLarge() error {
	var ok bool
	switch l.kind {
	case dash.Set:
		l.set, ok = set.NewTable(l.h, &l.lim.Set)
	case dash.ZSet:
		l.zset, ok = zset.NewLarge(l.h, l.lim.Seed, l.lim.ZSet)
	default:
		l.hash, ok = hash.NewTable(l.h, 0, &l.lim.Hash)
	}
	return l.make(ok)
}

func (l *Loader) copyPacked(p []byte) error {
	var ok bool
	switch l.kind {
	case dash.Set:
		l.set, ok = set.PutPacked(l.h, p)
	case dash.ZSet:
		l.zset, ok = zset.PutPacked(l.h, p, l.lim.Seed, l.lim.ZSet)
	default:
		enc := hash.Packed
		if l.stride() == 3 {
			enc = hash.Dated
		}
		l.hash, ok = hash.PutPacked(l.h, enc, p, 0)
	}
	return l.make(ok)
}

// element looks at an element of a small form, and inserts it if the form is not
// copied.
func (l *Loader) element(p []byte, at int) error {
	var scratch [2][24]byte
	name := listpack.Get(p, at, &scratch[0])
	switch l.kind {
	case dash.Set:
		if !l.made {
			return l.once(p, name)
		}
		return inserted(l.set.Add(name, &l.lim.Set))
	case dash.ZSet:
		score, ok := zset.PackedScore(p, listpack.After(p, at))
		if !ok || !l.follows(p, name, score) {
			return ErrFormat
		}
		l.pack.prev, l.pack.prevNum = at, score
		if !l.made {
			return l.once(p, name)
		}
		var spot zset.Spot
		if _, there := l.zset.Find(name, &spot); there {
			return ErrFormat
		}
		return inserted(true, l.zset.Insert(name, score, &spot))
	}
	second := listpack.After(p, at)
	deadline := int64(0)
	if l.stride() == 3 {
		var ok bool
		deadline, ok = listpack.Int(p, listpack.After(p, second))
		if !ok || deadline < 0 || deadline > mostDeadline {
			return ErrFormat
		}
	}
	if !l.made {
		return l.once(p, name)
	}
	return inserted(l.hash.Put(name, listpack.Get(p, second, &scratch[1]), deadline, &l.lim.Hash))
}

// inserted says what is wrong with an insertion: what is there already comes twice.
func inserted(isNew, ok bool) error {
	switch {
	case !ok:
		return ErrMemory
	case !isNew:
		return ErrFormat
	}
	return nil
}

// follows tells whether a member belongs behind the one before.
func (l *Loader) follows(p, name []byte, score float64) bool {
	k := &l.pack
	switch {
	case k.prev < 0 || k.prevNum < score:
		return true
	case k.prevNum > score:
		return false
	}
	var scratch [24]byte
	return bytes.Compare(listpack.Get(p, k.prev, &scratch), name) < 0
}

// fewNames is up to how many elements are compared with all that come before, rather
// than remembered.
const fewNames = 16

// once takes note of a name and returns an error if it was there before. In few
// elements it is looked for where they are.
func (l *Loader) once(p, name []byte) error {
	k := &l.pack
	if l.left > fewNames || k.names != nil {
		if k.names == nil {
			k.names = make(map[string]bool)
		}
		if k.names[string(name)] {
			return ErrFormat
		}
		k.names[string(name)] = true
		return nil
	}
	stride := l.stride()
	n := listpack.NeedleOf(name)
	own := k.at // where the elements that follow begin
	for at := listpack.HeaderSize; ; at = listpack.Span(p, at, stride) {
		next := listpack.Span(p, at, stride)
		if next >= own {
			return nil
		}
		if n.At(p, at) {
			return ErrFormat
		}
	}
}
