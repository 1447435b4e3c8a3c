// Package transcript replays conversations with a server and compares the
// replies, over every engine and several numbers of threads.
//
// The files under testdata read as transcripts:
//
//	run
//	SET greeting "hello world" EX 100
//	GET greeting
//	?about(100) TTL greeting
//	@other GET greeting
//	----
//	OK
//	"hello world"
//	about 100
//	"hello world"
//
// A line is a command in redis-cli's quoting, and its reply is written so that
// every type of the protocol can be told apart (testserver.Reply.String).
// "@name" sends it over another connection, opened when first named.
// "?how" says what to show of the reply when not all of it is the same
// everywhere:
//
//	?kind          the type only, with the number of elements
//	?code          the code of an error only
//	?sorted        the elements in order
//	?mask(a,b)     a map or list of pairs, without the values of these names
//	?fields(a,b)   of a text of name:value or name=value, only these fields
//	?has(a,b)      of such a text, the names among these that are missing
//	?about(n)      "about n" for an integer at most 2 % below n
//	?none          no reply is read
//	?type          the type only
//	?read(how)     nothing is sent: the next reply, such as a push
//	?close         the reply, and that the connection is closed after it
//
// Directives:
//
//	server [name=value]... [only=sherd]   first in a file: directives for the server
//	run          commands, one after the other
//	pipeline     the same, sent at once
//	eventually   the same, repeated until the replies are as expected
//	raw [conn=name] [n=1] [closed]   bytes in Go's quoting, and the n replies to them
//
// "go test ./test/transcript -rewrite" writes the replies of this run into the
// files. Those without only=sherd were written by redis-server 7.0, and hold
// for it as well (SHERD_TEST_TARGET=redis).
package transcript

import (
	"flag"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"sherd/internal/testserver"
)

func TestMain(m *testing.M) { testserver.Main(m) }

func TestTranscripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no transcripts: %v", err)
	}
	threads := []int{1, 2, 4}
	if testing.Short() {
		threads = []int{2}
	}
	engines := testserver.Engines()
	rewrite := flag.Lookup("rewrite").Value.String() == "true"
	if rewrite || testserver.Default() == testserver.Redis {
		engines, threads = engines[:1], threads[:1]
	}
	for _, engine := range engines {
		for _, n := range threads {
			for _, file := range files {
				name := strings.TrimSuffix(filepath.Base(file), ".txt")
				t.Run(fmt.Sprintf("%s/%d/%s", engine, n, name), func(t *testing.T) {
					t.Parallel()
					replay(t, file, testserver.Options{Engine: engine, Threads: n})
				})
			}
		}
	}
}

// A talk is a transcript being replayed.
type talk struct {
	t       *testing.T // of the whole transcript
	srv     *testserver.Server
	clients map[string]*testserver.Client
}

func replay(t *testing.T, file string, o testserver.Options) {
	var tk *talk
	skip := false
	datadriven.RunTest(t, file, func(st *testing.T, d *datadriven.TestData) string {
		if skip {
			return d.Expected
		}
		if tk == nil {
			if d.Cmd == "server" {
				for _, a := range d.CmdArgs {
					if a.Key == "only" {
						skip = a.Vals[0] != string(testserver.Default())
						continue
					}
					o.Args = append(o.Args, "--"+a.Key, strings.Join(a.Vals, " "))
				}
				if skip {
					return d.Expected
				}
			}
			tk = &talk{t: t, srv: testserver.Start(t, o), clients: map[string]*testserver.Client{}}
			if d.Cmd == "server" {
				return ""
			}
		}
		switch d.Cmd {
		case "run":
			return tk.run(st, d, false)
		case "pipeline":
			return tk.run(st, d, true)
		case "eventually":
			for end := time.Now().Add(5 * time.Second); ; time.Sleep(5 * time.Millisecond) {
				if got := tk.run(st, d, false); got == d.Expected || time.Now().After(end) {
					return got
				}
			}
		case "raw":
			return tk.raw(st, d)
		}
		d.Fatalf(st, "unknown directive %q", d.Cmd)
		return ""
	})
	if skip {
		t.Skipf("describes what %s does not have", testserver.Default())
	}
}

func (tk *talk) client(name string) *testserver.Client {
	c := tk.clients[name]
	if c == nil {
		c = tk.srv.Dial(tk.t)
		c.Timeout = 10 * time.Second
		tk.clients[name] = c
	}
	return c
}

// A step is one line of a transcript.
type step struct {
	conn, how, param string
	args             []string
}

func parse(t *testing.T, line string) (s step) {
	rest := line
	for rest != "" && (rest[0] == '@' || rest[0] == '?') {
		word, after, _ := strings.Cut(rest, " ")
		if word[0] == '@' {
			s.conn = word[1:]
		} else if i := strings.IndexByte(word, '('); i > 0 && strings.HasSuffix(word, ")") {
			s.how, s.param = word[1:i], word[i+1:len(word)-1]
		} else {
			s.how = word[1:]
		}
		rest = strings.TrimLeft(after, " ")
	}
	args, err := testserver.SplitWords(rest)
	if err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	s.args = args
	return s
}

