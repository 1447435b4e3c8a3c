package command

import (
	"bytes"
	"math"
	"slices"

	"sherd/internal/store/dash"
	"sherd/internal/store/set"
	"sherd/internal/store/value"
	"sherd/internal/wire/resp"
)

// algebraKind is an operation on sets.
type algebraKind uint8

const (
	intersect algebraKind = iota
	unite
	subtract
)

// algebraEnd says what becomes of the result.
type algebraEnd uint8

const (
	replyMembers algebraEnd = iota
	replyCard
	storeMembers
)

// algebra is an operation on sets under way. Nothing is put together for it:
//
//	intersect  the members of the smallest set that all others have
//	unite      those of each set that none before it has
//	subtract   those of the first that no other has
//
// Only where the result is stored it is built, beside what the destination holds
// until then, which may be one of the sets.
type algebra struct {
	kind algebraKind
	end  algebraEnd
	sets []set.Set
	few  [4]set.Set
	at   int // set under way
	open bool
	it   set.Iter

	n, limit int64
	probe    set.Probe

	mark   int // where the reply begins, in the first step
	later  bool
	pieces [][]byte // encoded members, in later steps
	headed bool

	to     Key
	result set.Set
	lim    set.Limits
}

func runSInter(x *Ctx)      { x.algebra(intersect, replyMembers, x.Keys, 0) }
func runSUnion(x *Ctx)      { x.algebra(unite, replyMembers, x.Keys, 0) }
func runSDiff(x *Ctx)       { x.algebra(subtract, replyMembers, x.Keys, 0) }
func runSInterStore(x *Ctx) { x.algebra(intersect, storeMembers, x.Keys[1:], 0) }
func runSUnionStore(x *Ctx) { x.algebra(unite, storeMembers, x.Keys[1:], 0) }
func runSDiffStore(x *Ctx)  { x.algebra(subtract, storeMembers, x.Keys[1:], 0) }
func runSInterCard(x *Ctx)  { x.algebraCard(intersect) }
func runSUnionCard(x *Ctx)  { x.algebraCard(unite) }
func runSDiffCard(x *Ctx)   { x.algebraCard(subtract) }

// algebraCard reads the arguments of SINTERCARD and its kin.
func (x *Ctx) algebraCard(kind algebraKind) {
	n, ok := resp.ParseInt64(x.Args[1])
	if !ok || n < 1 {
		x.Error("ERR numkeys should be greater than 0")
		return
	}
	if n > int64(len(x.Args)-2) {
		x.Error("ERR Number of keys can't be greater than number of args")
		return
	}
	limit := int64(0)
	for i := 2 + int(n); i < len(x.Args); i += 2 {
		if kind == unite && is(x.Args[i], "APPROX") {
			i-- // to count needs no memory here: it is exact all the same
			continue
		}
		if !is(x.Args[i], "LIMIT") || i+1 == len(x.Args) {
			x.Syntax()
			return
		}
		if limit, ok = resp.ParseInt64(x.Args[i+1]); !ok || limit < 0 {
			x.Error("ERR LIMIT can't be negative")
			return
		}
	}
	x.algebra(kind, replyCard, x.Keys, limit)
}

// algebra runs an operation on the sets at keys. limit bounds a cardinality; 0 is
// none.
func (x *Ctx) algebra(kind algebraKind, end algebraEnd, keys []Key, limit int64) {
	a := algebra{kind: kind, end: end, limit: limit, mark: len(x.Out)}
	if limit == 0 {
		a.limit = math.MaxInt64
	}
	a.sets = a.few[:0]
	missing, firstMissing := false, false
	for i := range keys {
		s, ok, wrong := x.readSet(&keys[i])
		if wrong {
			return
		}
		if !ok {
			missing = true
			firstMissing = firstMissing || i == 0
			continue
		}
		a.sets = append(a.sets, s)
	}
	if kind == intersect && missing || kind == subtract && firstMissing {
		a.sets = nil
	}
	if kind == intersect {
		slices.SortFunc(a.sets, func(p, q set.Set) int { return p.Held() - q.Held() })
	}
	if end == storeMembers {
		a.to = x.Keys[0]
		a.lim = x.setLimits(&a.to)
		var ok bool
		if a.result, ok = set.NewInts(&a.to.Slice.Heap); !ok {
			x.outOfMemory()
			return
		}
	}
	if a.Step(x) {
		return
	}
	later := a
	if len(a.sets) <= len(a.few) {
		later.sets = later.few[:len(a.sets)]
	}
	later.later = true
	later.to.Bytes = bytes.Clone(a.to.Bytes)
	if end == replyMembers {
		later.pieces = [][]byte{bytes.Clone(x.Out[a.mark:])}
		x.Out = x.Out[:a.mark]
	}
	x.KeepLatched(&later)
}

