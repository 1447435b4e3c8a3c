package rdb

import (
	"encoding/binary"
	"fmt"
	"math"
	"sort"
	"strings"
	"testing"

	"sherd/internal/heap"
	"sherd/internal/store/dash"
	"sherd/internal/store/hash"
	"sherd/internal/store/list"
	"sherd/internal/store/set"
	"sherd/internal/store/stream"
	"sherd/internal/store/value"
	"sherd/internal/store/zset"
)

// A room is a heap and a table for values.
type room struct {
	tb    testing.TB
	h     *heap.Heap
	table dash.Table
}

func newRoom(tb testing.TB, bytes int64) *room {
	tb.Helper()
	a, err := heap.NewArena(bytes)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = a.Close() })
	r := &room{tb: tb, h: new(heap.Heap)}
	r.h.Init(a)
	return r
}

// stock are limits as the directives have them.
var stock = Limits{
	List:   -2,
	Set:    set.Limits{Ints: 512, Packed: 128, PackedBytes: 64, Seed: 1},
	Hash:   hash.Limits{Packed: 512, PackedBytes: 64, Seed: 2},
	ZSet:   zset.Limits{Entries: 128, Bytes: 64},
	Seed:   3,
	String: 512 << 20,
}

// tight are limits that allow nothing small.
var tight = Limits{List: 1, Set: set.Limits{Seed: 1}, Hash: hash.Limits{Seed: 2}, Seed: 3, String: 512 << 20}

// load reads a value in steps of so many elements.
func (r *room) load(form byte, version int, p []byte, lim Limits, step int, keep bool) (*Loader, error) {
	l := new(Loader)
	l.Open(r.h, form, version, p, &lim)
	for range 100 + 100*len(p)*packAtWorst {
		done, err := l.Step(step)
		if done || err != nil {
			return l, err
		}
		if keep {
			keep = false
			was := p
			l.Keep()
			for i := range was {
				was[i] = 0xAA
			}
		}
	}
	r.tb.Fatalf("form %d: no end of %x", form, p)
	return nil, nil
}

// free frees what a loader made.
func (r *room) free(l *Loader) {
	for v := l.Value(); v.Ref != 0; {
		v = v.Free(r.h, 100)
	}
}

// check looks through what a loader made.
func (r *room) check(l *Loader) error {
	v, a := l.Value(), r.h.Arena()
	switch v.Kind {
	case dash.List:
		return list.Check(a, v.Encoding, v.Ref)
	case dash.Set:
		return set.Check(a, v.Encoding, v.Ref)
	case dash.ZSet:
		return zset.Check(a, v.Encoding, v.Ref)
	case dash.Hash:
		return hash.Check(a, v.Encoding, v.Ref)
	case dash.Stream:
		return stream.Check(a, v.Encoding, v.Ref)
	}
	return nil
}

// save writes what a loader made, in steps of so many elements.
func (r *room) save(l *Loader, nowMs int64, pack bool, step int) (form byte, version int, p []byte) {
	key := []byte("key")
	if v := l.Value(); v.Ref != 0 {
		if _, ok := r.table.InsertRef(r.h, 1, key, v.Kind, v.Encoding, v.Ref, 0); !ok {
			r.tb.Fatal("out of memory")
		}
	} else {
		r.table.Set(r.h, 1, key, l.Text(), 0)
	}
	e, _ := r.table.Find(r.h, 1, key)
	var w Saver
	if !w.Open(r.h, e, nowMs, pack) {
		r.tb.Fatal("nothing to be written")
	}
	for done := false; !done; {
		p, done = w.Step(p, step)
	}
	r.table.Delete(r.h, e) // leaves the container
	return w.Type(), w.Version(), p
}

// show describes what a loader made.
func (r *room) show(l *Loader) string {
	v := l.Value()
	if v.Ref == 0 {
		return fmt.Sprintf("string %q", l.Text())
	}
	return r.showValue(v)
}

