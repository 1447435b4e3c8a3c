package request

import (
	"fmt"
	"strings"
	"testing"

	"sherd/internal/load/keyspace"
)

func compile(t *testing.T, text string, o Options) (*Command, *Source) {
	t.Helper()
	c, err := Compile(text, 1, o)
	if err != nil {
		t.Fatal(err)
	}
	return c, NewSource(keyspace.NewWalker(o.Keys, 1, 0, 1), o)
}

// resp is the plain way to write a request.
func resp(args ...string) string {
	b := fmt.Sprintf("*%d\r\n", len(args))
	for _, a := range args {
		b += fmt.Sprintf("$%d\r\n%s\r\n", len(a), a)
	}
	return b
}

func options(format string, from, count uint64, size int) Options {
	return Options{
		Keys:    keyspace.Spec{Dist: keyspace.Sequential, Min: from, Count: count, Format: format},
		DataMin: size, DataMax: size,
	}
}

func TestPatchingEqualsWritingInFull(t *testing.T) {
	value := string(Data(32))
	for _, format := range []string{"memtier-%d", "key:%08d", "{tag}%d:x"} {
		printf := func(n int) string { return fmt.Sprintf(format, n) }
		// Across the numbers of digits, so that lengths before the hole change.
		for _, from := range []int{0, 8, 98, 99998, 99999998} {
			o := options(format, uint64(from), 1000, 32)
			for text, want := range map[string]func(n *int) string{
				"GET __key__": func(n *int) string { *n++; return resp("GET", printf(*n-1)) },
				"set __key__ __data__ EX 100": func(n *int) string {
					*n++
					return resp("set", printf(*n-1), value, "EX", "100")
				},
				"MSET __key__ __data__ __key__ v": func(n *int) string {
					*n += 2
					return resp("MSET", printf(*n-2), value, printf(*n-1), "v")
				},
				`EVAL "return 1" 1 p:__key__:s`: func(n *int) string {
					*n++
					return resp("EVAL", "return 1", "1", "p:"+printf(*n-1)+":s")
				},
				"PING": func(*int) string { return resp("PING") },
			} {
				c, s := compile(t, text, o)
				n, buf, all := from, []byte(nil), ""
				for range 5 {
					buf = s.Append(buf, c)
					all += want(&n)
				}
				if string(buf) != all {
					t.Fatalf("%q, %q from %d:\n got %q\nwant %q", text, format, from, buf, all)
				}
			}
		}
	}
}

func TestMemcachePatching(t *testing.T) {
	o := options("memtier-%d", 9, 10, 5)
	o.Protocol = Memcache
	get, set := GetSet(Memcache, 60)
	value := string(Data(5))
	c, s := compile(t, set, o)
	got := string(s.Append(s.Append(nil, c), c))
	if want := "set memtier-9 0 60 5\r\n" + value + "\r\nset memtier-10 0 60 5\r\n" + value + "\r\n"; got != want {
		t.Errorf("set: got %q, want %q", got, want)
	}
	c, s = compile(t, get, o)
	if got, want := string(s.Append(nil, c)), "get memtier-9\r\n"; got != want {
		t.Errorf("get: got %q, want %q", got, want)
	}
	if !c.Reads || c.Name != "get" {
		t.Errorf("get: Reads %v, Name %q", c.Reads, c.Name)
	}
}

func TestVaryingSizes(t *testing.T) {
	o := options("k%d", 0, 1000, 0)
	o.DataMin, o.DataMax = 3, 120
	c, s := compile(t, "SET __key__ __data__", o)
	sizes := map[int]bool{}
	for i := range 500 {
		buf := string(s.Append(nil, c))
		var size int
		_, rest, _ := strings.Cut(buf, fmt.Sprintf("k%d\r\n$", i))
		fmt.Sscanf(rest, "%d", &size)
		if want := resp("SET", fmt.Sprintf("k%d", i), string(Data(120)[:size])); buf != want {
			t.Fatalf("got %q, want %q", buf, want)
		}
		if size < 3 || size > 120 {
			t.Fatalf("size %d out of range", size)
		}
		sizes[size] = true
	}
	if len(sizes) < 60 {
		t.Errorf("500 draws gave %d sizes", len(sizes))
	}

	o.Protocol = Memcache
	c, s = compile(t, `set __key__ 0 0 __size__\r\n__data__`, o)
	var size int
	buf := string(s.Append(nil, c))
	if fmt.Sscanf(buf, "set k0 0 0 %d", &size); buf != fmt.Sprintf("set k0 0 0 %d\r\n%s\r\n", size, Data(120)[:size]) {
		t.Errorf("memcached set of varying size: %q", buf)
	}
}

func TestRandomInteger(t *testing.T) {
	c, s := compile(t, "SETRANGE k __int__ x", options("k%d", 0, 50, 1))
	for range 100 {
		var n int
		args := strings.Split(string(s.Append(nil, c)), "\r\n")
		if fmt.Sscan(args[6], &n); n < 0 || n >= 50 || args[5] != fmt.Sprintf("$%d", len(args[6])) {
			t.Fatalf("argument %q %q", args[5], args[6])
		}
	}
}

func TestBadCommands(t *testing.T) {
	o := options("k%d", 0, 1, 1)
	for _, bad := range []string{"", "  ", "GET __key____key__", `GET "x`, "SET k __size__"} {
		if _, err := Compile(bad, 1, o); err == nil {
			t.Errorf("command %q was taken", bad)
		}
	}
	if _, err := Compile("PING", 0, o); err == nil {
		t.Error("weight 0 was taken")
	}
}

func TestMixSpreadsByWeight(t *testing.T) {
	o := options("k%d", 0, 1, 1)
	command := func(w int) *Command {
		c, err := Compile("PING", w, o)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	m, err := NewMix([]*Command{command(20), command(2)})
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Order) != 11 {
		t.Fatalf("20:2 takes %d steps, want 11", len(m.Order))
	}
	m, _ = NewMix([]*Command{command(3), command(2), command(1)})
	counts := [3]int{}
	for i, c := range m.Order {
		counts[c]++
		if i > 0 && c == m.Order[i-1] && c != 0 {
			t.Errorf("order %v repeats %d", m.Order, c)
		}
	}
	if counts != [3]int{3, 2, 1} {
		t.Errorf("order %v has counts %v", m.Order, counts)
	}
	if _, err := NewMix(nil); err == nil {
		t.Error("empty mix was taken")
	}
	if _, err := ParseRatio("1:-2"); err == nil {
		t.Error("negative ratio was taken")
	}
}

func TestAppendAllocatesNothing(t *testing.T) {
	c, s := compile(t, "SET __key__ __data__", options("memtier-%d", 0, 1000, 32))
	buf := make([]byte, 0, 1<<12)
	if n := testing.AllocsPerRun(100, func() { buf = s.Append(buf[:0], c) }); n != 0 {
		t.Errorf("%g allocations per request", n)
	}
}

func BenchmarkGet(b *testing.B) { benchmark(b, "GET __key__") }
func BenchmarkSet(b *testing.B) { benchmark(b, "SET __key__ __data__") }

func benchmark(b *testing.B, text string) {
	o := options("memtier-%d", 0, 1_000_000, 32)
	o.Keys.Dist = keyspace.Uniform
	c, err := Compile(text, 1, o)
	if err != nil {
		b.Fatal(err)
	}
	s := NewSource(keyspace.NewWalker(o.Keys, 1, 0, 1), o)
	buf := make([]byte, 0, 1<<12)
	for b.Loop() {
		buf = s.Append(buf[:0], c)
	}
}
