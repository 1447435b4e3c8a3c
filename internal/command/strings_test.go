package command

import (
	"strings"
	"testing"

	"sherd/internal/config"
)

func TestSetOptions(t *testing.T) {
	newStage(t).play(`
		set a 1 => +OK
		set a 2 nx => nil
		set b 2 xx => nil
		set a 3 nx xx => -ERR syntax error
		set a 3 nx ifeq 1 => -ERR syntax error
		set a 3 ifeq => -ERR syntax error
		set a 3 ex 10 px 10 => -ERR syntax error
		set a 3 keepttl ex 10 => -ERR syntax error
		set a 3 persist => -ERR syntax error
		set a 3 ex 0 => -ERR invalid expire time in 'set' command
		set a 3 ex 9223372036854775807 => -ERR invalid expire time in 'set' command
		set a 3 px 9223372036854775807 => -ERR invalid expire time in 'set' command
		set a 3 ex x => -ERR value is not an integer or out of range
		get a => "1"
		set a 3 ex 10 ex 20 => +OK
		ttl a => :20
		set a 4 keepttl => +OK
		ttl a => :20
		set a 5 get => "4"
		ttl a => :-1
		set a 6 get nx => "5"
		set c 6 get nx => nil
		get c => "6"
		set d 1 get xx => nil
		exists d => :0
		# a time that has passed leaves nothing
		set a 7 exat 1 => +OK
		exists a => :0
		set c 7 pxat 1 get => "6"
		exists c => :0
	`)
}

func TestSetIfEqual(t *testing.T) {
	newStage(t).play(`
		set k hello => +OK
		digest k => "9555e8555c62dcfd"
		set k x ifeq world => nil
		set k x ifne hello => nil
		set k x ifeq world get => "hello"
		set k x ifdeq 9555e8555c62dcfe => nil
		set k x ifdne 9555e8555c62dcfd => nil
		set k x ifdeq 9555E8555C62DCFD ex 10 => +OK
		get k => "x"
		ttl k => :10
		set k y ifne z keepttl get => "x"
		ttl k => :10
		set k y ifdeq abc => -ERR must be exactly 16 hexadecimal characters
		set k y ifdeq abc get => -ERR must be exactly 16 hexadecimal characters
		set none y ifeq z => nil
		set none y ifdeq abc => nil
		exists none => :0
		set none y ifdne abc => +OK
		set other y ifne z get => nil
		get other => "y"
		del k none other => :3
		digest k => nil
		set k "" => +OK
		digest k => "2d06800538d394c2"
		set k v8 => +OK
		digest k => "0cc76dbb41381419"
	`)
}

func TestDelEX(t *testing.T) {
	newStage(t).play(`
		delex k => :0
		delex k foo bar => :0
		delex k ifeq => -ERR wrong number of arguments for 'delex' command
		set k hello => +OK
		delex k foo hello => -ERR Invalid condition. Use IFEQ, IFNE, IFDEQ, or IFDNE
		delex k nx hello => -ERR Invalid condition. Use IFEQ, IFNE, IFDEQ, or IFDNE
		delex k ifeq other => :0
		delex k ifne hello => :0
		delex k ifdeq zzzzzzzzzzzzzzzz => :0
		delex k ifdeq 0123 => -ERR must be exactly 16 hexadecimal characters
		delex k ifdne 9555e8555c62dcfd => :0
		delex k ifdeq 9555e8555c62dcfd => :1
		exists k => :0
		set k 0123 => +OK
		delex k ifeq 123 => :0
		delex k ifeq 0123 => :1
		set k v => +OK
		delifeq k w => :0
		delifeq k v => :1
		delifeq k v => :0
		set k v => +OK
		delex k => :1
	`)
}

func TestMSetEX(t *testing.T) {
	newStage(t).play(`
		msetex key1 val1 ex 10 => -ERR invalid numkeys value
		msetex 0 k v => -ERR invalid numkeys value
		msetex 2147483648 k v => -ERR invalid numkeys value
		msetex 2147483647 k v => -ERR wrong number of key-value pairs
		msetex 2 k v k2 => -ERR wrong number of key-value pairs
		msetex 1 k v bogus => -ERR syntax error
		msetex 1 k v nx xx => -ERR syntax error
		msetex 1 k v ex 10 px 10 => -ERR syntax error
		msetex 1 k v get => -ERR syntax error
		msetex 1 k v ifeq x => -ERR syntax error
		msetex 1 k v ex 0 => -ERR invalid expire time in 'msetex' command
		exists k => :0
		msetex 2 a 1 b 2 ex 100 nx => :1
		mget a b => ["1" "2"]
		ttl a => :100
		msetex 2 b 3 c 3 nx => :0
		msetex 2 b 3 c 3 xx => :0
		exists c => :0
		get b => "2"
		msetex 2 b 3 c 3 keepttl => :1
		ttl b => :100
		ttl c => :-1
		msetex 2 b 4 c 4 xx => :1
		ttl b => :-1
		msetex 2 b 4 c 4 exat 1 => :1
		exists b c => :0
	`)
}

