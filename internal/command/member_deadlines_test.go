package command

import (
	"strconv"
	"testing"
	"time"
)

func TestMemberDeadlines(t *testing.T) {
	newStage(t).play(`
		saddex s 10 a b => :2
		saddex s 10 b c => :1
		sadd s plain => :1
		object encoding s => "hashtable"
		fieldttl s a => :10
		fieldttl s plain => :-1
		fieldttl s none => :-3
		fieldttl none a => :-2
		scard s => :4
		tick 5s
		saddex s keepttl 100 a d => :1
		fieldttl s a => :5
		fieldttl s d => :100
		saddex s 20 a => :0
		fieldttl s a => :20
		tick 5s
		scard s => :3
		sismember s b => :0
		smismember s a b c d plain => [:1 :0 :0 :1 :1]
		sadd s b => :1
		fieldttl s b => :-1
		fieldexpire s 1 b none plain => [:1 :-2 :1]
		tick 1s
		scard s => :2
		fieldexpire s 0 a b => [:2 :-2]
		smembers s => ["d"]
		srandmember s => "d"
		srandmember s 5 => ["d"]
		srandmember s -2 => ["d" "d"]
		sscan s 0 => ["0" ["d"]]
		sort s alpha => ["d"]
		sunion s none => ["d"]
		sadd t b c d e => :4
		sinter s t => ["d"]
		sintercard 2 s t => :1
		sdiff s t => []
		zunion 2 s none withscores => ["d" "1"]
		spop s 10 => ["d"]
		exists s => :0
	`)
}

// TestMemberDeadlinesGo along wherever the set goes.
func TestMemberDeadlinesGoAlong(t *testing.T) {
	s := newStage(t)
	s.play(`
		saddex s 10 a => :1
		sadd s b => :1
		copy s c => :1
		rename s r => +OK
		move r 1 => :1
		fieldttl c a => :10
	`)
	s.x.C.DB = 1
	s.play(`
		fieldttl r a => :10
		tick 11s
		smembers r => ["b"]
		smove r other a => :0
		smove r other b => :1
		exists r => :1
		scard r => :0
		srandmember r => nil
		srandmember r 3 => []
		srandmember r -3 => []
		spop r => nil
		spop r 3 => []
		smembers r => []
		srem r a => :0
		exists r => :0
		smembers other => ["b"]
	`)
	s.x.C.DB = 0
	s.play(`
		smembers c => ["b"]
		sunionstore c c => :1
		fieldttl c b => :-1
	`)
}

func TestMemberDeadlinesErrors(t *testing.T) {
	newStage(t).play(`
		set str x => +OK
		hset h f v g w => :2
		saddex s keepttl 10 => -ERR wrong number of arguments for 'saddex' command
		saddex s 10 => -ERR wrong number of arguments for 'saddex' command
		saddex s 0 a => -ERR value is not an integer or out of range
		saddex s -1 a => -ERR value is not an integer or out of range
		saddex s x a => -ERR value is not an integer or out of range
		saddex s 268435456 a => -ERR value is not an integer or out of range
		saddex s 268435455 a => :1
		saddex str 10 a => -WRONGTYPE Operation against a key holding the wrong kind of value
		fieldexpire s x a => -ERR value is not an integer or out of range
		fieldexpire s -1 a => -ERR value is not an integer or out of range
		fieldexpire str 1 a => -WRONGTYPE Operation against a key holding the wrong kind of value
		fieldexpire none 1 a b => [:-2 :-2]
		fieldttl str a => -WRONGTYPE Operation against a key holding the wrong kind of value
		fieldexpire h 10 f none => [:1 :-2]
		fieldttl h f => :10
		fieldttl h g => :-1
		fieldttl h none => :-3
		httl h fields 1 f => [:10]
		fieldexpire h 0 f g g => [:2 :2 :-2]
		exists h => :0
	`)
}

// TestMembersExpire lets the housekeeping remove what is due: from small sets and
// large ones, and the key with the last member.
func TestMembersExpire(t *testing.T) {
	s := newStage(t)
	s.do("saddex", "gone", "10", "a", "b")
	s.do("saddex", "stays", "10", "a")
	s.do("sadd", "stays", "b")
	args := []string{"saddex", "big", "20"}
	for i := range 5000 {
		args = append(args, strconv.Itoa(i))
	}
	s.do(args...)
	s.do("sadd", "big", "last")
	keep := s.x.KS.NewKeeper(0)
	held := func(key string) int {
		k := s.x.KeyOf([]byte(key))
		e, ok := s.x.Table(&k).Find(&k.Slice.Heap, k.Hash, k.Bytes)
		if !ok {
			return 0
		}
		set := s.x.openSet(&k, e)
		return set.Held()
	}
	until := func(done func() bool) {
		for end := time.Now().Add(20 * time.Second); !done(); time.Sleep(time.Millisecond) {
			keep.Step(s.clock.Now(), 10)
			if time.Now().After(end) {
				t.Fatal("not expired in time")
			}
		}
	}
	s.clock.Advance(11 * time.Second)
	until(func() bool { return held("gone") == 0 && held("stays") == 1 })
	if got := s.do("exists", "gone"); got != ":0" {
		t.Errorf("exists: %s", got)
	}
	if n := held("big"); n != 5001 {
		t.Errorf("big has %d", n)
	}
	s.clock.Advance(10 * time.Second)
	until(func() bool { return held("big") == 1 })
	if n := keep.Counts.Fields; n != 5003 {
		t.Errorf("%d expired, want 5003", n)
	}
}

// TestPopFromOverdue draws from a large set of which most is due.
func TestPopFromOverdue(t *testing.T) {
	s := newStage(t)
	due, stays := []string{"saddex", "s", "10"}, []string{"sadd", "s"}
	for i := range 20_000 {
		if i%100 == 0 {
			stays = append(stays, strconv.Itoa(i))
		} else {
			due = append(due, strconv.Itoa(i))
		}
	}
	s.do(due...)
	s.do(stays...)
	s.clock.Advance(11 * time.Second)
	for range 100 {
		if got := s.do("srandmember", "s"); got == "nil" {
			t.Fatal("none was drawn")
		}
	}
	seen := map[string]bool{}
	for n := range 100 {
		got := s.do("spop", "s", "1")
		if seen[got] || got == "[]" {
			t.Fatalf("%d: %s", n, got)
		}
		seen[got] = true
	}
	if got := s.do("scard", "s"); got != ":100" {
		t.Errorf("scard: %s", got)
	}
}
