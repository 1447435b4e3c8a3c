package config

import "io"

// Load reads everything a server is started with: args are the arguments
// behind the program's name, environ is os.Environ's form, stdin is read
// when the first argument is "-".
func Load(args, environ []string, stdin io.Reader) (*Store, error) {
	r := newReader()
	r.stdin = stdin
	if err := r.all(args, environ); err != nil {
		return nil, err
	}
	s := r.store()
	return s, nil
}

func (r *reader) all(args, environ []string) error { return nil }
