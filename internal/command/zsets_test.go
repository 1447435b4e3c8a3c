package command

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"sherd/internal/config"
)

func TestZSetBasics(t *testing.T) {
	newStage(t).play(`
		zadd z 1 a 2 b 3 c => :3
		zadd z 1 a 5 b => :0
		zadd z ch 1 a 6 b 7 d => :2
		zscore z b => "6"
		zincrby z 1.5 b => "7.5"
		zrange z 0 -1 withscores => ["a" "1" "c" "3" "d" "7" "b" "7.5"]
		zrank z d => :2
		zrank z d withscore => [:2 "7"]
		zrevrank z d => :1
		zrank z none withscore => nil array
		zrank z d nonsense => -ERR syntax error
		zrem z a none => :1
		zcard z => :3
		zrange z (1 (7.5 byscore => ["c" "d"]
		zrangebyscore z -inf +inf limit 1 1 => ["d"]
		zrevrangebyscore z +inf 7 withscores => ["b" "7.5" "d" "7"]
		zcount z 3 7 => :2
		zmscore z c none b => ["3" nil "7.5"]
		zadd z nx xx 1 a => -ERR XX and NX options at the same time are not compatible
		zadd z incr 1 c 2 d => -ERR INCR option supports a single increment-element pair
		zadd z inf i => :1
		zincrby z -inf i => -ERR resulting score is not a number (NaN)
		object encoding z => "listpack"
		zpopmin z => ["c" "3"]
		zpopmax z 2 => ["i" "inf" "b" "7.5"]
		zmpop 2 none z min count 5 => ["z" [["d" "7"]]]
		exists z => :0
		proto 3
		zadd z 1.5 a 2 b => :2
		zscore z a => ,1.5
		zpopmin z 1 => [["a" ,1.5]]
		zrange z 0 -1 withscores => [["b" ,2]]
		zpopmin z => ["b" ,2]
	`)
}

func TestZSetLex(t *testing.T) {
	newStage(t).play(`
		zadd z 0 a 0 b 0 c 0 d 0 e => :5
		zrangebylex z - + => ["a" "b" "c" "d" "e"]
		zrangebylex z [b (d => ["b" "c"]
		zrevrangebylex z + [c limit 1 2 => ["d" "c"]
		zrange z [b + bylex limit 1 2 => ["c" "d"]
		zlexcount z (a + => :4
		zlexcount z + - => :0
		zlexcount z a + => -ERR min or max not valid string range item
		zremrangebylex z - [b => :2
		zremrangebyrank z -1 -1 => :1
		zremrangebyscore z 0 0 => :2
		exists z => :0
	`)
}

func TestZSetStore(t *testing.T) {
	newStage(t).play(`
		zadd a 1 x 2 y 3 z => :3
		zadd b 10 y 20 z 30 w => :3
		sadd s x w => :2
		zunion 2 a b withscores => ["x" "1" "y" "12" "z" "23" "w" "30"]
		zunionstore d 3 a b s weights 1 2 3 aggregate max => :4
		zrange d 0 -1 withscores => ["x" "3" "y" "20" "z" "40" "w" "60"]
		zinter 2 a b withscores aggregate min => ["y" "2" "z" "3"]
		zinter 2 a b withscores weights 2 3 aggregate count => ["y" "5" "z" "5"]
		zinterstore d 2 a s => :1
		zrange d 0 -1 withscores => ["x" "2"]
		zintercard 2 a b => :2
		zintercard 2 a b limit 1 => :1
		zdiff 2 a b withscores => ["x" "1"]
		zdiffstore d 2 b s => :2
		zrange d 0 -1 => ["y" "z"]
		zrangestore d a 1 -1 => :2
		zrange d 0 -1 withscores => ["y" "2" "z" "3"]
		zrangestore d a 5 6 => :0
		exists d => :0
		zunion 0 a => -ERR at least 1 input key is needed for 'zunion' command
		zunion 3 a b => -ERR syntax error
		zunionstore a 2 a a => :3
		zrange a 0 -1 withscores => ["x" "2" "y" "4" "z" "6"]
		object encoding a => "listpack"
	`)
}

