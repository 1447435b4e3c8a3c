package linhash

import (
	"math/bits"
	"unsafe"

	"sherd/internal/heap"
)

func load64(p unsafe.Pointer, off uintptr) uint64 { return *(*uint64)(unsafe.Add(p, off)) }
func load32(p unsafe.Pointer, off uintptr) uint32 { return *(*uint32)(unsafe.Add(p, off)) }
func load8(p unsafe.Pointer, off uintptr) uint8   { return *(*uint8)(unsafe.Add(p, off)) }

func store64(p unsafe.Pointer, off uintptr, v uint64) { *(*uint64)(unsafe.Add(p, off)) = v }
func store32(p unsafe.Pointer, off uintptr, v uint32) { *(*uint32)(unsafe.Add(p, off)) = v }
func store8(p unsafe.Pointer, off uintptr, v uint8)   { *(*uint8)(unsafe.Add(p, off)) = v }

func bytesAt(p unsafe.Pointer, n int) []byte { return unsafe.Slice((*byte)(p), n) }

func refPtr(base unsafe.Pointer, r heap.Ref) unsafe.Pointer { return unsafe.Add(base, uintptr(r)<<3) }

// Eight codes are looked at together, as the bytes of a word.
const (
	everyByte = 0x0101010101010101
	highBits  = 0x80 * everyByte
	evenBytes = 0x00ff00ff00ff00ff
)

// zeros marks the high bit of each zero byte of x. A byte above a zero one may be
// marked too.
func zeros(x uint64) uint64 { return (x - everyByte) &^ x & highBits }

// firstByte is the number of the lowest marked byte.
func firstByte(marks uint64) int { return bits.TrailingZeros64(marks) >> 3 }

// pairs adds neighbouring bytes of x: four sums of 16 bits.
func pairs(x uint64) uint64 { return x&evenBytes + x>>8&evenBytes }

// sum adds four sums of 16 bits.
func sum(x uint64) int { return int(x * 0x0001000100010001 >> 48) }
