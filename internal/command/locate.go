package command

import (
	"sherd/internal/shard"
	"sherd/internal/wire/resp"
)

// KeyArgs appends the indexes of the arguments that are keys, in the order of
// the key specs. ok is false when a count among the arguments is not a number
// or does not fit: the command will reply with an error of its own.
func (c *Command) KeyArgs(args [][]byte, dst []int) (keys []int, ok bool) {
	for i := range c.Keys {
		if dst, ok = c.Keys[i].find(args, dst); !ok {
			return dst, false
		}
	}
	return dst, true
}

func (k *KeySpec) find(args [][]byte, dst []int) ([]int, bool) {
	begin := k.Index
	if k.Keyword != "" {
		if begin = k.search(args); begin < 0 {
			return dst, true // an optional part that is absent
		}
	}
	if begin >= len(args) {
		return dst, false
	}
	if k.NumKeys {
		at := begin + k.CountAt
		if at >= len(args) {
			return dst, false
		}
		n, ok := resp.ParseInt64(args[at])
		first := begin + k.FirstAt
		step := max(k.Step, 1)
		if !ok || n < 0 || n > int64(len(args)-first)/int64(step) {
			return dst, false
		}
		for i := range int(n) {
			dst = append(dst, first+i*step)
		}
		return dst, true
	}
	last := begin + k.Last
	if k.Last < 0 {
		last = len(args) + k.Last
		if k.Limit > 1 {
			last = begin + (len(args)-begin)/k.Limit - 1
		}
	}
	for i := begin; i <= last && i < len(args); i += max(k.Step, 1) {
		dst = append(dst, i)
	}
	return dst, true
}

func (k *KeySpec) search(args [][]byte) int {
	if k.Index >= 0 {
		for i := k.Index; i < len(args)-1; i++ {
			if equalFoldWord(args[i], k.Keyword) {
				return i + 1
			}
		}
		return -1
	}
	for i := len(args) + k.Index; i > 0; i-- {
		if i < len(args)-1 && equalFoldWord(args[i], k.Keyword) {
			return i + 1
		}
	}
	return -1
}

// equalFoldWord compares without regard to case.
func equalFoldWord(b []byte, word string) bool {
	if len(b) != len(word) {
		return false
	}
	for i := range b {
		if lower(b[i]) != lower(word[i]) {
			return false
		}
	}
	return true
}

func lower(c byte) byte {
	if c-'A' < 26 {
		return c | 0x20
	}
	return c
}

// is compares an argument with an upper-case option word.
func is(arg []byte, option string) bool { return equalFoldWord(arg, option) }

// FirstKey returns the argument index of the only key of a ReachOne command.
func (c *Command) FirstKey() int { return c.firstKey }

// Locate hashes the keys of a ReachMany command into x.Keys. It reports false
// when the arguments do not say where the keys are; the command then runs
// without any.
func (x *Ctx) Locate() bool {
	x.Keys = x.Keys[:0]
	c := x.Cmd
	if c.ranged && c.Keys[0].Limit == 0 {
		last := c.lastKey
		if last < 0 {
			last += len(x.Args)
		}
		for i := c.firstKey; i <= last && i < len(x.Args); i += c.keyStep {
			x.Keys = append(x.Keys, x.KeyOf(x.Args[i]))
		}
		return true
	}
	var few [64]int
	at, ok := c.KeyArgs(x.Args, few[:0])
	if !ok {
		return false
	}
	for _, i := range at {
		x.Keys = append(x.Keys, x.KeyOf(x.Args[i]))
	}
	return true
}

// KeyOf hashes a key and finds its slice.
func (x *Ctx) KeyOf(b []byte) Key {
	hash, s := x.KS.Locate(b)
	return Key{Bytes: b, Hash: hash, Slice: s}
}

// AddSlices adds the slices of x.Keys to a set of latches.
func (x *Ctx) AddSlices(u interface{ Add(*shard.Slice) }) {
	for i := range x.Keys {
		u.Add(x.Keys[i].Slice)
	}
}
