package clients

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"sherd/internal/testserver"
)

// node finds Node, of a version that the clients under node/ support, and
// their packages.
func node(t *testing.T) (program, dir string, err error) {
	t.Helper()
	program, err = exec.LookPath("node")
	if err != nil {
		return "", "", errors.New("node is not installed")
	}
	out, err := exec.Command(program, "--version").Output()
	if err != nil {
		return "", "", err
	}
	major, _, _ := strings.Cut(strings.TrimPrefix(string(out), "v"), ".")
	if n, _ := strconv.Atoi(major); n < 20 {
		return "", "", errors.New("node is too old: " + string(out))
	}
	dir = filepath.Join(testserver.Root(), "test", "clients", "node")
	if _, err := os.Stat(filepath.Join(dir, "node_modules")); err != nil {
		return "", "", errors.New("no packages: npm ci in test/clients/node")
	}
	return program, dir, nil
}

// TestNode runs the scripts under node/ against the server.
func TestNode(t *testing.T) {
	program, dir, err := node(t)
	if err != nil {
		t.Skip(err)
	}
	each(t, testserver.Options{}, func(t *testing.T, srv *testserver.Server) {
		for _, script := range []string{"ioredis.js", "redis.js"} {
			cmd := exec.CommandContext(soon(t), program, script, srv.Addr())
			cmd.Dir = dir
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%s: %v\n%s", script, err, out)
			}
		}
	})
}

func connectNode(t *testing.T, client string) func(ctx context.Context, addr string) error {
	return func(ctx context.Context, addr string) error {
		program, dir, err := node(t)
		if err != nil {
			return err
		}
		cmd := exec.CommandContext(ctx, program, "connect.js", client, addr)
		cmd.Dir = dir
		return cmd.Run()
	}
}

func connectCLI(args ...string) func(ctx context.Context, addr string) error {
	return func(ctx context.Context, addr string) error {
		_, port, err := net.SplitHostPort(addr)
		if err != nil {
			return err
		}
		return exec.CommandContext(ctx, "redis-cli", append([]string{"-p", port}, args...)...).Run()
	}
}

func TestRedisCLI(t *testing.T) {
	if _, err := exec.LookPath("redis-cli"); err != nil {
		t.Skip("redis-cli is not installed")
	}
	each(t, testserver.Options{Unix: true}, func(t *testing.T, srv *testserver.Server) {
		port := strconv.Itoa(srv.Port)
		for _, tc := range []struct {
			args  []string
			input string
			want  string
		}{
			{[]string{"-p", port, "SET", "k", "hello world"}, "", "OK\n"},
			{[]string{"-p", port, "GET", "k"}, "", "hello world\n"},
			{[]string{"-s", srv.Socket, "GET", "k"}, "", "hello world\n"},
			{[]string{"-p", port, "-3", "GET", "nothing"}, "", "\n"},
			{[]string{"-p", port}, "SET a 1\nINCR a\nMGET a nothing\nNOSUCH\n", "OK\n2\n2\n\nERR unknown command 'NOSUCH', with args beginning with: \n\n"},
			{[]string{"-p", port, "-n", "3", "SET", "third", "x"}, "", "OK\n"},
			{[]string{"-p", port, "-n", "3", "--scan"}, "", "third\n"},
			{[]string{"-p", port, "--no-raw", "-n", "3", "GET", "third"}, "", "\"x\"\n"},
			{[]string{"-p", port, "--pipe"}, strings.Repeat("*3\r\n$3\r\nSET\r\n$1\r\np\r\n$1\r\nv\r\n", 1000), "All data transferred. Waiting for the last reply...\nLast reply received from server.\nerrors: 0, replies: 1000\n"},
		} {
			cmd := exec.CommandContext(soon(t), "redis-cli", tc.args...)
			cmd.Stdin = strings.NewReader(tc.input)
			var out bytes.Buffer
			cmd.Stdout, cmd.Stderr = &out, &out
			if err := cmd.Run(); err != nil || out.String() != tc.want {
				t.Errorf("redis-cli %q: %v, printed %q, want %q", tc.args, err, out.String(), tc.want)
			}
		}
	})
}

func TestRedisBenchmark(t *testing.T) {
	if _, err := exec.LookPath("redis-benchmark"); err != nil {
		t.Skip("redis-benchmark is not installed")
	}
	each(t, testserver.Options{}, func(t *testing.T, srv *testserver.Server) {
		for _, extra := range [][]string{{"-P", "16"}, {"-3"}} {
			args := append([]string{"-p", strconv.Itoa(srv.Port), "-n", "2000", "-c", "10", "-r", "1000", "--csv", "-t", "ping_inline,ping_mbulk,set,get,incr,mset"}, extra...)
			out, err := exec.CommandContext(soon(t), "redis-benchmark", args...).Output()
			if err != nil {
				t.Errorf("redis-benchmark %q: %v\n%s", args, err, out)
				continue
			}
			lines, err := csv.NewReader(bytes.NewReader(out)).ReadAll()
			if err != nil || len(lines) != 7 {
				t.Errorf("redis-benchmark %q printed %v\n%s", args, err, out)
			}
		}
	})
}
