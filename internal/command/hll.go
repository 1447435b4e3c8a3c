package command

import (
	"errors"
	"strconv"

	"sherd/internal/hll"
	"sherd/internal/store/dash"
)

const (
	errNotHLL     = "WRONGTYPE Key is not a valid HyperLogLog string value."
	errCorruptHLL = "INVALIDOBJ Corrupted HLL object detected"
)

// hllCommands are the commands that estimate how many distinct elements there
// were. Their values are strings; see package hll.
var hllCommands = []*Command{
	{
		Name: "pfadd", Arity: -2, Flags: Write | DenyOOM | Fast, Reach: ReachOne, Group: "hyperloglog",
		Keys: one(RW | Insert), Run: runPFAdd,
		Doc: Doc{
			Summary: "Adds elements to the HyperLogLog at a key, which is created if need be.",
			Since:   "2.8.9", Complexity: "O(1) to add every element.",
			Args: []Arg{keyArg, stringArg("element").optional().multiple()},
		},
	},
	{
		Name: "pfcount", Arity: -2, Flags: ReadOnly | MayReplicate, Reach: ReachMany, Group: "hyperloglog",
		Keys: []KeySpec{{
			Flags: RW | Access, Index: 1, Last: -1, Step: 1,
			Notes: "RW because it may change the internal representation of the key, and propagate to replicas",
		}},
		Run: runPFCount,
		Doc: Doc{
			Summary: "Estimates how many distinct elements the HyperLogLogs at some keys saw together.",
			Since:   "2.8.9", Complexity: "O(1) with a single key whose cardinality is cached, O(N) in the number of keys otherwise, each of which takes as long as reading all registers.",
			Args: []Arg{keysArg},
		},
	},
	{
		Name: "pfmerge", Arity: -2, Flags: Write | DenyOOM, Reach: ReachMany, Group: "hyperloglog",
		Keys: []KeySpec{
			{Flags: RW | Access | Insert, Index: 1, Step: 1},
			{Flags: RO | Access, Index: 2, Last: -1, Step: 1},
		},
		Run: runPFMerge,
		Doc: Doc{
			Summary: "Adds to the HyperLogLog at a key all that those at other keys saw.",
			Since:   "2.8.9", Complexity: "O(N) in the number of keys; each takes as long as reading all registers.",
			Args: []Arg{
				{Name: "destkey", Type: "key", KeySpec: 1},
				{Name: "sourcekey", Type: "key", KeySpec: 2, Optional: true, Multiple: true},
			},
		},
	},
	{
		Name: "pfdebug", Arity: 3, Flags: Write | DenyOOM | Admin, Reach: ReachOne, Group: "hyperloglog",
		Keys: []KeySpec{{Flags: RW | Access, Index: 2, Step: 1}}, Run: runPFDebug,
		Doc: Doc{
			Summary: "Shows or changes how the HyperLogLog at a key is stored.",
			Since:   "2.8.9", Complexity: "N/A",
			Args: []Arg{stringArg("subcommand"), keyArg},
		},
	},
	{
		Name: "pfselftest", Arity: 1, Flags: Admin, Group: "hyperloglog", Run: runPFSelfTest,
		Doc: Doc{
			Summary: "Tests the registers and the estimates of HyperLogLogs.",
			Since:   "2.8.9", Complexity: "N/A",
		},
	},
}

// hllAt checks that an entry that was found is a HyperLogLog; if not it replies
// the error.
func (x *Ctx) hllAt(e dash.Entry) bool {
	if e.Kind() != dash.String {
		x.WrongType()
		return false
	}
	if !hll.Valid(e.Value()) {
		x.Error(errNotHLL)
		return false
	}
	return true
}

// hllResize makes a string n bytes long, without counting a change: these
// commands count their own. From then on its encoding is raw.
func (x *Ctx) hllResize(k *Key, e dash.Entry, n int) (dash.Entry, []byte, bool) {
	if v := e.Value(); len(v) == n && e.Raw() {
		e.SetEncoding(0)
		return e, v, true
	}
	e, v, ok := x.Table(k).Resize(&k.Slice.Heap, e, k.Hash, n)
	if !ok {
		x.outOfMemory()
		return e, nil, false
	}
	e.SetEncoding(0)
	return e, v, true
}

// hllCreate puts an empty HyperLogLog under a missing key.
func (x *Ctx) hllCreate(k *Key) (dash.Entry, bool) {
	dirty := x.L.Stats.Dirty
	v, ok := x.extend(k, dash.Entry{}, false, hll.EmptyBytes)
	x.L.Stats.Dirty = dirty
	if !ok {
		return dash.Entry{}, false
	}
	hll.PutEmpty(v)
	e, _ := x.Table(k).Find(&k.Slice.Heap, k.Hash, k.Bytes)
	return e, true
}

