package command

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestMergeSort(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	type item struct{ key, place int }
	byKey := func(a, b item) int { return cmp.Compare(a.key, b.key) }
	for _, n := range []int{0, 1, 2, sortRun - 1, sortRun, sortRun + 1, 2 * sortRun, 3*sortRun + 7, 8 * sortRun, 100_000} {
		items := make([]item, n)
		for i := range items {
			items[i] = item{r.IntN(n/4 + 1), i}
		}
		want := slices.Clone(items)
		slices.SortStableFunc(want, byKey)
		m := mergeSort[item]{items: items, compare: byKey}
		steps := 1
		for ; !m.step(); steps++ {
		}
		if !slices.Equal(m.items, want) {
			t.Errorf("%d items are not in order", n)
		}
		if steps < n/sortRun {
			t.Errorf("%d items took only %d steps", n, steps)
		}
	}
}
