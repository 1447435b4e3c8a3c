// Package diff compares sherd with redis-server 7.0, reply for reply.
//
// A grammar of forms (a form is a command with one way of using its options)
// generates sequences of commands over few keys, most of which succeed. Both
// servers run a sequence in pipelined batches over RESP2 or RESP3; every reply
// is compared, byte for byte where it can be, and at the end of the sequence
// the whole contents of both. A sequence that shows a difference is cut down
// to the few commands that matter and printed as a transcript.
//
// The run is worth nothing unless its commands do something: how often each
// form ran, failed and gave differing replies is counted and asserted. And it
// must see what it is there to see: TestPlantedFaults puts a proxy before one
// of two equal servers that spoils single replies or commands.
package diff

import (
	"math/rand/v2"
	"strings"
)

// An op is one command of a sequence.
type op struct {
	args []string
	form *form
	// mutated: an argument was dropped, added or replaced; it may fail.
	mutated bool
}

// A form is a command with one way of using its options.
type form struct {
	name   string // the command, then what distinguishes the form
	weight int
	gen    func(g *gen) []string
	how    comparison
	// fails: every op of the form is an error.
	fails bool
	// mixed: whether an op of the form is an error depends on the keys.
	mixed bool
	// dull: the reply is always the same (or counts as such), though the form
	// succeeds.
	dull bool
	// whole: the command must be left as generated, since a mutated one could
	// end the server, the connection or the comparison.
	whole bool
}

// A comparison says how two replies are compared.
type comparison int

const (
	exact     comparison = iota
	unordered            // arrays as multisets
	pairs                // maps, or arrays of pairs, as sets of pairs
	kind                 // type and nullness only: ids, times, memory sizes
	seconds              // integers: times to live, equal but for the servers' skew
	millis               //
	size                 // type and number of elements: what is drawn at random
	scan                 // SCAN is run to its end, and the keys are compared as a set
	encoding             // names of encodings, those that came after 7.0 standing for the old
	near                 // integers anywhere in it as far apart as the servers' clocks at most
	hello                // names of the fields, and the values that do not differ between servers
)

// gen generates the ops of a sequence.
type gen struct {
	*rand.Rand
	startMs int64  // when the run began, for absolute deadlines
	ttls    int64  // relative deadlines given out; none is given twice
	then    []op   // ops that must follow the one being generated
	before  []op   // ops that must precede it
	forms   []form // the grammar
	total   int    // sum of the forms' weights
	keySet  []string
	without map[string]bool
}

// newGen makes a generator of sequences that leave out the forms in without.
func newGen(seed, sequence uint64, startMs int64, without map[string]bool) *gen {
	return newGenOf(grammar, allKeys, seed, sequence, startMs, without)
}

// newCoreGen is newGen for the core of the grammar and the keys it is about.
func newCoreGen(seed, sequence uint64, startMs int64) *gen {
	return newGenOf(core, coreKeys, seed, sequence, startMs, nil)
}

func newGenOf(forms []form, keys []string, seed, sequence uint64, startMs int64, without map[string]bool) *gen {
	g := &gen{Rand: rand.New(rand.NewPCG(seed, sequence)), startMs: startMs, forms: forms, keySet: keys, without: without}
	for i := range g.forms {
		g.total += g.forms[i].weight
	}
	return g
}

// sequence generates n ops.
func (g *gen) sequence(n int) []op {
	g.populate()
	ops := append([]op(nil), g.then...)
	g.then = g.then[:0]
	for len(ops) < n {
		o := g.next()
		if g.without[o.form.name] {
			g.then, g.before = g.then[:0], g.before[:0]
			continue
		}
		ops = append(append(ops, g.before...), o)
		g.before = g.before[:0]
		ops = append(ops, g.then...)
		g.then = g.then[:0]
	}
	return ops
}

func (g *gen) next() op {
	at := g.IntN(g.total)
	f := &g.forms[0]
	for i := range g.forms {
		f = &g.forms[i]
		if at -= f.weight; at < 0 {
			break
		}
	}
	o := op{args: f.gen(g), form: f}
	if len(o.args) == 0 {
		panic(f.name + ": no arguments")
	}
	if !f.whole && g.IntN(20) == 0 && len(g.then) == 0 {
		o.args, o.mutated = g.mutate(o.args), true
	}
	if g.IntN(10) == 0 {
		o.args = append([]string{strings.ToLower(o.args[0])}, o.args[1:]...)
	}
	return o
}

// oddArgs are arguments that are wrong almost anywhere. None is a small
// positive number (a deadline that could pass during the run) nor a big valid
// offset (a value of hundreds of megabytes).
var oddArgs = []string{
	"", "0", "-1", "-0", "+5", " 5", "5 ", "05", "0x10", "abc", "1.5", "nan", "inf", "1e400", "NX", "GET", "\x00", "\r\n",
	"9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809", "18446744073709551616",
}

// mutate drops, doubles, adds or replaces an argument.
func (g *gen) mutate(args []string) []string {
	args = append([]string(nil), args...)
	at := g.IntN(len(args))
	switch g.IntN(5) {
	case 0:
		if len(args) > 1 {
			return args[:len(args)-1]
		}
		fallthrough
	case 1:
		return append(args, g.pick(oddArgs))
	case 2:
		if at > 0 {
			return append(args[:at], args[at+1:]...)
		}
		fallthrough
	case 3:
		if len(args) > 1 {
			args[1+g.IntN(len(args)-1)] = g.pick(oddArgs)
			return args
		}
		fallthrough
	default:
		return append(args, args[at])
	}
}

func (g *gen) pick(s []string) string { return s[g.IntN(len(s))] }

// follow adds an op that must come right after the one being generated.
func (g *gen) follow(args ...string) {
	for i := range g.forms {
		if g.forms[i].name == args[0] {
			g.then = append(g.then, op{args: args, form: &g.forms[i]})
			return
		}
	}
	panic("no form is called " + args[0])
}
