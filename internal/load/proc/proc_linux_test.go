package proc

import (
	"os"
	"slices"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

func TestParseStat(t *testing.T) {
	line := "1234 (a (b) c) S 1 1 1 0 -1 4194560 100 0 0 0 250 75 3 4 20 0 1 0 100 1000 10"
	user, system, err := parseStat(line)
	if err != nil || user != 2500*time.Millisecond || system != 750*time.Millisecond {
		t.Errorf("%v, %v, %v", user, system, err)
	}
	for _, bad := range []string{"", "1 (x) S 1", "1 (x) S 1 1 1 0 -1 0 0 0 0 0 a 75 0 0"} {
		if _, _, err := parseStat(bad); err == nil {
			t.Errorf("%q was taken", bad)
		}
	}
}

func TestCPUTimeGrows(t *testing.T) {
	pid := os.Getpid()
	before, err := CPU(pid)
	if err != nil {
		t.Fatal(err)
	}
	// Work until the clock of this process says that it worked.
	for {
		self, err := SelfCPU()
		if err != nil {
			t.Fatal(err)
		}
		after, err := CPU(pid)
		if err != nil {
			t.Fatal(err)
		}
		if self >= before+20*time.Millisecond {
			if after < before+20*time.Millisecond {
				t.Errorf("own clock grew to %v, as seen from outside to %v", self, after)
			}
			break
		}
	}
	if _, err := CPU(1 << 22); err == nil {
		t.Error("a process above the kernel's limit of ids has CPU time")
	}
	if rss, err := RSS(pid); err != nil || rss < 1<<20 {
		t.Errorf("RSS %d, %v", rss, err)
	}
}

func TestOnCPUs(t *testing.T) {
	all := CPUs()
	if len(all) == 0 {
		t.Fatal("no CPU may be used")
	}
	last := all[len(all)-1:]
	err := OnCPUs(last, func() error {
		var set unix.CPUSet
		if err := unix.SchedGetaffinity(0, &set); err != nil {
			return err
		}
		if set.Count() != 1 || !set.IsSet(last[0]) {
			t.Errorf("bound to %d CPUs, want CPU %d", set.Count(), last[0])
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := OnCPUs(nil, func() error { return unix.EINVAL }); err != unix.EINVAL {
		t.Errorf("error %v", err)
	}
	if got := CPUs(); !slices.Equal(got, all) {
		t.Errorf("afterwards bound to %v, before to %v", got, all)
	}
}
