package command

import (
	"bytes"
	"slices"

	"sherd/internal/store/dash"
	"sherd/internal/store/hash"
	"sherd/internal/store/value"
)

const errFieldsets = "ERR fieldsets of this connection would take more than client-fieldsets-limit"

// HIMPORT spares a client that writes many hashes of one kind the repetition of
// their fields: it names them once. What it has named is the connection's own.

// fieldsets are the lists of fields that a connection has prepared, by name.
type fieldsets struct {
	byName map[string]fieldset
	bytes  int64
}

// fieldset is a list of fields, one after the other.
type fieldset struct {
	fields []byte
	ends   []uint32
}

const (
	fieldsetBytes = 128 // about what one takes beside its fields
	fieldBytes    = 4   // likewise for each of its fields
)

func (f *fieldset) size(name string) int64 {
	return int64(fieldsetBytes + len(name) + len(f.fields) + fieldBytes*len(f.ends))
}

// KeptBytes is the memory of what the client has prepared.
func (c *Client) KeptBytes() int64 {
	if c.fieldsets == nil {
		return 0
	}
	return c.fieldsets.bytes
}

// Forget drops what the client has prepared, and returns how much that was.
func (c *Client) Forget() (n int) {
	if c.fieldsets != nil {
		n = len(c.fieldsets.byName)
		c.fieldsets = nil
	}
	return n
}

var himportSubcommands = []*Command{
	{
		Name: "prepare", Arity: -4, Flags: DenyOOM, Run: runHImportPrepare,
		Tips: []string{"request_policy:all_shards"},
		Doc: Doc{
			Summary: "Names a list of fields for the HIMPORT SET of the connection.",
			Since:   "8.10.0", Complexity: "O(N*log(N)) with N being the number of fields.",
			Args: []Arg{stringArg("fieldset-name"), fieldArg.multiple()},
		},
	},
	{
		Name: "set", Arity: -5, Flags: Write | DenyOOM, Reach: ReachOne,
		Keys: []KeySpec{{Flags: OW | Update, Index: 2, Step: 1}}, Run: runHImportSet,
		Doc: Doc{
			Summary: "Makes a hash of the fields of a prepared list and as many values.",
			Since:   "8.10.0", Complexity: perField,
			Args: []Arg{keyArg, stringArg("fieldset-name"), valueArg.multiple()},
		},
	},
	{
		Name: "discard", Arity: 3, Run: runHImportDiscard,
		Tips: []string{"request_policy:all_shards"},
		Doc: Doc{
			Summary: "Forgets a prepared list of fields.",
			Since:   "8.10.0", Complexity: ofFieldsets,
			Args: []Arg{stringArg("fieldset-name")},
		},
	},
	{
		Name: "discardall", Arity: 2, Run: runHImportDiscardAll,
		Tips: []string{"request_policy:all_shards"},
		Doc: Doc{
			Summary: "Forgets all prepared lists of fields.",
			Since:   "8.10.0", Complexity: ofFieldsets,
		},
	},
}

const ofFieldsets = "O(N) with N being the number of lists that the connection has prepared."

func runHImportPrepare(x *Ctx) {
	name, fields := x.Args[2], x.Args[3:]
	sorted := slices.Clone(fields)
	slices.SortFunc(sorted, bytes.Compare)
	size := 0
	for i, f := range sorted {
		if i > 0 && bytes.Equal(sorted[i-1], f) {
			x.Error("ERR duplicate field name in fieldset")
			return
		}
		size += len(f)
	}
	all := x.C.fieldsets
	if all == nil {
		all = &fieldsets{byName: map[string]fieldset{}}
	}
	added := int64(fieldsetBytes + len(name) + size + fieldBytes*len(fields))
	old, replaces := all.byName[string(name)]
	if replaces {
		added -= old.size(string(name))
	}
	if added > 0 && all.bytes+added > x.Conf.FieldsetsBytes {
		x.Error(errFieldsets)
		return
	}
	made := fieldset{ends: make([]uint32, 0, len(fields))}
	joined := make([]byte, 0, size)
	for _, f := range fields {
		joined = append(joined, f...)
		made.ends = append(made.ends, uint32(len(joined)))
	}
	made.fields = joined
	all.byName[string(name)] = made
	all.bytes += added
	x.C.fieldsets = all
	x.OK()
}

func runHImportSet(x *Ctx) {
	k := &x.Keys[0]
	if _, _, wrong := x.FindKind(k, dash.Hash); wrong {
		return
	}
	var f fieldset
	ok := false
	if x.C.fieldsets != nil {
		f, ok = x.C.fieldsets.byName[string(x.Args[3])]
	}
	values := x.Args[4:]
	switch {
	case !ok:
		x.Error("ERR no such fieldset")
		return
	case len(values) != len(f.ends):
		x.Error("ERR value count does not match fieldset field count")
		return
	}
	h, ok := hash.New(&k.Slice.Heap, x.KS.Clock.Now())
	if !ok {
		x.outOfMemory()
		return
	}
	lim := x.hashLimits(k)
	ok = h.Expect(len(values), &lim)
	from := uint32(0)
	for i := 0; ok && i < len(values); i++ {
		field := f.fields[from:f.ends[i]]
		from = f.ends[i]
		_, ok = h.Put(field, values[i], 0, &lim)
	}
	made := value.Handle{Kind: dash.Hash, Encoding: h.Encoding(), Ref: h.Ref()}
	if !ok {
		k.Slice.Drop(made)
		x.outOfMemory()
		return
	}
	if !x.CreateOver(k, made, 0) {
		return
	}
	x.Changed(1)
	x.OK()
}

func runHImportDiscard(x *Ctx) {
	all, name := x.C.fieldsets, string(x.Args[2])
	if all == nil {
		x.Int(0)
		return
	}
	f, ok := all.byName[name]
	if ok {
		delete(all.byName, name)
		all.bytes -= f.size(name)
		if len(all.byName) == 0 {
			x.C.fieldsets = nil
		}
	}
	x.Bool(ok)
}

func runHImportDiscardAll(x *Ctx) { x.Int(int64(x.C.Forget())) }
