package command

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
)

func TestExpireRules(t *testing.T) {
	// What a deadline of 100 s, or none, becomes under each rule.
	for _, c := range []struct {
		had   bool
		at    string
		rule  string
		want  int
		leave string
	}{
		{true, "50", "nx", 0, ":100"},
		{false, "50", "nx", 1, ":50"},
		{true, "50", "xx", 1, ":50"},
		{false, "50", "xx", 0, ":-1"},
		{true, "50", "gt", 0, ":100"},
		{true, "100", "gt", 0, ":100"},
		{true, "150", "gt", 1, ":150"},
		{false, "150", "gt", 0, ":-1"},
		{true, "50", "lt", 1, ":50"},
		{true, "100", "lt", 0, ":100"},
		{true, "150", "lt", 0, ":100"},
		{false, "150", "lt", 1, ":150"},
		{true, "150", "xx gt", 1, ":150"},
		{false, "50", "xx lt", 0, ":-1"},
		{true, "-1", "lt", 1, ":-2"},
		{true, "-1", "gt", 0, ":100"},
		{true, "0", "", 1, ":-2"},
		{true, "-9223372036854775", "", 1, ":-2"},
	} {
		for _, form := range []string{"expire", "pexpire", "expireat", "pexpireat"} {
			s := newStage(t)
			s.do("set", "k", "v")
			if c.had {
				s.do("expire", "k", "100")
			}
			at, _ := strconv.ParseInt(c.at, 10, 64)
			if strings.HasSuffix(form, "at") {
				at += testStartMs / 1000
			}
			if form[0] == 'p' {
				at *= 1000
			}
			args := append([]string{form, "k", strconv.FormatInt(at, 10)}, strings.Fields(c.rule)...)
			if got := s.do(args...); got != ":"+strconv.Itoa(c.want) {
				t.Errorf("%v (had one: %v): %s, want %d", args, c.had, got, c.want)
			}
			if got := s.do("ttl", "k"); got != c.leave {
				t.Errorf("%v (had one: %v): ttl %s, want %s", args, c.had, got, c.leave)
			}
		}
	}
	newStage(t).play(`
		expire k 1 nx gt => -ERR NX and XX, GT or LT options at the same time are not compatible
		expire k 1 gt lt => -ERR GT and LT options at the same time are not compatible
		expire k 1 foo => -ERR Unsupported option foo
		expire k 1 "foo\x00bar" => -ERR Unsupported option foo
		expire k 1 "foo\r\n" => -ERR Unsupported option foo
		expire k x => -ERR value is not an integer or out of range
		expire k 9223372036854775807 => -ERR invalid expire time in 'expire' command
		expire k -9223372036854775807 => -ERR invalid expire time in 'expire' command
		pexpire k 9223372036854775807 => -ERR invalid expire time in 'pexpire' command
		pexpireat k 9223372036854775807 => :0
		expire k 1 => :0
	`)
}

func TestTTL(t *testing.T) {
	newStage(t).play(`
		ttl k => :-2
		set k v px 1499 => +OK
		ttl k => :1
		pttl k => :1499
		expiretime k => :1700000001
		pexpiretime k => :1700000001499
		tick 1s
		ttl k => :0
		pttl k => :499
		tick 498ms
		get k => "v"
		tick 1ms
		get k => nil
		exists k => :0
		ttl k => :-2
		type k => +none
		dbsize => :1
		persist k => :0
		dbsize => :0
		set k v => +OK
		persist k => :0
		expire k 10 => :1
		persist k => :1
		ttl k => :-1
	`)
}

