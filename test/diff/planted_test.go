package diff

import (
	"bytes"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"sherd/internal/testserver"
)

// A plant is a fault that a server could have: it spoils one reply, or one
// command on its way to the server.
type plant struct {
	name    string
	command string
	nth     int                                            // which of the occurrences that can be spoilt
	reply   func(args []string, v testserver.Reply) []byte // nil: this one cannot be spoilt
	send    func(args []string) [][]string                 // likewise
}

func swap(old, to string) func([]string, testserver.Reply) []byte {
	return func(_ []string, v testserver.Reply) []byte {
		if !bytes.Contains(v.Raw, []byte(old)) {
			return nil
		}
		return bytes.Replace(v.Raw, []byte(old), []byte(to), 1)
	}
}

func whole(old, to string) func([]string, testserver.Reply) []byte {
	return func(_ []string, v testserver.Reply) []byte {
		if string(v.Raw) != old {
			return nil
		}
		return []byte(to)
	}
}

// add changes integers, if they are at least min.
func add(n, min int64) func([]string, testserver.Reply) []byte {
	return func(_ []string, v testserver.Reply) []byte {
		if v.Kind != ':' || v.Int() < min {
			return nil
		}
		return []byte(":" + strconv.FormatInt(v.Int()+n, 10) + "\r\n")
	}
}

// lose drops the last element of an array.
func lose(_ []string, v testserver.Reply) []byte {
	if v.Kind != '*' || len(v.Elems) == 0 {
		return nil
	}
	b := []byte("*" + strconv.Itoa(len(v.Elems)-1) + "\r\n")
	for _, e := range v.Elems[:len(v.Elems)-1] {
		b = append(b, e.Raw...)
	}
	return b
}

// without drops an argument, if the command has it.
func without(option string, n int) func([]string) [][]string {
	return func(args []string) [][]string {
		for i, a := range args {
			if i > 1 && strings.EqualFold(a, option) && i+n <= len(args) {
				return [][]string{append(append([]string(nil), args[:i]...), args[i+n:]...)}
			}
		}
		return nil
	}
}

var plants = []plant{
	{name: "a flipped bit in a value", command: "GET", nth: 5, reply: func(_ []string, v testserver.Reply) []byte {
		if v.Kind != '$' || len(v.Str) == 0 {
			return nil
		}
		b := bytes.Clone(v.Raw)
		b[len(b)-3] ^= 1
		return b
	}},
	{name: "an empty string for a missing key", command: "GET", nth: 3, reply: whole("$-1\r\n", "$0\r\n\r\n")},
	{name: "the null of the other protocol", command: "GET", nth: 3, reply: whole("_\r\n", "$-1\r\n")},
	{name: "a null array for a null", command: "SET", nth: 1, reply: whole("$-1\r\n", "*-1\r\n")},
	{name: "an integer off by one", command: "INCR", nth: 9, reply: add(1, -1<<62)},
	{name: "a length off by one", command: "APPEND", nth: 4, reply: add(1, 0)},
	{name: "another error code", command: "INCR", nth: 1, reply: swap("-ERR value is not an integer", "-WRONGTYPE value is not an integer")},
	{name: "another error text", command: "SELECT", nth: 1, reply: swap("out of range", "out of bounds")},
	{name: "a success for an error", command: "SETEX", nth: 1, reply: func(_ []string, v testserver.Reply) []byte {
		if !v.IsError() {
			return nil
		}
		return []byte("+OK\r\n")
	}},
	{name: "a status for a bulk string", command: "PING", nth: 1, reply: func(_ []string, v testserver.Reply) []byte {
		if v.Kind != '$' || len(v.Str) == 0 || bytes.ContainsAny(v.Str, "\r\n") {
			return nil
		}
		return []byte("+" + v.Text() + "\r\n")
	}},
	{name: "a key missing from KEYS", command: "KEYS", nth: 2, reply: lose},
	{name: "an element missing from MGET", command: "MGET", nth: 3, reply: lose},
	{name: "a key missing from SCAN", command: "SCAN", nth: 1, reply: func(_ []string, v testserver.Reply) []byte {
		if len(v.Elems) != 2 {
			return nil
		}
		keys := lose(nil, v.Elems[1])
		if keys == nil {
			return nil
		}
		return append(append([]byte("*2\r\n"), v.Elems[0].Raw...), keys...)
	}},
	{name: "an array for a map", command: "LCS", nth: 1, reply: func(_ []string, v testserver.Reply) []byte {
		if v.Kind != '%' {
			return nil
		}
		return bytes.Replace(v.Raw, []byte("%2\r\n"), []byte("*4\r\n"), 1)
	}},
	{name: "seconds for milliseconds", command: "PTTL", nth: 1, reply: func(_ []string, v testserver.Reply) []byte {
		if v.Int() < 1000 {
			return nil
		}
		return []byte(":" + strconv.FormatInt(v.Int()/1000, 10) + "\r\n")
	}},
	{name: "a time to live ten seconds off", command: "TTL", nth: 2, reply: add(10, 1)},
	{name: "no deadline for a missing key", command: "TTL", nth: 1, reply: whole(":-2\r\n", ":-1\r\n")},
	{name: "raw for embstr", command: "OBJECT", nth: 2, reply: whole("$6\r\nembstr\r\n", "$3\r\nraw\r\n")},
	{name: "a float with a digit too many", command: "INCRBYFLOAT", nth: 3, reply: func(_ []string, v testserver.Reply) []byte {
		if v.Kind != '$' || !bytes.Contains(v.Str, []byte(".")) {
			return nil
		}
		return []byte("$" + strconv.Itoa(len(v.Str)+1) + "\r\n" + v.Text() + "0\r\n")
	}},
	{name: "a reply left out", command: "STRLEN", nth: 2, reply: func([]string, testserver.Reply) []byte { return []byte{} }},
	{name: "KEEPTTL forgotten", command: "SET", nth: 3, send: without("KEEPTTL", 1)},
	{name: "EX forgotten", command: "SET", nth: 2, send: without("EX", 2)},
	{name: "REPLACE taken for granted", command: "COPY", nth: 1, send: func(args []string) [][]string {
		if len(args) != 3 {
			return nil
		}
		return [][]string{append(append([]string(nil), args...), "REPLACE")}
	}},
	{name: "another byte appended", command: "APPEND", nth: 3, send: func(args []string) [][]string {
		if len(args) != 3 || args[2] == "" {
			return nil
		}
		b := []byte(args[2])
		b[0] ^= 1
		return [][]string{{args[0], args[1], string(b)}}
	}},
	{name: "half an MSET", command: "MSET", nth: 2, send: func(args []string) [][]string {
		if len(args) < 5 || len(args)%2 == 0 {
			return nil
		}
		return [][]string{args[:len(args)-2]}
	}},
	{name: "FLUSHDB of every database", command: "FLUSHDB", nth: 1, send: func([]string) [][]string { return [][]string{{"FLUSHALL"}} }},
	{name: "a deadline lost by RENAME", command: "RENAME", nth: 1, send: func(args []string) [][]string {
		if len(args) != 3 {
			return nil
		}
		return [][]string{{"PERSIST", args[1]}, args}
	}},
}

