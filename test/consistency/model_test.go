// Package consistency checks that concurrent clients see one store: histories
// of mixed commands on few hot keys are recorded and handed to porcupine,
// which looks for an order of the commands that explains every reply
// (linearizability). A verdict of "unknown" is a failure.
//
// The commands of one connection must moreover take effect in the order they
// were sent, pipelined ones too: the model refuses any other order. That
// makes a history stricter than linearizability asks for, and the search
// short.
//
// Everything here runs against redis-server as well (SHERD_TEST_TARGET=redis),
// which is one thread and so right by construction: a check of the checker.
// What a broken server looks like is shown by a proxy that sends the parts of
// a multi-key command one by one, and by a build of sherd that takes and
// releases its latches slice by slice.
package consistency

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/anishathalye/porcupine"

	"sherd/internal/testserver"
)

const (
	numKeys    = 6 // hot keys of a group, in each of its two databases
	maxClients = 8
)

// A group is two databases with the same few keys. Every command stays within
// its group, so a history may be checked group by group.

// state is what a group holds: numbers, 0 for a missing key; and how many
// commands of each client have taken effect.
type state struct {
	keys [2][numKeys]int64
	done [maxClients]uint16
}

// A code is a kind of command.
type code uint8

const (
	get code = iota
	mget
	exists
	dbsize
	set
	setnx
	setxx
	getset
	getdel
	incr
	incrby
	del
	mset
	msetnx
	rename
	renamenx
	copyKey
	copyReplace
	copyDB
	move
	swapdb
	flushdb
	numCodes
)

var codeNames = [numCodes]string{
	"GET", "MGET", "EXISTS", "DBSIZE", "SET", "SETNX", "SET XX", "GETSET", "GETDEL", "INCR", "INCRBY", "DEL", "MSET", "MSETNX",
	"RENAME", "RENAMENX", "COPY", "COPY REPLACE", "COPY DB REPLACE", "MOVE", "SWAPDB", "FLUSHDB",
}

// A call is a command of a history.
type call struct {
	client, seq int // the client within its group, and its how-manieth command this is
	group       int
	db          int // 0 or 1, within the group
	code        code
	keys        []int
	values      []int64
}

// A result is a reply, comparable.
type result struct {
	kind   byte // '+', ':', '$', '*', '-', '_' (null)
	n      int64
	values [numKeys]int64 // of an array, 0 for null
}

// args writes the call as a command. Databases 2g and 2g+1 belong to group g.
func (c *call) args(prefix string) []string {
	key := func(i int) string { return prefix + strconv.Itoa(c.keys[i]) }
	val := func(i int) string { return strconv.FormatInt(c.values[i], 10) }
	name := strings.Fields(codeNames[c.code])
	args := []string{name[0]}
	switch c.code {
	case dbsize, flushdb:
	case swapdb:
		args = append(args, strconv.Itoa(2*c.group), strconv.Itoa(2*c.group+1))
	case move:
		args = append(args, key(0), strconv.Itoa(2*c.group+1-c.db))
	case copyDB:
		args = append(args, key(0), key(1), "DB", strconv.Itoa(2*c.group+1-c.db), "REPLACE")
	default:
		for i := range c.keys {
			args = append(args, key(i))
			if i < len(c.values) {
				args = append(args, val(i))
			}
		}
		args = append(args, name[1:]...)
	}
	return args
}

func status() result         { return result{kind: '+'} }
func integer(n int64) result { return result{kind: ':', n: n} }
func failure() result        { return result{kind: '-'} }
func null() result           { return result{kind: '_'} }
func flag(b bool) result     { return integer(map[bool]int64{true: 1}[b]) }
func value(n int64) result {
	if n == 0 {
		return null()
	}
	return result{kind: '$', n: n}
}

