package natural

import "container/heap"

// agenda holds the patches that may be extended. Scores mislead where one fault hides the effect of another (a loop
// that is never entered, a crash), and small edits are likelier than large ones. So patches are taken in turns: the one
// closest to what is wanted, the smallest one, and now and then one with several edits.
type agenda struct {
	score, size, deep queue
	turn              int
}

func newAgenda() *agenda {
	byScore := func(a, b *node) bool {
		if a.score != b.score {
			return a.score < b.score
		}
		return a.dist < b.dist
	}
	bySize := func(a, b *node) bool {
		if x, y := a.dist+a.late, b.dist+b.late; x != y {
			return x < y
		}
		return a.score < b.score
	}
	return &agenda{score: queue{less: byScore}, size: queue{less: bySize}, deep: queue{less: byScore}}
}

func (a *agenda) add(n *node) {
	if n.depth > 1 {
		heap.Push(&a.deep, n)
		return
	}
	heap.Push(&a.score, n)
	heap.Push(&a.size, n)
}

// deepTurn says that every deepTurn-th patch taken is one with several edits.
const deepTurn = 5

// next takes the next node; nil if there is none.
func (a *agenda) next() *node {
	order := []*queue{&a.score, &a.size, &a.deep}
	switch {
	case a.turn%deepTurn == deepTurn-1:
		order = []*queue{&a.deep, &a.score, &a.size}
	case a.turn%2 == 1:
		order = []*queue{&a.size, &a.score, &a.deep}
	}
	for _, q := range order {
		if n := q.take(); n != nil {
			if n.base == nil {
				a.turn++
			}
			return n
		}
	}
	return nil
}

// more takes up to n further sets that come next by score.
func (a *agenda) more(n int) []*node {
	q := &a.score
	if a.turn%deepTurn == deepTurn-1 {
		q = &a.deep
	}
	var out []*node
	for len(out) < n {
		m := q.take()
		if m == nil {
			break
		}
		if m.base == nil {
			m.done = false
			heap.Push(q, m)
			break
		}
		out = append(out, m)
	}
	return out
}

// queue is a heap of nodes; a node may be in several.
type queue struct {
	nodes []*node
	less  func(a, b *node) bool
}

func (q *queue) Len() int           { return len(q.nodes) }
func (q *queue) Less(i, j int) bool { return q.less(q.nodes[i], q.nodes[j]) }
func (q *queue) Swap(i, j int)      { q.nodes[i], q.nodes[j] = q.nodes[j], q.nodes[i] }
func (q *queue) Push(x any)         { q.nodes = append(q.nodes, x.(*node)) }
func (q *queue) Pop() any {
	x := q.nodes[len(q.nodes)-1]
	q.nodes = q.nodes[:len(q.nodes)-1]
	return x
}

// any reports whether the queue has a node that is not done.
func (q *queue) any() bool {
	for q.Len() > 0 {
		if !q.nodes[0].done {
			return true
		}
		heap.Pop(q)
	}
	return false
}

// take takes the first node that is not done; nil if there is none.
func (q *queue) take() *node {
	for q.Len() > 0 {
		if n := heap.Pop(q).(*node); !n.done {
			n.done = true
			return n
		}
	}
	return nil
}
