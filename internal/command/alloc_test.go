package command

import (
	"fmt"
	"testing"
)

// hot are the commands that must not allocate. Words with a %d get a number, so
// that each round meets another key.
var hot = []struct{ name, command string }{
	{"GET", "get key:%d"},
	{"GET missing", "get none:%d"},
	{"SET", "set key:%d a-value-of-thirty-two-bytes-here"},
	{"SET EX", "set vol:%d a-value-of-thirty-two-bytes-here ex 100"},
	{"SET XX KEEPTTL GET", "set vol:%d another-value xx keepttl get"},
	{"SETEX", "setex vol:%d 100 value"},
	{"SETNX", "setnx key:%d value"},
	{"GETSET", "getset key:%d value"},
	{"GETEX", "getex vol:%d ex 50"},
	{"MGET", "mget key:%d key:1 key:2 none key:4"},
	{"MSET", "mset key:%d a key:1 b key:2 c key:3 d"},
	{"MSETEX", "msetex 2 vol:%d a vol:1 b ex 10"},
	{"APPEND", "append app:%d x"},
	{"STRLEN", "strlen key:%d"},
	{"GETRANGE", "getrange key:%d 1 3"},
	{"SETRANGE", "setrange app:%d 1 xyz"},
	{"INCR", "incr n:%d"},
	{"INCRBY", "incrby n:%d 1000"},
	{"DECR", "decr n:%d"},
	{"INCRBYFLOAT", "incrbyfloat f:%d 0.5"},
	{"INCREX", "increx n:%d byint 5 ubound 1000000 ex 100 enx"},
	{"DIGEST", "digest key:%d"},
	{"DEL", "del none:%d"},
	{"EXISTS", "exists key:%d none"},
	{"TOUCH", "touch key:%d"},
	{"TYPE", "type key:%d"},
	{"EXPIRE", "expire key:%d 100"},
	{"EXPIRE GT", "expire vol:%d 100 gt"},
	{"PERSIST", "persist vol:%d"},
	{"TTL", "ttl vol:%d"},
	{"PTTL", "pttl vol:%d"},
	{"SETBIT", "setbit bits:%d 77 1"},
	{"GETBIT", "getbit bits:%d 77"},
	{"BITCOUNT", "bitcount bits:%d"},
	{"BITPOS", "bitpos bits:%d 1"},
	{"BITFIELD", "bitfield bits:%d incrby u8 16 1 get u4 0"},
	{"BITOP", "bitop or bits:%d bits:1 bits:2"},
	{"SCAN", "scan 0 count 10"},
	{"OBJECT ENCODING", "object encoding key:%d"},
}

const hotKeys = 64

// prepare fills a stage, so that every command finds what it works on.
func prepare(t testing.TB) *stage {
	s := newStage(t)
	for i := range hotKeys {
		for _, c := range hot {
			s.do(splitWords(t, fill(c.command, i))...)
		}
	}
	s.x.Out = make([]byte, 0, 64<<10)
	return s
}

// spread returns the arguments of a command for each key.
func spread(t testing.TB, command string) [][][]byte {
	args := make([][][]byte, hotKeys)
	for i := range args {
		for _, w := range splitWords(t, fill(command, i)) {
			args[i] = append(args[i], []byte(w))
		}
	}
	return args
}

func fill(command string, i int) string {
	for j := range len(command) - 1 {
		if command[j] == '%' {
			return fmt.Sprintf(command, i)
		}
	}
	return command
}

func TestHotPathsDoNotAllocate(t *testing.T) {
	s := prepare(t)
	for _, c := range hot {
		args := spread(t, c.command)
		i := 0
		n := testing.AllocsPerRun(2*hotKeys, func() {
			s.run(args[i%hotKeys]...)
			i++
		})
		if n != 0 {
			t.Errorf("%s: %v allocations", c.name, n)
		}
		if out := s.x.Out; len(out) == 0 || out[0] == '-' {
			t.Errorf("%s: %q", c.name, out)
		}
	}
}

func BenchmarkCommands(b *testing.B) {
	s := prepare(b)
	for _, c := range hot {
		b.Run(c.name, func(b *testing.B) {
			args := spread(b, c.command)
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				s.run(args[i%hotKeys]...)
				i++
			}
		})
	}
}
