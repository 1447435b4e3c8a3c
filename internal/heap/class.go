package heap

import "math/bits"

const (
	unitSize = 512 // bytes
	maxBlock = 32 << 10
	pageSize = 4096
)

// ClassSize returns the bytes an allocation of n really takes, which is what the
// accounting counts: multiples of 8 up to 256, then eight steps to each power of
// two up to 32 KiB (4096, 4608, 5120, … 8192), then whole pages.
func ClassSize(n int) int {
	switch {
	case n <= 8:
		return 8
	case n <= 256:
		return (n + 7) &^ 7
	case n <= maxBlock:
		step := 1 << (bits.Len(uint(n-1)) - 4)
		return (n + step - 1) &^ (step - 1)
	}
	return (n + pageSize - 1) &^ (pageSize - 1)
}
