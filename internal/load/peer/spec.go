// Package peer starts the servers that are compared, each on a free port of
// the loopback with persistence off, bound to CPUs of its own; reads what they
// use; and ends them, by the process id it was given when it started them.
package peer

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"sherd/internal/load/request"
)

// Spec says how a server is started.
type Spec struct {
	Name     string
	Protocol request.Protocol
	// Command is a command line. {port}, {threads}, {dir} (an empty directory)
	// and {password} have their values filled in.
	Command string
	// Threaded is appended when more than one thread is asked for.
	Threaded string
}

// known are the servers known by name: how to start them in memory only.
var known = []struct {
	name, binary, args, threaded string
	protocol                     request.Protocol
}{
	{
		name: "sherd", binary: "sherd",
		args: "--port {port} --bind 127.0.0.1 --threads {threads} --dir {dir}",
	},
	{
		name: "redis-server", binary: "redis-server",
		args:     "--port {port} --bind 127.0.0.1 --save '' --appendonly no --dir {dir}",
		threaded: "--io-threads {threads}",
	},
	{
		name: "valkey-server", binary: "valkey-server",
		args:     "--port {port} --bind 127.0.0.1 --save '' --appendonly no --dir {dir}",
		threaded: "--io-threads {threads}",
	},
	{
		name: "memcached", binary: "memcached", protocol: request.Memcache,
		// -u is needed, and taken, only when started by root.
		args: "-p {port} -U 0 -l 127.0.0.1 -t {threads} -m 16384 -c 16384 -u root",
	},
	{
		name: "dragonfly", binary: "dragonfly",
		args: "--port {port} --bind 127.0.0.1 --proactor_threads {threads} --dbfilename= --dir {dir} --version_check=false",
	},
	{
		name: "floor", binary: "sherd-bench",
		args: "floor --port {port} --threads {threads}",
	},
}

// Known are the names Find understands.
func Known() []string {
	var names []string
	for _, k := range known {
		names = append(names, k.name)
	}
	return names
}

// ParsePeer reads NAME=COMMAND, or NAME,PROTOCOL=COMMAND. A command without
// {port} gets the usual arguments of a server known by that name, or else
// "--port {port}".
func ParsePeer(s string) (Spec, error) {
	name, command, ok := strings.Cut(s, "=")
	name, protocol, hasProtocol := strings.Cut(name, ",")
	if !ok || name == "" || strings.TrimSpace(command) == "" {
		return Spec{}, fmt.Errorf("peer %q: want NAME=COMMAND", s)
	}
	spec := Spec{Name: name, Command: command}
	usual := "--port {port}"
	for _, k := range known {
		// memcached-1.6 is a memcached too.
		if name == k.name || strings.HasPrefix(name, k.name+"-") {
			spec.Protocol, spec.Threaded, usual = k.protocol, k.threaded, k.args
		}
	}
	if !strings.Contains(command, "{port}") {
		spec.Command += " " + usual
	} else if strings.Contains(command, "{threads}") {
		spec.Threaded = ""
	}
	if hasProtocol {
		var err error
		if spec.Protocol, err = request.ParseProtocol(protocol); err != nil {
			return Spec{}, fmt.Errorf("peer %q: %w", s, err)
		}
	}
	if _, err := request.Split(spec.Command); err != nil {
		return Spec{}, fmt.Errorf("peer %q: %w", s, err)
	}
	return spec, nil
}

// Find looks for a known server: beside this program, then in the PATH. The
// floor is this program itself. sherd, when no binary of it is found and this
// is a checkout of its source, is built, into dir.
func Find(name, dir string) (Spec, error) {
	for _, k := range known {
		if k.name != name {
			continue
		}
		path, err := locate(k.binary)
		switch {
		case name == "floor":
			path, err = os.Executable()
		case name == "sherd" && err != nil:
			path, err = build(dir)
		}
		if err != nil {
			return Spec{}, err
		}
		return Spec{Name: name, Protocol: k.protocol, Command: quote(path) + " " + k.args, Threaded: k.threaded}, nil
	}
	return Spec{}, fmt.Errorf("no server is known by the name %q: use --peer %s=COMMAND", name, name)
}

func locate(binary string) (string, error) {
	if self, err := os.Executable(); err == nil {
		beside := filepath.Join(filepath.Dir(self), binary)
		if info, err := os.Stat(beside); err == nil && !info.IsDir() {
			return beside, nil
		}
	}
	path, err := exec.LookPath(binary)
	if err != nil {
		return "", fmt.Errorf("%s is not installed", binary)
	}
	return filepath.Abs(path)
}

// build compiles the sherd of the checkout in the working directory.
func build(dir string) (string, error) {
	if _, err := os.Stat("cmd/sherd"); err != nil {
		return "", fmt.Errorf("sherd is neither beside sherd-bench nor in the PATH, nor is this its source")
	}
	path := filepath.Join(dir, "sherd")
	if out, err := exec.Command("go", "build", "-o", path, "./cmd/sherd").CombinedOutput(); err != nil {
		return "", fmt.Errorf("cannot build ./cmd/sherd: %w\n%s", err, out)
	}
	return path, nil
}

// Args is the command line to start s with.
func (s *Spec) args(port, threads int, dir string) ([]string, error) {
	line := s.Command
	if threads > 1 && s.Threaded != "" {
		line += " " + s.Threaded
	}
	args, err := request.Split(line)
	if err != nil {
		return nil, err
	}
	r := strings.NewReplacer("{port}", strconv.Itoa(port), "{threads}", strconv.Itoa(threads), "{dir}", dir)
	for i := range args {
		args[i] = r.Replace(args[i])
	}
	return args, nil
}

func quote(path string) string {
	if strings.ContainsAny(path, " \t") {
		return `"` + path + `"`
	}
	return path
}
