package config

import (
	"math"
	"testing"
)

func TestParseMemory(t *testing.T) {
	for _, c := range []struct {
		in   string
		want uint64
		bad  bool
	}{
		{in: "0"},
		{in: ""},
		{in: "1", want: 1},
		{in: "1b", want: 1},
		{in: "1B", want: 1},
		{in: "1k", want: 1000},
		{in: "1kb", want: 1024},
		{in: "1K", want: 1000},
		{in: "2m", want: 2000000},
		{in: "2Mb", want: 2 << 20},
		{in: "3g", want: 3000000000},
		{in: "3gB", want: 3 << 30},
		{in: "9223372036854775807", want: math.MaxInt64},
		{in: "9223372036854775808", want: math.MaxInt64 + 1},
		{in: "18446744073709551616", bad: true},
		{in: "9223372036854775807k", bad: true},
		{in: "-1", bad: true},
		{in: "+1", bad: true},
		{in: "1tb", bad: true},
		{in: " 1", bad: true},
		{in: "1 kb", bad: true},
		{in: "kb", bad: true},
		{in: "1.5gb", bad: true},
	} {
		got, ok := parseMemory(c.in)
		if ok == c.bad || got != c.want {
			t.Errorf("parseMemory(%q) = %d, %v", c.in, got, ok)
		}
		if ok && got <= math.MaxInt64 {
			if back, ok := parseMemory(string(appendMemory(nil, int64(got)))); !ok || back != got {
				t.Errorf("%d is written %q", got, appendMemory(nil, int64(got)))
			}
		}
	}
}

func TestParse(t *testing.T) {
	for _, c := range []struct {
		name, value string
		text        string
		reason      string
	}{
		{"protected-mode", "YES", "yes", ""},
		{"protected-mode", "true", "", "argument must be 'yes' or 'no'"},
		{"port", "65536", "", "argument must be between 0 and 65535 inclusive"},
		{"port", "0x10", "", "argument couldn't be parsed into an integer"},
		{"unixsocketperm", "777", "777", ""},
		{"unixsocketperm", "0700", "700", ""},
		{"unixsocketperm", "1777", "", "argument must be between 0 and 777 inclusive"},
		{"unixsocketperm", "78", "", "argument couldn't be parsed as an octal number"},
		{"maxmemory-clients", "5%", "5%", ""},
		{"maxmemory-clients", "0%", "0", ""},
		{"maxmemory-clients", "101%", "", "percentage argument must be less or equal to 100"},
		{"loglevel", "Nothing", "nothing", ""},
		{"loglevel", "info", "", "argument(s) must be one of the following: debug, verbose, notice, warning"},
		{"oom-score-adj", "relative", "yes", ""},
		{"shutdown-on-sigterm", "force nosave default", "nosave force", ""},
		{"shutdown-on-sigterm", "save nosave", "", "shutdown options SAVE and NOSAVE can't be used simultaneously"},
		{"notify-keyspace-events", "KEA", "AKE", ""},
		{"notify-keyspace-events", "Eg$lshzxetd", "AE", ""},
		{"notify-keyspace-events", "nmg", "gnm", ""},
		{"client-output-buffer-limit", "replica 1mb 0 5", "normal 0 0 0 slave 1048576 0 5 pubsub 0 0 0", ""},
		{"save", "60 1 30 2", "60 1 30 2", ""},
		{"save", "0 1", "", "Invalid save parameters"},
		{"latency-tracking-info-percentiles", "50 99.9000 33.333333333", "50 99.9 33.333333", ""},
		{"hz", "100000", "500", ""},
		{"proc-title-template", "{title} {nope}", "", "template format is invalid or contains unknown variables"},
		{"replicaof", "NO ONE", "", ""},
		{"replicaof", "example.org 6380", "example.org 6380", ""},
		{"replicaof", "example.org 99999", "", "Invalid master port"},
		{"dbfilename", "a/b", "", "dbfilename can't be a path, just a filename"},
		{"appendfilename", "", "", "appendfilename can't be empty"},
	} {
		d := mustLookup(c.name)
		words := []string{c.value}
		if d.Has(Multi) {
			words = splitSpaces(c.value)
		}
		text, reason := d.parse("", words, false)
		if text != c.text || reason != c.reason {
			t.Errorf("%s %q: %q, %q", c.name, c.value, text, reason)
		}
	}
}

// Every default is a text, and no promise.
func TestDefaults(t *testing.T) {
	for _, d := range Table() {
		if d.Has(Repeated) || d.Name == "dir" || d.Name == "replicaof" {
			continue
		}
		words := []string{d.Default}
		if d.Has(Multi) {
			words = splitSpaces(d.Default)
		}
		text, reason := d.parse("", words, false)
		if reason != "" || text != d.Default {
			t.Errorf("%s: default %q parses to %q (%s)", d.Name, d.Default, text, reason)
		}
		if (d.State == Refused) != (d.Promise != nil) && d.State == Refused {
			t.Errorf("%s: refused without a promise", d.Name)
		}
		if reason := d.refuses(d.Default); reason != "" {
			t.Errorf("%s: default %q: %s", d.Name, d.Default, reason)
		}
	}
}
