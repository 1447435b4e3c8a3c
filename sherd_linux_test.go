package sherd_test

import (
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"

	"sherd"
)

// TestAffinity compares the affinity of the program's threads before a server,
// with one, and after it.
func TestAffinity(t *testing.T) {
	var before unix.CPUSet
	if err := unix.SchedGetaffinity(os.Getpid(), &before); err != nil {
		t.Fatal(err)
	}
	check := func(when string) {
		t.Helper()
		tasks, err := filepath.Glob("/proc/self/task/*")
		if err != nil || len(tasks) == 0 {
			t.Skip("the system does not list threads")
		}
		for _, task := range tasks {
			var now unix.CPUSet
			if err := unix.SchedGetaffinity(atoi(filepath.Base(task)), &now); err == nil && now != before {
				t.Errorf("%s: thread %s has another affinity", when, filepath.Base(task))
			}
		}
	}
	srv, err := sherd.Start(sherd.Options{Threads: 2})
	if err != nil {
		t.Fatal(err)
	}
	check("with a server")
	if err := srv.Close(); err != nil {
		t.Fatal(err)
	}
	check("after it")
}

func atoi(s string) (n int) {
	for _, c := range s {
		n = 10*n + int(c-'0')
	}
	return n
}
