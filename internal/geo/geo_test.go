package geo

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

func TestHash(t *testing.T) {
	// Redis' own documentation has these.
	palermo, catania := Place{13.361389, 38.115556}, Place{15.087269, 37.502669}
	if h := Encode(palermo); h != 3479099956230698 {
		t.Errorf("Palermo is %d", h)
	}
	if h := Encode(catania); h != 3479447370796909 {
		t.Errorf("Catania is %d", h)
	}
	if s := string(AppendText(nil, Encode(palermo))); s != "sqc8b49rny0" {
		t.Errorf("Palermo is %q", s)
	}
	if d := Exact(Decode(Encode(palermo)), Decode(Encode(catania))); math.Abs(d-166274.1516) > 5e-5 {
		t.Errorf("distance %v", d)
	}
}

func randomPlace(r *rand.Rand) Place {
	return Place{(r.Float64()*2 - 1) * MaxLongitude, (r.Float64()*2 - 1) * MaxLatitude}
}

func TestDecodeIsNear(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 30_000 {
		p := randomPlace(r)
		q := Decode(Encode(p))
		if math.Abs(p.Longitude-q.Longitude) > 180.0/(1<<26) || math.Abs(p.Latitude-q.Latitude) > 86.0/(1<<26) {
			t.Fatalf("%v becomes %v", p, q)
		}
		if Encode(q) != Encode(p) {
			t.Fatalf("%v: the middle of its cell is in another", p)
		}
	}
}

// TestExact compares with a Taylor series of 200 bits.
func TestExact(t *testing.T) {
	series := func(x float64) *big.Float {
		v := new(big.Float).SetPrec(300).SetFloat64(x)
		square := new(big.Float).SetPrec(300).Mul(v, v)
		term, total := new(big.Float).Copy(v), new(big.Float).Copy(v)
		for n := int64(2); n < 80; n += 2 {
			term.Mul(term, square)
			term.Quo(term, new(big.Float).SetPrec(300).SetInt64(-n*(n+1)))
			total.Add(total, term)
		}
		return total
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 1000 {
		x := (r.Float64()*2 - 1) * math.Pi
		want, _ := series(x).Float64()
		if got := sine(x); got != want {
			t.Fatalf("sine(%v) = %v, want %v", x, got, want)
		}
		if got := cosine(x); math.Abs(got-math.Cos(x)) > 2e-16 {
			t.Fatalf("cosine(%v) = %v, Go has %v", x, got, math.Cos(x))
		}
		y := r.Float64()
		a := arcsine(y)
		back := series(a)
		// Neither neighbour is closer.
		for _, b := range []float64{math.Nextafter(a, 0), math.Nextafter(a, 2)} {
			d := new(big.Float).Sub(back, big.NewFloat(y))
			e := new(big.Float).Sub(series(b), big.NewFloat(y))
			if d.Abs(d).Cmp(e.Abs(e)) > 0 {
				t.Fatalf("arcsine(%v) = %v, %v is closer", y, a, b)
			}
		}
	}
}

// TestCover holds covers to what they are for: no place that a shape contains is
// outside. Redis' rule fails near the poles, and where the shape crosses the
// edge of the map.
func TestCover(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	hits := 0
	for range 5_000 {
		c := Place{(r.Float64()*2 - 1) * 120, (r.Float64()*2 - 1) * 60}
		size := math.Exp(r.Float64() * 13)
		s := Shape{Kind: Kind(r.IntN(3)), Center: c, Radius: size, Width: 2 * size, Height: size}
		if s.Kind == Polygon {
			d := size / 111_000
			s.SetVertices([]Place{
				{c.Longitude - d, c.Latitude - d},
				{c.Longitude + d, c.Latitude - d/2},
				{c.Longitude + d/2, c.Latitude + d},
				{c.Longitude - d/3, c.Latitude + d/2},
			})
		}
		var space [9]Range
		list := s.Cover(&space)
		for range 10 {
			d := size / 60_000
			p := Place{c.Longitude + (r.Float64()*2-1)*d, c.Latitude + (r.Float64()*2-1)*d}
			if !p.Valid() {
				continue
			}
			p = Decode(Encode(p))
			if _, ok := s.Contains(p); !ok {
				continue
			}
			hits++
			h := float64(Encode(p))
			found := false
			for _, g := range list {
				found = found || h >= g.Min && h < g.Max
			}
			if !found {
				t.Fatalf("%v in %+v is not covered", p, s)
			}
		}
	}
	if hits < 2_000 {
		t.Errorf("only %d places", hits)
	}
}

// TestEdges looks for places on the edges of the map from where they are.
func TestEdges(t *testing.T) {
	for _, p := range []Place{
		{180, 0.5}, {-180, 0.5}, {12, MaxLatitude}, {12, -MaxLatitude}, {180, MaxLatitude}, {-180, -MaxLatitude}, {180, -MaxLatitude}, {-180, MaxLatitude},
	} {
		hash := Encode(p)
		for _, size := range []float64{0, 1, 1000, 1e6, 2e7} {
			s := Shape{Kind: Circle, Center: Decode(hash), Radius: size}
			var space [9]Range
			found := false
			for _, r := range s.Cover(&space) {
				found = found || float64(hash) >= r.Min && float64(hash) < r.Max
			}
			if !found {
				t.Errorf("%v is not found within %v m of itself", p, size)
			}
		}
	}
}

func BenchmarkDistance(b *testing.B) {
	p, q := Place{13.361389, 38.115556}, Place{15.087269, 37.502669}
	b.Run("go", func(b *testing.B) {
		for b.Loop() {
			Distance(p, q)
		}
	})
	b.Run("exact", func(b *testing.B) {
		for b.Loop() {
			Exact(p, q)
		}
	})
}
