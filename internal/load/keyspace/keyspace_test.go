package keyspace

import (
	"fmt"
	"math"
	"testing"
)

func TestZipfShape(t *testing.T) {
	const n, draws = 1000, 400_000
	for _, s := range []float64{0.5, 0.99, 1, 1.5} {
		w := NewWalker(Spec{Dist: Zipf, Exponent: s, Min: 10, Count: n}, 7, 0, 1)
		var counts [n]int
		for range draws {
			k := w.Next()
			if k < 10 || k >= 10+n {
				t.Fatalf("s=%g: key %d out of range", s, k)
			}
			counts[k-10]++
		}
		sum := 0.0
		for i := 1; i <= n; i++ {
			sum += math.Pow(float64(i), -s)
		}
		// Single hot ranks, then bands of colder ones, against the exact law.
		bands := [][2]int{{1, 1}, {2, 2}, {3, 3}, {4, 10}, {11, 100}, {101, 500}, {501, n}}
		for _, b := range bands {
			want, got := 0.0, 0
			for i := b[0]; i <= b[1]; i++ {
				want += draws * math.Pow(float64(i), -s) / sum
				got += counts[i-1]
			}
			if slack := 6*math.Sqrt(want) + 1; math.Abs(float64(got)-want) > slack {
				t.Errorf("s=%g ranks %d–%d: %d draws, want %.0f ± %.0f", s, b[0], b[1], got, want, slack)
			}
		}
	}
}

func TestZipfOfOneKey(t *testing.T) {
	w := NewWalker(Spec{Dist: Zipf, Exponent: .99, Count: 1}, 1, 0, 1)
	for range 100 {
		if k := w.Next(); k != 0 {
			t.Fatalf("key %d of one", k)
		}
	}
}

func TestUniformShape(t *testing.T) {
	const n, draws = 64, 64 * 4000
	w := NewWalker(Spec{Dist: Uniform, Min: 5, Count: n}, 3, 0, 1)
	var counts [n]int
	for range draws {
		counts[w.Next()-5]++
	}
	for i, c := range counts {
		if math.Abs(float64(c)-4000) > 6*math.Sqrt(4000) {
			t.Errorf("key %d drawn %d times of %d", i, c, draws)
		}
	}
}

func TestSequentialNamesEveryKeyOncePerRound(t *testing.T) {
	for _, c := range []struct{ count, walkers int }{{1, 1}, {10, 3}, {12, 4}, {3, 5}, {1000, 7}} {
		seen := make([]int, c.count)
		left := c.count * 6
		walkers := make([]*Walker, c.walkers)
		for i := range walkers {
			walkers[i] = NewWalker(Spec{Dist: Sequential, Min: 100, Count: uint64(c.count)}, 1, i, c.walkers)
		}
		for i := 0; left > 0; i++ {
			seen[walkers[i%c.walkers].Next()-100]++
			left--
		}
		for k, n := range seen {
			if n != 6 {
				t.Errorf("%+v: key %d named %d times in six rounds", c, k, n)
			}
		}
	}
}

func TestWalkersAreReproducibleAndDiffer(t *testing.T) {
	spec := Spec{Dist: Uniform, Count: 1 << 40}
	a, b, c := NewWalker(spec, 9, 0, 2), NewWalker(spec, 9, 0, 2), NewWalker(spec, 9, 1, 2)
	drawn := map[uint64]bool{}
	for range 1000 {
		x := a.Next()
		if x != b.Next() {
			t.Fatal("the same seed drew different keys")
		}
		drawn[x] = true
	}
	// Not even shifted.
	for range 1000 {
		if z := c.Next(); drawn[z] {
			t.Fatalf("two walkers drew the key %d", z)
		}
	}
}

func TestFormat(t *testing.T) {
	for _, format := range []string{"memtier-%d", "key:%08d", "%d", "a%03dz", "plain"} {
		f, err := ParseFormat(format)
		if err != nil {
			t.Fatal(err)
		}
		printf := format
		if format == "plain" {
			printf = "plain%d"
		}
		for _, n := range []uint64{0, 1, 9, 10, 11, 99, 100, 101, 12345, 99999999, 100000000, math.MaxUint64} {
			if got, want := string(f.Append(nil, n)), fmt.Sprintf(printf, n); got != want {
				t.Errorf("%q of %d = %q, want %q", format, n, got, want)
			}
			if got, want := f.Digits(n), len(f.Append(nil, n))-len(f.Prefix)-len(f.Suffix); got != want {
				t.Errorf("%q: Digits(%d) = %d, want %d", format, n, got, want)
			}
		}
	}
	for _, bad := range []string{"%s", "%", "%5d", "%d%d", "%0xd", "%021d", "%-3d"} {
		if _, err := ParseFormat(bad); err == nil {
			t.Errorf("format %q was taken", bad)
		}
	}
}

func TestParseDist(t *testing.T) {
	for text, want := range map[string]Dist{"uniform": Uniform, "zipf": Zipf, "zipf:1.2": Zipf, "sequential": Sequential} {
		if d, _, err := ParseDist(text); err != nil || d != want {
			t.Errorf("ParseDist(%q) = %v, %v", text, d, err)
		}
	}
	if _, s, _ := ParseDist("zipf:1.2"); s != 1.2 {
		t.Errorf("exponent %g, want 1.2", s)
	}
	for _, bad := range []string{"", "gauss", "zipf:", "zipf:-1", "zipf:x", "uniform:3"} {
		if _, _, err := ParseDist(bad); err == nil {
			t.Errorf("distribution %q was taken", bad)
		}
	}
}

func BenchmarkUniform(b *testing.B) {
	w := NewWalker(Spec{Dist: Uniform, Count: 1_000_000}, 1, 0, 1)
	for b.Loop() {
		w.Next()
	}
}

func BenchmarkZipf(b *testing.B) {
	w := NewWalker(Spec{Dist: Zipf, Exponent: .99, Count: 1_000_000}, 1, 0, 1)
	for b.Loop() {
		w.Next()
	}
}
