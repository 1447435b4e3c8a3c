package main

import (
	"context"
	"encoding/json"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sherd/internal/load/floor"
	"sherd/internal/load/gen"
)

func startFloor(t *testing.T) (port string) {
	t.Helper()
	s, err := floor.Start(floor.Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	_, port, _ = net.SplitHostPort(s.Addr().String())
	return port
}

func do(t *testing.T, args ...string) int {
	t.Helper()
	return dispatch(context.Background(), args)
}

func TestRunWritesItsResult(t *testing.T) {
	dir := t.TempDir()
	jsonFile, svg := filepath.Join(dir, "r.json"), filepath.Join(dir, "r.svg")
	port := startFloor(t)
	code := do(t, "run", "-p", port, "-n", "3000", "-c", "5", "-P", "8", "--warmup", "0s", "-q",
		"--key-dist", "zipf:1.1", "--value-size", "10-20", "--expiry", "60", "--json", jsonFile, "--plot", svg)
	if code != 0 {
		t.Fatalf("exit code %d", code)
	}
	data, err := os.ReadFile(jsonFile)
	if err != nil {
		t.Fatal(err)
	}
	var r gen.Result
	if err := json.Unmarshal(data, &r); err != nil || r.Answered != 3000 || r.Pipeline != 8 {
		t.Errorf("%v: %s", err, data)
	}
	if drawing, err := os.ReadFile(svg); err != nil || !strings.HasPrefix(string(drawing), "<svg") {
		t.Errorf("no drawing: %v", err)
	}
}

func TestLoadSendsEveryKeyOnce(t *testing.T) {
	jsonFile := filepath.Join(t.TempDir(), "r.json")
	if code := do(t, "load", "-p", startFloor(t), "--keys", "1234", "-c", "3", "-q", "--json", jsonFile); code != 0 {
		t.Fatalf("exit code %d", code)
	}
	data, _ := os.ReadFile(jsonFile)
	var r gen.Result
	if err := json.Unmarshal(data, &r); err != nil || r.Answered != 1234 || len(r.Commands) != 1 || r.Commands[0].Name != "SET" {
		t.Errorf("%v: %s", err, data)
	}
}

func TestBadCommandLines(t *testing.T) {
	for _, line := range []string{
		"nosuch", "run --nosuch", "run extra", "run --ratio x", "run --key-dist gauss", "run --value-size 9-3",
		"run --protocol http", "run --command GET --ratio 1:2", "floor --stall 1s", "compare --peer broken",
		"compare --only nosuch", "run --cpus x", "figures --only nosuch",
	} {
		if code := do(t, strings.Fields(line)...); code == 0 {
			t.Errorf("sherd-bench %s: exit code 0", line)
		}
	}
	for _, line := range []string{"", "help", "run --help", "compare --help"} {
		if code := do(t, strings.Fields(line)...); code != 0 {
			t.Errorf("sherd-bench %s: exit code %d", line, code)
		}
	}
}

func TestPeersAreOrdered(t *testing.T) {
	f := peerFlags{only: "floor,mine,sherd", peers: []string{"mine=x", "sherd=y", "other=z"}}
	specs, _, err := f.specs(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, s := range specs {
		names = append(names, s.Name)
	}
	if !slices.Equal(names, []string{"sherd", "mine", "floor"}) {
		t.Errorf("order %v", names)
	}
	if _, _, err := (&peerFlags{peers: []string{"a=x", "a=y"}}).specs(t.TempDir()); err == nil {
		t.Error("two peers of one name were taken")
	}
}

func TestPasswordIsNotPrinted(t *testing.T) {
	t.Setenv("SHERD_BENCH_PASSWORD", "hunter2")
	fs := newFlags("run", "")
	var target targetFlags
	target.register(fs)
	if strings.Contains(fs.FlagUsages(), "hunter2") {
		t.Error("the help shows the password")
	}
	var c gen.Config
	target.user, target.resp3, target.db, target.protocol = "u", true, 2, "redis"
	if err := target.apply(&c); err != nil {
		t.Fatal(err)
	}
	want := [][]string{{"AUTH", "u", "hunter2"}, {"HELLO", "3"}, {"SELECT", "2"}}
	for i := range want {
		if !slices.Equal(c.Setup[i], want[i]) {
			t.Errorf("setup %q, want %q", c.Setup, want)
		}
	}
}