func TestRenameAndCopy(t *testing.T) {
	big := strings.Repeat("long ", 4000)
	s := newStage(t)
	s.play(`
		rename a b => -ERR no such key
		rename a a => -ERR no such key
		set a 1 ex 100 => +OK
		rename a a => +OK
		renamenx a a => :0
		set b 2 => +OK
		renamenx a b => :0
		rename a b => +OK
		get b => "1"
		ttl b => :100
		exists a => :0
		renamenx b c => :1
		ttl c => :100

		copy c d => :1
		ttl d => :100
		copy c d => :0
		set c 9 => +OK
		copy c d replace => :1
		ttl d => :-1
		copy c c => -ERR source and destination objects are the same
		copy c c db 1 => :1
		copy c x db 16 => -ERR DB index is out of range
		copy c x db a => -ERR value is not an integer or out of range
		move c 1 => :0
		move d 1 => :1
		move d 1 => :0
		move d 0 => -ERR source and destination objects are the same
		exists d => :0
		select 1 => +OK
		mget c d => ["9" "9"]
		select 0 => +OK

		swapdb 0 1 => +OK
		mget c d => ["9" "9"]
		swapdb 1 0 => +OK
		swapdb 0 x => -ERR invalid second DB index
		swapdb 16 0 => -ERR DB index is out of range
	`)
	// Big values move between slices too, over a key that exists.
	for i := range 64 {
		from, to := fmt.Sprint("from", i), fmt.Sprint("to", i)
		s.do("set", from, big)
		s.do("pexpire", from, "1000")
		s.do("set", to, "something else")
		if got := s.do("rename", from, to); got != "+OK" {
			t.Fatal(got)
		}
		if s.do("get", to) != strconv.Quote(big) || s.do("pttl", to) != ":1000" || s.do("exists", from) != ":0" {
			t.Fatalf("%s has not become %s", from, to)
		}
	}
}

func TestFlush(t *testing.T) {
	s := newStage(t)
	s.play(`
		mset a 1 b 2 => +OK
		select 3 => +OK
		mset c 1 d 2 e 3 => +OK
		flushdb foo => -ERR syntax error
		flushdb sync async => -ERR syntax error
		dbsize => :3
		flushdb async => +OK
		dbsize => :0
		get c => nil
		set c 5 => +OK
		select 0 => +OK
		mget a b => ["1" "2"]
		flushall sync => +OK
		dbsize => :0
		set a 7 => +OK
		get a => "7"
		select 3 => +OK
		exists c => :0
		dbsize => :0
	`)
}

// scanAll goes through the keyspace with SCAN and counts each key.
func (s *stage) scanAll(between func(), args ...string) map[string]int {
	seen := map[string]int{}
	for cursor := "0"; ; {
		reply := s.do(append([]string{"scan", cursor}, args...)...)
		fields := strings.Fields(strings.Trim(reply, "[]"))
		for i, f := range fields {
			f, _ = strconv.Unquote(strings.Trim(f, "[]"))
			if i == 0 {
				cursor = f
			} else if f != "" {
				seen[f]++
			}
		}
		if n, _ := strconv.ParseUint(cursor, 10, 64); n >= 1<<53 {
			s.t.Fatalf("cursor %s", cursor)
		}
		if cursor == "0" {
			return seen
		}
		if between != nil {
			between()
		}
	}
}

func TestScan(t *testing.T) {
	s := newStage(t)
	const n = 20_000
	for i := range n {
		s.do("set", fmt.Sprint("key:", i), "v")
	}
	for _, count := range []string{"1", "10", "1000", "1000000"} {
		if seen := s.scanAll(nil, "count", count); len(seen) != n {
			t.Errorf("count %s: %d keys", count, len(seen))
		}
	}
	if seen := s.scanAll(nil, "match", "key:1234*"); len(seen) != 11 {
		t.Errorf("match: %v", seen)
	}
	if seen := s.scanAll(nil, "match", "key:77", "count", "1000"); len(seen) != 1 {
		t.Errorf("exact match: %v", seen)
	}
	if seen := s.scanAll(nil, "type", "list", "count", "1000"); len(seen) != 0 {
		t.Errorf("type: %v", seen)
	}
	// While the table grows and shrinks no key that stays is missed.
	added := 0
	seen := s.scanAll(func() {
		for range 40 {
			s.do("set", fmt.Sprint("new:", added), "v")
			added++
		}
		if added > 20_000 {
			s.do("del", fmt.Sprint("new:", added-15_000))
		}
	}, "count", "50")
	for i := range n {
		if seen[fmt.Sprint("key:", i)] == 0 {
			t.Fatalf("key:%d was missed while %d keys came", i, added)
		}
	}
	s.play(`
		scan abc => -ERR invalid cursor
		scan 0 count 0 => -ERR syntax error
		scan 0 count x => -ERR value is not an integer or out of range
		scan 0 match => -ERR syntax error
		scan 18446744073709551616 => -ERR invalid cursor
		scan 9007199254740991 => ["0" []]
		scan -1 => ["0" []]
	`)
}

