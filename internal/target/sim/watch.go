package sim

import (
	"bytes"

	"gulo/internal/target"
)

// This file halts the program where memory changes: what is watched is compared before every statement.

// watched is memory whose change halts the program.
type watched struct {
	target.Watched
	was   []byte
	now   []byte
	depth int // of the machine's call that it belongs to; 0 for none
}

// Watch implements target.Watcher.
func (t *Target) Watch(list []target.Watched) bool {
	t.toWatch = nil
	if t.m == nil || t.ended {
		return false
	}
	var depths []int // of the machine's calls, by depth of the program's
	calls := t.m.Calls()
	for i := len(calls) - 1; i >= 0; i-- {
		if !calls[i].Library {
			depths = append(depths, len(calls)-i)
		}
	}
	for _, w := range list {
		x := watched{Watched: w, was: make([]byte, w.Size), now: make([]byte, w.Size)}
		t.m.Read(w.Addr, x.was)
		if w.Depth > 0 && w.Depth <= len(depths) {
			x.depth = depths[w.Depth-1]
		}
		t.toWatch = append(t.toWatch, x)
	}
	return true
}

// changed reports whether something that is watched has changed, or gone with its function; d is how many
// calls are active, 0 where they are another thread's.
func (t *Target) changed(d int) bool {
	for i := range t.watch {
		w := &t.watch[i]
		if d > 0 && d < w.depth {
			return true
		}
		if t.m.Read(w.Addr, w.now) && !bytes.Equal(w.now, w.was) {
			return true
		}
	}
	return false
}
