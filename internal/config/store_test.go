package config

import "testing"

func TestDefaultsParseToThemselves(t *testing.T) {
	for _, d := range Table() {
		if d.Has(Repeated) {
			continue
		}
		words := []string{d.Default}
		if d.Has(Multi) {
			words = splitSpaces(d.Default)
		}
		if d.Name == "dir" || d.Kind == Special && d.Default == "" && d.Has(Multi) {
			continue
		}
		text, reason := d.parse("", words, false)
		if reason != "" || text != d.Default {
			t.Errorf("%s: default %q parses to %q (%s)", d.Name, d.Default, text, reason)
		}
		if d.State == Refused && !d.Has(Repeated) && d.Promise(d.Default) {
			t.Errorf("%s: default %q is a promise", d.Name, d.Default)
		}
	}
}

func TestStore(t *testing.T) {
	s, err := New(Pair{"port", "0"}, Pair{"threads", "2"})
	if err != nil {
		t.Fatal(err)
	}
	if c := s.Current(); c.Port != 0 || c.Threads != 2 || c.Databases != 16 {
		t.Fatalf("%+v", c)
	}
	if err := s.Set([]Pair{{"maxmemory", "1mb"}, {"hz", "1000"}}, Client{}); err != nil {
		t.Fatal(err)
	}
	if c := s.Current(); c.MaxMemoryBytes != 1<<20 || c.Hz != 500 {
		t.Fatalf("%+v", c)
	}
}