func TestKeys(t *testing.T) {
	s := newStage(t)
	s.play(`
		keys * => []
		randomkey => nil
	`)
	const n = 60_000
	for i := range n {
		s.do("set", fmt.Sprint("key:", i), "v")
	}
	s.do("set", "{tag}a", "1")
	s.do("set", "{tag}b", "1")
	s.do("set", "gone", "1")
	s.do("pexpire", "gone", "5")
	s.clock.Advance(10_000_000)
	got := strings.Fields(strings.Trim(s.do("keys", "*"), "[]"))
	slices.Sort(got)
	if got = slices.Compact(got); len(got) != n+2 {
		t.Errorf("%d keys, want %d", len(got), n+2)
	}
	if s.steps == 0 {
		t.Error("KEYS over many keys was done in one go")
	}
	if got := s.do("keys", "{tag}*"); got != `["{tag}a" "{tag}b"]` && got != `["{tag}b" "{tag}a"]` {
		t.Error(got)
	}
	s.play(`
		keys key:777 => ["key:777"]
		keys key:77? [ => -ERR wrong number of arguments for 'keys' command
		keys nothing* => []
		keys gone => []
	`)
	if got := strings.Fields(s.do("keys", "key:77?")); len(got) != 10 {
		t.Error(got)
	}
	seen := map[string]bool{}
	for range 300 {
		seen[s.do("randomkey")] = true
	}
	if len(seen) < 250 {
		t.Errorf("300 random keys are %d different ones", len(seen))
	}
}

// A slice that changes between two holds must not show a key twice.
func TestKeysWhileWriting(t *testing.T) {
	s := newStage(t)
	const n = 8_000
	for i := range n {
		s.do("set", fmt.Sprint("{t}", i), "v") // all in one slice
	}
	x := &s.x
	x.Args, x.Cmd, x.Out = [][]byte{[]byte("keys"), []byte("{t}*")}, Commands().Lookup([]byte("keys")), nil
	w := keysWalk{sieve: x.newSieve(x.Args[1], nil), slice: -1, end: x.KS.Slices()}
	_, slice := x.KS.Locate([]byte("{t}0"))
	for added := 0; !w.pickedUp(x, slice.Index); {
		for range 100 {
			added++
			k := x.KeyOf([]byte(fmt.Sprint("{t}new", added)))
			if !k.Slice.Try() {
				t.Fatal("slice not free")
			}
			if !x.Table(&k).Set(&k.Slice.Heap, k.Hash, k.Bytes, []byte("v"), 0) {
				t.Fatal("no memory")
			}
			k.Slice.Release()
		}
	}
	for !w.deliver(x) {
	}
	out, _ := render(string(x.Out))
	got := strings.Fields(strings.Trim(out, "[]"))
	slices.Sort(got)
	if all := len(got); len(slices.Compact(got)) != all {
		t.Error("a key is there twice")
	}
	for i := range n {
		if _, ok := slices.BinarySearch(got, strconv.Quote(fmt.Sprint("{t}", i))); !ok {
			t.Fatalf("key %d is missing", i)
		}
	}
}

// pickedUp lets the walk hold the slice once and reports whether it is through.
func (w *keysWalk) pickedUp(x *Ctx, index uint32) bool {
	if w.slice < 0 {
		retries := 0
		w.next, w.end = int(index), int(index)+1
		w.pick(&retries)
	}
	slice := x.KS.Slice(w.slice)
	slice.Spin()
	w.hold(x, slice)
	slice.ReleaseUnchanged()
	return w.at == 0
}

func TestFrequencyNeedsLFU(t *testing.T) {
	newStage(t).play(`
		set k v => +OK
		object freq k => -ERR An LFU maxmemory policy is not selected, access frequency not tracked. Please note that when switching between policies at runtime LRU and LFU data will take some time to adjust.
	`)
}
