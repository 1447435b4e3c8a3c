package command

import (
	"sherd/internal/store/dash"
	"sherd/internal/store/hash"
	"sherd/internal/store/set"
	"sherd/internal/wire/resp"
)

// mostMemberTTL is the longest time to live of SADDEX and FIELDEXPIRE, in seconds:
// eight and a half years.
const mostMemberTTL = 1<<28 - 1

// fieldNotThere is FIELDTTL's reply where the key exists.
const fieldNotThere = -3

// memberCommands are Dragonfly's on deadlines of members and fields.
var memberCommands = []*Command{
	{
		Name: "saddex", Arity: -4, Flags: Write | DenyOOM | Fast, Reach: ReachOne, Group: "set",
		Keys: one(RW | Insert), Run: runSAddEX,
		Doc: Doc{
			Summary: "Adds members to a set for some seconds and tells how many are new.",
			Since:   "7.4.0", Complexity: perMember,
			Args: []Arg{keyArg, wordArg("keepttl", "KEEPTTL").optional(), integerArg("seconds"), memberArg.multiple()},
		},
	},
	{
		Name: "fieldexpire", Arity: -4, Flags: Write | DenyOOM | Fast, Reach: ReachOne, Group: "generic",
		Keys: one(RW | Update), Run: runFieldExpire, Categories: []string{"set", "hash"},
		Doc: Doc{
			Summary: "Gives fields of a hash, or members of a set, some seconds to live.",
			Since:   "7.4.0", Complexity: perField,
			Args: []Arg{keyArg, integerArg("seconds"), fieldArg.multiple()},
		},
	},
	{
		Name: "fieldttl", Arity: 3, Flags: ReadOnly | Fast, Reach: ReachOne, Group: "generic",
		Keys: one(RO | Access), Run: runFieldTTL, Tips: []string{"nondeterministic_output"},
		Doc: Doc{
			Summary: "Returns the seconds that a field of a hash, or a member of a set, has to live.",
			Since:   "7.4.0", Complexity: constant,
			Args: []Arg{keyArg, fieldArg},
		},
	},
}

// memberDeadline reads seconds to live, at least some; false: the error has been
// replied.
func (x *Ctx) memberDeadline(arg []byte, least int64) (ms int64, ok bool) {
	n, ok := resp.ParseInt64(arg)
	if !ok || n < least || n > mostMemberTTL {
		x.Error(errNotInteger)
		return 0, false
	}
	return x.Now + n*1000, true
}

func runSAddEX(x *Ctx) {
	args := x.Args[2:]
	keep := is(args[0], "KEEPTTL")
	if keep {
		if args = args[1:]; len(args) < 2 {
			x.Arity()
			return
		}
	}
	deadline, ok := x.memberDeadline(args[0], 1)
	if !ok {
		return
	}
	members := args[1:]
	k := &x.Keys[0]
	var d setEdit
	if !x.editSet(k, &d) {
		return
	}
	lim := x.setLimits(k)
	if !d.exists {
		// A set with deadlines is a table from the beginning.
		table := lim
		table.Ints, table.Packed = -1, -1
		if d.Set, ok = set.New(&k.Slice.Heap, members[0], len(members), &table); !ok {
			x.outOfMemory()
			return
		}
	}
	added, ok := int64(0), true
	for i := 0; ok && i < len(members); i++ {
		var isNew bool
		if isNew, ok = d.AddUntil(members[i], deadline, keep, &lim); isNew && ok {
			added++
		}
	}
	x.Changed(int64(len(members)))
	if !x.settleMembers(&d) {
		return
	}
	if !ok {
		x.outOfMemory()
		return
	}
	x.Int(added)
}

// settleMembers is settleSet for a set whose members may have got deadlines.
func (x *Ctx) settleMembers(d *setEdit) bool {
	held := d.Held() > 0
	if !x.settleSet(d) {
		return false
	}
	if held {
		if ms := d.NextDeadline(); ms != 0 {
			d.k.Slice.NoteFields(x.C.DB, d.k.Bytes, d.k.Hash, ms)
		}
	}
	return true
}

func runFieldExpire(x *Ctx) {
	at, ok := x.memberDeadline(x.Args[2], 0)
	if !ok {
		return
	}
	k, names := &x.Keys[0], x.Args[3:]
	e, ok := x.Find(k)
	switch {
	case !ok:
		x.replyEach(len(names), fieldMissing)
	case e.Kind() == dash.Set:
		x.expireMembers(k, names, at)
	case e.Kind() == dash.Hash:
		var d hashEdit
		if x.editHash(k, &d) {
			x.expireNamed(&d, names, 0, at)
		}
	default:
		x.WrongType()
	}
}

// expireMembers gives members of a set a deadline.
func (x *Ctx) expireMembers(k *Key, members [][]byte, at int64) {
	var d setEdit
	if !x.editSet(k, &d) {
		return
	}
	lim := x.setLimits(k)
	mark := len(x.Out)
	x.Array(len(members))
	changed := int64(0)
	for _, m := range members {
		if x.past(at) {
			if d.Held() > 0 && d.Remove(m) {
				changed++
				x.Int(fieldDeleted)
			} else {
				x.Int(fieldMissing)
			}
			continue
		}
		found, ok := d.SetDeadline(m, at, &lim)
		switch {
		case !ok:
			x.Out = x.Out[:mark]
			x.settleMembers(&d)
			x.outOfMemory()
			return
		case found:
			changed++
			x.Int(fieldChanged)
		default:
			x.Int(fieldMissing)
		}
	}
	x.Changed(changed)
	x.settleMembers(&d)
}

func runFieldTTL(x *Ctx) {
	k := &x.Keys[0]
	e, ok := x.Read(k)
	if !ok {
		x.Int(fieldMissing)
		return
	}
	now := x.KS.Clock.Now()
	deadline := int64(0)
	switch e.Kind() {
	case dash.Set:
		s := x.openSet(k, e)
		deadline, ok = s.Deadline(x.Args[2])
	case dash.Hash:
		h := hash.Open(&k.Slice.Heap, e.Encoding(), e.Ref(), now)
		var f hash.Field
		if ok = h.Find(x.Args[2], &f); ok {
			deadline = f.DeadlineMs()
		}
	default:
		x.WrongType()
		return
	}
	if !ok {
		x.Int(fieldNotThere)
		return
	}
	x.Int(ttlSeconds.ofField(deadline, now))
}