func runPFAdd(x *Ctx) {
	k := &x.Keys[0]
	e, ok := x.Find(k)
	updated := int64(0)
	if !ok {
		if e, ok = x.hllCreate(k); !ok {
			return
		}
		updated++
	} else {
		if !x.hllAt(e) {
			return
		}
		if e, _, ok = x.hllResize(k, e, len(e.Value())); !ok {
			return
		}
	}
	for _, element := range x.Args[2:] {
		register, rank := hll.Hash(element)
		var raised bool
		if v := e.Value(); !hll.Sparse(v) {
			raised = hll.Raise(v, register, rank)
		} else if e, raised, ok = x.hllRaise(k, e, register, rank); !ok {
			return
		}
		if raised {
			updated++
		}
	}
	if updated > 0 {
		hll.Invalidate(e.Value())
		x.Changed(updated)
	}
	x.Bool(updated > 0)
}

// hllRaise raises a register of a sparse string. ok is false if the error has
// been replied.
func (x *Ctx) hllRaise(k *Key, e dash.Entry, register int, rank uint8) (_ dash.Entry, raised, ok bool) {
	var w hll.Walk
	v := e.Value()
	n := len(v)
	edit, verdict := w.Prepare(v, register, rank)
	if verdict == hll.Change && edit.Grow() > 0 && int64(n+edit.Grow()) > x.Conf.HLLSparseBytes {
		verdict = hll.Promote
	}
	switch verdict {
	case hll.Keep:
		return e, false, true
	case hll.Corrupt:
		x.Error(errCorruptHLL)
		return e, false, false
	case hll.Promote:
		if e, ok = x.hllPromote(k, e); ok {
			raised = hll.Raise(e.Value(), register, rank)
		}
		return e, raised, ok
	}
	if edit.Grow() > 0 {
		if e, v, ok = x.hllResize(k, e, n+edit.Grow()); !ok {
			return e, false, false
		}
	}
	now := edit.Apply(v, n)
	if now < len(v) {
		if e, _, ok = x.hllResize(k, e, now); !ok {
			return e, false, false
		}
	}
	return e, true, true
}

// hllPromote makes a sparse string dense.
func (x *Ctx) hllPromote(k *Key, e dash.Entry) (dash.Entry, bool) {
	var ranks [hll.Registers]uint8
	if !hll.Merge(&ranks, e.Value()) {
		x.Error(errCorruptHLL)
		return e, false
	}
	return x.hllPutDense(k, e, &ranks)
}

// hllPutDense makes a string dense, with the ranks given.
func (x *Ctx) hllPutDense(k *Key, e dash.Entry, ranks *[hll.Registers]uint8) (dash.Entry, bool) {
	var header [hll.HeaderBytes]byte
	copy(header[:], e.Value())
	e, v, ok := x.hllResize(k, e, hll.DenseBytes)
	if ok {
		hll.PutHeader(v, header[:])
		hll.PutDense(v, ranks)
	}
	return e, ok
}

func runPFCount(x *Ctx) {
	if len(x.Keys) > 1 {
		var ranks [hll.Registers]uint8
		for i := range x.Keys {
			if !x.hllMerge(&x.Keys[i], &ranks) {
				return
			}
		}
		x.Int(int64(hll.CountRanks(&ranks)))
		return
	}
	k := &x.Keys[0]
	e, ok := x.Read(k)
	if !ok {
		x.Int(0)
		return
	}
	if !x.hllAt(e) {
		return
	}
	_, v, ok := x.hllResize(k, e, len(e.Value()))
	if !ok {
		return
	}
	n, ok := hll.Cached(v)
	if !ok {
		if n, ok = hll.Count(v); !ok {
			x.Error(errCorruptHLL)
			return
		}
		hll.PutCached(v, n)
		x.Changed(1)
	}
	x.Int(int64(n))
}

// hllMerge raises ranks to those at a key. False: the error has been replied.
func (x *Ctx) hllMerge(k *Key, ranks *[hll.Registers]uint8) bool {
	e, ok := x.Read(k)
	if !ok {
		return true
	}
	if !x.hllAt(e) {
		return false
	}
	if !hll.Merge(ranks, e.Value()) {
		x.Error(errCorruptHLL)
		return false
	}
	return true
}

