package session

import (
	"context"
	"maps"
	"slices"
	"strings"

	"gulo/internal/target"
)

// This file gives the time line the states inside a command that ran many statements. The command is executed again
// from its start, statement by statement, and then the program is put back to where it was. Only the machine does that
// without a trace: it takes back all that a program does. A real process would write its files a second time, so under
// gdb such a command is marked instead.

// Bounds of what is executed again for the time line.
const (
	mostInner      = 40     // states of one command
	mostInnerSteps = 20_000 // statements
	mostInnerNodes = 20_000 // of all graphs that were taken, also of those that were not kept
	mostFilled     = 8      // commands of the run that have such states, the last ones
)

// stepper is a target that counts its instructions and takes back everything: the machine.
type stepper interface{ Steps() int64 }

// Fill puts the states inside the last command on the time line where that command let the program run; where it cannot,
// or not all of them, the moment says so. Nothing else changes.
func (s *Session) Fill(ctx context.Context) {
	t := &s.trail
	n := len(t.list)
	if n < 2 || t.list[n-1].looked || t.list[n-1].depth != s.depth() || !runs(t.list[n-1].Command) {
		return
	}
	m := &t.list[n-1]
	m.looked, m.Gap = true, true
	k := len(s.history) - 1
	if k < 0 || t.list[n-2].depth != m.depth-1 {
		return
	}
	u := &s.history[k]
	if _, ok := s.tgt.(stepper); ok && s.repeats(u) {
		s.fill(ctx, m, u)
	}
	for i, filled := n-1, 0; i >= 0; i-- {
		if x := &t.list[i]; len(x.inner) > 0 {
			if filled++; filled > mostFilled {
				x.inner, x.Gap = nil, true
			}
		}
	}
}

// runs reports whether a command line is one command that lets the program run to another place.
func runs(line string) bool {
	cmds := splitCommands(line)
	if len(cmds) != 1 {
		return false
	}
	name, _, _ := strings.Cut(asHere(cmds[0]), " ")
	c, err := find(name)
	return err == nil && slices.Contains([]string{"continue", "until", "finish"}, c.Name)
}

// repeats reports whether the program alone decides what it does from the beginning of a command on: no repair, no
// condition that is forced, no input and no other process.
func (s *recorder) repeats(u *undoPoint) bool {
	st := &u.state
	return u.snap != nil && st.started && !st.waiting && !st.stop.Inside && len(st.pending) == 0 && st.patch.Empty() && st.retold == nil &&
		s.patch.Empty() && s.retold == nil && s.processesNow().Forked == 0 && s.screen() == nil
}

// fill executes a command again and keeps states on its way: at every statement, or where these are many at every
// second, fourth and so on.
func (s *Session) fill(ctx context.Context, m *Moment, u *undoPoint) {
	now := undoPoint{state: s.state()}
	var err error
	if now.snap, err = s.tgt.Save(); err != nil {
		return
	}
	end, written, graph, img, changed, wide, shown, layout := s.stop, s.written, s.graph, s.img, s.changed, s.wide, s.frame, s.layout.Clone()
	defer func() {
		_ = s.tgt.Output() // it was written before
		if err := s.back(now.snap, &now.state); err != nil {
			panic("gulo: the machine cannot be put back: " + err.Error())
		}
		s.graph, s.img, s.changed, s.wide, s.frame, s.layout = graph, img, changed, wide, shown, layout
	}()
	if s.back(u.snap, &u.state) != nil {
		return
	}
	count, every, nodes, said := 0, 1, 0, u.state.written
	var list []Moment
	for {
		stop, err := s.tgt.Resume(ctx, target.Into, nil)
		if err != nil || stop.Reason != target.Stepped && stop.Reason != target.Breakpoint || stop.Thread != end.Thread {
			m.Gap = err != nil || stop.Reason != end.Reason
			break
		}
		count++
		said += int64(len(s.tgt.Output()))
		if count > mostInnerSteps || nodes > mostInnerNodes {
			break
		}
		if s.stop, s.shot = stop, nil; stop.Stmt == end.Stmt && stop.Depth == end.Depth && said == written && end.Reason == target.Stepped {
			if im, err := s.capture(); err != nil || im.Equal(img) {
				m.Gap = err != nil
				break
			}
		}
		if count%every != 0 {
			continue
		}
		if s.refresh() != nil {
			break
		}
		x := Moment{Command: m.Command, State: states[s.stop.Reason], view: s.brief(), graph: s.graph, changed: maps.Clone(s.changed), depth: m.depth, Inside: count}
		if p := x.view.Place; p != nil {
			x.Line, x.Function = p.Line, p.Function
		}
		nodes += len(s.graph.Nodes)
		if list = append(list, x); len(list) == mostInner {
			list, every = halved(list), 2*every
		}
	}
	for i := range list {
		s.trail.ids++
		if list[i].ID = s.trail.ids; !m.Gap {
			list[i].Of = count
		}
	}
	m.inner = list
}

// halved keeps every second moment of some; what the others have changed is marked in the next one.
func halved(list []Moment) []Moment {
	var out []Moment
	for i := 1; i < len(list); i += 2 {
		maps.Copy(list[i].changed, list[i-1].changed)
		out = append(out, list[i])
	}
	return out
}
