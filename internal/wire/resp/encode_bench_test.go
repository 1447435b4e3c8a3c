package resp

import (
	"testing"
	"time"
)

// benchAppend times an encoder as benchParse times the parser.
func benchAppend(b *testing.B, f func(dst []byte) []byte) {
	const batch = 500
	dst := make([]byte, 0, 64<<10)
	best := time.Hour
	b.ReportAllocs()
	for i := 0; i < b.N; i += batch {
		start := time.Now()
		dst = dst[:0]
		for range batch {
			dst = f(dst)
		}
		best = min(best, time.Since(start))
	}
	b.ReportMetric(float64(best)/batch, "best-ns/op")
}

func BenchmarkAppendBulk32(b *testing.B) {
	value := make([]byte, 32)
	benchAppend(b, func(dst []byte) []byte { return AppendBulk(dst, value) })
}

func BenchmarkAppendInt(b *testing.B) {
	benchAppend(b, func(dst []byte) []byte { return AppendInt(dst, 123456) })
}

func BenchmarkAppendDouble(b *testing.B) {
	benchAppend(b, func(dst []byte) []byte { return AppendDouble(dst, 3.3, 2) })
}

func BenchmarkAppendFloat(b *testing.B) {
	x, _ := ParseFloat([]byte("10.6"))
	benchAppend(b, func(dst []byte) []byte { return AppendFloat(dst, x) })
}

func BenchmarkParseFloat(b *testing.B) {
	text := []byte("1234.5678")
	benchAppend(b, func(dst []byte) []byte {
		if _, ok := ParseFloat(text); !ok {
			b.Fatal("not parsed")
		}
		return dst
	})
}

func BenchmarkParseInt64(b *testing.B) {
	text := []byte("1234567890")
	benchAppend(b, func(dst []byte) []byte {
		if _, ok := ParseInt64(text); !ok {
			b.Fatal("not parsed")
		}
		return dst
	})
}

func BenchmarkReplyLenBulk32(b *testing.B) {
	reply := AppendBulk(nil, make([]byte, 32))
	benchAppend(b, func(dst []byte) []byte {
		if n, _, _ := ReplyLen(reply); n != len(reply) {
			b.Fatal("not parsed")
		}
		return dst
	})
}

func BenchmarkReplyLenOK(b *testing.B) {
	reply := []byte("+OK\r\n$3\r\nabc\r\n")
	benchAppend(b, func(dst []byte) []byte {
		if n, _, _ := ReplyLen(reply); n != 5 {
			b.Fatal("not parsed")
		}
		return dst
	})
}

func BenchmarkReplyLenInt(b *testing.B) {
	reply := []byte(":12345\r\n")
	benchAppend(b, func(dst []byte) []byte {
		if n, _, _ := ReplyLen(reply); n != 8 {
			b.Fatal("not parsed")
		}
		return dst
	})
}
