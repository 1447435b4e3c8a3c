package command

import "slices"

// mergeSort sorts many items in steps, and keeps the order of equals: first runs of
// sortRun, then it merges two and two of them, again and again.
type mergeSort[T any] struct {
	items   []T
	compare func(a, b T) int

	spare   []T // where runs are merged to
	width   int // of the runs that are sorted; 0: the first are being made
	at      int // where the pair under way, or the next run, begins
	i, j, n int // of the pair under way: next of the first, next of the second, merged
}

// sortRun is how many items are sorted, or merged, at once.
const sortRun = 4096

// step sorts on; when it reports done, items are sorted.
func (m *mergeSort[T]) step() (done bool) {
	if m.width == 0 {
		end := min(m.at+sortRun, len(m.items))
		slices.SortStableFunc(m.items[m.at:end], m.compare)
		if m.at = end; end < len(m.items) {
			return false
		}
		if len(m.items) <= sortRun {
			return true
		}
		m.width = sortRun
		m.spare = make([]T, len(m.items))
		m.begin(0)
	}
	for left := sortRun; left > 0; {
		mid, end := m.ends()
		for ; left > 0 && m.n < end; left-- {
			if m.j == end || m.i < mid && m.compare(m.items[m.j], m.items[m.i]) >= 0 {
				m.spare[m.n] = m.items[m.i]
				m.i++
			} else {
				m.spare[m.n] = m.items[m.j]
				m.j++
			}
			m.n++
		}
		if m.n < end {
			return false
		}
		if end < len(m.items) {
			m.begin(end)
			continue
		}
		m.items, m.spare = m.spare, m.items
		if m.width *= 2; m.width >= len(m.items) {
			m.spare = nil
			return true
		}
		m.begin(0)
	}
	return false
}

// begin turns to the pair of runs at a place.
func (m *mergeSort[T]) begin(at int) {
	m.at, m.i, m.n = at, at, at
	m.j, _ = m.ends()
}

// ends are where the runs of the pair under way end.
func (m *mergeSort[T]) ends() (mid, end int) {
	return min(m.at+m.width, len(m.items)), min(m.at+2*m.width, len(m.items))
}