func (tk *talk) run(t *testing.T, d *datadriven.TestData, pipeline bool) string {
	var steps []step
	for line := range strings.Lines(d.Input) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			steps = append(steps, parse(t, line))
		}
	}
	var out strings.Builder
	if pipeline {
		for _, s := range steps {
			tk.client(s.conn).Queue(s.args...)
		}
		for _, c := range tk.clients {
			if err := c.Flush(); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, s := range steps {
		c := tk.client(s.conn)
		if !pipeline && s.how != "read" {
			c.Queue(s.args...)
			if err := c.Flush(); err != nil {
				fmt.Fprintf(&out, "%v\n", err)
				delete(tk.clients, s.conn)
				continue
			}
		}
		if s.how == "none" {
			continue
		}
		v, err := c.Receive()
		if err != nil {
			fmt.Fprintf(&out, "%v\n", err)
			delete(tk.clients, s.conn)
			continue
		}
		if s.how == "read" {
			s.how, s.param = s.param, ""
		}
		out.WriteString(show(v, s))
		if s.how == "close" {
			if c.Closed(5 * time.Second) {
				out.WriteString(", closed")
			}
			delete(tk.clients, s.conn)
		}
		out.WriteByte('\n')
	}
	return out.String()
}

// show writes of a reply what the step asks for.
func show(v testserver.Reply, s step) string {
	names := strings.Split(s.param, ",")
	if v.IsError() && s.how != "code" {
		return v.String()
	}
	switch s.how {
	case "type":
		if len(v.Elems) > 0 {
			return string(v.Kind) + "..."
		}
	case "kind":
		switch v.Kind {
		case '*', '%', '~', '>':
			n := len(v.Elems)
			if v.Kind == '%' {
				n /= 2
			}
			return string(v.Kind) + strconv.Itoa(n)
		}
		if v.Null {
			return v.String()
		}
		return "a " + map[byte]string{'+': "status", '$': "string", '=': "text", ':': "integer", ',': "double", '#': "boolean"}[v.Kind]
	case "code":
		code, _, _ := strings.Cut(v.String(), " ")
		return code
	case "sorted":
		slices.SortFunc(v.Elems, func(a, b testserver.Reply) int { return strings.Compare(a.String(), b.String()) })
	case "mask":
		for i := 0; i+1 < len(v.Elems); i += 2 {
			if v.Elems[i].Text() == "sherd_version" { // Redis' own reply has none
				v.Elems = slices.Delete(v.Elems, i, i+2)
				break
			}
		}
		for i := 0; i+1 < len(v.Elems); i += 2 {
			if slices.Contains(names, v.Elems[i].Text()) {
				v.Elems[i+1] = testserver.Reply{Kind: '+', Str: []byte("...")}
			}
		}
	case "fields", "has":
		found := map[string]string{}
		for _, f := range strings.FieldsFunc(strings.TrimPrefix(v.Text(), "txt:"), func(r rune) bool { return r == '\n' || r == '\r' || r == ' ' }) {
			if i := strings.IndexAny(f, ":="); i > 0 {
				found[f[:i]] = f[i+1:]
			}
		}
		var parts []string
		for _, n := range names {
			value, ok := found[n]
			if db, _, cut := strings.Cut(value, "avg_ttl="); cut {
				value = db + "avg_ttl=..."
			}
			if s.how == "fields" {
				parts = append(parts, n+"="+value)
			} else if !ok {
				parts = append(parts, n)
			}
		}
		if s.how == "has" {
			return "missing: [" + strings.Join(parts, " ") + "]"
		}
		return strings.Join(parts, " ")
	case "about":
		n, err := strconv.ParseInt(s.param, 10, 64)
		if err == nil && v.Kind == ':' && v.Int() <= n && v.Int() >= n-n/50 {
			return "about " + s.param
		}
	}
	return v.String()
}

// raw sends bytes as they are.
func (tk *talk) raw(t *testing.T, d *datadriven.TestData) string {
	conn, n, closed := "raw", 1, false
	for _, a := range d.CmdArgs {
		switch a.Key {
		case "conn":
			conn = a.Vals[0]
		case "n":
			n, _ = strconv.Atoi(a.Vals[0])
		case "closed":
			closed = true
		}
	}
	c := tk.client(conn)
	for line := range strings.Lines(d.Input) {
		b, err := strconv.Unquote(strings.TrimSpace(line))
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if _, err := c.Write([]byte(b)); err != nil {
			break // closed by the server: the replies will tell
		}
	}
	var out strings.Builder
	for range n {
		v, err := c.Receive()
		if err != nil {
			fmt.Fprintf(&out, "%v\n", err)
			break
		}
		fmt.Fprintf(&out, "%s\n", v)
	}
	if closed {
		if !c.Closed(5 * time.Second) {
			out.WriteString("still open\n")
		} else {
			out.WriteString("closed\n")
		}
		delete(tk.clients, conn)
	}
	return out.String()
}
