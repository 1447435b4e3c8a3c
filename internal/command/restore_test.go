package command

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"

	"sherd/internal/config"
	"sherd/internal/persist/rdb"
)

// dump is the payload of a key.
func (s *stage) dump(key string) []byte {
	s.t.Helper()
	out := s.run([]byte("dump"), []byte(key))
	if out[0] != '$' || out[1] == '-' {
		s.t.Fatalf("DUMP: %.100q", out)
	}
	_, p, _ := bytes.Cut(out, []byte("\r\n"))
	return bytes.Clone(p[:len(p)-2])
}

// restore is the reply to a RESTORE.
func (s *stage) restore(key, ttl string, payload []byte, options ...string) string {
	s.t.Helper()
	args := [][]byte{[]byte("restore"), []byte(key), []byte(ttl), payload}
	for _, o := range options {
		args = append(args, []byte(o))
	}
	out, _ := render(string(s.run(args...)))
	return out
}

// seal gives a payload that was changed its right check sum.
func seal(p []byte) []byte {
	body := slices.Clone(p[:len(p)-10])
	version := binary.LittleEndian.Uint16(p[len(p)-10:])
	return rdb.AppendFooter(body, int(version), rdb.Checksum(0, body))
}

func (s *stage) used() (n int64) {
	for i := range s.x.KS.Slices() {
		n += s.x.KS.Slice(i).Heap.Used()
	}
	return n
}

// TestBigPayloads dumps and restores big containers, which takes several steps of
// bounded size, and spoils payloads of them, of which nothing is left then.
func TestBigPayloads(t *testing.T) {
	const n = 20_000
	for _, c := range bigOnes {
		t.Run(c.name, func(t *testing.T) {
			s := newStage(t)
			for i := 1; i <= n; i++ {
				s.do(strings.Fields(fmt.Sprintf(c.add, "from", i))...)
			}
			read := func(key string) string {
				out := s.do(strings.Fields(fmt.Sprintf(c.read, key))...)
				if c.name == "set" || c.name == "hash" {
					words := strings.Fields(strings.Trim(out, "[]{}"))
					slices.Sort(words)
					return strings.Join(words, " ")
				}
				return out
			}
			want := read("from")
			s.steps = 0
			p := s.dump("from")
			if s.steps < 5 {
				t.Errorf("dumped in %d steps", s.steps)
			}
			s.steps = 0
			if got := s.restore("to", "0", p); got != "+OK" {
				t.Fatal(got)
			}
			if s.steps < 5 {
				t.Errorf("restored in %d steps", s.steps)
			}
			if read("to") != want {
				t.Error("what was restored differs")
			}
			if err := s.checkContainer("to"); err != nil {
				t.Error(err)
			}
			spoilt := newStage(t)
			spoilt.do("set", "there", "stays")
			used := spoilt.used()
			bad := seal(append(slices.Clone(p[:len(p)-13]), p[len(p)-10:]...)) // without its end
			for _, key := range []string{"to", "there"} {
				if got := spoilt.restore(key, "0", bad, "replace"); got != "-"+errFormat {
					t.Fatal(got)
				}
				// The housekeeping frees what was made; a new keeper begins at once.
				for keeper := spoilt.x.KS.NewKeeper(0); keeper.Step(spoilt.clock.Now(), 10) == 0; {
				}
				if got := spoilt.used(); got != used {
					t.Errorf("%d bytes are left", got-used)
				}
			}
			spoilt.play(`
				get there => "stays"
				exists to => :0
			`)
		})
	}
}

// TestRestoreFieldDeadlines restores a hash whose fields expire.
func TestRestoreFieldDeadlines(t *testing.T) {
	for _, fields := range []int{3, 2000} {
		s := newStage(t)
		for i := range fields {
			s.do("hset", "from", fmt.Sprint("f", i), "v")
		}
		s.do("hpexpire", "from", "5000", "fields", "2", "f0", "f1")
		s.do("hpexpire", "from", "9000", "fields", "1", "f2")
		p := s.dump("from")
		if version := binary.LittleEndian.Uint16(p[len(p)-10:]); version != 12 {
			t.Errorf("version %d", version)
		}
		if got := s.restore("to", "0", p); got != "+OK" {
			t.Fatal(got)
		}
		s.play(`
			hpttl to fields 3 f0 f1 f2 => [:5000 :5000 :9000]
			tick 6s
		`)
		if got := s.do("hlen", "to"); got != fmt.Sprint(":", fields-2) {
			t.Errorf("%s fields", got)
		}
		// The housekeeping knows of it.
		keeper := s.x.KS.NewKeeper(0)
		for keeper.Step(s.clock.Now(), 10) == 0 {
		}
		if got := keeper.Counts.Fields; got != 4 {
			t.Errorf("%d fields were removed", got)
		}
		// A hash of which nothing is left cannot be dumped.
		s.do("hset", "short", "a", "b")
		s.do("hpexpire", "short", "10", "fields", "1", "a")
		s.play(`
			tick 20ms
			dump short => nil
		`)
		// Without deadlines it can be read by everybody again.
		s.do("hpersist", "from", "fields", "1", "f2")
		s.do("hdel", "from", "f0", "f1")
		if p = s.dump("from"); binary.LittleEndian.Uint16(p[len(p)-10:]) != 10 {
			t.Error("deadlines that are gone are dumped")
		}
	}
}

