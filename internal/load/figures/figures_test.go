package figures

import (
	"bytes"
	"context"
	"strings"
	"testing"
)

func TestRowsAreSkippedWithTheReason(t *testing.T) {
	missing := map[string]string{"sherd": "sherd is not built", "redis-server": "redis-server is not installed", "floor": "no floor"}
	var seen []Row
	rep, err := Run(context.Background(), Options{Missing: missing, Progress: func(r Row) { seen = append(seen, r) }})
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, row := range rep.Rows {
		if row.Verdict != Skipped || row.Detail == "" {
			t.Errorf("%s: %s %q", row.Name, row.Verdict, row.Detail)
		}
		if names[row.Name] {
			t.Errorf("two rows are named %s", row.Name)
		}
		names[row.Name] = true
	}
	if len(seen) != len(rep.Rows) || len(rep.Rows) < 20 {
		t.Errorf("%d rows, %d reported on the way", len(rep.Rows), len(seen))
	}
	var out bytes.Buffer
	rep.Print(&out)
	if !strings.Contains(out.String(), "not built") || rep.Missed() != 0 {
		t.Errorf("printed\n%s", out.String())
	}
}

func TestOnly(t *testing.T) {
	missing := map[string]string{"sherd": "gone"}
	rep, err := Run(context.Background(), Options{Missing: missing, Only: []string{"memory-ttl"}})
	if err != nil || len(rep.Rows) != 1 {
		t.Errorf("%+v, %v", rep, err)
	}
	if _, err := Run(context.Background(), Options{Only: []string{"nosuch"}}); err == nil {
		t.Error("a figure that does not exist was taken")
	}
}

func TestVerdicts(t *testing.T) {
	g := group{rows: []Row{{Name: "a", Bar: 1}, {Name: "b", Bar: 2, AtLeast: true}, {Name: "c", Bar: 0}}}
	for _, c := range []struct {
		name string
		v    float64
		want Verdict
	}{{"a", 1, Met}, {"a", 1.01, Missed}, {"b", 2, Met}, {"b", 1.9, Missed}, {"c", 0, Met}} {
		g.set(c.name, c.v, "x")
		for _, row := range g.rows {
			if row.Name == c.name && row.Verdict != c.want {
				t.Errorf("%s = %g: %s, want %s", c.name, c.v, row.Verdict, c.want)
			}
		}
	}
}

func TestParseThreads(t *testing.T) {
	out := `goos: linux
BenchmarkInProcess/threads=1-2         	 1000000	      100.0 ns/op
BenchmarkInProcess/threads=1-2         	 1000000	      120.0 ns/op
BenchmarkInProcess/threads=1-2         	 1000000	      110.0 ns/op	  0 B/op
BenchmarkInProcess/threads=2-2         	 1000000	       55.0 ns/op
BenchmarkInProcess/threads=16-2        	 1000000	       15.0 ns/op
PASS`
	one, two, err := parseThreads([]byte(out))
	if err != nil || two/one < 1.99 || two/one > 2.01 {
		t.Errorf("%g, %g, %v", one, two, err)
	}
	// What the benchmark reports itself comes first.
	one, two, err = parseThreads([]byte("BenchmarkX/threads=1-2 100 50.0 ns/op 2e+07 ops/s 0 B/op\nBenchmarkX/threads=2-2 100 52.0 ns/op 38000000 ops/s"))
	if err != nil || one != 2e7 || two != 3.8e7 {
		t.Errorf("%g, %g, %v", one, two, err)
	}
	if _, _, err := parseThreads([]byte("BenchmarkX/threads=1 1 5 ns/op")); err == nil {
		t.Error("half of the output was enough")
	}
}