func (r *room) showValue(v value.Handle) string {
	var out []string
	put := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	var scratch [24]byte
	switch v.Kind {
	case dash.List:
		l := list.Open(r.h, v.Encoding, v.Ref, -2)
		for it := l.Iter(0, false); it.Next(); {
			put("%q", it.Bytes(&scratch))
		}
	case dash.Set:
		s := set.Open(r.h, v.Encoding, v.Ref)
		for it := s.Iter(); it.Next(); {
			put("%q", it.Bytes())
			if ms := it.DeadlineMs(); ms != 0 {
				out[len(out)-1] += fmt.Sprintf(" until %d", ms)
			}
		}
		if v.Encoding != set.Ints {
			sort.Strings(out)
		}
	case dash.ZSet:
		s := zset.Open(r.h, v.Encoding, v.Ref, 0, zset.Limits{})
		for it := s.Iter(0, false); it.Next(); {
			put("%q=%v", it.Member(), it.Score())
		}
	case dash.Hash:
		s := hash.Open(r.h, v.Encoding, v.Ref, 0)
		for it := s.Iter(); it.Next(); {
			put("%q=%q", it.Field(), it.Value())
			if ms := it.DeadlineMs(); ms != 0 {
				out[len(out)-1] += fmt.Sprintf(" until %d", ms)
			}
		}
		sort.Strings(out)
	case dash.Stream:
		s := stream.Open(r.h, v.Ref)
		for it := s.Iter(stream.ID{}, stream.MaxID, false); it.Next(); {
			pairs := ""
			for it.NextField() {
				var other [24]byte
				pairs += fmt.Sprintf(" %q=%q", it.Field(&scratch), it.Value(&other))
			}
			put("%d-%d%s", it.ID.Ms, it.ID.Seq, pairs)
		}
		put("last %v first %v deleted %v added %d", s.LastID(), s.FirstID(), s.MaxDeletedID(), s.Added())
		for i := range s.GroupCount() {
			g := s.GroupAt(i)
			put("group %q last %v read %d", g.Name(), g.LastID(), g.EntriesRead())
			for it := g.PendingFrom(stream.ID{}, stream.MaxID); it.Next(); {
				if it.Released() {
					put("released %v times %d", it.ID(), it.Times())
				}
			}
			for j := range g.ConsumerCount() {
				c := g.ConsumerAt(j)
				put("consumer %q seen %d active %d", c.Name(), c.Seen(), c.Active())
				for it := c.PendingFrom(stream.ID{}, stream.MaxID); it.Next(); {
					put("%v at %d times %d", it.ID(), it.Time(), it.Times())
				}
			}
		}
	}
	return fmt.Sprintf("%s %s: %s", v.Kind, v.EncodingName(), strings.Join(out, ", "))
}

// Bytes of old forms, put together.

func le(size int, v uint64) string {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], v)
	return string(b[:size])
}

func double(f float64) string { return le(8, math.Float64bits(f)) }

// str is a string with its length before it.
func str(s string) string { return string(appendLength(nil, uint64(len(s)))) + s }

// zl is a ziplist of entries, each given without the length before it.
func zl(entries ...string) string {
	body, last, before := "", ziplistHead, 0
	for _, e := range entries {
		last = ziplistHead + len(body)
		if before < 0xFE {
			e = le(1, uint64(before)) + e
		} else {
			e = "\xfe" + le(4, uint64(before)) + e
		}
		body += e
		before = len(e)
	}
	return le(4, uint64(ziplistHead+len(body)+1)) + le(4, uint64(last)) + le(2, uint64(len(entries))) + body + "\xff"
}

// lp is a listpack of entries, each given whole.
func lp(entries ...string) string {
	body := strings.Join(entries, "")
	return le(4, uint64(len(body)+7)) + le(2, uint64(len(entries))) + body + "\xff"
}
