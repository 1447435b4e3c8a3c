// Package table lines up columns of text for people.
package table

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// Table collects rows. The first column is aligned left, the rest right.
type Table struct {
	rows [][]string
	head bool
}

// Head sets the column titles.
func (t *Table) Head(titles ...string) {
	t.rows = append([][]string{titles}, t.rows...)
	t.head = true
}

// Row adds a row.
func (t *Table) Row(cells ...string) { t.rows = append(t.rows, cells) }

// Len is how many rows there are, without the head.
func (t *Table) Len() int {
	if t.head {
		return len(t.rows) - 1
	}
	return len(t.rows)
}

// WriteTo prints the table.
func (t *Table) WriteTo(w io.Writer) (int64, error) {
	var widths []int
	for _, row := range t.rows {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	var b strings.Builder
	for n, row := range t.rows {
		line := ""
		for i, cell := range row {
			pad := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
			if i == 0 {
				line += cell + pad
			} else {
				line += "  " + pad + cell
			}
		}
		b.WriteString(strings.TrimRight(line, " "))
		b.WriteByte('\n')
		if n == 0 && t.head {
			total := -2
			for _, width := range widths {
				total += width + 2
			}
			b.WriteString(strings.Repeat("─", max(total, 0)) + "\n")
		}
	}
	n, err := io.WriteString(w, b.String())
	return int64(n), err
}

// Count writes a whole number with separators: 1,234,567.
func Count(n int64) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Micros writes a time given in microseconds with a fitting unit and three
// digits.
func Micros(us float64) string {
	switch {
	case us == 0:
		return "0"
	case us < 1:
		return fmt.Sprintf("%.0f ns", us*1e3)
	case us < 10:
		return fmt.Sprintf("%.2f µs", us)
	case us < 100:
		return fmt.Sprintf("%.1f µs", us)
	case us < 10_000:
		return fmt.Sprintf("%.0f µs", us)
	case us < 100_000:
		return fmt.Sprintf("%.1f ms", us/1e3)
	case us < 10_000_000:
		return fmt.Sprintf("%.0f ms", us/1e3)
	}
	return fmt.Sprintf("%.1f s", us/1e6)
}

// Bytes writes a size.
func Bytes(n int64) string {
	switch {
	case n < 10<<10:
		return fmt.Sprintf("%d B", n)
	case n < 10<<20:
		return fmt.Sprintf("%.0f KiB", float64(n)/(1<<10))
	case n < 10<<30:
		return fmt.Sprintf("%.0f MiB", float64(n)/(1<<20))
	}
	return fmt.Sprintf("%.1f GiB", float64(n)/(1<<30))
}
