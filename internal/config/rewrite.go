package config

import "errors"

// ErrNoFile is what Rewrite gives when the server runs without a file.
var ErrNoFile = errors.New("The server is running without a config file")

func (s *Store) rewrite() error {
	if s.file == "" {
		return ErrNoFile
	}
	return nil
}
