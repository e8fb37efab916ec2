package draw

import (
	"slices"
	"strings"

	"gulo/internal/heap"
)

// This file chooses what is shown of nodes with many members, in text and in pictures alike.

// brief returns the cells of a node that are shown in room lines, in their order, and how many are left out; the line
// that says so counts. Of a struct, what the last command changed comes first, then pointers that lead somewhere, what
// is not zero, other pointers, and what is declared first. Of an array, what changed comes before the first elements.
func brief(cells []heap.Cell, o Options, room int) (shown []heap.Cell, left int) {
	if len(cells) <= room {
		return cells, 0
	}
	n := max(room-1, 0)
	array := strings.HasPrefix(cells[0].Field, "[")
	rank := func(c *heap.Cell) int {
		pointer := c.Type != nil && c.Type.IsScalar() && c.Type.Elem != nil
		switch {
		case o.Changed[c.Key]:
			return 0
		case array:
			return 4
		case pointer && c.Value.Kind != heap.Null && c.Value.Kind != heap.Unknown:
			return 1
		case holds(c, o):
			return 2
		case pointer:
			return 3
		}
		return 4
	}
	order := make([]int, len(cells))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return rank(&cells[a]) - rank(&cells[b]) })
	order = order[:n]
	slices.Sort(order)
	for _, i := range order {
		shown = append(shown, cells[i])
	}
	return shown, len(cells) - n
}
