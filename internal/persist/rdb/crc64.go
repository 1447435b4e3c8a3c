package rdb

import "encoding/binary"

// The check sum of payloads and files is CRC-64 with Jones' polynomial, reflected,
// beginning with 0 and not inverted at the end; that of "123456789" is
// e9c6d914c4b8d9ca.

const jones = 0x95ac9329ac4bc9b5 // the polynomial, lowest bit first

// crcTables are for eight bytes at a time: table k is a byte followed by k zeros.
var crcTables = func() (t [8][256]uint64) {
	for i := range t[0] {
		c := uint64(i)
		for range 8 {
			if c&1 != 0 {
				c = c>>1 ^ jones
			} else {
				c >>= 1
			}
		}
		t[0][i] = c
	}
	for k := 1; k < 8; k++ {
		for i := range t[k] {
			c := t[k-1][i]
			t[k][i] = t[0][byte(c)] ^ c>>8
		}
	}
	return t
}()

// Checksum goes on with a check sum over more bytes; that of nothing is 0.
func Checksum(crc uint64, p []byte) uint64 {
	t := &crcTables
	for len(p) >= 8 {
		crc ^= binary.LittleEndian.Uint64(p)
		crc = t[7][byte(crc)] ^ t[6][byte(crc>>8)] ^ t[5][byte(crc>>16)] ^ t[4][byte(crc>>24)] ^
			t[3][byte(crc>>32)] ^ t[2][byte(crc>>40)] ^ t[1][byte(crc>>48)] ^ t[0][crc>>56]
		p = p[8:]
	}
	for _, b := range p {
		crc = t[0][byte(crc)^b] ^ crc>>8
	}
	return crc
}
