//go:build !linux

package server

import "errors"

func disableHugePages() error { return errors.ErrUnsupported }

func cgroupLimit() int64 { return 0 }
