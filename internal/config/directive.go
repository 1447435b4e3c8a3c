package config

import (
	"strings"
)

// Kind is the form of a directive's value.
type Kind uint8

// The kinds. The last four have a grammar of their own (see lists.go).
const (
	Bool    Kind = iota // yes, no
	Int                 // decimal
	Memory              // bytes, with units on input
	Percent             // bytes, or N% with a bound
	Octal               // file mode
	Text                // anything
	Enum                // one of a set
	Flags               // some of a set
	Words               // free words, held as one text
	Save                // pairs of seconds and changes
	Limits              // client-output-buffer-limit
	Bind                // addresses
	Special             // one directive only: its own parser
)

// State says how far the feature behind a directive is built.
type State uint8

const (
	// Live: the value takes effect.
	Live State = iota
	// Kept: the value is known, checked, and kept for CONFIG GET; it has no
	// effect yet, and promises nothing that could hurt.
	Kept
	// Refused: as Kept, but a value for which Promise holds is refused,
	// since it says data is durable, limited or guarded.
	Refused
)

// Flag is a property of a directive.
type Flag uint16

// The flags.
const (
	Immutable   Flag = 1 << iota // CONFIG SET refuses it
	Sensitive                    // its value never reaches a log
	Protected                    // CONFIG SET asks enable-protected-configs
	Multi                        // several words; CONFIG SET splits its value
	Hidden                       // CONFIG GET shows it only when named exactly
	Repeated                     // lines add up (rename-command); not in CONFIG GET
	NotLoading                   // CONFIG SET refuses it while data is loaded
	Underscores                  // its name may be spelled with underscores in a file, too
	StartOnly                    // means something to the reader alone (include, flagfile)
)

// Directive is one entry of the table. The table is read-only.
type Directive struct {
	Name    string
	Aliases []string // older names: CONFIG GET lists them beside Name
	Also    []string // what other servers call it: accepted, not listed
	Kind    Kind
	Flags   Flag
	State   State

	Default string // a text
	Min     int64
	Max     int64
	Values  []string // Enum and Flags: the words the error lists
	More    []string // further words, or word=what it stands for

	// Promise holds for a text that needs the feature Missing names.
	Promise func(text string) bool
	Missing string

	// atLeast lifts smaller numbers, which are taken nevertheless.
	atLeast int64
	// check gives the reason a parsed text is bad, or "".
	check func(text string) string
	// special parses a directive of Kind Special.
	special func(old string, words []string, start bool) (text, reason string)

	index int // place in Table
}

// Has tells whether all of the flags are set.
func (d *Directive) Has(f Flag) bool { return d.Flags&f == f }

// refuses gives the reason a text cannot be taken while the feature behind
// the directive is not built, or "".
func (d *Directive) refuses(text string) string {
	if d.State != Refused || !d.Promise(text) {
		return ""
	}
	return "this value needs " + d.Missing + ", which this version of sherd does not have yet: it makes no promise it cannot keep"
}

// Table returns all directives, in the order CONFIG GET lists them. The
// caller must not change them.
func Table() []*Directive { return table }

// Lookup finds a directive by any of its names.
func Lookup(name string) (*Directive, bool) {
	d := lookup(name)
	return d, d != nil
}

var (
	table  []*Directive
	byName map[string]*Directive // lower case
)

func init() {
	groups := [][]Directive{
		networkTable, processTable, memoryTable, keyspaceTable, observeTable,
		persistTable, replicationTable, clusterTable, tlsTable, moduleTable,
		foreignTable,
	}
	byName = make(map[string]*Directive, 512)
	add := func(name string, d *Directive) {
		if byName[name] != nil {
			panic("config: directive named twice: " + name)
		}
		byName[name] = d
	}
	for _, group := range groups {
		for i := range group {
			d := &group[i]
			d.index = len(table)
			table = append(table, d)
			for _, n := range d.names() {
				add(n, d)
			}
		}
	}
}

// names gives every spelling of a directive.
func (d *Directive) names() []string {
	names := append([]string{d.Name}, d.Aliases...)
	names = append(names, d.Also...)
	if d.Has(Underscores) {
		for _, n := range names {
			if other := strings.ReplaceAll(n, "_", "-"); other != n {
				names = append(names, other)
			}
		}
	}
	return names
}

func lookup(name string) *Directive {
	if d := byName[name]; d != nil {
		return d
	}
	return byName[strings.ToLower(name)]
}

func mustLookup(name string) *Directive {
	d := byName[name]
	if d == nil {
		panic("config: no directive " + name)
	}
	return d
}

// lookupFlag finds a directive by the name of a flag or an environment
// variable, where dashes and underscores are the same.
func lookupFlag(name string) *Directive {
	if d := lookup(name); d != nil {
		return d
	}
	if d := lookup(strings.ReplaceAll(name, "_", "-")); d != nil {
		return d
	}
	return lookup(strings.ReplaceAll(name, "-", "_"))
}

// The table's entries are made by the functions below, with options. Words
// behind a bar in an enum's values are accepted, but are newer than Redis 7.0
// and not listed in its error text.

type option func(*Directive)

func entry(name string, k Kind, def string, s State, opts []option) Directive {
	d := Directive{Name: name, Kind: k, Default: def, State: s}
	for _, o := range opts {
		o(&d)
	}
	return d
}

func boolean(name, def string, s State, opts ...option) Directive {
	return entry(name, Bool, def, s, opts)
}

func integer(name, def string, low, high int64, s State, opts ...option) Directive {
	d := entry(name, Int, def, s, opts)
	d.Min, d.Max = low, high
	return d
}

func memory(name, def string, low, high int64, s State, opts ...option) Directive {
	d := entry(name, Memory, def, s, opts)
	d.Min, d.Max = low, high
	return d
}

func text(name, def string, s State, opts ...option) Directive {
	return entry(name, Text, def, s, opts)
}

func enum(name, def, values string, s State, opts ...option) Directive {
	d := entry(name, Enum, def, s, opts)
	listed, more, _ := strings.Cut(values, "|")
	d.Values, d.More = strings.Fields(listed), strings.Fields(more)
	return d
}

func special(name, def string, s State, parse func(old string, words []string, start bool) (string, string), opts ...option) Directive {
	d := entry(name, Special, def, s, opts)
	d.special = parse
	return d
}

func with(f Flag) option                      { return func(d *Directive) { d.Flags |= f } }
func alias(names ...string) option            { return func(d *Directive) { d.Aliases = names } }
func also(names ...string) option             { return func(d *Directive) { d.Also = names } }
func check(f func(text string) string) option { return func(d *Directive) { d.check = f } }

func atLeast(n int64) option { return func(d *Directive) { d.atLeast = n } }

// promises marks values that need a feature which is missing.
func promises(missing string, f func(text string) bool) option {
	return func(d *Directive) { d.Promise, d.Missing = f, missing }
}

func isYes(text string) bool   { return text == "yes" }
func isSet(text string) bool   { return text != "" }
func notZero(text string) bool { return text != "0" }
func not(v string) func(string) bool {
	return func(text string) bool { return text != v }
}
