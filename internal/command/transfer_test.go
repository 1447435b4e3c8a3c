package command

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"sherd/internal/store/dash"
	"sherd/internal/store/hash"
	"sherd/internal/store/list"
	"sherd/internal/store/set"
	"sherd/internal/store/stream"
	"sherd/internal/store/zset"
)

// bigOnes are containers of each kind that take several steps to copy.
var bigOnes = []struct{ name, add, read string }{
	{"list", "rpush %s element:%d:of-some-length-so-that-there-are-many-nodes-of-them", "lrange %s 0 -1"},
	{"set", "sadd %s member:%d", "smembers %s"},
	{"hash", "hset %s field:%d value", "hgetall %s"},
	{"zset", "zadd %s %[2]d member:%[2]d", "zrange %s 0 -1 withscores"},
	{"stream", "xadd %s %[2]d-1 field value:%[2]d", "xrange %s - +"},
}

// checkContainer walks what a key holds.
func (s *stage) checkContainer(key string) error {
	k := s.x.KeyOf([]byte(key))
	e, ok := s.x.Table(&k).Find(&k.Slice.Heap, k.Hash, k.Bytes)
	if !ok {
		return fmt.Errorf("%s: no such key", key)
	}
	a := s.x.KS.Arena
	switch e.Kind() {
	case dash.List:
		return list.Check(a, e.Encoding(), e.Ref())
	case dash.Set:
		return set.Check(a, e.Encoding(), e.Ref())
	case dash.Hash:
		return hash.Check(a, e.Encoding(), e.Ref())
	case dash.ZSet:
		return zset.Check(a, e.Encoding(), e.Ref())
	case dash.Stream:
		return stream.Check(a, e.Encoding(), e.Ref())
	}
	return nil
}

// TestBigTransfers copies and renames big containers, and finds them whole.
func TestBigTransfers(t *testing.T) {
	const n = 30_000
	for _, c := range bigOnes {
		t.Run(c.name, func(t *testing.T) {
			s := newStage(t)
			for i := 1; i <= n; i++ {
				s.do(strings.Fields(fmt.Sprintf(c.add, "from", i))...)
			}
			s.do("pexpire", "from", "100000")
			read := func(key string) string { return s.do(strings.Fields(fmt.Sprintf(c.read, key))...) }
			want := read("from")
			step := func(reply string, words ...string) {
				t.Helper()
				s.steps = 0
				if got := s.do(words...); got != reply {
					t.Fatalf("%q: %s", words, got)
				}
				if s.steps == 0 {
					t.Errorf("%q took no steps", words)
				}
			}
			same := func(key string) {
				t.Helper()
				if err := s.checkContainer(key); err != nil {
					t.Fatal(err)
				}
				if got := read(key); got != want {
					t.Fatalf("%s is not what was copied", key)
				}
				if got := s.do("pttl", key); got != ":100000" {
					t.Errorf("%s: pttl %s", key, got)
				}
			}
			// Slices of their own, and one that is the source's.
			step(":1", "copy", "from", "to")
			step(":1", "copy", "from", "{from}beside")
			s.do("set", "text", "x")
			step(":1", "copy", "from", "text", "replace")
			same("from")
			same("to")
			same("{from}beside")
			same("text")
			step("+OK", "rename", "from", "other")
			step("+OK", "rename", "other", "to")
			step(":1", "renamenx", "to", "last")
			same("last")
			if got := s.do("exists", "from", "other", "to"); got != ":0" {
				t.Errorf("%s keys are left behind", got)
			}
			if got := s.do("copy", "last", "text"); got != ":0" {
				t.Errorf("copied over a key: %s", got)
			}
			s.steps = 0
			if s.do("rename", "{from}beside", "{from}again"); s.steps != 0 {
				t.Error("a rename within a slice took steps")
			}
		})
	}
}

// TestSmallTransfers copies and renames values of every form.
func TestSmallTransfers(t *testing.T) {
	s := newStage(t)
	for i, c := range []struct{ add, read string }{
		{"set %s x", "get %s"},
		{"rpush %s a b", "lrange %s 0 -1"},
		{"sadd %s 1 2", "smembers %s"},
		{"sadd %s a b", "smembers %s"},
		{"saddex %s 100 a b", "smembers %s"},
		{"hset %s a b", "hgetall %s"},
		{"hsetex %s ex 100 fields 1 a b", "hgetall %s"},
		{"zadd %s 1 a", "zrange %s 0 -1"},
		{"xadd %s 1-1 a b", "xrange %s - +"},
	} {
		key := "k" + strconv.Itoa(i)
		s.do(strings.Fields(fmt.Sprintf(c.add, key))...)
		read := func(key string) string { return s.do(strings.Fields(fmt.Sprintf(c.read, key))...) }
		want := read(key)
		for _, over := range []string{"", "set over x", "rpush over a b c"} {
			s.do("del", "over")
			if over != "" {
				s.do(strings.Fields(over)...)
			}
			if got := s.do("copy", key, "over", "replace"); got != ":1" || read("over") != want {
				t.Errorf("copy of %q over %q: %s, %s", c.add, over, got, read("over"))
			}
			s.do("del", "over")
			if over != "" {
				s.do(strings.Fields(over)...)
			}
			s.do("copy", key, "moves")
			if got := s.do("rename", "moves", "over"); got != "+OK" || read("over") != want {
				t.Errorf("rename of %q over %q: %s, %s", c.add, over, got, read("over"))
			}
		}
	}
}
