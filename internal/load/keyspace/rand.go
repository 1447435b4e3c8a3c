package keyspace

import "math/bits"

// Rand is a small deterministic generator (splitmix64 by Steele, Lea and
// Flood): one multiplication chain, no state beyond a word, so it costs the
// load tool a nanosecond or two per request. Not for cryptography.
type Rand struct{ state uint64 }

const golden = 0x9e3779b97f4a7c15

// Seed starts stream number stream of a seed's sequences. Both are stirred:
// states that are a few steps apart would give one sequence, shifted.
func (r *Rand) Seed(seed, stream uint64) {
	r.state = stir(stir(seed) ^ stir(stream*golden+1))
}

// Uint64 returns 64 random bits.
func (r *Rand) Uint64() uint64 {
	r.state += golden
	return stir(r.state)
}

func stir(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// Below returns a number in [0, n); n must not be 0. The bias is below
// n/2^64 and does not matter here.
func (r *Rand) Below(n uint64) uint64 {
	hi, _ := bits.Mul64(r.Uint64(), n)
	return hi
}

// Float returns a number in (0, 1].
func (r *Rand) Float() float64 {
	return float64(r.Uint64()>>11+1) / (1 << 53)
}
