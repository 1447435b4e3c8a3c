package consistency

import (
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"

	"sherd/internal/testserver"
)

// TestEarlyReleaseIsCaught runs the histories of TestLinearizable on a build
// of sherd that gives its latches up before a multi-key command is done, and
// expects them to be refused.
func TestEarlyReleaseIsCaught(t *testing.T) {
	if testing.Short() {
		t.Skip("a check of the checker, made in the full run")
	}
	if testserver.Default() != testserver.Sherd || !hasTag(t, "earlyrelease") {
		t.Skip("the server under test has no build that releases its latches early")
	}
	r := rand.New(rand.NewPCG(testserver.Seed(t), 0))
	ops := 0
	for spent := time.Duration(0); spent < 6*time.Minute; {
		srv := testserver.Start(t, testserver.Options{Threads: 2, Tags: "earlyrelease", FaultsWanted: true})
		begin := time.Now()
		n, verdict, _, err := episodes(srv.Addr(), r, hotWorkload, 10*time.Second)
		spent += time.Since(begin)
		ops += n
		if err != nil {
			t.Logf("the broken build broke: %v", err) // its tables were changed without a latch; no proof of anything
		}
		if verdict == porcupine.Illegal {
			t.Logf("refused after %d commands", ops)
			return
		}
		_ = srv.Stop()
	}
	t.Fatalf("%d commands of a build that releases its latches early passed as linearizable", ops)
}

// hasTag says whether a file of this module asks for a build tag.
func hasTag(t *testing.T, tag string) (found bool) {
	err := filepath.WalkDir(filepath.Join(testserver.Root(), "internal"), func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || found {
			return err
		}
		b, err := os.ReadFile(path)
		found = strings.HasPrefix(string(b), "//go:build "+tag+"\n")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}
