package rdb

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

func TestChecksum(t *testing.T) {
	if got := Checksum(0, []byte("123456789")); got != 0xe9c6d914c4b8d9ca {
		t.Errorf("got %x", got)
	}
	p := make([]byte, 300)
	for i := range p {
		p[i] = byte(i * 7)
	}
	want := Checksum(0, p)
	for cut := range p {
		if got := Checksum(Checksum(0, p[:cut]), p[cut:]); got != want {
			t.Fatalf("cut at %d: %x, want %x", cut, got, want)
		}
	}
}

func TestLZF(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	texts := [][]byte{
		nil, []byte("a"), bytes.Repeat([]byte("a"), 21), bytes.Repeat([]byte("abc"), 100000),
		bytes.Repeat([]byte{0}, 70000), append(bytes.Repeat([]byte("x"), 8191), bytes.Repeat([]byte("xyz"), 9000)...),
	}
	for range 300 {
		p := make([]byte, r.IntN(20000))
		letters := 1 + r.IntN(255)
		for i := range p {
			p[i] = byte(r.IntN(letters))
			if i > 9000 && r.IntN(3) == 0 {
				copy(p[i:], p[i-r.IntN(9000):i])
			}
		}
		texts = append(texts, p)
	}
	for i, p := range texts {
		packed, ok := compress([]byte("before"), p, len(p)-packGains)
		if !ok {
			if len(packed) != 6 {
				t.Fatalf("text %d: refused, but something was written", i)
			}
			continue
		}
		packed = packed[6:]
		if len(packed) > len(p)-packGains {
			t.Fatalf("text %d: %d bytes made %d", i, len(p), len(packed))
		}
		if size, ok := expandedSize(packed); !ok || size != len(p) {
			t.Fatalf("text %d: expands to %d, want %d", i, size, len(p))
		}
		if got := expand(make([]byte, 0, len(p)), packed); !bytes.Equal(got, p) {
			t.Fatalf("text %d: differs", i)
		}
	}
}

// What is cut off, or refers to what was before its beginning, is no LZF.
func TestLZFHostile(t *testing.T) {
	p, ok := compress(nil, bytes.Repeat([]byte("hello, "), 100), 1000)
	if !ok {
		t.Fatal("not compressed")
	}
	for cut := 1; cut < len(p); cut++ {
		if size, ok := expandedSize(p[:cut]); ok && size >= 700 {
			t.Errorf("cut at %d: %d bytes", cut, size)
		}
	}
	for _, bad := range []string{"\x20", "\x20\x00", "\x00a\x20\x01", "\xe0", "\xe0\x05", "\x00a\xe0\xff\x01", "\x1fabc"} {
		if _, ok := expandedSize([]byte(bad)); ok {
			t.Errorf("%q passes", bad)
		}
	}
}

func TestStrings(t *testing.T) {
	for _, s := range []string{
		"", "0", "-1", "127", "-128", "128", "32767", "-32769", "2147483647", "-2147483648", "2147483648", "007", "1.5",
		"9223372036854775807", "hello", string(bytes.Repeat([]byte("ab"), 5000)), string(make([]byte, 63)), string(make([]byte, 64)),
		string(make([]byte, 17000)),
	} {
		for _, pack := range []bool{false, true} {
			b := appendString([]byte("x"), []byte(s), pack)
			r := reader{p: b, at: 1}
			var got text
			if !r.text(&got, 1<<20) || string(got.b) != s || r.at != len(b) {
				t.Errorf("%.20q packed %v: got %.20q, read %d of %d", s, pack, got.b, r.at, len(b))
			}
			for cut := 1; cut < len(b) && len(b) < 1000; cut++ {
				r := reader{p: b[:cut], at: 1}
				if r.text(&got, 1<<20) {
					t.Errorf("%.20q cut at %d passes", s, cut)
				}
			}
		}
	}
}

func BenchmarkChecksum(b *testing.B) {
	p := make([]byte, 64<<10)
	b.SetBytes(int64(len(p)))
	for b.Loop() {
		Checksum(0, p)
	}
}

func BenchmarkCompress(b *testing.B) {
	p := bytes.Repeat([]byte("member:00001234,field:"), 400)
	for i := range p {
		if i%11 == 0 {
			p[i] += byte(i % 10)
		}
	}
	b.SetBytes(int64(len(p)))
	var out []byte
	for b.Loop() {
		out, _ = compress(out[:0], p, len(p))
	}
	b.ReportMetric(float64(len(out))/float64(len(p)), "ratio")
}

func BenchmarkExpand(b *testing.B) {
	src := bytes.Repeat([]byte("member:00001234,field:"), 400)
	p, _ := compress(nil, src, len(src))
	b.SetBytes(int64(len(src)))
	out := make([]byte, 0, len(src))
	for b.Loop() {
		expandedSize(p)
		out = expand(out[:0], p)
	}
}
