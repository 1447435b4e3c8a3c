package config

import (
	"io"
	"path/filepath"
	"slices"
	"strings"
)

// envPrefix begins the names of environment variables that set directives.
const envPrefix = "SHERD_"

// Load reads everything a server is started with, later sources over earlier
// ones:
//
//	FILE          the first argument, when it does not begin with a dash
//	-             standard input, as a configuration file, after FILE
//	--flagfile F  lines of flags
//	SHERD_name    environment variables, in either case, dashes as underscores
//	--name value  --name v1 v2, --name=value, --bool, --nobool
//
// args are the arguments behind the program's name, environ has the form of
// os.Environ. An error is a *LoadError.
func Load(args, environ []string, stdin io.Reader) (*Store, error) {
	r := newReader()
	file, fromStdin, args := configArgs(args)
	if file != "" {
		if err := r.configFile(file); err != nil {
			return nil, err
		}
	}
	if fromStdin {
		data, err := readAll(stdin, maxFileBytes)
		if err != nil {
			return nil, cannotOpen("-", err)
		}
		if err := r.configText("-", data, 0); err != nil {
			return nil, err
		}
	}
	given, err := parseArgs(args)
	if err != nil {
		return nil, err
	}
	for _, f := range given {
		if f.d.Name == "flagfile" {
			if err := r.flagFile(f.words[0], 0); err != nil {
				return nil, err
			}
		}
	}
	if err := r.environment(environ); err != nil {
		return nil, err
	}
	for _, f := range given {
		switch f.d.Name {
		case "flagfile":
			continue
		case "include":
			err = r.include(f.words[0], f.at, 0)
		default:
			err = r.set(f.d, f.words, f.at)
		}
		if err != nil {
			return nil, err
		}
	}
	s := r.store()
	if file != "" {
		if s.file, err = filepath.Abs(file); err != nil {
			return nil, cannotOpen(file, err)
		}
	}
	return s, nil
}

// configArgs takes the configuration file and the dash from the front.
func configArgs(args []string) (file string, stdin bool, rest []string) {
	if len(args) > 0 && args[0] != "" && args[0][0] != '-' {
		file, args = args[0], args[1:]
	}
	if len(args) > 0 && args[0] == "-" {
		stdin, args = true, args[1:]
	}
	return file, stdin, args
}

// flag is a directive given on the command line or in a flag file.
type flag struct {
	d     *Directive
	words []string
	at    place
}

// parseArgs reads flags. The words behind a name are its value: one, or for a
// directive that takes several, all up to the next flag.
func parseArgs(args []string) ([]flag, error) {
	var out []flag
	for i := 0; i < len(args); {
		at := place{source: "command line", text: masked(args[i]), rank: rankArgs}
		name, dashes := strings.CutPrefix(args[i], "--")
		if !dashes || name == "" {
			if n := len(out); n > 0 && out[n-1].d.Has(Sensitive) {
				at.text = hidden // may be the rest of a secret
			}
			return nil, at.err("Bad directive or wrong number of arguments")
		}
		name, value, joined := strings.Cut(name, "=")
		d, negated := findFlag(name)
		if d == nil || negated && joined {
			return nil, at.err("Bad directive or wrong number of arguments")
		}
		start := i
		i++
		var words []string
		switch {
		case negated:
			words = []string{"no"}
		case joined:
			words = []string{value}
		case d.Has(Multi) && d.Name != "include" && d.Name != "flagfile":
			for i < len(args) && (!strings.HasPrefix(args[i], "--") || len(args[i]) == 2) {
				words = append(words, args[i])
				i++
			}
			if words == nil && !d.Has(Repeated) {
				words = []string{""} // --save alone is --save ""
			}
		case d.Kind == Bool && (i == len(args) || strings.HasPrefix(args[i], "--")):
			words = []string{"yes"}
		case i < len(args) && (d.Kind == Text || !strings.HasPrefix(args[i], "--")):
			words = args[i : i+1]
			i++
		}
		at.text = strings.TrimSpace("--" + name + " " + joinQuoted(words))
		if d.Has(Sensitive) {
			at.text = "--" + d.Name + " " + hidden
		}
		if joined && !d.Has(Sensitive) {
			at.text = args[start]
		}
		if len(words) == 0 {
			return nil, at.err("wrong number of arguments")
		}
		words, reason := flagWords(d, words, joined)
		if reason != "" {
			return nil, at.err(reason)
		}
		out = append(out, flag{d, words, at})
	}
	return out, nil
}

