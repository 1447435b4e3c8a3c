package diff

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"sherd/internal/testserver"
)

// A side is one of the two servers that run a sequence.
type side struct {
	name, addr string
}

// A pair runs sequences on two servers.
type pair struct {
	want, got side
	// count, if set, is told every op that was compared and its reply.
	count func(o op, reply testserver.Reply)
	// timeout bounds an exchange with the server under test; 0: 20 s.
	timeout time.Duration
}

// A mismatch is the first difference that a sequence shows.
type mismatch struct {
	at        int    // index of the op, or the number of ops: the contents differ
	what      string // the command
	want, got string
}

func (m *mismatch) String() string {
	return fmt.Sprintf("%s\n  want %s\n  got  %s", m.what, m.want, m.got)
}

// batchSize is how many commands a pipeline carries at most.
const batchSize = 128

// A run is the state of one sequence under way.
type run struct {
	*pair
	a, b *testserver.Client
	// skewMs bounds how much earlier or later one server ran a command than
	// the other: the longest time that a batch took.
	skewMs int64
	// sorted: a SORT was among the commands, by which redis-server unpacks what it
	// sorts.
	sorted bool
}

// do runs a sequence from empty servers and returns the first difference; an
// error is a server that went away or spoke no RESP.
func (p *pair) do(ops []op, proto int) (*mismatch, error) {
	r := &run{pair: p}
	var err error
	if r.a, err = testserver.Connect("tcp", p.want.addr); err != nil {
		return nil, err
	}
	defer func() { _ = r.a.Close() }()
	if r.b, err = testserver.Connect("tcp", p.got.addr); err != nil {
		return &mismatch{at: 0, what: "connect", want: "a connection", got: err.Error()}, nil
	}
	defer func() { _ = r.b.Close() }()
	r.b.Timeout = cmp.Or(p.timeout, 20*time.Second)
	start := [][]string{{"FLUSHALL"}, configDefaults, {"HELLO", strconv.Itoa(proto)}}
	if _, _, m, err := r.exchange(start); m != nil || err != nil {
		return m, err
	}
	r.sorted = slices.ContainsFunc(ops, func(o op) bool {
		name := strings.ToUpper(o.args[0])
		return name == "SORT" || name == "SORT_RO"
	})
	for i := 0; i < len(ops); {
		n := i
		for n < len(ops) && n < i+batchSize && ops[n].form.how != scan {
			n++
		}
		var m *mismatch
		if n == i {
			m, err = r.scan(ops[i])
			n++
		} else {
			m, err = r.batch(ops[i:n])
		}
		if m != nil || err != nil {
			if m != nil {
				m.at += i
			}
			return m, err
		}
		i = n
	}
	m, err := r.contents()
	if m != nil {
		m.at = len(ops)
	}
	return m, err
}

// exchange sends commands to both servers as one pipeline and reads the
// replies. A failure of the server under test is a mismatch.
func (r *run) exchange(commands [][]string) (a, b []testserver.Reply, m *mismatch, err error) {
	begin := time.Now()
	type result struct {
		replies []testserver.Reply
		err     error
	}
	talk := func(c *testserver.Client) (res result) {
		for _, args := range commands {
			c.Queue(args...)
		}
		sent := make(chan error, 1)
		go func() { sent <- c.Flush() }() // beside the reading: neither side may block on a full buffer
		for range commands {
			v, err := c.Receive()
			if err != nil {
				res.err = err
				_ = c.Close()
				break
			}
			res.replies = append(res.replies, v)
		}
		if err := <-sent; res.err == nil {
			res.err = err
		}
		return res
	}
	other := make(chan result, 1)
	go func() { other <- talk(r.b) }()
	ra := talk(r.a)
	rb := <-other
	r.skewMs = max(r.skewMs, time.Since(begin).Milliseconds()+1)
	if ra.err != nil {
		return nil, nil, nil, fmt.Errorf("%s: %w", r.want.name, ra.err)
	}
	if rb.err != nil {
		at := len(rb.replies)
		return nil, nil, &mismatch{at: at, what: line(commands[min(at, len(commands)-1)]), want: ra.replies[min(at, len(ra.replies)-1)].String(), got: rb.err.Error()}, nil
	}
	return ra.replies, rb.replies, nil, nil
}

