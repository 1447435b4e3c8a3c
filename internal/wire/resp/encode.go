package resp

import "strconv"

// AppendSimple appends a simple string, which must hold no line break.
func AppendSimple(dst []byte, s string) []byte {
	dst = append(dst, '+')
	dst = append(dst, s...)
	return append(dst, '\r', '\n')
}

// AppendError appends an error reply. s starts with the code: "ERR syntax
// error". Line breaks, which would start another reply, become spaces.
func AppendError(dst []byte, s string) []byte {
	dst = append(dst, '-')
	start := len(dst)
	dst = append(dst, s...)
	for i := start; i < len(dst); i++ {
		if dst[i] == '\r' || dst[i] == '\n' {
			dst[i] = ' '
		}
	}
	return append(dst, '\r', '\n')
}

// AppendInt appends an integer reply.
func AppendInt(dst []byte, n int64) []byte { return appendHead(dst, ':', n) }

// AppendBulk appends a bulk string.
func AppendBulk(dst, b []byte) []byte {
	dst = appendHead(dst, '$', int64(len(b)))
	dst = append(dst, b...)
	return append(dst, '\r', '\n')
}

// AppendBulkString appends a bulk string.
func AppendBulkString(dst []byte, s string) []byte {
	dst = appendHead(dst, '$', int64(len(s)))
	dst = append(dst, s...)
	return append(dst, '\r', '\n')
}

// AppendBulkInt appends n as a bulk string of its decimal digits.
func AppendBulkInt(dst []byte, n int64) []byte {
	var digits [20]byte
	return AppendBulk(dst, strconv.AppendInt(digits[:0], n, 10))
}

// AppendBulkHead appends the length line of a bulk string whose n bytes and
// final "\r\n" the caller appends.
func AppendBulkHead(dst []byte, n int) []byte { return appendHead(dst, '$', int64(n)) }

// AppendNull appends the null of the protocol version (RESP2: a null bulk).
func AppendNull(dst []byte, proto int) []byte {
	if proto >= 3 {
		return append(dst, "_\r\n"...)
	}
	return append(dst, "$-1\r\n"...)
}

// AppendNullArray appends the null of the protocol version (RESP2: a null array).
func AppendNullArray(dst []byte, proto int) []byte {
	if proto >= 3 {
		return append(dst, "_\r\n"...)
	}
	return append(dst, "*-1\r\n"...)
}

// AppendArray starts an array of n replies, which the caller appends.
func AppendArray(dst []byte, n int) []byte { return appendHead(dst, '*', int64(n)) }

// AppendMap starts a map of n pairs (RESP2: an array of 2n replies).
func AppendMap(dst []byte, n, proto int) []byte {
	if proto >= 3 {
		return appendHead(dst, '%', int64(n))
	}
	return appendHead(dst, '*', 2*int64(n))
}

// AppendSet starts a set of n replies (RESP2: an array).
func AppendSet(dst []byte, n, proto int) []byte {
	if proto >= 3 {
		return appendHead(dst, '~', int64(n))
	}
	return appendHead(dst, '*', int64(n))
}

// AppendPush starts an out-of-band message of n replies (RESP2: an array).
func AppendPush(dst []byte, n, proto int) []byte {
	if proto >= 3 {
		return appendHead(dst, '>', int64(n))
	}
	return appendHead(dst, '*', int64(n))
}

// AppendAttribute starts an attribute of n pairs, which stand before the reply
// they describe. RESP2 has none: the caller asks for proto 3 only.
func AppendAttribute(dst []byte, n int) []byte { return appendHead(dst, '|', int64(n)) }

// AppendBool appends a truth value (RESP2: the integer 1 or 0).
func AppendBool(dst []byte, v bool, proto int) []byte {
	switch {
	case proto >= 3 && v:
		return append(dst, "#t\r\n"...)
	case proto >= 3:
		return append(dst, "#f\r\n"...)
	case v:
		return append(dst, ":1\r\n"...)
	}
	return append(dst, ":0\r\n"...)
}

// AppendDouble appends a floating point number (RESP2: a bulk string), written
// as Redis 7.0 writes it: 17 significant digits.
func AppendDouble(dst []byte, f float64, proto int) []byte {
	if proto >= 3 {
		dst = append(dst, ',')
		dst = AppendDoubleText(dst, f)
		return append(dst, '\r', '\n')
	}
	var text [32]byte
	return AppendBulk(dst, AppendDoubleText(text[:0], f))
}

// AppendBigNumber appends an integer of any size, given as its decimal digits
// (RESP2: a bulk string).
func AppendBigNumber(dst, digits []byte, proto int) []byte {
	if proto < 3 {
		return AppendBulk(dst, digits)
	}
	dst = append(dst, '(')
	dst = append(dst, digits...)
	return append(dst, '\r', '\n')
}

// AppendVerbatim appends a text with its three-letter format, "txt" or "mkd"
// (RESP2: a bulk string).
func AppendVerbatim(dst []byte, s, format string, proto int) []byte {
	if proto < 3 {
		return AppendBulkString(dst, s)
	}
	dst = appendHead(dst, '=', int64(len(s)+4))
	dst = append(dst, format[:3]...)
	dst = append(dst, ':')
	dst = append(dst, s...)
	return append(dst, '\r', '\n')
}

// AppendCommand appends a request as clients send it.
func AppendCommand(dst []byte, args ...[]byte) []byte {
	dst = appendHead(dst, '*', int64(len(args)))
	for _, a := range args {
		dst = AppendBulk(dst, a)
	}
	return dst
}

// AppendCommandStrings appends a request as clients send it.
func AppendCommandStrings(dst []byte, args ...string) []byte {
	dst = appendHead(dst, '*', int64(len(args)))
	for _, a := range args {
		dst = AppendBulkString(dst, a)
	}
	return dst
}

// appendHead appends the type byte, n and the line's end.
func appendHead(dst []byte, kind byte, n int64) []byte {
	if uint64(n) < 10 {
		return append(dst, kind, '0'+byte(n), '\r', '\n')
	}
	if uint64(n) < 100 {
		return append(dst, kind, '0'+byte(n/10), '0'+byte(n%10), '\r', '\n')
	}
	dst = strconv.AppendInt(append(dst, kind), n, 10)
	return append(dst, '\r', '\n')
}
