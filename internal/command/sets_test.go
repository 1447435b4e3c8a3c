package command

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"sherd/internal/store/set"
	"sherd/internal/store/value"
)

// memberWords are the words of a SADD of n members from one number on.
func memberWords(key string, from, n int) []string {
	words := []string{"sadd", key}
	for i := range n {
		words = append(words, "m"+strconv.Itoa(from+i))
	}
	return words
}

func checkSet(s *stage) func(v value.Handle) error {
	return func(v value.Handle) error { return set.Check(s.x.KS.Arena, v.Encoding, v.Ref) }
}

// TestLongSets runs the commands that take several steps.
func TestLongSets(t *testing.T) {
	s := newStage(t)
	const n = 20_000
	s.do(memberWords("a", 0, n)...)
	s.do(memberWords("b", n/2, n)...)
	s.do(memberWords("c", 0, 3*n)...)
	for _, c := range []struct {
		command string
		want    int // elements
	}{
		{"smembers a", n},
		{"sinter a b", n / 2},
		{"sunion a b", 3 * n / 2},
		{"sdiff a b", n / 2},
		{"sinter c b a", n / 2},
		{"srandmember a 9000", 9000},
		{"srandmember c 7000", 7000},
		{"srandmember a 100000", n},
		{"spop c 5000", 5000},
		{"spop c 100000", 3*n - 5000},
	} {
		s.steps = 0
		got := elements(s.do(strings.Fields(c.command)...))
		if len(got) != c.want || len(slices.Compact(got)) != c.want || s.steps == 0 {
			t.Errorf("%s: %d elements in %d steps, want %d", c.command, len(got), s.steps, c.want)
		}
	}
	s.steps = 0
	s.play(`
		exists c => :0
		sinterstore c a b => :10000
		sintercard 2 a b => :10000
		sintercard 2 a b limit 9000 => :9000
		sunionstore c a b c => :30000
		sdiffstore a c a => :10000
		scard a => :10000
		sinterstore b a b => :10000
	`)
	if s.steps < 10 {
		t.Errorf("they took %d steps", s.steps)
	}
	for _, k := range []string{"a", "b", "c"} {
		s.checkAt(k, checkSet(s))
	}
}

// TestDraws checks what is drawn at random from each form of a set.
func TestDraws(t *testing.T) {
	s := newStage(t)
	s.do("sadd", "ints", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10")
	s.do(memberWords("packed", 0, 100)...)
	s.do(memberWords("hashed", 0, 2000)...)
	for _, k := range []string{"ints", "packed", "hashed"} {
		all := elements(s.do("smembers", k))
		for _, count := range []int{1, 3, len(all) / 2, len(all) - 1, len(all), len(all) + 1} {
			got := elements(s.do("srandmember", k, strconv.Itoa(count)))
			want := min(count, len(all))
			if len(slices.Compact(got)) != want {
				t.Errorf("%s: %d of %d drawn are distinct", k, len(got), want)
			}
			for _, m := range got {
				if _, ok := slices.BinarySearch(all, m); !ok {
					t.Errorf("%s: %s is no member", k, m)
				}
			}
		}
		if got := elements(s.do("srandmember", k, "-5000")); len(got) != 5000 || len(slices.Compact(got)) < len(all)*4/5 {
			t.Errorf("%s: %d drawn", k, len(got))
		}
		for len(all) > 0 {
			m := s.do("spop", k)
			i, ok := slices.BinarySearch(all, m)
			if !ok {
				t.Fatalf("%s: %s was popped and is no member", k, m)
			}
			all = slices.Delete(all, i, i+1)
		}
		if s.do("exists", k) != ":0" {
			t.Errorf("%s is still there", k)
		}
	}
	s.play(`
		srandmember none => nil
		srandmember none 3 => []
		spop none => nil
		spop none 3 => []
		srandmember none -9223372036854775808 => -ERR value is out of range, value must between -9223372036854775807 and 9223372036854775807
		spop none -1 => -ERR value is out of range, must be positive
	`)
}

// TestSMove moves within and between forms and slices.
func TestSMove(t *testing.T) {
	s := newStage(t)
	s.play(`
		sadd a 1 2 x => :3
		sadd b 1 => :1
		smove a b 1 => :1
		smove a b nothing => :0
		smove a b x => :1
		object encoding b => "listpack"
		smove a a 2 => :1
		smove a c 2 => :1
		exists a => :0
		smembers c => ["2"]
		set s x => +OK
		smove c s 2 => -WRONGTYPE Operation against a key holding the wrong kind of value
		smove none s 2 => :0
		smove s c 2 => -WRONGTYPE Operation against a key holding the wrong kind of value
	`)
}

// TestSetsDoNotAllocate holds the commands on single members to it.
func TestSetsDoNotAllocate(t *testing.T) {
	for _, n := range []int{10, 5000} {
		s := newStage(t)
		s.do(memberWords("a", 0, n)...)
		s.do("sadd", "ints", "1", "2", "3", "70000", "10000000000")
		s.do("sadd", "b", "x", "y")
		s.x.Out = make([]byte, 0, 256<<10)
		for _, c := range []string{
			"sadd a m1", "sadd a new newer", "srem a new newer", "sismember a m1", "smismember a m1 m2 none", "scard a",
			"sadd ints 5 6", "srem ints 5 6", "sismember ints 70000", "smembers ints", "srandmember a", "srandmember a 3", "srandmember a -3",
			"smove a b m1", "smove b a m1", "sscan a 0", "spop a",
		} {
			var args [][]byte
			for _, w := range splitWords(t, c) {
				args = append(args, []byte(w))
			}
			if got := testing.AllocsPerRun(3, func() { s.run(args...) }); got != 0 {
				t.Errorf("%s, of %d: %v allocations", c, n, got)
			}
			if out := s.x.Out; len(out) == 0 || out[0] == '-' {
				t.Errorf("%s: %q", c, out)
			}
		}
	}
}

func BenchmarkSets(b *testing.B) {
	for _, n := range []int{100, 100_000} {
		s := newStage(b)
		s.do(memberWords("a", 0, n)...)
		s.do(memberWords("b", n/2, n)...)
		s.x.Out = make([]byte, 0, 64<<10)
		for _, c := range []string{"sadd a m%d", "sismember a m%d", "sinter a b", "sintercard 2 a b"} {
			b.Run(fmt.Sprintf("%s of %d", strings.Fields(c)[0], n), func(b *testing.B) {
				var args [1024][][]byte
				for i := range args {
					for _, w := range strings.Fields(fill(c, i*7919%n)) {
						args[i] = append(args[i], []byte(w))
					}
				}
				b.ReportAllocs()
				for i := 0; b.Loop(); i++ {
					s.run(args[i%len(args)]...)
				}
			})
		}
	}
}
