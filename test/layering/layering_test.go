// Package layering checks that a package of this module imports only what
// stands after it in the walk of a request (docs/ARCHITECTURE.md), for every
// platform and build tag at once: it reads the import clauses of all files.
package layering

import (
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "sherd"

// walk is the order. An entry covers the package and what lies below it;
// packages of one entry may import each other.
var walk = []string{
	"cmd/sherd",
	"", // the module's root: package sherd
	"internal/server",
	"internal/conn",
	"internal/command",
	"internal/txn",
	"internal/shard",
	"internal/persist/rdb",
	"internal/store",
	"internal/heap",
}

// grounds are packages below the walk, with all that each may import of this
// module. Whatever is neither here nor in the walk is a leaf: every package
// down to internal/shard may import it, and it imports other leaves and
// internal/invariants only.
var grounds = map[string][]string{
	"internal/wire":       {"internal/glob", "internal/invariants"},
	"internal/reactor":    {"internal/invariants"},
	"internal/invariants": {},
	"internal/load":       {"internal/wire", "internal/reactor"},
	"cmd/sherd-bench":     {"internal/load", "internal/wire", "internal/reactor"},
	"internal/testserver": {}, // tests only, see below
	"test":                {"internal/testserver"},
}

// noLeaves are the entries that are handed everything they need: they import
// no leaf but internal/invariants.
var noLeaves = []string{"internal/store", "internal/heap"}

func within(pkg, entry string) bool {
	return pkg == entry || entry != "" && strings.HasPrefix(pkg, entry+"/")
}

// place finds the entry that covers pkg: the longest, so that cmd/sherd-bench
// or a later exception below an entry wins.
func place(pkg string) (entry string, rank int, kind string) {
	rank = -1
	for i, e := range walk {
		if within(pkg, e) && (kind == "" || len(e) > len(entry)) {
			entry, rank, kind = e, i, "walk"
		}
	}
	for e := range grounds {
		if within(pkg, e) && (kind == "" || len(e) > len(entry)) {
			entry, rank, kind = e, -1, "ground"
		}
	}
	if kind == "" {
		return pkg, -1, "leaf"
	}
	return entry, rank, kind
}

// verdict says why pkg must not import dep, or "".
func verdict(pkg, dep string) string {
	from, fromRank, fromKind := place(pkg)
	to, toRank, toKind := place(dep)
	if from == to && fromKind != "leaf" {
		return ""
	}
	if to == "internal/testserver" {
		if from == "test" {
			return ""
		}
		return "only tests start test servers"
	}
	switch fromKind {
	case "ground":
		if slices.Contains(grounds[from], to) {
			return ""
		}
		return fmt.Sprintf("%s may import only %v", from, grounds[from])
	case "leaf":
		if toKind == "leaf" || to == "internal/invariants" {
			return ""
		}
		return "a package outside the walk imports only others outside it"
	}
	switch {
	case to == "internal/invariants":
		return ""
	case to == "internal/load" || to == "cmd/sherd-bench" || to == "test":
		return "the load tool and the tests stand apart from the server"
	case to == "internal/reactor":
		if fromRank <= slices.Index(walk, "internal/shard") {
			return ""
		}
		return "the store is handed what it needs and knows no loops"
	case to == "internal/wire":
		if fromRank <= slices.Index(walk, "internal/command") {
			return ""
		}
		return "below the commands nothing knows the wire"
	case toKind == "leaf":
		if slices.Contains(noLeaves, from) {
			return from + " is handed what it needs"
		}
		return ""
	case toRank > fromRank:
		return ""
	}
	return fmt.Sprintf("%q does not stand after %q in the walk", to, from)
}

func TestLayering(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	files := 0
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() {
			if path != root && (name[0] == '.' || name == "testdata" || name == "node_modules") {
				return fs.SkipDir
			}
			if path != root {
				if _, err := os.Stat(filepath.Join(path, "go.mod")); err == nil {
					return fs.SkipDir // a module of its own
				}
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		files++
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(root, filepath.Dir(path))
		pkg := strings.Trim(filepath.ToSlash(rel), ".")
		for _, imp := range f.Imports {
			dep, err := strconv.Unquote(imp.Path.Value)
			if err != nil {
				return err
			}
			if dep == "C" {
				t.Errorf("%s imports C: there is no cgo here", path)
			}
			dep, ours := strings.CutPrefix(dep, module+"/")
			if !ours {
				if dep != module {
					continue
				}
				dep = ""
			}
			if why := verdict(pkg, dep); why != "" {
				t.Errorf("%s imports %q: %s", filepath.Join(rel, name), dep, why)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 3 {
		t.Fatalf("looked at %d files only", files)
	}
}

// TestVerdicts shows that the check refuses what it is there to refuse.
func TestVerdicts(t *testing.T) {
	for _, tc := range []struct {
		pkg, dep string
		ok       bool
	}{
		{"cmd/sherd", "", true},
		{"", "internal/server", true},
		{"internal/server", "internal/config", true},
		{"internal/conn", "internal/wire/resp", true},
		{"internal/conn", "internal/reactor", true},
		{"internal/command", "internal/wire/resp", true},
		{"internal/command", "internal/txn", true},
		{"internal/txn", "internal/shard", true},
		{"internal/txn", "internal/reactor", true},
		{"internal/shard", "internal/store/dash", true},
		{"internal/store/dash", "internal/heap", true},
		{"internal/store/dash", "internal/store/prefetch", true},
		{"internal/heap", "internal/invariants", true},
		{"internal/reactor", "internal/reactor/uring", true},
		{"internal/load", "internal/wire/resp", true},
		{"internal/load", "internal/reactor", true},
		{"cmd/sherd-bench", "internal/load", true},
		{"test/diff", "internal/testserver", true},

		{"internal/txn", "internal/command", false},
		{"internal/txn", "internal/wire/resp", false},
		{"internal/shard", "internal/txn", false},
		{"internal/store/dash", "internal/shard", false},
		{"internal/store/dash", "internal/metrics", false},
		{"internal/heap", "internal/store/dash", false},
		{"internal/wire/resp", "internal/conn", false},
		{"internal/wire/resp", "internal/command", false},
		{"internal/reactor", "internal/conn", false},
		{"internal/reactor", "internal/config", false},
		{"internal/store/dash", "internal/reactor", false},
		{"internal/load", "internal/heap", false},
		{"internal/load", "internal/config", false},
		{"cmd/sherd-bench", "internal/store/dash", false},
		{"cmd/sherd-bench", "", false},
		{"internal/server", "internal/load", false},
		{"internal/config", "internal/server", false},
		{"internal/metrics", "internal/heap", false},
		{"internal/command", "internal/testserver", false},
	} {
		if why := verdict(tc.pkg, tc.dep); (why == "") != tc.ok {
			t.Errorf("%q imports %q: %q", tc.pkg, tc.dep, why)
		}
	}
}