// TestPlantedFaults spoils one reply or command after the other, and expects
// each to be found, and to be found again while the sequence is cut down.
func TestPlantedFaults(t *testing.T) {
	if testing.Short() {
		t.Skip("a check of the checker, made in the full run")
	}
	const patience = 500 * time.Millisecond
	seed := testserver.Seed(t)
	oracle := testserver.Start(t, testserver.Options{Kind: testserver.Redis})
	other := testserver.Start(t, testserver.Options{Kind: testserver.Redis})
	for _, pl := range plants {
		t.Run(pl.name, func(t *testing.T) {
			var seen, spoilt atomic.Int64
			fires := func(possible bool) bool {
				if possible && seen.Add(1) == int64(pl.nth) {
					spoilt.Add(1)
					return true
				}
				return false
			}
			// What the comparison itself sends at the end of a sequence is left alone.
			mine := func(args []string) bool { return strings.EqualFold(args[0], pl.command) }
			proxy := &testserver.Proxy{}
			if pl.reply != nil {
				proxy.Alter = func(args []string, v testserver.Reply) []byte {
					if !mine(args) {
						return nil
					}
					b := pl.reply(args, v)
					if !fires(b != nil) {
						return nil
					}
					return b
				}
			} else {
				proxy.Expand = func(args []string) [][]string {
					if !mine(args) {
						return nil
					}
					x := pl.send(args)
					if !fires(x != nil) {
						return nil
					}
					return x
				}
			}
			proxy.Start(t, other)
			p := &pair{want: side{"redis", oracle.Addr()}, got: side{"spoilt", proxy.Addr()}, timeout: patience}
			for sequence := uint64(1); sequence <= 40; sequence++ {
				proto := 2 + int(sequence%2)
				ops := newCoreGen(seed, sequence, time.Now().UnixMilli()).sequence(sequenceLen)
				seen.Store(0)
				m, err := p.do(ops, proto)
				if err != nil {
					t.Fatal(err)
				}
				if spoilt.Load() == 0 {
					if m != nil { // the short patience, on a slow machine?
						p.timeout = 20 * time.Second
						seen.Store(0)
						if m, err = p.do(ops, proto); err != nil || m != nil && spoilt.Load() == 0 {
							t.Fatalf("two equal servers differ: %s, %v", m, err)
						}
						p.timeout = patience
					}
					continue // nothing to spoil in this one
				}
				if m != nil {
					return
				}
				spoilt.Store(0) // it had no effect, such as a deadline forgotten on a key that was then deleted
			}
			t.Error("not caught")
		})
	}
}

// TestMinimise cuts a sequence down whose server forgets every KEEPTTL: three
// commands are left, or two.
func TestMinimise(t *testing.T) {
	seed := testserver.Seed(t)
	oracle := testserver.Start(t, testserver.Options{Kind: testserver.Redis})
	other := testserver.Start(t, testserver.Options{Kind: testserver.Redis})
	proxy := &testserver.Proxy{Expand: without("KEEPTTL", 1)}
	proxy.Start(t, other)
	p := &pair{want: side{"redis", oracle.Addr()}, got: side{"forgetful", proxy.Addr()}}
	for sequence := uint64(1); ; sequence++ {
		ops := newCoreGen(seed, sequence, time.Now().UnixMilli()).sequence(sequenceLen)
		m, err := p.do(ops, 2)
		if err != nil {
			t.Fatal(err)
		}
		if m == nil {
			continue
		}
		small, again := p.minimise(ops, 2, 30*time.Second)
		if again == nil || len(small) > 3 {
			t.Errorf("%d commands are left", len(small))
		}
		t.Logf("sequence %d:\n%s", sequence, p.report(small, 2, m))
		return
	}
}