func TestRestoreMemberDeadlines(t *testing.T) {
	s := newStage(t)
	s.do("saddex", "from", "100", "a", "b")
	s.do("sadd", "from", "c")
	p := s.dump("from")
	if got := s.restore("to", "0", p); got != "+OK" {
		t.Fatal(got)
	}
	s.play(`
		fieldttl to a => :100
		fieldttl to c => :-1
		tick 101s
		scard to => :1
	`)
}

func TestRestoreReleasedEntries(t *testing.T) {
	s := newStage(t)
	s.play(`
		xadd from 1-1 a b => "1-1"
		xadd from 2-1 a b => "2-1"
		xgroup create from g 0 => +OK
		xreadgroup group g c streams from > => [["from" [["1-1" ["a" "b"]] ["2-1" ["a" "b"]]]]]
	`)
	if v := s.do("xnack", "from", "g", "fail", "ids", "1", "1-1"); strings.HasPrefix(v, "-") {
		t.Fatal(v)
	}
	if got := s.restore("to", "0", s.dump("from")); got != "+OK" {
		t.Fatal(got)
	}
	if a, b := s.do("xpending", "from", "g"), s.do("xpending", "to", "g"); a != b {
		t.Errorf("%s and %s", a, b)
	}
	if err := s.checkContainer("to"); err != nil {
		t.Error(err)
	}
}

// TestRestoreIdle restores how long a key was not accessed.
func TestRestoreIdle(t *testing.T) {
	s := newStage(t)
	s.do("set", "from", "v")
	s.do("rpush", "list", "v")
	p, l := s.dump("from"), s.dump("list")
	if got := s.restore("to", "0", p, "idletime", "1000") + s.restore("to2", "0", l, "idletime", "0") + s.restore("to3", "0", p, "freq", "7"); got != "+OK+OK+OK" {
		t.Fatal(got)
	}
	s.play(`
		object idletime to => :1000
		tick 5s
		object idletime to => :1005
		object idletime to2 => :5
		object idletime to3 => :0
		get to => "v"
		lrange to2 0 -1 => ["v"]
	`)
}

// What compresses is compressed, unless it is not wanted.
func TestDumpCompression(t *testing.T) {
	text := strings.Repeat("again and ", 100)
	for want, s := range map[bool]*stage{true: newStage(t), false: newStage(t, config.Pair{Name: "rdbcompression", Value: "no"})} {
		s.do("set", "k", text)
		if p := s.dump("k"); len(p) < 200 != want {
			t.Errorf("compression %v: %d bytes", want, len(p))
		}
	}
}

// TestDumpAllocations: a short value is dumped without an allocation.
func TestDumpAllocations(t *testing.T) {
	s := newStage(t)
	s.do("set", "string", "some text")
	s.do("rpush", "list", "a", "b", "3")
	s.do("sadd", "ints", "1", "2", "3")
	s.do("sadd", "set", "a", "b")
	s.do("zadd", "zset", "1", "a", "2", "b")
	s.do("hset", "hash", "a", "b")
	for _, key := range []string{"string", "list", "ints", "set", "zset", "hash"} {
		args := [][]byte{[]byte("dump"), []byte(key)}
		s.run(args...)
		if n := testing.AllocsPerRun(100, func() { s.run(args...) }); n > 0 {
			t.Errorf("%s: %v allocations", key, n)
		}
	}
}

func BenchmarkDump(b *testing.B) {
	s := newStage(b)
	s.do("set", "string", "some text")
	s.do("hset", "hash", "field", "value", "other", "17")
	for i := range 5000 {
		s.do("zadd", "zset", fmt.Sprint(i), fmt.Sprint("member:", i))
	}
	for _, key := range []string{"string", "hash", "zset"} {
		b.Run(key, func(b *testing.B) {
			args := [][]byte{[]byte("dump"), []byte(key)}
			b.ReportAllocs()
			for b.Loop() {
				s.run(args...)
			}
		})
	}
}

func BenchmarkRestore(b *testing.B) {
	s := newStage(b)
	s.do("set", "string", "some text")
	s.do("hset", "hash", "field", "value", "other", "17")
	for i := range 5000 {
		s.do("zadd", "zset", fmt.Sprint(i), fmt.Sprint("member:", i))
	}
	for _, key := range []string{"string", "hash", "zset"} {
		b.Run(key, func(b *testing.B) {
			args := [][]byte{[]byte("restore"), []byte("to"), []byte("0"), s.dump(key), []byte("replace")}
			b.ReportAllocs()
			for b.Loop() {
				s.run(args...)
			}
		})
	}
}