func (r *run) batch(ops []op) (*mismatch, error) {
	commands := make([][]string, len(ops))
	for i, o := range ops {
		commands[i] = o.args
	}
	a, b, m, err := r.exchange(commands)
	if m != nil || err != nil {
		return m, err
	}
	for i, o := range ops {
		if !r.equal(o.form.how, a[i], b[i]) {
			return &mismatch{at: i, what: line(o.args), want: a[i].String(), got: b[i].String()}, nil
		}
		if r.count != nil {
			r.count(o, a[i])
		}
	}
	return nil, nil
}

// scan runs SCAN from cursor 0 to its end on both servers.
func (r *run) scan(o op) (*mismatch, error) {
	// SCAN's cursor comes first, those of its kin after the key.
	at, each := 2, 1
	switch strings.ToUpper(o.args[0]) {
	case "SCAN":
		at = 1
	case "HSCAN", "ZSCAN":
		each = 2
	}
	all := func(c *testserver.Client) (keys []string, err error) {
		args := slices.Clone(o.args)
		for range 100_000 {
			v, err := c.Try(args...)
			if err != nil {
				return nil, err
			}
			if v.IsError() {
				return []string{v.String()}, nil
			}
			if v.Kind != '*' || len(v.Elems) != 2 || v.Elems[0].Kind != '$' || v.Elems[1].Kind != '*' {
				return nil, fmt.Errorf("odd reply %s", v)
			}
			keys = append(keys, texts(v.Elems[1].Elems, each)...)
			if args[at] = v.Elems[0].Text(); args[at] == "0" {
				slices.Sort(keys)
				return slices.Compact(keys), nil
			}
		}
		return nil, fmt.Errorf("no end")
	}
	a, err := all(r.a)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", r.want.name, err)
	}
	b, err := all(r.b)
	if err != nil {
		b = []string{err.Error()}
	}
	if !slices.Equal(a, b) {
		return &mismatch{what: line(o.args), want: strings.Join(a, " "), got: strings.Join(b, " ")}, nil
	}
	if r.count != nil {
		r.count(o, testserver.Reply{Kind: '*', Raw: []byte(strings.Join(a, " "))})
	}
	return nil, nil
}

// contents compares everything that the servers hold.
func (r *run) contents() (*mismatch, error) {
	commands := [][]string{{"HELLO", "2"}}
	for db := range 16 {
		commands = append(commands, []string{"SELECT", strconv.Itoa(db)}, []string{"KEYS", "*"}, []string{"DBSIZE"})
	}
	a, b, m, err := r.exchange(commands)
	if m != nil || err != nil {
		return m, err
	}
	keys := make([][]string, 16)
	commands = commands[:0]
	for db := range 16 {
		for i := 2 + 3*db; i <= 3+3*db; i++ {
			if !r.equal(unordered, a[i], b[i]) {
				return &mismatch{what: fmt.Sprintf("keys of database %d", db), want: a[i].String(), got: b[i].String()}, nil
			}
		}
		commands = append(commands, []string{"SELECT", strconv.Itoa(db)})
		for _, k := range a[2+3*db].Elems {
			keys[db] = append(keys[db], k.Text())
			commands = append(commands, []string{"TYPE", k.Text()})
		}
	}
	types, _, m, err := r.exchange(commands)
	if m != nil || err != nil {
		return m, err
	}
	commands = commands[:0]
	var where []string
	how := map[string]comparison{"PTTL": millis, "PEXPIRETIME": millis, "OBJECT": encoding, "SMEMBERS": unordered, "HGETALL": pairs}
	for db := range 16 {
		commands, where = append(commands, []string{"SELECT", strconv.Itoa(db)}), append(where, "")
		for i, k := range keys[db] {
			var all [][]string
			switch types[1+i].Text() {
			case "string":
				all = [][]string{{"GET", k}}
			case "list":
				all = [][]string{{"LRANGE", k, "0", "-1"}}
			case "set":
				all = [][]string{{"SMEMBERS", k}}
			case "hash":
				all = [][]string{{"HGETALL", k}}
			case "zset":
				all = [][]string{{"ZRANGE", k, "0", "-1", "WITHSCORES"}}
			case "stream":
				all = [][]string{{"XRANGE", k, "-", "+"}, {"XINFO", "GROUPS", k}}
			}
			for _, c := range append(all, []string{"TYPE", k}, []string{"PTTL", k}, []string{"PEXPIRETIME", k}, []string{"OBJECT", "ENCODING", k}) {
				commands, where = append(commands, c), append(where, fmt.Sprintf("at the end, database %d: %s", db, line(c)))
			}
		}
		types = types[1+len(keys[db]):]
	}
	a, b, m, err = r.exchange(commands)
	if m != nil || err != nil {
		return m, err
	}
	for i := range commands {
		if !r.equal(how[commands[i][0]], a[i], b[i]) {
			return &mismatch{what: where[i], want: a[i].String(), got: b[i].String()}, nil
		}
	}
	return nil, nil
}