// algebraStep is how many members are looked at in a step.
const algebraStep = 4096

// Step goes on for so many members.
func (a *algebra) Step(x *Ctx) bool {
	if a.headed {
		return a.deliver(x)
	}
	for range algebraStep {
		for !a.open || !a.it.Next() {
			if a.open {
				a.at++
			}
			if a.at == len(a.sets) || a.at > 0 && a.kind != unite {
				return a.finish(x)
			}
			a.it, a.open = a.sets[a.at].Iter(), true
		}
		m := a.it.Bytes()
		if !a.belongs(m) {
			continue
		}
		switch a.end {
		case replyMembers:
			a.emit(x, m)
		case storeMembers:
			if _, ok := a.result.Add(m, &a.lim); !ok {
				a.to.Slice.Drop(a.handle())
				x.outOfMemory()
				return true
			}
		}
		if a.n++; a.n == a.limit {
			return a.finish(x)
		}
	}
	return false
}

// belongs tells whether a member of the set under way is in the result.
func (a *algebra) belongs(m []byte) bool {
	others, want := a.sets[1:], false
	switch a.kind {
	case intersect:
		want = true
	case unite:
		if a.end == storeMembers {
			return true // Add finds the doubles
		}
		others = a.sets[:a.at]
	}
	if len(others) == 0 {
		return true
	}
	a.probe.Reset(m)
	for i := range others {
		if others[i].HasProbe(&a.probe) != want {
			return false
		}
	}
	return true
}

func (a *algebra) emit(x *Ctx, m []byte) {
	if !a.later {
		x.Bulk(m)
		return
	}
	last := len(a.pieces) - 1
	if len(a.pieces[last])+len(m) > pieceSize {
		a.pieces = append(a.pieces, nil)
		last++
	}
	a.pieces[last] = resp.AppendBulk(a.pieces[last], m)
}

func (a *algebra) handle() value.Handle {
	return value.Handle{Kind: dash.Set, Encoding: a.result.Encoding(), Ref: a.result.Ref()}
}

// finish replies, or stores the result.
func (a *algebra) finish(x *Ctx) bool {
	switch {
	case a.end == replyCard:
		x.Int(a.n)
	case a.end == storeMembers:
		a.store(x)
	case a.later:
		x.SetOf(int(a.n))
		a.headed = true
		return a.deliver(x)
	default:
		var space [32]byte
		x.putBefore(a.mark, resp.AppendSet(space[:0], int(a.n), x.C.Proto))
	}
	return true
}

// putBefore moves what was replied since mark behind head.
func (x *Ctx) putBefore(mark int, head []byte) {
	n := len(x.Out) - mark
	x.Out = append(x.Out, head...)
	copy(x.Out[mark+len(head):], x.Out[mark:mark+n])
	copy(x.Out[mark:], head)
}

// deliver hands a long reply over, a piece at a time.
func (a *algebra) deliver(x *Ctx) bool {
	if len(a.pieces) > 0 {
		x.Out = append(x.Out, a.pieces[0]...)
		a.pieces[0] = nil
		a.pieces = a.pieces[1:]
	}
	return len(a.pieces) == 0
}

// store puts the result in the destination's place.
func (a *algebra) store(x *Ctx) {
	n := int64(a.result.Len())
	if n == 0 {
		a.result.Free()
		if e, ok := x.Find(&a.to); ok {
			x.Remove(&a.to, e)
		}
		x.Int(0)
		return
	}
	if !x.CreateOver(&a.to, a.handle(), 0) {
		return
	}
	x.Changed(1)
	x.Int(n)
}
