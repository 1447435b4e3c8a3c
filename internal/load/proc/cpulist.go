package proc

import (
	"fmt"
	"strconv"
	"strings"
)

// ParseCPUs reads a list such as "0,2-5". An empty text is an empty list.
func ParseCPUs(s string) ([]int, error) {
	if s == "" {
		return nil, nil
	}
	var cpus []int
	for _, field := range strings.Split(s, ",") {
		low, high, isRange := strings.Cut(strings.TrimSpace(field), "-")
		from, err := strconv.Atoi(low)
		to := from
		if err == nil && isRange {
			to, err = strconv.Atoi(high)
		}
		if err != nil || from < 0 || to < from || to > 4095 {
			return nil, fmt.Errorf("CPU list %q: want numbers and ranges such as 0,2-5", s)
		}
		for cpu := from; cpu <= to; cpu++ {
			cpus = append(cpus, cpu)
		}
	}
	return cpus, nil
}

// FormatCPUs is the inverse of ParseCPUs, without ranges.
func FormatCPUs(cpus []int) string {
	fields := make([]string, len(cpus))
	for i, cpu := range cpus {
		fields[i] = strconv.Itoa(cpu)
	}
	return strings.Join(fields, ",")
}

// Split shares CPUs between a server that wants some number of them and the
// load generator: the server gets the first ones, the generator the rest, at
// least one each. Of a single CPU both get it.
func Split(cpus []int, server int) (forServer, forGenerator []int) {
	if len(cpus) < 2 {
		return cpus, cpus
	}
	n := min(max(server, 1), len(cpus)-1)
	return cpus[:n], cpus[n:]
}
