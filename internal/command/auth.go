package command

import (
	"crypto/sha256"
	"crypto/subtle"

	"sherd/internal/wire/resp"
)

const (
	errWrongPass  = "WRONGPASS invalid username-password pair or user is disabled."
	errNoPassword = "ERR AUTH <password> called without any password configured for the default user. Are you sure your configuration is correct?"
	errHelloAuth  = "NOAUTH HELLO must be called with the client already authenticated, otherwise the HELLO AUTH <user> <pass> option can be used to authenticate the client and select the RESP protocol version at the same time"
)

// auth serves AUTH [user] password.
func auth(x *Ctx) {
	if len(x.Args) > 3 {
		x.Syntax()
		return
	}
	user, pass := []byte("default"), x.Args[1]
	if len(x.Args) == 3 {
		user, pass = x.Args[1], x.Args[2]
	} else if x.Conf.RequirePass == "" {
		x.Error(errNoPassword)
		return
	}
	if !x.passes(user, pass) {
		x.Error(errWrongPass)
		return
	}
	x.C.Authed = true
	x.OK()
}

// passes checks a user's password in a time that does not tell how much of it
// was right.
func (x *Ctx) passes(user, pass []byte) bool {
	if string(user) != "default" {
		return false
	}
	if x.Conf.RequirePass == "" {
		return true
	}
	given, want := sha256.Sum256(pass), sha256.Sum256([]byte(x.Conf.RequirePass))
	return subtle.ConstantTimeCompare(given[:], want[:]) == 1
}

// hello serves HELLO [protover [AUTH user pass] [SETNAME name]].
func hello(x *Ctx) {
	proto := x.C.Proto
	next := 1
	if len(x.Args) > 1 {
		n, ok := resp.ParseInt64(x.Args[1])
		if !ok {
			x.Error("ERR Protocol version is not an integer or out of range")
			return
		}
		if n < 2 || n > 3 {
			x.Error("NOPROTO unsupported protocol version")
			return
		}
		proto = int(n)
		next = 2
	}
	var user, pass, name []byte
	var authAsked, nameAsked bool
	for i := next; i < len(x.Args); {
		left := len(x.Args) - i - 1
		switch {
		case is(x.Args[i], "AUTH") && left >= 2:
			user, pass, authAsked = x.Args[i+1], x.Args[i+2], true
			i += 3
		case is(x.Args[i], "SETNAME") && left >= 1:
			name, nameAsked = x.Args[i+1], true
			if !printable(name) {
				x.Error(errClientName)
				return
			}
			i += 2
		default:
			x.Error("ERR Syntax error in HELLO option '" + string(clip(x.Args[i], 128)) + "'")
			return
		}
	}
	if authAsked {
		if !x.passes(user, pass) {
			x.Error(errWrongPass)
			return
		}
		x.C.Authed = true
	}
	if !x.C.Authed {
		x.Error(errHelloAuth)
		return
	}
	if nameAsked {
		x.C.Name = string(name)
	}
	x.C.Proto = proto
	x.Map(8)
	x.BulkString("server")
	x.BulkString("redis")
	x.BulkString("version")
	x.BulkString(RedisVersion)
	x.BulkString("sherd_version")
	x.BulkString(Version)
	x.BulkString("proto")
	x.Int(int64(proto))
	x.BulkString("id")
	x.Int(x.C.ID)
	x.BulkString("mode")
	x.BulkString("standalone")
	x.BulkString("role")
	x.BulkString("master")
	x.BulkString("modules")
	x.Array(0)
}

// reset serves RESET: the connection is as if it were new.
func reset(x *Ctx) {
	c := x.C
	x.Host.Monitor(c, false)
	c.DB = 0
	c.Proto = 2
	c.Name = ""
	c.Reply = ReplyOn
	c.NoEvict = false
	c.NoTouch = false
	c.Forget()
	c.Authed = x.Conf.RequirePass == ""
	x.Simple("RESET")
}
