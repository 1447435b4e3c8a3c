// Package request builds the bytes of requests. A command is written once, as
// people write it, with placeholders; it is compiled into ready protocol text
// with holes, so that the next request costs a copy and the digits of a number.
//
// # Placeholders
//
//	__key__   the next key of the run's distribution, in its format
//	__data__  a value of the run's size
//	__int__   a random number below the run's number of keys
//	__size__  the length of the __data__ that follows (memcached)
//
// Each occurrence draws anew. An argument holds at most one placeholder, with
// any text around it.
//
// # How a hole is filled
//
// In RESP the length stands before the argument, so a key with one digit more
// changes two places. Everything that stands before the digits of a number,
// from the end of the hole before it, is therefore prepared once per number of
// digits:
//
//	*2␍␊$3␍␊GET␍␊$10␍␊memtier- │ 42 │ ␍␊
//	└── head for two digits ──┘      └ tail ┘
package request

import (
	"fmt"
	"strconv"
	"strings"

	"sherd/internal/load/keyspace"
)

// Protocol is what is spoken.
type Protocol uint8

const (
	Redis Protocol = iota
	Memcache
)

// ParseProtocol reads "redis" or "memcached" (also "memcache").
func ParseProtocol(s string) (Protocol, error) {
	switch s {
	case "redis", "resp":
		return Redis, nil
	case "memcached", "memcache", "memcache_text":
		return Memcache, nil
	}
	return 0, fmt.Errorf("unknown protocol %q: want redis or memcached", s)
}

func (p Protocol) String() string {
	if p == Memcache {
		return "memcached"
	}
	return "redis"
}

// Options are what the holes of a command are filled with.
type Options struct {
	Protocol Protocol
	Keys     keyspace.Spec
	DataMin  int // value sizes are drawn from [DataMin, DataMax]
	DataMax  int
}

type partKind uint8

const (
	partNumber partKind = iota // head by digits, then the digits
	partSize                   // head, then the drawn length of the data
	partData                   // head, then (RESP: the length and) the data
)

type part struct {
	kind  partKind
	key   bool // partNumber: a key rather than a random integer
	bulk  bool // partData: RESP framing around the data
	width int  // partNumber: least number of digits
	// heads[d] stands before a number of d digits. Parts of other kinds, and
	// protocols without lengths, have the same head everywhere.
	heads [keyspace.MaxDigits + 1][]byte
}

// Command is a compiled command.
type Command struct {
	Name   string // its first word, in capitals for Redis
	Weight int
	Text   string // as it was written
	// Reads says that a null reply is a miss.
	Reads bool

	parts []part
	tail  []byte
}

// placeholders in the order in which they are looked for.
const (
	holeKey  = "__key__"
	holeData = "__data__"
	holeInt  = "__int__"
	holeSize = "__size__"
)

// readers are the commands whose null reply means that the key was not there.
var readers = map[string]bool{
	"GET": true, "GETEX": true, "GETDEL": true, "HGET": true, "LINDEX": true,
	"ZSCORE": true, "LPOP": true, "RPOP": true, "SPOP": true, "TYPE": false,
	"get": true, "gets": true, "gat": true, "gats": true, "mg": true,
}

// Compile prepares a command.
func Compile(text string, weight int, o Options) (*Command, error) {
	if weight < 1 {
		return nil, fmt.Errorf("command %q: weight %d is below 1", text, weight)
	}
	format, err := keyspace.ParseFormat(o.Keys.Format)
	if err != nil {
		return nil, err
	}
	c := &Command{Text: text, Weight: weight}
	b := builder{cmd: c, format: format, o: o}
	if o.Protocol == Memcache {
		err = b.memcache(text)
	} else {
		err = b.redis(text)
	}
	if err != nil {
		return nil, err
	}
	c.tail = b.literal
	c.Reads = readers[c.Name]
	return c, nil
}

// builder collects literal text until a hole comes.
type builder struct {
	cmd     *Command
	format  keyspace.Format
	o       Options
	literal []byte
}