func runPFMerge(x *Ctx) {
	var ranks [hll.Registers]uint8
	dense := false
	for i := range x.Keys {
		k := &x.Keys[i]
		if !x.hllMerge(k, &ranks) {
			return
		}
		if e, ok := x.Find(k); ok && !hll.Sparse(e.Value()) {
			dense = true
		}
	}
	k := &x.Keys[0]
	e, ok := x.Find(k)
	if !ok {
		if e, ok = x.hllCreate(k); !ok {
			return
		}
	}
	// The destination is one of the sources: it has no register that is greater.
	var room [4096]byte
	var text []byte
	if !dense {
		text = append(room[:0], e.Value()...)
		text, ok = hll.Raised(text, &ranks, x.Conf.HLLSparseBytes)
		dense = !ok
	}
	if dense {
		e, ok = x.hllPutDense(k, e, &ranks)
	} else {
		var v []byte
		if e, v, ok = x.hllResize(k, e, len(text)); ok {
			copy(v, text)
		}
	}
	if !ok {
		return
	}
	hll.Invalidate(e.Value())
	x.Changed(1)
	x.OK()
}

func runPFDebug(x *Ctx) {
	k := &x.Keys[0]
	e, ok := x.Find(k)
	if !ok {
		x.Error("ERR The specified key does not exist")
		return
	}
	if !x.hllAt(e) {
		return
	}
	if e, _, ok = x.hllResize(k, e, len(e.Value())); !ok {
		return
	}
	sparse := hll.Sparse(e.Value())
	switch word := x.Args[1]; {
	case is(word, "GETREG"):
		if sparse {
			if e, ok = x.hllPromote(k, e); !ok {
				return
			}
			x.Changed(1)
		}
		v := e.Value()
		x.Array(hll.Registers)
		for i := range hll.Registers {
			x.Int(int64(hll.Register(v, i)))
		}
	case is(word, "DECODE"):
		if !sparse {
			x.Error("ERR HLL encoding is not sparse")
			return
		}
		x.Bulk(hll.AppendOpcodes(nil, e.Value()))
	case is(word, "ENCODING"):
		if sparse {
			x.Simple("sparse")
		} else {
			x.Simple("dense")
		}
	case is(word, "TODENSE"):
		if sparse {
			if _, ok = x.hllPromote(k, e); !ok {
				return
			}
			x.Changed(1)
		}
		x.Bool(sparse)
	default:
		x.Error("ERR Unknown PFDEBUG subcommand '" + string(cText(word)) + "'")
	}
}

func runPFSelfTest(x *Ctx) {
	x.Background(hllSelfTest, func(x *Ctx, err error) {
		if err != nil {
			x.Error("ERR TESTFAILED " + err.Error())
			return
		}
		x.OK()
	})
}

// hllSelfTest checks that registers do not touch their neighbours, that both
// encodings agree, and that estimates are as good as theory has it: 1.04/√16384
// is the standard error.
func hllSelfTest() error {
	var ranks, back [hll.Registers]uint8
	dense := make([]byte, hll.DenseBytes)
	var empty [hll.EmptyBytes]byte
	hll.PutEmpty(empty[:])
	for round := range 64 {
		hll.PutHeader(dense, empty[:])
		for i := range ranks {
			ranks[i] = uint8(i*7+round*13) & 63
			hll.Raise(dense, i, ranks[i])
		}
		clear(back[:])
		hll.Merge(&back, dense)
		for i, want := range ranks {
			if got := hll.Register(dense, i); got != want || back[i] != want {
				return errors.New("Register " + strconv.Itoa(i) + " should be " + strconv.Itoa(int(want)) + " but is " + strconv.Itoa(int(got)))
			}
		}
	}
	hll.PutHeader(dense, empty[:])
	sparse := append([]byte(nil), empty[:]...)
	var element [8]byte
	mark := 1
	for n := 1; n <= 1_000_000; n++ {
		for i := range element {
			element[i] = byte(n >> (8 * i))
		}
		register, rank := hll.Hash(element[:])
		hll.Raise(dense, register, rank)
		if sparse != nil {
			var ok bool
			if sparse, ok = hll.RaisedOne(sparse, register, rank, 3000); !ok {
				sparse = nil
			}
		}
		if n < mark {
			continue
		}
		mark *= 10
		got, _ := hll.Count(dense)
		if off := max(int64(got), int64(n)) - min(int64(got), int64(n)); float64(off) > max(6*1.04/128*float64(n), 1) {
			return errors.New("Too big error. card:" + strconv.Itoa(n) + " abserr:" + strconv.FormatInt(off, 10))
		}
		if sparse != nil {
			if other, ok := hll.Count(sparse); !ok || other != got {
				return errors.New("dense/sparse disagree")
			}
		}
	}
	return nil
}
