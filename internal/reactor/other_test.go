//go:build !linux

package reactor

func addUringEngines(map[string]Options) {}

func starved(*Loop) int64 { return 1 }