func (b *builder) redis(text string) error {
	args, err := Split(text)
	if err != nil {
		return err
	}
	if len(args) == 0 {
		return fmt.Errorf("empty command")
	}
	b.cmd.Name = strings.ToUpper(args[0])
	b.literal = fmt.Appendf(b.literal, "*%d\r\n", len(args))
	for _, arg := range args {
		before, hole, after, err := cutHole(arg)
		if err != nil {
			return fmt.Errorf("command %q: %w", text, err)
		}
		switch hole {
		case "":
			b.bulk([]byte(arg))
		case holeSize:
			return fmt.Errorf("command %q: __size__ belongs to memcached", text)
		case holeData:
			if b.o.DataMin == b.o.DataMax {
				v := append([]byte(before), Data(b.o.DataMax)...)
				b.bulk(append(v, after...))
				continue
			}
			if before != "" || after != "" {
				return fmt.Errorf("command %q: __data__ of varying size must stand alone", text)
			}
			b.flush(part{kind: partData, bulk: true})
			b.literal = append(b.literal, '\r', '\n')
		default:
			prefix, suffix, width := b.around(hole, before, after)
			p := part{kind: partNumber, key: hole == holeKey, width: width}
			for d := range p.heads {
				head := append([]byte(nil), b.literal...)
				head = fmt.Appendf(head, "$%d\r\n%s", len(prefix)+d+len(suffix), prefix)
				p.heads[d] = head
			}
			b.cmd.parts = append(b.cmd.parts, p)
			b.literal = append([]byte(suffix), '\r', '\n')
		}
	}
	return nil
}

// memcache compiles lines of text; "\r\n" may be written as the two escapes,
// and the last line end may be left out.
func (b *builder) memcache(text string) error {
	text = strings.NewReplacer(`\r`, "\r", `\n`, "\n").Replace(text)
	if !strings.HasSuffix(text, "\r\n") {
		text += "\r\n"
	}
	b.cmd.Name, _, _ = strings.Cut(strings.Fields(text + " ?")[0], "\r")
	for text != "" {
		before, hole, after := nextHole(text)
		b.literal = append(b.literal, before...)
		switch hole {
		case "":
		case holeSize:
			if b.o.DataMin == b.o.DataMax {
				b.literal = strconv.AppendInt(b.literal, int64(b.o.DataMax), 10)
			} else {
				b.flush(part{kind: partSize})
			}
		case holeData:
			if b.o.DataMin == b.o.DataMax {
				b.literal = append(b.literal, Data(b.o.DataMax)...)
			} else {
				b.flush(part{kind: partData})
			}
		default:
			prefix, suffix, width := b.around(hole, "", "")
			b.literal = append(b.literal, prefix...)
			b.flush(part{kind: partNumber, key: hole == holeKey, width: width})
			b.literal = append(b.literal, suffix...)
		}
		text = after
	}
	return nil
}

// around is the fixed text on both sides of a number.
func (b *builder) around(hole, before, after string) (prefix, suffix string, width int) {
	if hole == holeKey {
		return before + b.format.Prefix, b.format.Suffix + after, b.format.Width
	}
	return before, after, 0
}

func (b *builder) bulk(v []byte) {
	b.literal = fmt.Appendf(b.literal, "$%d\r\n", len(v))
	b.literal = append(b.literal, v...)
	b.literal = append(b.literal, '\r', '\n')
}

// flush ends the literal text with a hole of the same head for any length.
func (b *builder) flush(p part) {
	for d := range p.heads {
		p.heads[d] = b.literal
	}
	b.cmd.parts = append(b.cmd.parts, p)
	b.literal = nil
}

// cutHole splits an argument around its placeholder.
func cutHole(arg string) (before, hole, after string, err error) {
	before, hole, after = nextHole(arg)
	if hole != "" {
		if _, second, _ := nextHole(after); second != "" {
			return "", "", "", fmt.Errorf("argument %q has more than one placeholder", arg)
		}
	}
	return before, hole, after, nil
}

func nextHole(s string) (before, hole, after string) {
	at := len(s)
	for _, h := range [...]string{holeKey, holeData, holeInt, holeSize} {
		if i := strings.Index(s, h); i >= 0 && i < at {
			at, hole = i, h
		}
	}
	if hole == "" {
		return s, "", ""
	}
	return s[:at], hole, s[at+len(hole):]
}

// Split cuts a command line into arguments: blanks separate, single or double
// quotes keep blanks.
func Split(line string) ([]string, error) {
	var args []string
	var cur []byte
	var quote byte
	open := false
	for i := 0; i < len(line); i++ {
		ch := line[i]
		switch {
		case quote != 0:
			if ch == quote {
				quote = 0
			} else {
				cur = append(cur, ch)
			}
		case ch == '\'' || ch == '"':
			quote, open = ch, true
		case ch == ' ' || ch == '\t' || ch == '\n':
			if open {
				args, cur, open = append(args, string(cur)), nil, false
			}
		default:
			cur, open = append(cur, ch), true
		}
	}
	if quote != 0 {
		return nil, fmt.Errorf("unbalanced quotes in %q", line)
	}
	if open {
		args = append(args, string(cur))
	}
	return args, nil
}
