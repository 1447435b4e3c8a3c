package diff

import (
	"fmt"
	"strconv"
	"strings"
)

// The keys of a sequence: few, so that commands meet the keys of others, and
// of classes, so that most meet a value they can work on.
var (
	stringKeys = []string{
		"k:0", "k:1", "k:2", "k:3", "k:4", "k:5", "{tag}a", "{tag}b", "a b", "", "k*", "k[1]", `k\`, "\x00\xff\r\n",
		strings.Repeat("l", 63), strings.Repeat("l", 64), strings.Repeat("long", 75),
	}
	intKeys   = []string{"n:0", "n:1", "n:2", "n:3", "n:4"}
	floatKeys = []string{"f:0", "f:1", "f:2", "f:3"}
	bitKeys   = []string{"b:0", "b:1", "b:2", "b:3", "b:4"}
	textKeys  = []string{"t:0", "t:1", "t:2"} // for LCS, whose time is the product of the lengths
	missing   = []string{"none:0", "none:1"}
	coreKeys  = concat(stringKeys, intKeys, floatKeys, bitKeys, missing)
	allKeys   = concat(stringKeys, intKeys, floatKeys, bitKeys, listKeys, hashKeys, memberKeys, zsetKeys, geoKeys, hllKeys, streamKeys, missing)
)

func concat(lists ...[]string) (all []string) {
	for _, l := range lists {
		all = append(all, l...)
	}
	return all
}

// str, num, flo and bit are keys of their class, or now and then any other.
func (g *gen) of(class []string) string {
	if g.IntN(25) == 0 {
		return g.pick(g.keySet)
	}
	return g.pick(class)
}

func (g *gen) str() string { return g.of(stringKeys) }
func (g *gen) num() string { return g.of(intKeys) }
func (g *gen) flo() string { return g.of(floatKeys) }
func (g *gen) bit() string { return g.of(bitKeys) }
func (g *gen) any() string { return g.pick(g.keySet) }

// free is a key that seldom exists.
func (g *gen) free() string { return fmt.Sprintf("free:%d", g.IntN(300)) }

// keys are one to n keys, perhaps the same one twice.
func (g *gen) keys(n int) (keys []string) {
	for range 1 + g.IntN(n) {
		keys = append(keys, g.any())
	}
	return keys
}

// texts is two keys of short texts, one of them written anew now and then.
func (g *gen) texts() (string, string) {
	a, b := g.pick(textKeys), g.pick(textKeys)
	if g.IntN(2) == 0 {
		g.follow("SET", a, g.letters(g.IntN(60)))
	}
	return a, b
}

// populate follows an op that leads to an empty database with one that fills
// it, and gives some of the keys deadlines.
func (g *gen) populate() {
	args := []string{"MSET"}
	for range 30 {
		k, v := g.keyed()
		args = append(args, k, v)
	}
	for _, k := range textKeys {
		args = append(args, k, g.letters(g.IntN(60)))
	}
	g.follow(args...)
	for range 6 {
		g.follow("PEXPIREAT", g.any(), g.atMs())
	}
}

// same is two keys of one class.
func (g *gen) same() (string, string) {
	class := [][]string{stringKeys, stringKeys, intKeys, floatKeys, bitKeys}[g.IntN(5)]
	return g.of(class), g.of(class)
}

// keyed is a key and a value that fits its class.
func (g *gen) keyed() (string, string) {
	switch g.IntN(6) {
	case 0, 1:
		return g.pick(intKeys), g.integer()
	case 2:
		return g.pick(floatKeys), g.float()
	case 3:
		return g.pick(bitKeys), g.bytes(g.IntN(40))
	}
	return g.pick(stringKeys), g.value()
}

// sizes lie at and around the bounds at which servers change representation.
var sizes = []int{0, 1, 3, 7, 8, 15, 19, 20, 21, 31, 32, 43, 44, 45, 63, 64, 100, 126, 127, 128, 129, 255, 256, 511, 512, 1000, 1024}

func (g *gen) value() string {
	switch g.IntN(12) {
	case 0:
		return g.integer()
	case 1:
		return g.float()
	case 2:
		return g.bytes(sizes[g.IntN(len(sizes))])
	case 3:
		if g.IntN(10) == 0 {
			return g.letters([]int{4000, 4095, 4096, 4097, 5000, 8192, 16385, 40000}[g.IntN(8)])
		}
		return g.letters(sizes[g.IntN(len(sizes))])
	case 4:
		return g.pick([]string{"", "0", "-1", "00", "1.0", "3.14", "+1", " 1", "9999", "10000", "10001", "1e3", "9223372036854775807", "9223372036854775808", "-9223372036854775808"})
	}
	return g.letters(g.IntN(30))
}

func (g *gen) letters(n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = "abcde"[g.IntN(5)]
	}
	return string(b)
}

func (g *gen) bytes(n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(g.Uint32())
		if g.IntN(3) == 0 {
			b[i] = [...]byte{0, 0xff, 0x80, 1}[g.IntN(4)]
		}
	}
	return string(b)
}

func (g *gen) integer() string {
	switch g.IntN(8) {
	case 0:
		return strconv.FormatInt(int64(g.Uint64())>>g.IntN(64), 10)
	case 1:
		return g.pick([]string{"9223372036854775807", "-9223372036854775808", "9223372036854775806", "2147483647", "-2147483649", "0"})
	}
	return strconv.Itoa(g.IntN(20000) - 5000)
}

func (g *gen) float() string {
	switch g.IntN(6) {
	case 0:
		return g.pick([]string{"0", "-0", "1e3", "-1.5e-5", "3.0", "1e17", "123456789.123456789", ".5", "5.", "-.25", "1e-20", "0.1", "1E5"})
	case 1:
		return strconv.Itoa(g.IntN(1000))
	}
	return strconv.FormatFloat(float64(g.IntN(2000000)-1000000)/float64([]int{10, 100, 1000, 1024, 3}[g.IntN(5)]), 'f', g.IntN(8), 64)
}

// index is a position in a value, negative ones from its end.
func (g *gen) index() string {
	if g.IntN(20) == 0 {
		return g.pick([]string{"1000000", "-1000000", "9223372036854775807", "-9223372036854775808", "4294967296"})
	}
	return strconv.Itoa(g.IntN(60) - 20)
}

// db is a database of which the first few are used most.
func (g *gen) db() string { return strconv.Itoa([]int{0, 0, 0, 1, 1, 2, 3, 15}[g.IntN(8)]) }

// ttl is a time to live in seconds, far away, multiples of ten seconds, none
// twice within a sequence: whether one is later than another never depends on
// how fast a server was.
func (g *gen) ttl() string { return strconv.FormatInt(g.nextTTL(), 10) }

// ttlMs is ttl in milliseconds.
func (g *gen) ttlMs() string { return strconv.FormatInt(g.nextTTL()*1000, 10) }

func (g *gen) nextTTL() int64 {
	g.ttls++
	// 7919 is prime: the order of the times is mixed, and they repeat after 7919.
	return 1000 + (g.ttls*3571%7919)*10
}

// at is an absolute deadline in seconds, halfway between two of ttl's.
func (g *gen) at() string {
	return strconv.FormatInt(g.startMs/1000+1005+int64(g.IntN(40))*500, 10)
}

// atMs is an absolute deadline in milliseconds.
func (g *gen) atMs() string {
	return strconv.FormatInt((g.startMs/1000+1005+int64(g.IntN(40))*500)*1000, 10)
}

// past is a deadline, absolute or relative, that has passed.
func (g *gen) past() string { return g.pick([]string{"-1", "-1000", "0"}) }
