package command

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"sherd/internal/config"
	"sherd/internal/store/value"
)

// fields are the words of a HSET of n fields.
func fields(key string, n int) []string {
	words := []string{"hset", key}
	for i := range n {
		words = append(words, "f"+strconv.Itoa(i), strconv.Itoa(i))
	}
	return words
}

// checkAt checks the container at a key.
func (s *stage) checkAt(key string, check func(v value.Handle) error) {
	s.t.Helper()
	k := s.x.KeyOf([]byte(key))
	if e, ok := s.x.Table(&k).Find(&k.Slice.Heap, k.Hash, k.Bytes); !ok {
		s.t.Errorf("%s is gone", key)
	} else if err := check(value.Of(e)); err != nil {
		s.t.Errorf("%s: %v", key, err)
	}
}

// elements returns the elements of an array in order of their text.
func elements(reply string) []string {
	list := strings.Fields(strings.Trim(reply, "[]"))
	slices.Sort(list)
	return list
}

// TestLongHashes runs the commands that take several steps.
func TestLongHashes(t *testing.T) {
	s := newStage(t)
	const n = 20_000
	s.do(fields("h", n)...)
	s.do("hexpire", "h", "100", "fields", "2", "f1", "f2")
	for _, c := range []struct {
		command string
		want    int
	}{
		{"hkeys h", n},
		{"hvals h", n},
		{"hgetall h", 2 * n},
		{"hrandfield h 15000", 15_000},
		{"hrandfield h -9000 withvalues", 18_000},
		{"hrandfield h 100000", n},
	} {
		s.steps = 0
		got := elements(s.do(strings.Fields(c.command)...))
		if len(got) != c.want || s.steps == 0 {
			t.Errorf("%s: %d elements in %d steps, want %d", c.command, len(got), s.steps, c.want)
		}
		if d := slices.Compact(slices.Clone(got)); c.command != "hrandfield h -9000 withvalues" && c.command != "hgetall h" && len(d) != c.want {
			t.Errorf("%s: %d of %d elements are distinct", c.command, len(d), c.want)
		}
	}
	s.clock.Advance(101 * time.Second)
	if got := len(elements(s.do("hgetall", "h"))); got != 2*(n-2) {
		t.Errorf("%d fields and values, want %d", got, 2*(n-2))
	}
	s.play(`
		hlen h => :19998
		hget h f1 => nil
		hdel h f1 => :0
	`)
}

// TestExpiryOfFields lets the housekeeping remove what is due.
func TestExpiryOfFields(t *testing.T) {
	for _, limit := range []string{"128", "0"} {
		s := newStage(t, config.Pair{Name: "hash-max-listpack-entries", Value: limit})
		keeper := s.x.KS.NewKeeper(0)
		tend := func() {
			for range 10_000 {
				if keeper.Step(s.clock.Now(), 10) > 500*time.Millisecond {
					break
				}
			}
		}
		s.do(fields("h", 100)...)
		s.do("hset", "all", "a", "1", "b", "2")
		s.play(`
			hpexpire h 50 fields 3 f1 f2 f3 => [:1 :1 :1]
			hpexpire h 500 fields 1 f4 => [:1]
			hpexpire all 50 fields 1 a => [:1]
			hpexpire all 90 fields 1 b => [:1]
			copy all all2 => :1
			rename h g => +OK
			swapdb 0 1 => +OK
			tick 60ms
		`)
		s.x.C.DB = 1
		tend()
		if n := keeper.Counts.Fields; n != 5 {
			t.Errorf("%s: %d fields have expired, want 5", limit, n)
		}
		s.play(`
			exists all => :1
			hlen g => :97
			tick 60ms
		`)
		time.Sleep(10 * time.Millisecond)
		for range 200 {
			tend()
			if s.do("exists", "all", "all2") == ":0" {
				break
			}
			time.Sleep(10 * time.Millisecond)
		}
		s.play(`
			exists all all2 => :0
			hlen g => :97
			hpersist g fields 1 f4 => [:1]
			tick 1s
			hlen g => :97
		`)
	}
}

// TestHashesDoNotAllocate holds the commands on single fields to it.
func TestHashesDoNotAllocate(t *testing.T) {
	for _, n := range []int{10, 5000} {
		s := newStage(t)
		s.do(fields("h", n)...)
		s.do("hset", "h", "x", "1.5")
		s.x.Out = make([]byte, 0, 256<<10)
		for _, c := range []string{
			"hset h f1 other", "hset h f1 1", "hset h new 1 newer 2", "hdel h new newer", "hget h f1", "hmget h f1 f2 none", "hlen h",
			"hexists h f3", "hstrlen h f3", "hincrby h f4 5", "hincrbyfloat h x 0.5", "hsetnx h f1 x", "hrandfield h", "hrandfield h 3 withvalues",
			"hscan h 0", "hexpire h 100 fields 1 f5", "httl h fields 2 f5 f6", "hpersist h fields 1 f5", "hgetex h ex 50 fields 1 f5",
			"hsetex h ex 60 fields 1 f5 v",
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

func BenchmarkHashes(b *testing.B) {
	for _, n := range []int{20, 100_000} {
		s := newStage(b)
		s.do(fields("h", n)...)
		s.x.Out = make([]byte, 0, 64<<10)
		for _, c := range []string{"hset h f%d value", "hget h f%d", "hgetall h"} {
			if n > 20 && c == "hgetall h" {
				continue
			}
			b.Run(fmt.Sprintf("%s of %d", c[:4], n), func(b *testing.B) {
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
