package bench

import (
	"context"
	"fmt"
	"strings"

	"gulo/internal/heap"
	"gulo/internal/lower"
	"gulo/internal/plural"
	"gulo/internal/session"
	"gulo/internal/target/sim"
)

// This file is a simulated user, as the programmer of Wolverine2, sections 2 and 7. The user knows the right program
// and steps through the faulty one. The user forces the control flow where it goes astray, corrects the picture at loop
// heads and at the end, and asserts what is then seen.

// Right is a run of the right program: the statements of the function under repair in order, with the state before
// each.
type Right struct {
	Prog  *lower.Program
	Steps []RightStep
}

// RightStep is a moment of the right run.
type RightStep struct {
	Stmt   int32
	Graph  *heap.Graph
	Result string // at the end: the returned value
}

// section is how many statements the user passes without an assertion.
const section = 5

// maxUserSteps bounds the statements that the user steps through.
const maxUserSteps = 500

// open starts a session and stops at the first call of the function under repair.
func (e *Entry) open(ctx context.Context, s *session.Session) error {
	_, _, err := s.Exec(ctx, "start; break "+e.Func+"; continue; break -"+e.Func)
	return err
}

// Machine returns a session of a program on the machine.
func (e *Entry) Machine(p *lower.Program) *session.Session {
	return session.New(p, sim.New(p, sim.Config{Name: e.Name, Args: e.Args(), MaxSteps: 200_000}), session.Config{Name: e.Name + ".c"})
}

// Record records a run of the right program.
func (e *Entry) Record(ctx context.Context, p *lower.Program) (*Right, error) {
	s := e.Machine(p)
	defer s.Close()
	if err := e.open(ctx, s); err != nil {
		return nil, err
	}
	r := &Right{Prog: p}
	for len(r.Steps) < maxUserSteps {
		at := s.At()
		if at == 0 {
			return nil, fmt.Errorf("%s: the right run ends within the subject", e.Name)
		}
		text, _ := s.Result()
		r.Steps = append(r.Steps, RightStep{at, s.Graph(), text})
		if p.Stmts[at].Kind == lower.End {
			return r, nil
		}
		if _, _, err := s.Exec(ctx, "next"); err != nil {
			return nil, err
		}
	}
	return nil, fmt.Errorf("%s: the right run does not come to its end", e.Name)
}

// User plays one session.
type User struct {
	entry  *Entry
	right  *Right
	s      *session.Session
	prog   *lower.Program
	same   map[int32]int32   // from statements of the right program to those of the faulty one
	names  map[string]string // nodes that the user had to make, by their names in the right run
	Typed  []string          // the commands given
	Forced int
	Fixed  int // cells and nodes corrected

	crashes []int32 // statements at which the session said that the program crashed
}

// Align maps the statements of the right program to those of a faulty one. deleted are the statements that the faulty
// one lacks.
func (e *Entry) Align(right, faulty *lower.Program, deleted map[int32]bool) (map[int32]int32, error) {
	var from, to []int32
	for _, st := range right.Stmts {
		if st != nil && st.Stop && st.Func.Name == e.Func && !deleted[st.ID] {
			from = append(from, st.ID)
		}
	}
	for _, st := range faulty.Stmts {
		if st != nil && st.Stop && st.Func.Name == e.Func {
			to = append(to, st.ID)
		}
	}
	if len(from) != len(to) {
		return nil, fmt.Errorf("%s: %s in the right program, %d in the faulty one", e.Name, plural.N(len(from), "statement"), len(to))
	}
	out := map[int32]int32{}
	for i := range from {
		out[from[i]] = to[i]
	}
	return out, nil
}

// NewUser returns a user for a session of a faulty program.
func (e *Entry) NewUser(right *Right, faulty *lower.Program, s *session.Session, same map[int32]int32) *User {
	return &User{entry: e, right: right, s: s, prog: faulty, same: same, names: map[string]string{}}
}

func (u *User) do(ctx context.Context, line string) (string, error) {
	u.Typed = append(u.Typed, line)
	text, _, err := u.s.Exec(ctx, line)
	if at := u.s.Crashed(); at != 0 {
		u.crashes = append(u.crashes, at)
	}
	return text, err
}

// Play steps to the end of the function under repair and asserts the state. With dense it also asserts at every visit
// of a loop condition and at the ends of sections.
func (u *User) Play(ctx context.Context, dense bool) error {
	u.Typed = append(u.Typed, "start; break "+u.entry.Func+"; continue; break -"+u.entry.Func)
	if err := u.entry.open(ctx, u.s); err != nil {
		return err
	}
	if _, err := u.do(ctx, "spec"); err != nil {
		return err
	}
	steps, since := u.right.Steps, 0
	for i := 0; i+1 < len(steps); i++ {
		at, ok := u.same[steps[i].Stmt]
		if !ok {
			continue // the faulty program lacks it
		}
		if u.s.At() != at {
			return fmt.Errorf("lost: at %q", u.s.Prompted())
		}
		since++
		if st := u.prog.Stmts[at]; dense && i > 0 && (st.Kind == lower.Cond && st.Loop || since > section) {
			since = 0
			if err := u.assert(ctx, steps[i].Graph, false); err != nil {
				return err
			}
		}
		if err := u.step(ctx, i, at); err != nil {
			return err
		}
	}
	last := &steps[len(steps)-1]
	if last.Result != "" {
		if _, err := u.do(ctx, "change result "+u.name(last.Result)); err != nil {
			return err
		}
	}
	return u.assert(ctx, last.Graph, true)
}

