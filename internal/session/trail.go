package session

import (
	"maps"
	"slices"
	"strings"

	"gulo/internal/draw"
	"gulo/internal/heap"
)

// This file keeps the states that the session has come through, so that views can show an earlier one and share can
// write them all. Showing one changes nothing; undo goes back to it.

// Moment is a state that the session has come to by a command.
type Moment struct {
	ID       int    `json:"id"`
	Command  string `json:"command"` // that led to it
	Line     int    `json:"line"`    // of the next statement; 0 for none
	Function string `json:"function,omitempty"`
	State    string `json:"state"`
	Kind     string `json:"kind,omitempty"`   // asserted, changed (by hand), repaired
	Undo     int    `json:"undo"`             // how many commands undo takes back to come to it; negative where it cannot
	Inside   int    `json:"inside,omitempty"` // of a state inside a command: how many of its statements were executed
	Of       int    `json:"of,omitempty"`     // and of how many; 0 where that is not known
	Gap      bool   `json:"gap,omitempty"`    // the command let the program run, and not all of its way is on the time line
	view     *View  // without a picture
	graph    *heap.Graph
	changed  map[string]bool
	depth    int
	inner    []Moment // states inside the command, in order
	looked   bool     // Fill has looked for these
}

// trail is the moments of the run in hand, the present one last.
type trail struct {
	list   []Moment
	ids    int
	forgot int // commands at the beginning that undo cannot take back any more
	nodes  int // of all graphs
	left   int // moments at the beginning that are not kept any more
}

// Bounds of what is kept: moments, and nodes in all their pictures.
const (
	maxMoments     = 400
	maxMomentNodes = 40_000
)

// depth is how many commands led from the beginning of the run to the present state.
func (s *recorder) depth() int { return s.trail.forgot + len(s.history) }

// pass records the state that a command line has led to.
func (s *recorder) pass(line string) {
	t, now := &s.trail, s.depth()
	for len(t.list) > 0 && t.list[len(t.list)-1].depth > now {
		t.drop(len(t.list) - 1)
	}
	v := s.brief()
	if n := len(t.list); n > 0 && t.list[n-1].depth == now {
		if sameMoment(&t.list[n-1], v) {
			return // a command that only answers, or undo
		}
		t.drop(n - 1)
	}
	t.ids++
	m := Moment{ID: t.ids, Command: strings.TrimSpace(line), State: v.State, Kind: kindOf(line), view: v, graph: s.graph, changed: maps.Clone(s.changed), depth: now}
	if v.Place != nil {
		m.Line, m.Function = v.Place.Line, v.Place.Function
	}
	if m.graph != nil {
		t.nodes += len(m.graph.Nodes)
	}
	t.list = append(t.list, m)
	for len(t.list) > 1 && (len(t.list) > maxMoments || t.nodes > maxMomentNodes) {
		t.drop(0)
		t.left++
	}
}

// drop removes the state at index i from the trail.
func (t *trail) drop(i int) {
	if g := t.list[i].graph; g != nil {
		t.nodes -= len(g.Nodes)
	}
	t.list = slices.Delete(t.list, i, i+1)
}

// sameMoment reports whether the program stands where it stood at a moment.
func sameMoment(m *Moment, v *View) bool {
	return m.State == v.State && (v.Place == nil) == (m.view.Place == nil) && (v.Place == nil || v.Place.File == m.view.Place.File && v.Place.Line == m.view.Place.Line && v.Place.Column == m.view.Place.Column)
}

// kindOf returns how the time line marks a command line; "" for no mark.
func kindOf(line string) string {
	kind := ""
	for _, c := range splitCommands(line) {
		switch name, _, _ := strings.Cut(asHere(c), " "); name {
		case "spec":
			kind = "asserted"
		case "change":
			kind = "changed"
		case "repair", "choose":
			kind = "repaired"
		}
	}
	return kind
}

// brief is the part of the view that a moment keeps: where the program stands.
func (s *drawing) brief() *View {
	v := &View{State: "ready", Frames: []Frame{}, Changed: keysOf(s.changed)}
	if !s.started {
		return v
	}
	v.State = states[s.stop.Reason]
	if s.viewStop(v); v.State == "ended" {
		return v
	}
	if st := s.stmt(); st != nil {
		p := placeOf(st)
		v.Place = &p
	}
	return v
}

// Trail lists the moments of the run in hand, those inside a command before the one that it led to, the present one last.
func (s *Session) Trail() []Moment {
	out := make([]Moment, 0, len(s.trail.list))
	now := s.depth()
	for _, m := range s.trail.list {
		for _, x := range m.inner {
			x.Undo = -1
			out = append(out, x)
		}
		m.Undo = now - m.depth
		if m.depth < s.trail.forgot {
			m.Undo = -1
		}
		out = append(out, m)
	}
	return out
}

// Moment returns the view of a moment, drawn where its nodes stand now; nil where it is not kept. Nothing changes.
func (s *Session) Moment(id int, look Look) *View {
	named := func(m Moment) bool { return m.ID == id }
	for _, m := range s.trail.list {
		if m.ID != id {
			i := slices.IndexFunc(m.inner, named)
			if i < 0 {
				continue
			}
			m = m.inner[i]
		}
		layout := s.layout.Clone()
		return m.seen(&layout, look)
	}
	return nil
}

// seen returns the view of a moment with its picture.
func (m *Moment) seen(layout *draw.Layout, look Look) *View {
	v := *m.view
	if m.graph != nil {
		o := draw.Options{Changed: m.changed, MaxNodes: look.Nodes}
		if o.MaxNodes == 0 {
			o.MaxNodes, o.Room = pageNodes, pageLines
		}
		v.Picture = layout.Picture(m.graph, o)
	}
	return &v
}
