package command

import (
	"fmt"
	"slices"
	"strings"
)

// Table is the set of commands a server knows. It is immutable once built, but
// for its own copy of the names: rename-command gives a server its own table.
type Table struct {
	byID  []*Command // all commands and subcommands, dense
	names []*Command // top level, sorted by name
	slots []entry    // open addressing, a power of two
	mask  uint32
}

type entry struct {
	name string
	cmd  *Command
}

// families lists the declarations; each file of commands appends its own.
var families [][]*Command

// all is the table of everything that is built in.
var all = build()

// Commands returns the table of everything that is built in.
func Commands() *Table { return all }

func build() *Table {
	families = [][]*Command{
		stringCommands, keyCommands, bitmapCommands, listCommands, hashCommands, setCommands, memberCommands, zsetCommands, geoCommands, hllCommands, streamCommands, sortCommands, connectionCommands, serverCommands, clusterModes,
	}
	t := &Table{}
	for _, f := range families {
		for _, c := range f {
			t.adopt(c, nil)
			t.names = append(t.names, c)
		}
	}
	slices.SortFunc(t.names, func(a, b *Command) int { return strings.Compare(a.Name, b.Name) })
	t.index(func(c *Command) string { return c.Name })
	return t
}

func (t *Table) adopt(c, parent *Command) {
	c.ID = len(t.byID)
	c.Parent = parent
	c.FullName = c.Name
	if c.Flags&(Write|MayReplicate) != 0 {
		c.Flags |= Changes
	}
	if parent != nil {
		c.FullName = parent.Name + "|" + c.Name
		if c.Group == "" {
			c.Group = parent.Group
		}
	}
	t.byID = append(t.byID, c)
	c.setKeyRange()
	for _, s := range c.Sub {
		t.adopt(s, c)
	}
	slices.SortFunc(c.Sub, func(a, b *Command) int { return strings.Compare(a.Name, b.Name) })
}

// setKeyRange makes one range of the key specs: those of RENAME or BITOP, say,
// follow one another. If a spec does not fit, the range is what the first say.
func (c *Command) setKeyRange() {
	for i := range c.Keys {
		k := &c.Keys[i]
		if k.Keyword != "" || k.NumKeys {
			return
		}
		if i == 0 {
			c.firstKey, c.keyStep = k.Index, k.Step
		} else if c.lastKey < 0 || k.Index != c.lastKey+c.keyStep || k.Step != c.keyStep {
			return
		}
		c.lastKey = k.Last
		if k.Last >= 0 {
			c.lastKey += k.Index
		}
	}
	c.ranged = len(c.Keys) > 0
}

// Rename returns a table with some names changed; an empty new name removes the
// command. It fails if a command does not exist or a name is taken.
func (t *Table) Rename(from, to []string) (*Table, error) {
	if len(from) == 0 {
		return t, nil
	}
	names := make(map[string]*Command, len(t.names))
	for _, c := range t.names {
		names[c.Name] = c
	}
	for i, f := range from {
		f, n := strings.ToLower(f), strings.ToLower(to[i])
		c := names[f]
		if c == nil {
			return nil, fmt.Errorf("rename-command: no such command: %q", f)
		}
		delete(names, f)
		if n == "" {
			continue
		}
		if names[n] != nil {
			return nil, fmt.Errorf("rename-command: the new name is taken: %q", n)
		}
		names[n] = c
	}
	r := &Table{byID: t.byID}
	byCmd := make(map[*Command]string, len(names))
	for n, c := range names {
		r.names = append(r.names, c)
		byCmd[c] = n
	}
	slices.SortFunc(r.names, func(a, b *Command) int { return strings.Compare(a.Name, b.Name) })
	r.index(func(c *Command) string { return byCmd[c] })
	return r, nil
}

func (t *Table) index(name func(*Command) string) {
	size := 1
	for size < 8*len(t.names) {
		size *= 2
	}
	t.slots = make([]entry, size)
	t.mask = uint32(size - 1)
	for _, c := range t.names {
		n := name(c)
		i := hashName([]byte(n)) & t.mask
		for t.slots[i].cmd != nil {
			i = (i + 1) & t.mask
		}
		t.slots[i] = entry{n, c}
	}
}

// Len is the number of top-level commands.
func (t *Table) Len() int { return len(t.names) }

// IDs is the number of statistics slots: every command and subcommand has one.
func (t *Table) IDs() int { return len(t.byID) }

// ByID returns the command of a statistics slot.
func (t *Table) ByID(id int) *Command { return t.byID[id] }

// All returns the top-level commands, sorted by name.
func (t *Table) All() []*Command { return t.names }

// hashName is a hash of a name that takes no notice of case.
func hashName(b []byte) uint32 {
	n := len(b)
	if n == 0 {
		return 0
	}
	// Three letters and the length tell most names apart, and Lookup compares.
	h := uint32(b[0]|0x20) | uint32(b[n>>1]|0x20)<<8 | uint32(b[n-1]|0x20)<<16 | uint32(n)<<24
	h *= 0x9e3779b1
	return h ^ h>>15
}

// Lookup finds a top-level command by name, in any case, or nil.
func (t *Table) Lookup(name []byte) *Command {
	for i := hashName(name) & t.mask; ; i = (i + 1) & t.mask {
		e := &t.slots[i]
		if e.cmd == nil {
			return nil
		}
		if equalFold(name, e.name) {
			return e.cmd
		}
	}
}

// Subcommand finds a container's subcommand by name, in any case, or nil.
func (c *Command) Subcommand(name []byte) *Command {
	for _, s := range c.Sub {
		if equalFold(name, s.Name) {
			return s
		}
	}
	return nil
}

// Find resolves "name" or "container|sub", or nil.
func (t *Table) Find(full string) *Command {
	name, sub, nested := strings.Cut(full, "|")
	c := t.Lookup([]byte(name))
	if c == nil || !nested {
		return c
	}
	return c.Subcommand([]byte(sub))
}

// equalFold compares b with a lower-case ASCII word.
func equalFold(b []byte, lower string) bool {
	if len(b) != len(lower) {
		return false
	}
	for i := range b {
		c := b[i]
		if c-'A' < 26 {
			c |= 0x20
		}
		if c != lower[i] {
			return false
		}
	}
	return true
}