// findFlag finds a directive by a flag's name; "no" before the name of a
// boolean says no.
func findFlag(name string) (d *Directive, negated bool) {
	if d = lookupFlag(name); d != nil {
		return d, false
	}
	if rest, no := strings.CutPrefix(name, "no"); no {
		if d = lookupFlag(strings.TrimPrefix(rest, "-")); d != nil && d.Kind == Bool {
			return d, true
		}
	}
	return nil, false
}

// flagWords brings the value of a flag to the form of a file: flags know
// other words for yes and no, and one word may hold the parts of a line.
func flagWords(d *Directive, words []string, joined bool) (out []string, reason string) {
	switch {
	case d.Kind == Bool && len(words) == 1:
		switch strings.ToLower(words[0]) {
		case "true", "1", "t", "y", "on":
			return []string{"yes"}, ""
		case "false", "0", "f", "n", "off":
			return []string{"no"}, ""
		}
	case d.Has(Repeated) && joined && !d.Has(StartOnly):
		split, ok := split(words[0])
		if !ok {
			return nil, "Unbalanced quotes in configuration line"
		}
		return split, ""
	}
	return words, ""
}

// flagFile reads a file of flags, one a line: --name=value, --name value, or
// either without the dashes. Everything behind the equals sign is the value.
func (r *reader) flagFile(path string, depth int) error {
	if depth >= maxDepth {
		return cannotOpen(path, errTooDeep)
	}
	data, err := r.open(path)
	if err != nil {
		e := cannotOpen(path, err)
		e.Source = "flag file"
		return e
	}
	for i, line := range strings.Split(string(data), "\n") {
		line = strings.Trim(line, " \t\r\n")
		if line == "" || line[0] == '#' {
			continue
		}
		at := place{source: "flag file", file: path, line: i + 1, text: masked(line), rank: rankFlagFile}
		d, words, reason := flagLine(line)
		if reason != "" {
			return at.err(reason)
		}
		switch d.Name {
		case "flagfile":
			err = r.flagFile(words[0], depth+1)
		case "include":
			err = r.include(words[0], at, 0)
		default:
			err = r.set(d, words, at)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// flagLine reads one line of a flag file.
func flagLine(line string) (d *Directive, words []string, reason string) {
	line = strings.TrimPrefix(line, "--")
	end := strings.IndexAny(line, "= \t")
	name, joined := line, false
	if end >= 0 {
		name, joined = line[:end], line[end] == '='
	}
	d, negated := findFlag(name)
	if d == nil {
		return nil, nil, "Bad directive or wrong number of arguments"
	}
	switch {
	case joined:
		words = []string{line[end+1:]}
		if quoted, ok := split(words[0]); ok && len(quoted) == 1 {
			words = quoted
		}
	case end >= 0:
		var ok bool
		if words, ok = split(line[end:]); !ok {
			return nil, nil, "Unbalanced quotes in configuration line"
		}
	case negated:
		words = []string{"no"}
	case d.Kind == Bool:
		words = []string{"yes"}
	}
	if len(words) == 0 || negated && end >= 0 {
		return nil, nil, "wrong number of arguments"
	}
	words, reason = flagWords(d, words, joined)
	return d, words, reason
}

// environment reads the variables, in the order of their names.
func (r *reader) environment(environ []string) error {
	environ = slices.Clone(environ)
	slices.Sort(environ)
	for _, v := range environ {
		name, value, _ := strings.Cut(v, "=")
		if len(name) <= len(envPrefix) || !strings.EqualFold(name[:len(envPrefix)], envPrefix) || foreignVariable(name, value) {
			continue
		}
		at := place{source: "environment", text: v, rank: rankEnv}
		d := lookupFlag(name[len(envPrefix):])
		if d == nil || d.Has(StartOnly) {
			at.text = name
			return at.err("Bad directive or wrong number of arguments")
		}
		if d.Has(Sensitive) {
			at.text = name + "=" + hidden
		}
		switch d.Kind {
		case Bool, Int, Memory, Percent, Octal, Enum, Bind:
			if value == "" {
				continue // how wrappers say that a variable is not set
			}
		}
		words, reason := flagWords(d, []string{value}, true)
		if reason != "" {
			return at.err(reason)
		}
		if err := r.set(d, words, at); err != nil {
			return err
		}
	}
	return nil
}

// foreignVariable tells whether a variable with our prefix belongs to
// somebody else: our own tests and tools, or an orchestrator that describes a
// service called "sherd" to its containers.
func foreignVariable(name, value string) bool {
	rest := strings.ToUpper(name[len(envPrefix):])
	for _, prefix := range []string{"TEST_", "BENCH_", "SERVICE_HOST", "SERVICE_PORT", "PORT_"} {
		if strings.HasPrefix(rest, prefix) {
			return true
		}
	}
	return rest == "PORT" && strings.Contains(value, "://")
}
