package config

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// LoadError is why the start is refused. Its text has the form of Redis, a
// headline, the place, the line in question, and the reason, one line each.
type LoadError struct {
	File   string // path, "-" for standard input, or "" for another source
	Line   int    // from 1; 0 where there are no lines
	Source string // "configuration file", "flag file", "environment", "command line", "options"
	Text   string // the line; secrets are masked
	Reason string
}

// product is what the headline of an error calls us.
const product = "sherd"

func (e *LoadError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "*** FATAL CONFIG FILE ERROR (%s) ***\n", product)
	if e.Line > 0 {
		fmt.Fprintf(&b, "Reading the %s, at line %d", e.Source, e.Line)
		if e.File != "" {
			fmt.Fprintf(&b, " of %s", e.File)
		}
	} else {
		fmt.Fprintf(&b, "Reading the %s", e.Source)
		if e.File != "" {
			fmt.Fprintf(&b, " %s", e.File)
		}
	}
	if e.Text != "" {
		fmt.Fprintf(&b, "\n>>> '%s'", e.Text)
	}
	fmt.Fprintf(&b, "\n%s", e.Reason)
	return b.String()
}

// place is where a directive stands.
type place struct {
	source string
	file   string
	line   int
	text   string // for errors; masked when the directive is known
	rank   int    // of the source: a higher one begins lists anew
}

func (p place) err(reason string) *LoadError {
	return &LoadError{File: p.file, Line: p.line, Source: p.source, Text: p.text, Reason: reason}
}

// The sources in rising precedence.
const (
	rankFile = 1 + iota
	rankFlagFile
	rankEnv
	rankArgs
)

// Bounds on what the reader reads.
const (
	maxDepth     = 16       // files that include files
	maxFiles     = 1024     // in all
	maxFileBytes = 16 << 20 // each
)

// reader collects the values of all sources.
type reader struct {
	st    *state
	given map[int]place // where a directive was last set
	files int           // read so far

	// lenient makes the reader skip what it cannot take, as CONFIG REWRITE
	// leaves lines alone that it does not understand.
	lenient bool

	// The file system, replaced in tests.
	open func(path string) ([]byte, error)
	glob func(pattern string) ([]string, error)
}

func newReader() *reader {
	return &reader{st: defaults(), given: map[int]place{}, open: readFile, glob: filepath.Glob}
}

// readFile reads a file, which may be a pipe, up to a bound.
func readFile(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	return readAll(f, maxFileBytes)
}

func readAll(from io.Reader, limit int) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(from, int64(limit)+1))
	if err == nil && len(data) > limit {
		err = errors.New("the file is too big")
	}
	return data, err
}

// store ends the reading: the promises were checked line by line.
func (r *reader) store() *Store {
	s := &Store{}
	s.current.Store(build(r.st))
	order := make([]int, 0, len(r.given))
	for i := range r.given {
		order = append(order, i)
	}
	slices.Sort(order)
	for _, i := range order {
		d := table[i]
		if d.State == Live || d.Has(StartOnly) || r.st.text[i] == d.Default && len(r.st.lines[i]) == 0 {
			continue
		}
		s.notes = append(s.notes, fmt.Sprintf("%s is kept, but has no effect yet in this version of sherd", d.Name))
	}
	return s
}

// set takes the words of one directive from a source.
func (r *reader) set(d *Directive, words []string, at place) error {
	if d.Has(Sensitive) {
		at.text = d.Name + " " + hidden
	}
	i := d.index
	before, again := r.given[i]
	fresh := !again || before.rank != at.rank
	if d.Has(Repeated) {
		if int64(len(words)) < d.Min || d.Name == "rename-command" && len(words) != 2 {
			return at.err("Bad directive or wrong number of arguments")
		}
		if reason := d.refuses(""); reason != "" {
			return at.err(reason)
		}
		if fresh {
			r.st.lines[i] = nil
		}
		r.st.lines[i] = append(slices.Clip(r.st.lines[i]), words)
		r.given[i] = at
		return nil
	}
	if d.Has(Multi) && len(words) == 1 && words[0] != "" {
		// One word may hold several: --save "60 1", save "60 1".
		split, ok := split(words[0])
		if !ok {
			return at.err("Unbalanced quotes in configuration line")
		}
		words = split
	}
	old := r.st.text[i]
	if d.Kind == Save && fresh {
		old = ""
	}
	text, reason := d.parse(old, words, true)
	if reason == "" {
		reason = d.refuses(text)
	}
	if reason != "" {
		return at.err(reason)
	}
	r.st.text[i] = text
	r.given[i] = at
	return nil
}

