package reply

import "bytes"

// Memcache finds the end of the first reply of memcached's text protocol in
// buf (classic and meta commands). n is 0 when it is not all there yet.
func Memcache(buf []byte) (n int, class Class) {
	class = Null // of a retrieval without a value
	for {
		line := buf[n:]
		end := bytes.IndexByte(line, '\n')
		if end < 0 {
			return 0, Fine
		}
		line = line[:end+1]
		n += len(line)
		if len(line) < 3 { // the shortest reply is a digit with its line end
			return n, Broken
		}
		switch line[0] {
		case 'V':
			if bytes.HasPrefix(line, []byte("VALUE ")) {
				size, ok := sizeField(line, 3)
				if !ok {
					return n, Broken
				}
				if n += size + 2; n > len(buf) {
					return 0, Fine
				}
				class = Fine
				continue
			}
			if line[1] == 'A' { // VA <size> <flags>
				size, ok := sizeField(line, 1)
				if !ok {
					return n, Broken
				}
				if n += size + 2; n > len(buf) {
					return 0, Fine
				}
			}
			return n, Fine // VERSION
		case 'S':
			if bytes.HasPrefix(line, []byte("STAT ")) {
				class = Fine
				continue
			}
			if bytes.HasPrefix(line, []byte("SERVER_ERROR")) {
				return n, Error
			}
			return n, Fine // STORED
		case 'E':
			switch {
			case bytes.HasPrefix(line, []byte("END")):
				return n, class
			case bytes.HasPrefix(line, []byte("ERROR")):
				return n, Error
			case bytes.HasPrefix(line, []byte("EN\r")):
				return n, Null
			}
			return n, Fine // EXISTS, EX
		case 'C':
			if bytes.HasPrefix(line, []byte("CLIENT_ERROR")) {
				return n, Error
			}
			return n, Fine
		case 'N':
			if bytes.HasPrefix(line, []byte("NOT_FOUND")) || bytes.HasPrefix(line, []byte("NF")) {
				return n, Null
			}
			return n, Fine // NOT_STORED, NS
		}
		return n, Fine
	}
}

// sizeField reads the number after the index-th blank of a line.
func sizeField(line []byte, index int) (int, bool) {
	for ; index > 0; index-- {
		i := bytes.IndexByte(line, ' ')
		if i < 0 {
			return 0, false
		}
		line = line[i+1:]
	}
	size, i := 0, 0
	for ; i < len(line) && line[i] >= '0' && line[i] <= '9'; i++ {
		if size = size*10 + int(line[i]-'0'); size > 1<<31 {
			return 0, false
		}
	}
	return size, i > 0
}
