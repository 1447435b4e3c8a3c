package floor

import (
	"sherd/internal/wire/resp"
)

// answers are the ready replies: of the right shape for what was asked, so that
// clients and load tools get along with it, and of constant content.
type answers struct {
	value []byte // a bulk string of the size that was asked for
}

var (
	ok     = []byte("+OK\r\n")
	pong   = []byte("+PONG\r\n")
	one    = []byte(":1\r\n")
	zero   = []byte(":0\r\n")
	empty  = []byte("*0\r\n")
	isNone = []byte("+none\r\n")
	noSuch = []byte("-ERR unknown command\r\n")
	info   = resp.AppendBulkString(nil, "# Server\r\nserver_name:floor\r\n")
)

func newAnswers(valueBytes int) *answers {
	v := make([]byte, valueBytes)
	for i := range v {
		v[i] = 'f'
	}
	return &answers{value: resp.AppendBulk(nil, v)}
}

// append appends the answer to a request.
func (a *answers) append(dst []byte, args [][]byte) []byte {
	var lower [16]byte
	name := args[0]
	if len(name) > len(lower) {
		return append(dst, noSuch...)
	}
	for i, ch := range name {
		if ch-'A' < 26 {
			ch |= 0x20
		}
		lower[i] = ch
	}
	switch string(lower[:len(name)]) {
	case "get", "getex", "getdel", "getset", "getrange", "hget", "lindex", "lpop", "rpop", "echo":
		return append(dst, a.value...)
	case "set", "setex", "psetex", "mset", "hmset", "select", "auth", "flushall", "flushdb", "client", "lset", "ltrim":
		return append(dst, ok...)
	case "ping":
		return append(dst, pong...)
	case "incr", "decr", "incrby", "decrby", "del", "unlink", "exists", "expire", "pexpire", "setnx", "touch",
		"append", "strlen", "setrange", "hset", "lpush", "rpush", "sadd", "srem", "zadd", "zrem", "publish":
		return append(dst, one...)
	case "dbsize", "ttl", "pttl":
		return append(dst, zero...)
	case "mget":
		dst = resp.AppendArray(dst, len(args)-1)
		for range args[1:] {
			dst = append(dst, a.value...)
		}
		return dst
	case "lrange", "smembers", "zrange", "hgetall", "config", "command", "keys":
		return append(dst, empty...)
	case "type":
		return append(dst, isNone...)
	case "info":
		return append(dst, info...)
	}
	return append(dst, noSuch...)
}