// equal compares two replies.
func (r *run) equal(how comparison, a, b testserver.Reply) bool {
	if bytes.Equal(a.Raw, b.Raw) {
		return true
	}
	if a.Kind != b.Kind || a.Null != b.Null || a.IsError() {
		return false
	}
	switch how {
	case kind:
		return true
	case unordered:
		return slices.Equal(texts(a.Elems, 1), texts(b.Elems, 1))
	case pairs:
		return slices.Equal(texts(a.Elems, 2), texts(b.Elems, 2))
	case seconds, millis:
		if a.Kind != ':' || min(a.Int(), b.Int()) < 0 {
			return false
		}
		d := max(a.Int(), b.Int()) - min(a.Int(), b.Int())
		if how == seconds {
			return d <= 1+2*r.skewMs/1000
		}
		return d <= 2*r.skewMs
	case size:
		return len(a.Elems) == len(b.Elems)
	case encoding:
		// Since 7.2 small lists and sets are listpacks, which were a quicklist and
		// a hashtable before.
		old := a.Text()
		return b.Text() == "listpack" && (old == "quicklist" || old == "hashtable" || old == "skiplist" && r.sorted)
	case near:
		if a.Kind == ':' {
			return max(a.Int(), b.Int())-min(a.Int(), b.Int()) <= 2*r.skewMs
		}
		return a.Elems != nil && slices.EqualFunc(a.Elems, b.Elems, func(a, b testserver.Reply) bool { return r.equal(near, a, b) })
	case hello:
		// Every field of a is in b, in order; b may have more.
		j := 0
		for i := 0; i+1 < len(a.Elems); i += 2 {
			name := a.Elems[i].Text()
			for j+1 < len(b.Elems) && b.Elems[j].Text() != name {
				j += 2
			}
			if j+1 >= len(b.Elems) || a.Elems[i+1].Kind != b.Elems[j+1].Kind {
				return false
			}
			if name != "version" && name != "id" && !bytes.Equal(a.Elems[i+1].Raw, b.Elems[j+1].Raw) {
				return false
			}
		}
		return true
	}
	return false
}

// texts are the elements, n by n, sorted.
func texts(elems []testserver.Reply, n int) (list []string) {
	for i := 0; i+n <= len(elems); i += n {
		s := ""
		for _, e := range elems[i : i+n] {
			s += e.String() + " "
		}
		list = append(list, s)
	}
	slices.Sort(list)
	return list
}

// line writes a command as redis-cli would take it.
func line(args []string) string {
	parts := make([]string, len(args))
	for i, a := range args {
		parts[i] = a
		if a == "" || strings.ContainsFunc(a, func(c rune) bool { return c <= ' ' || c > '~' || c == '"' || c == '\'' || c == '\\' }) {
			parts[i] = strconv.Quote(a)
		}
		if len(a) > 200 {
			parts[i] = fmt.Sprintf("%s...(%d bytes)", strconv.Quote(a[:40]), len(a))
		}
	}
	return strings.Join(parts, " ")
}