func TestGetEX(t *testing.T) {
	newStage(t).play(`
		getex k ex 0 => nil
		set k v => +OK
		getex k ex 0 => -ERR invalid expire time in 'getex' command
		getex k keepttl => -ERR syntax error
		getex k ex 10 => "v"
		ttl k => :10
		getex k => "v"
		ttl k => :10
		getex k persist => "v"
		ttl k => :-1
		getex k pxat 1 => "v"
		exists k => :0
	`)
}

func TestRanges(t *testing.T) {
	newStage(t).play(`
		set s "Hello World" => +OK
		getrange s 0 3 => "Hell"
		getrange s -4 -1 => "orld"
		getrange s 5 3 => ""
		getrange s -1 -5 => ""
		getrange s -5000 10000 => "Hello World"
		getrange s 0 9223372036854775807 => "Hello World"
		getrange s -9223372036854775808 -9223372036854775808 => "H"
		getrange none 0 -1 => ""
		setrange s 6 There => :11
		get s => "Hello There"
		setrange n 0 "" => :0
		exists n => :0
		setrange n 2 ab => :4
		get n => "\x00\x00ab"
		setrange n -1 x => -ERR offset is out of range
		setrange n 9223372036854775807 x => -ERR string exceeds maximum allowed size (proto-max-bulk-len)
		append n "" => :4
		append n cd => :6
	`)
	// The bound is the directive's.
	newStage(t, config.Pair{Name: "proto-max-bulk-len", Value: "1mb"}).play(`
		setrange k 1048575 x => :1048576
		setrange k 1048576 x => -ERR string exceeds maximum allowed size (proto-max-bulk-len)
		append k x => -ERR string exceeds maximum allowed size (proto-max-bulk-len)
		strlen k => :1048576
		setbit b 8388607 1 => :0
		setbit b 8388608 1 => -ERR bit offset is not an integer or out of range
		bitfield b set u8 #1048576 1 => -ERR bit offset is not an integer or out of range
	`)
}

func TestIncr(t *testing.T) {
	newStage(t).play(`
		incr n => :1
		incrby n 9223372036854775807 => -ERR increment or decrement would overflow
		incrby n 9223372036854775806 => :9223372036854775807
		incr n => -ERR increment or decrement would overflow
		decrby n -9223372036854775808 => -ERR decrement would overflow
		set n -9223372036854775808 => +OK
		decr n => -ERR increment or decrement would overflow
		set n 9 ex 100 => +OK
		incr n => :10
		ttl n => :100
		get n => "10"
		set n 012 => +OK
		incr n => -ERR value is not an integer or out of range
		append r 1 => :1
		append r 2 => :2
		object encoding r => "raw"
		incr r => :13
		object encoding r => "int"
		incrbyfloat f 10.5 => "10.5"
		incrbyfloat f 0.1 => "10.6"
		incrbyfloat f -10.6 => "0"
		incrbyfloat f inf => -ERR increment would produce NaN or Infinity
		incrbyfloat f abc => -ERR value is not a valid float
	`)
}

