package session

import (
	"sort"

	"gulo/internal/oracle"
)

// This file tries repairs on strings that fill their buffers. A repair that reads beyond the end of a string may be
// right by chance if the buffer is longer.

// tightly moves repairs to the end that fail on strings that fill their buffers, if the program as written does not
// fail.
func (s *searcher) tightly() {
	c := s.callInHand()
	if c == nil || len(s.found) < 2 {
		return
	}
	st, err := oracle.CallIn(c.start, c.fn)
	if err != nil {
		return
	}
	inputs := oracle.Tight(st)
	if len(inputs) == 0 {
		return
	}
	n := s.on(c, inputs)
	if n == nil {
		return
	}
	for i := range s.found {
		s.found[i].behind = 0
		for k, did := range n.behaves(s, &s.found[i]) {
			if n.cases[k].Want.State != "" && did == inError {
				s.found[i].behind++
			}
		}
	}
	sort.SliceStable(s.found, func(a, b int) bool { return s.found[a].behind < s.found[b].behind })
}

// inError is the behaviour of a call that ends in an error.
const inError = "error"
