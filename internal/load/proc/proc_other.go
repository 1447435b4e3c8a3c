//go:build !linux

package proc

import (
	"runtime"
	"time"
)

// CPU is not read here.
func CPU(int) (time.Duration, error) { return 0, ErrUnsupported }

// SelfCPU is not read here.
func SelfCPU() (time.Duration, error) { return 0, ErrUnsupported }

// RSS is not read here.
func RSS(int) (int64, error) { return 0, ErrUnsupported }

// CPUs is unknown here.
func CPUs() []int { return nil }

// Confine is not done here.
func Confine([]int) error { return ErrUnsupported }

// OnCPUs runs do; no CPU can be chosen here.
func OnCPUs(cpus []int, do func() error) error { return do() }

// Model is unknown here.
func Model() string { return "" }

// System names the operating system, for the head of a report.
func System() string { return runtime.GOOS }