// pair takes an option of an embedded server.
func (r *reader) pair(p Pair) error {
	at := place{source: "options", rank: rankArgs, text: p.Name + " " + joinQuoted([]string{p.Value})}
	d := lookupFlag(p.Name)
	if d == nil || d.Has(StartOnly) {
		return at.err("Bad directive or wrong number of arguments")
	}
	words := []string{p.Value}
	if d.Has(Repeated) {
		split, ok := split(p.Value)
		if !ok {
			return at.err("Unbalanced quotes in configuration line")
		}
		words = split
	}
	return r.set(d, words, at)
}

// configFile reads a configuration file and what it includes.
func (r *reader) configFile(path string) error {
	data, err := r.open(path)
	if err != nil {
		return cannotOpen(path, err)
	}
	return r.configText(path, data, 0)
}

func cannotOpen(path string, err error) *LoadError {
	return &LoadError{
		File: path, Source: "configuration file",
		Reason: "Fatal error, can't open config file '" + path + "': " + plainError(err),
	}
}

// configText reads the text of a configuration file.
func (r *reader) configText(path string, data []byte, depth int) error {
	for i, line := range strings.Split(string(data), "\n") {
		line = strings.Trim(line, " \t\r\n")
		if line == "" || line[0] == '#' {
			continue
		}
		at := place{source: "configuration file", file: path, line: i + 1, text: line, rank: rankFile}
		words, ok := split(line)
		err := error(nil)
		switch {
		case !ok:
			at.text = masked(line)
			err = at.err("Unbalanced quotes in configuration line")
		case len(words) > 0:
			err = r.directive(words, at, depth)
		}
		if err != nil && !r.lenient {
			return err
		}
	}
	return nil
}

// directive takes one line of a configuration file.
func (r *reader) directive(words []string, at place, depth int) error {
	name := strings.ToLower(words[0])
	d := lookup(name)
	switch {
	case d == nil && dropped[name] && len(words) == 2:
		return nil
	case d == nil && ofModule(name) && len(words) > 1:
		return nil
	case d == nil:
		return at.err("Bad directive or wrong number of arguments")
	case d.Name == "include":
		if len(words) != 2 {
			return at.err("Bad directive or wrong number of arguments")
		}
		return r.include(words[1], at, depth)
	case d.Has(StartOnly):
		return at.err("Bad directive or wrong number of arguments")
	}
	return r.set(d, words[1:], at)
}

// include reads the files a pattern names. A pattern may match none; a plain
// name must exist. A relative name is looked for in the working directory, as
// Redis does, and then beside the file that includes it.
func (r *reader) include(pattern string, at place, depth int) error {
	if depth >= maxDepth {
		return at.err("Too many nested include directives")
	}
	paths := []string{pattern}
	beside := ""
	if !filepath.IsAbs(pattern) && at.file != "" && at.file != "-" {
		beside = filepath.Join(filepath.Dir(at.file), pattern)
	}
	if strings.ContainsAny(pattern, "*?[") {
		var err error
		if paths, err = r.glob(pattern); err == nil && len(paths) == 0 && beside != "" {
			paths, err = r.glob(beside)
		}
		if err != nil {
			return at.err("Bad pattern in include: " + err.Error())
		}
	}
	for _, path := range paths {
		if r.files++; r.files > maxFiles {
			return at.err("Too many included files")
		}
		data, err := r.open(path)
		if errors.Is(err, fs.ErrNotExist) && beside != "" && path == pattern {
			if data, err = r.open(beside); err == nil {
				path = beside
			}
		}
		if err != nil {
			return at.err("Fatal error, can't open config file '" + path + "': " + plainError(err))
		}
		if err := r.configText(path, data, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// dropped are directives of old versions that Redis reads and forgets.
var dropped = map[string]bool{
	"list-max-ziplist-entries": true,
	"list-max-ziplist-value":   true,
	"lua-replicate-commands":   true,
}

// ofModule tells whether a name is that of a module's directive: modules are
// not built yet, and what they are set to has no effect without them.
func ofModule(name string) bool {
	if strings.Contains(name, ".") {
		return true
	}
	for _, prefix := range []string{"bf-", "cf-", "search-", "ts-", "vset-"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// masked hides what stands behind the name of a sensitive directive.
func masked(line string) string {
	name := strings.TrimLeft(line, " \t-\"'")
	if end := strings.IndexAny(name, " \t=\"'"); end >= 0 {
		name = name[:end]
	}
	if d := lookupFlag(name); d != nil && d.Has(Sensitive) {
		return d.Name + " " + hidden
	}
	return line
}

// plainError is the system's word for an error, without path and operation.
func plainError(err error) string {
	var pe *fs.PathError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "No such file or directory"
	case errors.Is(err, fs.ErrPermission):
		return "Permission denied"
	case errors.As(err, &pe):
		return pe.Err.Error()
	}
	return err.Error()
}

var errTooDeep = errors.New("too many nested flag files")
