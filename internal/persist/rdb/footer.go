package rdb

import "encoding/binary"

// The payload of DUMP is a value, as a file of Redis has it, and a footer:
//
//	│ form 1 │ value │ version 2 │ check sum of all before 8 │    little-endian
const footerSize = 10

// AppendFooter appends the footer of a payload whose form and value have a check sum.
func AppendFooter(b []byte, version int, crc uint64) []byte {
	from := len(b)
	b = binary.LittleEndian.AppendUint16(b, uint16(version))
	return binary.LittleEndian.AppendUint64(b, Checksum(crc, b[from:]))
}

// A Payload is what RESTORE is given. Its check sum is verified in steps.
type Payload struct {
	p   []byte
	at  int
	crc uint64
}

// OpenPayload begins with p. False: it cannot be a payload that is understood.
func OpenPayload(p []byte) (Payload, bool) {
	k := Payload{p: p}
	return k, len(p) >= footerSize && readable(k.Version())
}

// Version is the version of the format of the value.
func (k *Payload) Version() int {
	if len(k.p) < footerSize {
		return 0
	}
	return int(binary.LittleEndian.Uint16(k.p[len(k.p)-footerSize:]))
}

// Value is the form and the value. ok is false if there is neither.
func (k *Payload) Value() (form byte, value []byte, ok bool) {
	if len(k.p) == footerSize {
		return 0, nil, false
	}
	return k.p[0], k.p[1 : len(k.p)-footerSize], true
}

// Keep makes the payload independent of what was given to OpenPayload.
func (k *Payload) Keep() { k.p = append([]byte(nil), k.p...) }

// Verify goes on with at most so many bytes. Once it is done, sound tells whether the
// check sum is right.
func (k *Payload) Verify(most int) (done, sound bool) {
	end := len(k.p) - 8
	to := min(end, k.at+most)
	k.crc = Checksum(k.crc, k.p[k.at:to])
	k.at = to
	return to == end, k.crc == binary.LittleEndian.Uint64(k.p[end:])
}