// TestZSetLong takes the ways that are walked in several steps.
func TestZSetLong(t *testing.T) {
	s := newStage(t, config.Pair{Name: "zset-max-listpack-entries", Value: "128"})
	const n = 20_000
	for i := 0; i < n; i += 100 {
		args := []string{"zadd", "z"}
		for j := i; j < i+100; j++ {
			args = append(args, strconv.Itoa(j), fmt.Sprintf("member:%08d", j))
		}
		s.do(args...)
	}
	s.play(`
		object encoding z => "skiplist"
		zrangestore y z 0 -1 => :20000
		zunionstore x 2 z y => :20000
		zdiffstore w 2 z none => :20000
		zinterstore v 2 z y weights 1 2 => :20000
		zscore v member:00000100 => "300"
		zintercard 2 z y => :20000
		zdiff 2 z x => []
		zremrangebyrank y 5 15000 => :14996
		zcard y => :5004
		zremrangebyscore y -inf +inf => :5004
		exists y => :0
		copy z c => :1
		rename c cc => +OK
		zcount cc 1000 +inf => :19000
		del cc => :1
	`)
	if got := s.do("zrange", "z", "0", "-1"); strings.Count(got, "member:") != n {
		t.Errorf("%d members", strings.Count(got, "member:"))
	}
	if got := s.do("zunion", "2", "z", "z"); strings.Count(got, "member:") != n {
		t.Errorf("%d members", strings.Count(got, "member:"))
	}
	for _, count := range []string{"10", "1000", "10000", "19999", "30000"} {
		want, _ := strconv.Atoi(count)
		want = min(want, n)
		seen := map[string]bool{}
		for _, m := range strings.Fields(strings.Trim(s.do("zrandmember", "z", count), "[]")) {
			seen[m] = true
		}
		if len(seen) != want {
			t.Errorf("zrandmember %s: %d different members", count, len(seen))
		}
	}
	if got := s.do("zrandmember", "z", "-10000"); strings.Count(got, "member:") != 10000 {
		t.Errorf("%d members", strings.Count(got, "member:"))
	}
	if got := s.do("zpopmax", "x", "10000"); strings.Count(got, "member:") != 10000 || s.do("zcard", "x") != ":10000" {
		t.Errorf("popped %d members", strings.Count(got, "member:"))
	}
	s.do("zpopmin", "x", "10000")
	if got := s.do("exists", "x"); got != ":0" {
		t.Errorf("x exists")
	}
}

// TestZSetPointsDoNotAllocate runs point operations on a small and a large set.
func TestZSetPointsDoNotAllocate(t *testing.T) {
	s := newStage(t)
	for i := range 2000 {
		s.do("zadd", "large", strconv.Itoa(i*7919%2000), fmt.Sprintf("m:%d", i))
	}
	for i := range hotKeys {
		s.do("zadd", "small", strconv.Itoa(i), fmt.Sprintf("m:%d", i))
		s.do("geoadd", "towns", fmt.Sprintf("13.%d", i), fmt.Sprintf("38.%d", i), fmt.Sprintf("m:%d", i))
	}
	s.x.Out = make([]byte, 0, 64<<10)
	for _, key := range []string{"small", "large"} {
		for _, c := range []string{
			"zadd K 1500 m:%d", "zadd K incr 3 m:%d", "zincrby K 1.5 m:%d", "zscore K m:%d", "zmscore K m:%d none", "zrank K m:%d", "zrevrank K m:%d withscore",
			"zcard K", "zcount K 5 500", "zrange K 0 9", "zrange K 0 9 withscores rev", "zrangebyscore K 10 inf limit 0 10", "zrem K m:%d", "zadd K 77 m:%d",
			"zpopmin K", "zpopmax K 2", "geopos towns m:%d", "geodist towns m:%d m:1", "geosearch towns fromlonlat 13.5 38.5 byradius 5 km asc",
		} {
			args := spread(t, strings.Replace(c, "K", key, 1))
			i := 0
			n := testing.AllocsPerRun(hotKeys/4, func() {
				s.run(args[i%hotKeys]...)
				i++
			})
			if n != 0 {
				t.Errorf("%s on the %s set: %v allocations", c, key, n)
			}
			if out := s.x.Out; len(out) == 0 || out[0] == '-' {
				t.Errorf("%s: %q", c, out)
			}
		}
	}
}
