package listpack

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"strconv"
	"strings"
	"testing"
)

// What redis-server 7.0.15 DUMPs for small hashes, without the RDB around the
// listpack: by name the listpack, or its hash where it is long.
//
//go:embed testdata/redis-7.0.txt
var golden string

// elementsOf are the elements of a golden listpack.
func elementsOf(t *testing.T, name string) (all []string) {
	n, err := strconv.ParseInt(name[1:], 10, 64)
	switch {
	case name == "many":
		for i := range 5000 {
			all = append(all, "f"+strconv.Itoa(i), strconv.Itoa(i*i*i))
		}
		return all
	case err != nil:
	case name[0] == 'i':
		return []string{"f", name[1:]}
	case name[0] == 't':
		odd := []string{"", "-0", "00", "+1", "01", " 1", "9223372036854775808", "-9223372036854775809", "1.0", "-", "18446744073709551616"}
		return []string{"f", odd[n]}
	case name[0] == 'x':
		return []string{"f", strings.Repeat("x", int(n))}
	}
	t.Fatalf("what is %q?", name)
	return nil
}

func TestGolden(t *testing.T) {
	for line := range strings.Lines(golden) {
		name, want, _ := strings.Cut(strings.TrimSpace(line), " ")
		elements := elementsOf(t, name)
		p := Empty(nil)
		for _, s := range elements {
			p = AppendValue(p, []byte(s))
		}
		got := hex.EncodeToString(p)
		if sum, ok := strings.CutPrefix(want, "sha256:"); ok {
			h := sha256.Sum256(p)
			got, want = hex.EncodeToString(h[:]), sum
		}
		if got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
		if err := Validate(p); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		var scratch [24]byte
		for i, s := range elements {
			if g := Get(p, Seek(p, i), &scratch); string(g) != s {
				t.Errorf("%s: element %d is %.30q", name, i, g)
			}
		}
	}
}

func FuzzValidate(f *testing.F) {
	for line := range strings.Lines(golden) {
		_, text, _ := strings.Cut(strings.TrimSpace(line), " ")
		if b, err := hex.DecodeString(text); err == nil {
			f.Add(b)
		}
	}
	f.Add([]byte{})
	f.Add([]byte{7, 0, 0, 0, 0xFF, 0xFF, 0xFF})
	f.Fuzz(func(t *testing.T, p []byte) {
		if Validate(p) != nil {
			return
		}
		// What is valid can be walked both ways, and be built again.
		var scratch [24]byte
		var places []int
		q := Empty(nil)
		for at := First(p); at >= 0; at = Next(p, at) {
			places = append(places, at)
			q = AppendValue(q, Get(p, at, &scratch))
			if !Equal(p, at, Get(p, at, &scratch)) {
				t.Fatal("an element differs from itself")
			}
		}
		if len(places) != Len(p) || Len(q) != Len(p) {
			t.Fatalf("%d elements, %d noted, %d built", len(places), Len(p), Len(q))
		}
		i := len(places)
		for at := Last(p); at >= 0; at = Prev(p, at) {
			if i--; i < 0 || places[i] != at || Seek(p, i) != at || Seek(p, i-len(places)) != at {
				t.Fatalf("element %d is at %d", i, at)
			}
		}
		if i != 0 {
			t.Fatalf("%d elements not met backwards", i)
		}
		if len(q) > len(p) {
			t.Fatalf("built anew it takes %d bytes instead of %d", len(q), len(p))
		}
	})
}