// apply is the store as it should be.
func (s state) apply(c *call) (state, result) {
	m := &s.keys[c.db]
	other := &s.keys[1-c.db]
	k := 0
	if len(c.keys) > 0 {
		k = c.keys[0]
	}
	old := m[k]
	switch c.code {
	case get:
		return s, value(old)
	case mget:
		r := result{kind: '*', n: int64(len(c.keys))}
		for i, k := range c.keys {
			r.values[i] = m[k]
		}
		return s, r
	case exists:
		n := int64(0)
		for _, k := range c.keys {
			if m[k] != 0 {
				n++
			}
		}
		return s, integer(n)
	case dbsize:
		n := int64(0)
		for _, v := range m {
			if v != 0 {
				n++
			}
		}
		return s, integer(n)
	case set:
		m[k] = c.values[0]
		return s, status()
	case setnx:
		if old == 0 {
			m[k] = c.values[0]
		}
		return s, flag(old == 0)
	case setxx:
		if old == 0 {
			return s, null()
		}
		m[k] = c.values[0]
		return s, status()
	case getset:
		m[k] = c.values[0]
		return s, value(old)
	case getdel:
		m[k] = 0
		return s, value(old)
	case incr:
		m[k]++
		return s, integer(m[k])
	case incrby:
		m[k] += c.values[0]
		return s, integer(m[k])
	case del:
		n := int64(0)
		for _, k := range c.keys {
			if m[k] != 0 {
				n++
			}
			m[k] = 0
		}
		return s, integer(n)
	case mset:
		for i, k := range c.keys {
			m[k] = c.values[i]
		}
		return s, status()
	case msetnx:
		for _, k := range c.keys {
			if m[k] != 0 {
				return s, integer(0)
			}
		}
		for i, k := range c.keys {
			m[k] = c.values[i]
		}
		return s, integer(1)
	case rename:
		if old == 0 {
			return s, failure()
		}
		m[k], m[c.keys[1]] = 0, old
		return s, status()
	case renamenx:
		if old == 0 {
			return s, failure()
		}
		if m[c.keys[1]] != 0 {
			return s, integer(0)
		}
		m[k], m[c.keys[1]] = 0, old
		return s, integer(1)
	case copyKey, copyReplace:
		if old == 0 || c.code == copyKey && m[c.keys[1]] != 0 {
			return s, integer(0)
		}
		m[c.keys[1]] = old
		return s, integer(1)
	case copyDB:
		if old == 0 {
			return s, integer(0)
		}
		other[c.keys[1]] = old
		return s, integer(1)
	case move:
		if old == 0 || other[k] != 0 {
			return s, integer(0)
		}
		m[k], other[k] = 0, old
		return s, integer(1)
	case swapdb:
		s.keys[0], s.keys[1] = s.keys[1], s.keys[0]
		return s, status()
	case flushdb:
		*m = [numKeys]int64{}
		return s, status()
	}
	panic("unknown command")
}

// parse turns a reply into a result.
func parse(v testserver.Reply) (result, error) {
	switch {
	case v.Null:
		return null(), nil
	case v.Kind == '+':
		return status(), nil
	case v.Kind == ':':
		return integer(v.Int()), nil
	case v.Kind == '$':
		return result{kind: '$', n: v.Int()}, nil
	case v.Kind == '-' && v.Text() == "ERR no such key":
		return failure(), nil
	case v.Kind == '*' && len(v.Elems) <= numKeys:
		r := result{kind: '*', n: int64(len(v.Elems))}
		for i, e := range v.Elems {
			r.values[i] = e.Int()
		}
		return r, nil
	}
	return result{}, fmt.Errorf("unexpected reply %s", v)
}

// model is what porcupine checks a history of one group against.
var model = porcupine.Model{
	Init: func() any { return state{} },
	Step: func(st, in, out any) (bool, any) {
		s, c := st.(state), in.(*call)
		if int(s.done[c.client]) != c.seq {
			return false, s // an earlier command of this client has yet to take effect
		}
		s, want := s.apply(c)
		s.done[c.client]++
		return want == out.(result), s
	},
	Hash: func(st any) uint64 {
		s := st.(state)
		h := uint64(14695981039346656037)
		mix := func(v uint64) { h = (h ^ v) * 1099511628211 }
		for _, db := range s.keys {
			for _, v := range db {
				mix(uint64(v))
			}
		}
		for _, n := range s.done {
			mix(uint64(n))
		}
		return h
	},
	DescribeOperation: func(in, out any) string {
		c, r := in.(*call), out.(result)
		return fmt.Sprintf("db%d %s -> %c %d %v", c.db, strings.Join(c.args(""), " "), r.kind, r.n, r.values)
	},
}
