package diff

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"sherd/internal/testserver"
)

func TestMain(m *testing.M) { testserver.Main(m) }

// sequenceLen is the number of commands between two empty databases.
const sequenceLen = 500

// TestAgainstRedis runs generated sequences on redis-server and on the server
// under test, over every engine and several numbers of threads.
func TestAgainstRedis(t *testing.T) {
	seed := testserver.Seed(t)
	commands := 60_000 * testserver.Scale()
	if testing.Short() {
		commands = 5_000
	}
	oracle := testserver.Start(t, testserver.Options{Kind: testserver.Redis})
	counts := newCounts()
	engines := testserver.Engines()
	sequence := uint64(0)
	begin := time.Now()
	differing := map[string]bool{} // forms left out, once they have shown a difference
	threadCounts := []int{1, 2, 4}
	if testserver.Default() == testserver.Redis {
		threadCounts = []int{0} // redis has no loops to choose
	}
	perServer := 1 + commands/sequenceLen/len(engines)/len(threadCounts)
	for _, engine := range engines {
		for _, threads := range threadCounts {
			srv := testserver.Start(t, testserver.Options{Engine: engine, Threads: threads})
			p := &pair{want: side{"redis", oracle.Addr()}, got: side{string(srv.Kind), srv.Addr()}, count: counts.add}
			for range perServer {
				sequence++
				proto := 2 + int(sequence%2)
				ops := newGen(seed, sequence, time.Now().UnixMilli(), differing).sequence(sequenceLen)
				m, err := p.do(ops, proto)
				if err != nil {
					t.Fatalf("sequence %d: %v", sequence, err)
				}
				if m != nil {
					t.Errorf("engine %q, %d threads, sequence %d of seed %d: replies differ\n%s", engine, threads, sequence, seed, p.report(ops, proto, m))
					if !srv.Running() || len(differing) >= 50 {
						t.FailNow()
					}
					if m.at < len(ops) {
						differing[ops[m.at].form.name] = true
					} else {
						differing[fmt.Sprint("contents ", len(differing))] = true
					}
				}
			}
			if err := srv.Stop(); err != nil {
				t.Error(err)
			}
		}
	}
	t.Logf("%d commands in %v", counts.total, time.Since(begin).Round(time.Millisecond))
	if !t.Failed() {
		counts.check(t)
	}
}

// counts says what the commands of a run did.
type counts struct {
	total int
	forms map[string]*formCount
}

type formCount struct {
	form             *form
	ran, failed      int
	mutated, refused int
	replies          map[string]bool // the first few distinct ones
}

func newCounts() *counts {
	c := &counts{forms: map[string]*formCount{}}
	for i := range grammar {
		f := &grammar[i]
		if c.forms[f.name] != nil {
			panic("two forms are called " + f.name)
		}
		c.forms[f.name] = &formCount{form: f, replies: map[string]bool{}}
	}
	return c
}

func (c *counts) add(o op, v testserver.Reply) {
	c.total++
	n := c.forms[o.form.name]
	if o.mutated {
		n.mutated++
		if v.IsError() {
			n.refused++
		}
		return
	}
	n.ran++
	if v.IsError() {
		n.failed++
	}
	if len(n.replies) < 4 {
		n.replies[string(v.Raw)] = true
	}
}

// check asserts that every form ran, that those meant to succeed mostly did,
// that those meant to fail did, and that replies were not always the same.
func (c *counts) check(t *testing.T) {
	names := make([]string, 0, len(c.forms))
	weights := 0
	for name, n := range c.forms {
		names = append(names, name)
		weights += n.form.weight
	}
	slices.Sort(names)
	var table strings.Builder
	ran, failed, mutated, refused := 0, 0, 0, 0
	for _, name := range names {
		n := c.forms[name]
		mutated, refused = mutated+n.mutated, refused+n.refused
		if !n.form.fails && !n.form.mixed {
			ran, failed = ran+n.ran, failed+n.failed
		}
		fmt.Fprintf(&table, "%-26s ran %6d  failed %6d  mutated %5d\n", name, n.ran, n.failed, n.mutated)
		expected := c.total * n.form.weight / weights
		switch {
		case expected < 100: // too few to judge
		case n.ran < expected/3:
			t.Errorf("%s ran %d times, want about %d", name, n.ran, expected)
		case n.form.fails && n.failed < n.ran*85/100:
			t.Errorf("%s is meant to fail, but %d of %d succeeded", name, n.ran-n.failed, n.ran)
		case !n.form.fails && !n.form.mixed && n.failed > n.ran*2/5:
			t.Errorf("%s is meant to succeed, but %d of %d failed", name, n.failed, n.ran)
		case !n.form.dull && n.form.how != kind && len(n.replies) < 2:
			t.Errorf("%s always had the same reply", name)
		}
	}
	t.Logf("of the commands meant to succeed %d of %d did; of %d spoilt ones %d were refused", ran-failed, ran, mutated, refused)
	if failed > ran/10 {
		t.Errorf("too many commands failed: %d of %d", failed, ran)
	}
	if os.Getenv("SHERD_TEST_COUNTS") != "" {
		t.Logf("\n%s", table.String())
	}
}