// step makes the faulty program go the way that the right one went.
func (u *User) step(ctx context.Context, i int, at int32) error {
	want := int32(0)
	for _, n := range u.right.Steps[i+1:] {
		if f, ok := u.same[n.Stmt]; ok {
			want = f
			break
		}
	}
	st := u.prog.Stmts[at]
	if st.Kind == lower.Cond {
		d, sure := u.decision(i)
		ambiguous := true
		for _, e := range u.prog.Edges(st) {
			ambiguous = ambiguous && e.Next == want
		}
		if !ambiguous {
			if _, err := u.do(ctx, "next"); err == nil && u.s.At() == want {
				return nil
			}
			if _, err := u.do(ctx, "undo"); err != nil {
				return err
			}
		}
		if !sure {
			return fmt.Errorf("lost: the way from %q is not known", u.s.Prompted())
		}
		u.Forced++
		_, err := u.do(ctx, map[bool]string{true: "enter", false: "leave"}[d])
		if err == nil && u.s.At() != want {
			err = fmt.Errorf("lost: %q is not where the right program goes", u.s.Prompted())
		}
		return err
	}
	_, err := u.do(ctx, "next")
	if err == nil && u.s.At() == want && !u.freedWrongly(i) {
		return nil
	}
	if _, err := u.do(ctx, "undo"); err != nil {
		return err
	}
	if _, err := u.do(ctx, "skip"); err != nil {
		return err
	}
	if u.s.At() != want {
		return fmt.Errorf("lost: %q is not where the right program goes", u.s.Prompted())
	}
	return nil
}

// decision returns which way the right program took at step i. sure is false if several edges lead there.
func (u *User) decision(i int) (d, sure bool) {
	hits := 0
	for _, e := range u.right.Prog.Edges(u.right.Prog.Stmts[u.right.Steps[i].Stmt]) {
		if e.Next == u.right.Steps[i+1].Stmt {
			hits++
			d = e.Decision == 1
		}
	}
	return d, hits == 1
}

// freedWrongly reports whether the faulty program has freed a node that the right program still has at its end.
func (u *User) freedWrongly(i int) bool {
	if i+1 >= len(u.right.Steps) || u.s.Graph() == nil {
		return false
	}
	for _, n := range u.right.Steps[len(u.right.Steps)-1].Graph.Nodes {
		if m, ok := u.s.Graph().Node(u.name(n.Name())); ok && n.Live && !m.Live {
			return true
		}
	}
	return false
}

func (u *User) name(n string) string {
	if m, ok := u.names[n]; ok {
		return m
	}
	return n
}

// assert corrects what differs from the right state and asserts the result. A correction may make more of the picture
// reachable, so that it looks again until nothing changes.
func (u *User) assert(ctx context.Context, want *heap.Graph, end bool) error {
	for fixed := -1; fixed != u.Fixed; {
		fixed = u.Fixed
		if err := u.look(ctx, want, end); err != nil {
			return err
		}
	}
	_, err := u.do(ctx, "spec")
	return err
}

// look corrects what differs from the right state.
func (u *User) look(ctx context.Context, want *heap.Graph, end bool) error {
	for _, v := range want.Vars {
		if v.Frame > 0 && !v.Var.Exposed() || v.Frame == 0 && end {
			continue
		}
		for i := range v.Cells {
			if err := u.correct(ctx, &v.Cells[i]); err != nil {
				return err
			}
		}
	}
	for _, n := range want.Nodes {
		name := u.name(n.Name())
		m, ok := u.s.Graph().Node(name)
		switch {
		case !n.Live && ok && m.Live:
			if _, err := u.do(ctx, "change "+name+" freed"); err != nil {
				return err
			}
			u.Fixed++
			continue
		case !n.Live:
			continue
		}
		for i := range n.Cells {
			if err := u.correct(ctx, &n.Cells[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

func (u *User) correct(ctx context.Context, c *heap.Cell) error {
	if !c.Type.IsScalar() || c.Value.Kind == heap.Unknown || c.Value.Kind == heap.Wild {
		return nil
	}
	if c.Value.Kind == heap.ToNode && c.Value.Dead {
		// The cell points to a freed node: it can be set only while the node lives.
		if m, ok := u.s.Graph().Node(u.name(c.Value.Text)); !ok || !m.Live {
			return nil
		}
	}
	key, value := c.Key, c.Value.Text
	if n, rest, ok := strings.Cut(key, "->"); ok {
		key = u.name(n) + "->" + rest
	}
	if c.Value.Kind == heap.ToNode {
		value = u.name(value)
	}
	have, ok := u.s.Graph().Cell(key)
	if ok && have.Value.Text == value {
		return nil
	}
	if c.Value.Kind == heap.Null {
		value = "null"
	}
	if !ok {
		return nil // reachable only after another correction
	}
	u.Fixed++
	if _, known := u.s.Graph().Node(value); c.Value.Kind == heap.ToNode && !known {
		if _, err := u.do(ctx, "change "+key+" new"); err != nil {
			return err
		}
		if made, ok := u.s.Graph().Cell(key); ok {
			u.names[c.Value.Text] = made.Value.Text
		}
		return nil
	}
	_, err := u.do(ctx, "change "+key+" "+value)
	return err
}