// The cases follow the tests of Redis 8.8 and Valkey 9.2.
func TestIncrEX(t *testing.T) {
	big := "1" + strings.Repeat("0", 4932)
	s := newStage(t)
	s.play(`
		increx k => [:1 :1]
		increx k byint -10 => [:-9 :-10]
		increx k foo => -ERR syntax error
		increx k byint => -ERR syntax error
		increx k byint 1 byfloat 1 => -ERR syntax error
		increx k byint 1 byint 1 => -ERR syntax error
		increx k lbound 0 lbound 1 => -ERR syntax error
		increx k saturate saturate => -ERR syntax error
		increx k ex 10 ex 10 => -ERR syntax error
		increx k persist enx => -ERR syntax error
		increx k enx persist => -ERR syntax error
		increx k keepttl => -ERR syntax error
		increx k enx => -ERR ENX flag requires an expiration
		increx k byint 1.5 => -ERR Increment is not an integer or out of range
		increx k byfloat abc => -ERR Increment is not a valid float
		increx k ubound 1.5 => -ERR UBOUND is not an integer or out of range
		increx k byfloat 1 lbound abc => -ERR LBOUND is not a valid float
		increx k lbound 10 ubound 5 => -ERR LBOUND can't be greater than UBOUND
		increx k byfloat 1 ubound -inf => -ERR LBOUND can't be greater than UBOUND
		increx k byfloat inf => -ERR BYFLOAT increment cannot be Infinity
		increx k ex 0 => -ERR invalid expire time in 'increx' command
		get k => "-9"

		set k 99 ex 100 => +OK
		increx k byint 5 ubound 100 ex 500 => [:99 :0]
		ttl k => :100
		increx k byint 5 ubound 100 saturate => [:100 :1]
		ttl k => :100
		increx k byint -500 lbound 7 saturate => [:7 :-93]
		increx k byint 5 ubound 3 saturate => [:3 :-4]
		increx k byint -1 lbound 20 => [:3 :0]
		increx none byint 15 ubound 10 => [:0 :0]
		increx none xx => -ERR syntax error
		exists none => :0
		increx none lbound 5 saturate => [:5 :5]

		set k 9223372036854775800 => +OK
		increx k byint 100 => [:9223372036854775800 :0]
		increx k byint 100 saturate => [:9223372036854775807 :7]
		increx k byint 1 saturate ubound -9223372036854775808 => -ERR applied increment would overflow

		set k 1.5 => +OK
		increx k => -ERR value is not an integer or out of range
		increx k byfloat 0.25 => ["1.75" "0.25"]
		increx k byfloat 5.5 ubound 3 => ["1.75" "0"]
		increx k byfloat 5.5 ubound 3 saturate => ["3" "1.25"]
		increx k byfloat 1 lbound inf ubound inf => ["3" "0"]
		increx k byfloat 1 lbound inf ubound inf saturate => -ERR applied increment would be Infinity
		increx k byfloat 1 ubound inf => ["4" "1"]
		set k inf => +OK
		increx k byfloat 1 => -ERR value cannot be Infinity
		set k abc => +OK
		increx k byfloat 1 => -ERR value is not a valid float

		del k => :1
		increx k ex 100 enx => [:1 :1]
		ttl k => :100
		increx k ex 10 enx => [:2 :1]
		ttl k => :100
		increx k exat 1 enx => [:3 :1]
		ttl k => :100
		increx k persist => [:4 :1]
		ttl k => :-1
		increx k exat 1 enx => [:5 :1]
		exists k => :0
		increx k exat 1 => [:1 :1]
		exists k => :0

		proto 3
		increx f byfloat 2.5 => [,2.5 ,2.5]
		increx f byfloat 1 ubound 2 => [,2.5 ,0]
		proto 2
	`)
	s.do("set", "big", big)
	if got := s.do("increx", "big", "byfloat", big); got != `["`+big+`" "0"]` && !strings.HasSuffix(got, ` "0"]`) {
		t.Errorf("overflow: %.60s", got)
	}
	if got := s.do("increx", "big", "byfloat", big, "ubound", "100", "saturate"); !strings.HasPrefix(got, `["100" "-`) {
		t.Errorf("saturated overflow: %.60s", got)
	}
}

func TestEncoding(t *testing.T) {
	s := newStage(t)
	for _, c := range []struct{ value, want string }{
		{"", "embstr"},
		{"0", "int"},
		{"-1", "int"},
		{"-0", "embstr"},
		{"01", "embstr"},
		{"9223372036854775807", "int"},
		{"9223372036854775808", "embstr"},
		{strings.Repeat("x", 44), "embstr"},
		{strings.Repeat("x", 45), "raw"},
		{strings.Repeat("x", 5000), "raw"},
	} {
		s.do("set", "k", c.value)
		if got := s.do("object", "encoding", "k"); got != `"`+c.want+`"` {
			t.Errorf("%.50q: %s, want %s", c.value, got, c.want)
		}
	}
	s.play(`
		set k 9999 => +OK
		object refcount k => :2147483647
		set k 10000 => +OK
		object refcount k => :1
		append five 5 => :1
		object refcount five => :2147483647
		append five "" => :1
		object refcount five => :1
		copy five six => :1
		object encoding six => "raw"
		object idletime k => :0
		incrbyfloat c 3 => "3"
		object encoding c => "embstr"
		object refcount c => :1
		copy c d => :1
		rename d e => +OK
		object encoding e => "embstr"
		expire e 100 => :1
		object encoding e => "embstr"
		append e "" => :1
		object encoding e => "raw"
		incr c => :4
		object encoding c => "int"
		incrbyfloat c 0.5 => "4.5"
		incrbyfloat c 0.5 => "5"
		set c 5 => +OK
		object encoding c => "int"
		incrbyfloat a-long-key-of-more-than-sixty-three-bytes-which-has-a-general-entry 1 => "1"
		object encoding a-long-key-of-more-than-sixty-three-bytes-which-has-a-general-entry => "embstr"
		set a-long-key-of-more-than-sixty-three-bytes-which-has-a-general-entry 2 => +OK
		object encoding a-long-key-of-more-than-sixty-three-bytes-which-has-a-general-entry => "int"
		object freq none => nil
	`)
}
