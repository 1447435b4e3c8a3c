package proc

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// CPU is the user and system time that process pid has used since it began,
// in nanoseconds' resolution: the process' own clock, which counts threads
// that have ended too, or /proc/PID/stat's ticks where that is refused.
func CPU(pid int) (time.Duration, error) {
	var ts unix.Timespec
	// The kernel's numbering of other processes' clocks: see
	// clock_getcpuclockid(3). 2 stands for "scheduled time, whole process".
	clock := int32(^pid)<<3 | 2
	if err := unix.ClockGettime(clock, &ts); err == nil {
		return time.Duration(ts.Nano()), nil
	}
	user, system, err := stat(pid)
	return user + system, err
}

// SelfCPU is CPU of this process.
func SelfCPU() (time.Duration, error) {
	var ts unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_PROCESS_CPUTIME_ID, &ts); err != nil {
		return 0, err
	}
	return time.Duration(ts.Nano()), nil
}

// stat reads the user and system time from /proc/PID/stat, whose unit is 10 ms
// on every system that matters.
func stat(pid int) (user, system time.Duration, err error) {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, 0, err
	}
	return parseStat(string(data))
}

func parseStat(line string) (user, system time.Duration, err error) {
	// The second field is the name in parentheses and may contain anything.
	i := strings.LastIndexByte(line, ')')
	fields := strings.Fields(line[i+1:])
	if i < 0 || len(fields) < 13 {
		return 0, 0, fmt.Errorf("unexpected /proc/PID/stat: %q", line)
	}
	ticks := func(s string) time.Duration {
		n, convErr := strconv.ParseInt(s, 10, 64)
		if convErr != nil {
			err = convErr
		}
		return time.Duration(n) * 10 * time.Millisecond
	}
	return ticks(fields[11]), ticks(fields[12]), err
}

// RSS is the resident memory of process pid, in bytes.
func RSS(pid int) (int64, error) {
	// statm's count may lag by a few pages per thread; smaps_rollup adds up the
	// page tables and is exact, but not always permitted.
	if data, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", pid)); err == nil {
		for _, line := range strings.Split(string(data), "\n") {
			if rest, ok := strings.CutPrefix(line, "Rss:"); ok {
				kb, err := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(rest), " kB"), 10, 64)
				return kb << 10, err
			}
		}
	}
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		return 0, err
	}
	fields := strings.Fields(string(data))
	if len(fields) < 2 {
		return 0, fmt.Errorf("unexpected /proc/%d/statm: %q", pid, data)
	}
	pages, err := strconv.ParseInt(fields[1], 10, 64)
	return pages * int64(os.Getpagesize()), err
}

// CPUs are the CPUs this process may use.
func CPUs() []int {
	var set unix.CPUSet
	if unix.SchedGetaffinity(0, &set) != nil {
		return nil
	}
	var cpus []int
	for i := range len(set) * 64 {
		if set.IsSet(i) {
			cpus = append(cpus, i)
		}
	}
	return cpus
}

// Confine binds all threads of this process to cpus. Threads made later
// inherit it from those that make them.
func Confine(cpus []int) error {
	set := cpuSet(cpus)
	// Twice, for threads that appear during the first pass.
	for range 2 {
		tasks, err := filepath.Glob("/proc/self/task/*")
		if err != nil {
			return err
		}
		for _, task := range tasks {
			tid, err := strconv.Atoi(filepath.Base(task))
			if err != nil {
				continue
			}
			if err := unix.SchedSetaffinity(tid, set); err != nil && err != unix.ESRCH {
				return fmt.Errorf("cannot bind to CPUs %v: %w", cpus, err)
			}
		}
	}
	return nil
}

// OnCPUs runs do on a thread that is bound to cpus, so that a process started
// in it is bound to them from its first instruction. With no cpus it just
// runs do.
func OnCPUs(cpus []int, do func() error) error {
	if len(cpus) == 0 {
		return do()
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var before unix.CPUSet
	if err := unix.SchedGetaffinity(0, &before); err != nil {
		return err
	}
	if err := unix.SchedSetaffinity(0, cpuSet(cpus)); err != nil {
		return fmt.Errorf("cannot bind to CPUs %v: %w", cpus, err)
	}
	defer func() { _ = unix.SchedSetaffinity(0, &before) }()
	return do()
}

func cpuSet(cpus []int) *unix.CPUSet {
	var set unix.CPUSet
	for _, cpu := range cpus {
		set.Set(cpu)
	}
	return &set
}

// Model is the processor's name, for the head of a report.
func Model() string {
	data, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return ""
	}
	for _, line := range strings.Split(string(data), "\n") {
		if rest, ok := strings.CutPrefix(line, "model name"); ok {
			_, name, _ := strings.Cut(rest, ":")
			return strings.TrimSpace(name)
		}
	}
	return ""
}

// System names the operating system, for the head of a report.
func System() string {
	data, err := os.ReadFile("/proc/sys/kernel/osrelease")
	if err != nil {
		return "linux"
	}
	return "Linux " + strings.TrimSpace(string(data))
}
