package list

// Limit is what list-max-listpack-size allows a small list and a node: so many
// bytes of listpack, and so many elements.
type Limit struct {
	bytes, count int
}

const (
	safeBytes = 8 << 10 // where only the elements are limited
	noCount   = 1 << 30
)

// LimitOf reads the directive: a number of elements, or with -1 to -5 4, 8, 16,
// 32 or 64 KiB.
func LimitOf(size int) Limit {
	if size < 0 {
		return Limit{bytes: 2048 << min(-size, 5), count: noCount}
	}
	return Limit{bytes: safeBytes, count: max(size, 1)}
}

// exceeded tells whether a listpack of so many bytes and elements is too large.
func (m Limit) exceeded(bytes, count int) bool { return bytes > m.bytes || count > m.count }

// small tells whether one node of so many bytes and elements has shrunk enough
// to become a listpack again.
func (m Limit) small(bytes, count int) bool {
	if m.count < noCount {
		return count <= m.count/2
	}
	return bytes <= m.bytes/2
}
