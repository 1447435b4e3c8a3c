package resp

import (
	"bytes"
	"testing"
	"time"
)

// benchParse parses a pipeline over and over. Beside the average it reports
// the best of many short batches, which is what the code takes when nothing
// else runs on the core.
func benchParse(b *testing.B, command string) {
	const batch = 64
	buf := bytes.Repeat([]byte(command), batch)
	lim := DefaultLimits()
	var args [][]byte
	best := time.Hour
	b.ReportAllocs()
	b.SetBytes(int64(len(command)))
	for i := 0; i < b.N; {
		start := time.Now()
		for range 8 {
			rest := buf
			for len(rest) > 0 {
				var n int
				args, n, _, _ = Parse(rest, args[:0], &lim)
				rest = rest[n:]
				i++
			}
		}
		best = min(best, time.Since(start))
	}
	if len(args) == 0 {
		b.Fatal("nothing was parsed")
	}
	b.ReportMetric(float64(best)/(8*batch), "best-ns/op")
}

func BenchmarkParseGet(b *testing.B) {
	benchParse(b, "*2\r\n$3\r\nGET\r\n$15\r\nmemtier-1234567\r\n")
}

func BenchmarkParseSet(b *testing.B) {
	benchParse(b, "*3\r\n$3\r\nSET\r\n$15\r\nmemtier-1234567\r\n$32\r\n01234567890123456789012345678901\r\n")
}

func BenchmarkParseSet1K(b *testing.B) {
	benchParse(b, "*3\r\n$3\r\nSET\r\n$15\r\nmemtier-1234567\r\n$1024\r\n"+string(make([]byte, 1024))+"\r\n")
}

func BenchmarkParsePing(b *testing.B)   { benchParse(b, "*1\r\n$4\r\nPING\r\n") }
func BenchmarkParseInline(b *testing.B) { benchParse(b, "GET memtier-1234567\r\n") }
func BenchmarkParseMget20(b *testing.B) {
	benchParse(b, "*21\r\n$4\r\nMGET\r\n"+string(bytes.Repeat([]byte("$15\r\nmemtier-1234567\r\n"), 20)))
}
