package request

import (
	"fmt"
	"strconv"
	"strings"
)

// Mix is the commands of a run and the order in which they follow each other.
type Mix struct {
	Commands []*Command
	// Order names commands by index; a connection walks it round and round,
	// each from its own start.
	Order []uint8
}

// MaxCommands is how many commands a mix can have.
const MaxCommands = 32

// maxOrder bounds the sum of the weights.
const maxOrder = 1 << 16

// NewMix orders commands by their weights, spread as evenly as they go: in
// each step every command gains its weight, the richest goes next and pays the
// sum. 3:1 gives A A B A, not A A A B.
func NewMix(commands []*Command) (*Mix, error) {
	if len(commands) == 0 || len(commands) > MaxCommands {
		return nil, fmt.Errorf("%d commands: want 1 to %d", len(commands), MaxCommands)
	}
	divisor, sum := 0, 0
	for _, c := range commands {
		divisor = gcd(divisor, c.Weight)
	}
	for _, c := range commands {
		sum += c.Weight / divisor
	}
	if sum > maxOrder {
		return nil, fmt.Errorf("the ratio's parts add up to %d: want at most %d", sum, maxOrder)
	}
	m := &Mix{Commands: commands, Order: make([]uint8, 0, sum)}
	credit := make([]int, len(commands))
	for range sum {
		best := 0
		for i, c := range commands {
			credit[i] += c.Weight / divisor
			if credit[i] > credit[best] {
				best = i
			}
		}
		credit[best] -= sum
		m.Order = append(m.Order, uint8(best))
	}
	return m, nil
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// ParseRatio reads "10:1", "1:0", "3:2:1".
func ParseRatio(s string) ([]int, error) {
	var weights []int
	for _, field := range strings.Split(s, ":") {
		n, err := strconv.Atoi(field)
		if err != nil || n < 0 || n > maxOrder {
			return nil, fmt.Errorf("ratio %q: want numbers with colons between", s)
		}
		weights = append(weights, n)
	}
	return weights, nil
}

// GetSet are the texts of the two commands that most runs are made of, with an
// optional time to live in seconds for what SET stores.
func GetSet(p Protocol, expiry int) (get, set string) {
	if p == Memcache {
		return "get __key__", fmt.Sprintf(`set __key__ 0 %d __size__\r\n__data__`, expiry)
	}
	if expiry > 0 {
		return "GET __key__", fmt.Sprintf("SET __key__ __data__ EX %d", expiry)
	}
	return "GET __key__", "SET __key__ __data__"
}
