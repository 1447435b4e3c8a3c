package command

import (
	"bytes"

	"github.com/zeebo/xxh3"

	"sherd/internal/store/dash"
)

// condition is what a write asks of the key's present value.
type condition uint8

const (
	always      condition = iota
	ifMissing             // NX
	ifPresent             // XX
	ifEqual               // IFEQ value; from here on the key must hold a string
	ifNotEqual            // IFNE value
	ifDigest              // IFDEQ digest
	ifNotDigest           // IFDNE digest
)

// conditionOf reads a word; always when it is none.
func conditionOf(word []byte) condition {
	switch len(word) {
	case 2:
		switch {
		case is(word, "NX"):
			return ifMissing
		case is(word, "XX"):
			return ifPresent
		}
	case 4:
		switch {
		case is(word, "IFEQ"):
			return ifEqual
		case is(word, "IFNE"):
			return ifNotEqual
		}
	case 5:
		switch {
		case is(word, "IFDEQ"):
			return ifDigest
		case is(word, "IFDNE"):
			return ifNotDigest
		}
	}
	return always
}

// holds judges a condition. A missing key equals nothing. ok is false, and the
// error has been replied, when match is no digest.
func (x *Ctx) holds(c condition, match []byte, e dash.Entry, exists bool) (holds, ok bool) {
	switch c {
	case ifMissing:
		return !exists, true
	case ifPresent:
		return exists, true
	case ifEqual:
		return exists && bytes.Equal(e.Value(), match), true
	case ifNotEqual:
		return !exists || !bytes.Equal(e.Value(), match), true
	case ifDigest, ifNotDigest:
		if !exists {
			return c == ifNotDigest, true
		}
		if len(match) != digestLen {
			x.Error("ERR must be exactly 16 hexadecimal characters")
			return false, false
		}
		d := digestOf(e.Value())
		for i := range d {
			if d[i] != lower(match[i]) {
				return c == ifNotDigest, true
			}
		}
		return c == ifDigest, true
	}
	return true, true
}

const digestLen = 16

// digestOf is the digest of a value: XXH3 with 64 bits and no seed, as 16
// hexadecimal digits.
func digestOf(value []byte) (d [digestLen]byte) {
	h := xxh3.Hash(value)
	for i := range d {
		d[i] = "0123456789abcdef"[h>>60]
		h <<= 4
	}
	return d
}

func runDigest(x *Ctx) {
	e, ok, wrong := x.ReadString(&x.Keys[0])
	switch {
	case ok:
		d := digestOf(e.Value())
		x.Bulk(d[:])
	case !wrong:
		x.Null()
	}
}

func runDelEX(x *Ctx) {
	if n := len(x.Args); n != 2 && n != 4 {
		x.Arity()
		return
	}
	k := &x.Keys[0]
	e, exists := x.Find(k)
	if !exists {
		x.Bool(false)
		return
	}
	if len(x.Args) == 4 {
		if e.Kind() != dash.String {
			x.Error("ERR Key should be of string type if conditions are specified")
			return
		}
		c := conditionOf(x.Args[2])
		if c < ifEqual {
			x.Error("ERR Invalid condition. Use IFEQ, IFNE, IFDEQ, or IFDNE")
			return
		}
		holds, ok := x.holds(c, x.Args[3], e, true)
		if !ok {
			return
		}
		if !holds {
			x.Bool(false)
			return
		}
	}
	x.Remove(k, e)
	x.Bool(true)
}

func runDelIfEQ(x *Ctx) {
	k := &x.Keys[0]
	e, ok, wrong := x.FindString(k)
	if wrong {
		return
	}
	if ok = ok && bytes.Equal(e.Value(), x.Args[2]); ok {
		x.Remove(k, e)
	}
	x.Bool(ok)
}
