package peer

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"time"

	"sherd/internal/wire/resp"
)

// Client asks a server about itself, one question at a time.
type Client struct {
	conn net.Conn
	in   *bufio.Reader
}

const askTimeout = 30 * time.Second

func dial(address string) (*Client, error) {
	conn, err := net.DialTimeout("tcp", address, time.Second)
	if err != nil {
		return nil, err
	}
	return &Client{conn, bufio.NewReader(conn)}, nil
}

// Close ends the connection.
func (c *Client) Close() { _ = c.conn.Close() }

// Do sends a command and returns the reply's text: of a string or number, as
// it is; of an error, as an error; of a null, "". Aggregates are refused.
func (c *Client) Do(args ...string) (string, error) {
	_ = c.conn.SetDeadline(time.Now().Add(askTimeout))
	if _, err := c.conn.Write(resp.AppendCommandStrings(nil, args...)); err != nil {
		return "", err
	}
	line, err := c.line()
	if err != nil {
		return "", err
	}
	if line == "" {
		return "", errors.New("empty reply")
	}
	switch resp.Kind(line[0]) {
	case resp.KindError:
		return "", errors.New(line[1:])
	case resp.KindSimple, resp.KindInt:
		return line[1:], nil
	case resp.KindBulk:
		n, err := strconv.Atoi(line[1:])
		if err != nil || n < 0 {
			return "", err
		}
		text := make([]byte, n+2)
		if _, err := io.ReadFull(c.in, text); err != nil {
			return "", err
		}
		return string(text[:n]), nil
	}
	return "", fmt.Errorf("unexpected reply %q to %s", line, args[0])
}

// Info is the fields of INFO (of all sections).
func (c *Client) Info() (map[string]string, error) {
	text, err := c.Do("INFO")
	if err != nil {
		return nil, err
	}
	return fields(text), nil
}

// fields reads lines of name:value.
func fields(text string) map[string]string {
	m := map[string]string{}
	for _, line := range strings.Split(text, "\n") {
		if name, value, ok := strings.Cut(strings.TrimSpace(line), ":"); ok && !strings.HasPrefix(name, "#") {
			m[name] = value
		}
	}
	return m
}

// Line sends a line of memcached's protocol and returns the line that answers.
func (c *Client) Line(request string) (string, error) {
	_ = c.conn.SetDeadline(time.Now().Add(askTimeout))
	if _, err := c.conn.Write([]byte(request + "\r\n")); err != nil {
		return "", err
	}
	return c.line()
}

// Stats is memcached's statistics.
func (c *Client) Stats() (map[string]string, error) {
	line, err := c.Line("stats")
	m := map[string]string{}
	for ; err == nil && line != "END"; line, err = c.line() {
		words := strings.Fields(line)
		if len(words) < 3 || words[0] != "STAT" {
			return nil, fmt.Errorf("unexpected reply %q to stats", line)
		}
		m[words[1]] = words[2]
	}
	return m, err
}

func (c *Client) line() (string, error) {
	line, err := c.in.ReadString('\n')
	return strings.TrimRight(line, "\r\n"), err
}
