// Package evidence locates by path-based weakest preconditions (He and Gupta, "Automated Debugging Using Path-Based
// Weakest Preconditions", FASE 2004). Along a trace that breaks a contract it compares what the program makes true with
// what it would have to make true, and says where the two conflict.
//
// Beyond the paper it handles traces that end in an error or do not end, called functions (their statements are part of
// the trace), and pointers and members, as places are identified by their addresses. Comparisons of real numbers are
// followed; a value computed from real numbers is opaque.
package evidence

import (
	"fmt"
	"sort"
	"strings"
	"unicode"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/lower"
	"gulo/internal/machine"
	"gulo/internal/report"
)

// Kind is a kind of evidence (section 2.5).
type Kind uint8

// The kinds, in the order in which the paper looks for them.
const (
	TypeI    Kind = iota // what should hold is false whatever happened before
	TypeII               // something that holds excludes it
	Implicit             // nothing on the trace makes it true
	Rounds               // implicit, and a loop lacks rounds or has too many
)

// Evidence is a predicate that should hold and does not, and what it conflicts with.
type Evidence struct {
	Kind  Kind
	Point int
	Q     *Pred // what should hold
	P     *Pred // what holds instead; nil for TypeI and Implicit
	Atom  int   // index of Q in the conjunction, -1 when it was deduced
	Conj  int   // of the postcondition
	Loop  *Inst // for Rounds: the branch that ended the loop
}

// Of a long trace only so many points at its end and its beginning are examined.
const (
	lastPoints  = 60
	firstPoints = 20
)

// Evidences lists the evidences of a conjunction in the order of Figure 2: from the
// end of the trace to its top, explicit ones first.
func (s *States) Evidences() []Evidence {
	var out []Evidence
	n := len(s.T.Inst)
	explicit := map[int]bool{}
	seen := map[string]bool{}
	for i := n; i >= 1; i-- {
		if n-i > lastPoints && i > firstPoints {
			continue
		}
		for k, q := range s.Hypothetical(i) {
			if !q.Negative {
				continue
			}
			atom := k
			if k >= len(s.Conj) {
				atom = -1
			}
			if len(q.L.M) == 0 {
				if key := "I" + q.key(); !seen[key] {
					seen[key] = true
					out = append(out, Evidence{Kind: TypeI, Point: i, Q: q, Atom: atom})
				}
				s.mark(explicit, atom)
				continue
			}
			for _, p := range s.Actual(i) {
				if p.sameLeft(q) && !p.Negative {
					if key := p.key() + "/" + q.key(); !seen[key] {
						seen[key] = true
						out = append(out, Evidence{Kind: TypeII, Point: i, Q: q, P: p, Atom: atom})
					}
					s.mark(explicit, atom)
				}
			}
		}
	}
	for k, q := range s.R[1] {
		if q.Negative && !explicit[k] {
			out = append(out, Evidence{Kind: Implicit, Point: 1, Q: q, Atom: k})
		}
	}
	return s.rounds(out)
}

func (s *States) mark(explicit map[int]bool, atom int) {
	if atom >= 0 {
		explicit[atom] = true
	}
}

// rounds adds, before each implicit evidence, the loops that it may point at, by the branches that ended them.
func (s *States) rounds(list []Evidence) []Evidence {
	var loops []*Inst
	seen := map[*lower.Stmt]bool{}
	for i := len(s.T.Inst) - 1; i >= 0; i-- {
		in := &s.T.Inst[i]
		if in.Loc == nil && in.Stmt.Loop && !seen[in.Stmt] {
			seen[in.Stmt] = true
			loops = append(loops, in)
		}
	}
	var out []Evidence
	for _, e := range list {
		if e.Kind == Implicit {
			for _, l := range loops {
				r := e
				r.Kind, r.Loop = Rounds, l
				out = append(out, r)
			}
		}
		out = append(out, e)
	}
	if len(list) == 0 || s.T.Verdict != nil && s.T.Verdict.Fault != nil {
		for _, l := range loops { // the loop does not end, or ran too far
			out = append(out, Evidence{Kind: Rounds, Point: 1, Q: &Pred{L: Num(0), Op: ctype.Eq, Negative: true, From: -1}, Atom: -1, Loop: l})
		}
	}
	return out
}

// Explain describes an evidence in words.
func (s *States) Explain(e Evidence) string {
	where := "at the beginning"
	if e.Point > 1 && e.Point <= len(s.T.Inst) {
		in := &s.T.Inst[e.Point-1]
		where = fmt.Sprintf("at point %d, before line %d", e.Point, in.Line)
	}
	switch e.Kind {
	case TypeI:
		if q := plain(e.Q); !strings.ContainsFunc(q, unicode.IsLetter) { // nothing of the input is left in it
			return fmt.Sprintf("%s, the condition comes to %s, which no input makes true", where, q)
		}
		return fmt.Sprintf("%s, %s would have to be true, and it is false whatever happened before", where, plain(e.Q))
	case TypeII:
		from := "by the precondition"
		if e.P.From >= 0 && e.P.From < len(s.T.Inst) {
			in := &s.T.Inst[e.P.From]
			from = fmt.Sprintf("by line %d, %s", in.Line, in.String())
		}
		return fmt.Sprintf("%s, %s is true (%s), but %s would have to be: they exclude each other", where, plain(e.P), from, plain(e.Q))
	case Rounds:
		if s.T.Verdict != nil && s.T.Verdict.Fault != nil && s.T.Verdict.Fault.Kind == machine.LimitFault {
			return fmt.Sprintf("the loop of line %d does not end", e.Loop.Line)
		}
		rounds := fmt.Sprintf("the loop of line %d may end too early, or too late: it ended with %s", e.Loop.Line, e.Loop.String())
		if e.Atom < 0 { // no part of the condition points at it
			return rounds
		}
		return fmt.Sprintf("nothing on the trace ensures that %s; %s", plain(e.Q), rounds)
	}
	return fmt.Sprintf("nothing on the trace ensures that %s", plain(e.Q))
}

func plain(p *Pred) string {
	q := *p
	q.Sign = false
	s := q.String()
	return s[1 : len(s)-1]
}

// Suspects ranks statements by the evidence that changing them could remove. Evidence that is found early counts more.
func (t *Trace) Suspects() []report.Suspect {
	score := map[*lower.Stmt]float64{}
	why := map[*lower.Stmt]string{}
	rank := 0.0
	note := func(s *lower.Stmt, text string, weight float64) {
		if s == nil {
			return
		}
		if why[s] == "" {
			why[s] = text
		}
		score[s] += weight / rank
	}
	for _, st := range t.AllStates() {
		for _, e := range st.Evidences() {
			rank++
			text := st.Explain(e)
			if e.P != nil && e.P.From >= 0 && e.P.From < len(t.Inst) {
				note(t.Inst[e.P.From].Stmt, text, 2)
			}
			if e.Loop != nil {
				note(e.Loop.Stmt, text, 1)
				t.feeding(e.Loop, func(in *Inst) { note(in.Stmt, text, 0.5) })
			}
			if t.Faulty && e.Q.From >= 0 && e.Q.From < len(t.Inst) {
				note(t.Inst[e.Q.From].Stmt, text, 1)
				t.feeding(&t.Inst[e.Q.From], func(in *Inst) { note(in.Stmt, text, 0.5) })
			}
			if e.Kind == Implicit {
				for i := range t.Inst {
					if in := &t.Inst[i]; in.Loc == nil {
						note(in.Stmt, text, 0.2/float64(len(t.Inst)))
					}
				}
			}
			if e.Atom >= 0 {
				for _, i := range t.Slice(st.Conj[e.Atom], e.Point) {
					note(t.Inst[i-1].Stmt, text, 1)
				}
			}
			if rank > 60 {
				break
			}
		}
	}
	// Any executed statement may be at fault, late ones more likely.
	rank = 1
	for i := len(t.Inst) - 1; i >= 0; i-- {
		if s := t.Inst[i].Stmt; s != nil && why[s] == "" {
			note(s, "the trace goes through it", 0.01/rank)
			rank++
		}
	}
	var out []report.Suspect
	for s, v := range score {
		x := report.SuspectOf(s, v)
		x.Reason = why[s]
		out = append(out, x)
	}
	sort.Slice(out, func(i, j int) bool {
		if out[i].Score != out[j].Score {
			return out[i].Score > out[j].Score
		}
		return out[i].Stmt.ID < out[j].Stmt.ID
	})
	return out
}

// mostStates bounds the conjunctions that are examined.
const mostStates = 6

// feeding calls f for the assignments to variables that an instance reads, latest first and once per statement.
func (t *Trace) feeding(of *Inst, f func(*Inst)) {
	read := map[*cfront.Var]bool{}
	if of.Cond != nil {
		cfront.Walk(of.Cond, func(y cfront.Expr) bool {
			if r, ok := y.(*cfront.Ref); ok {
				read[r.Var] = true
			}
			return true
		})
	}
	if of.Stmt != nil && of.Stmt.X != nil {
		cfront.Walk(of.Stmt.X, func(y cfront.Expr) bool {
			if r, ok := y.(*cfront.Ref); ok {
				read[r.Var] = true
			}
			return true
		})
	}
	seen := map[*lower.Stmt]bool{}
	for i := len(t.Inst) - 1; i >= 0; i-- {
		if in := &t.Inst[i]; in.Loc != nil && read[in.Loc.Var] && in.Loc.Var != nil && !seen[in.Stmt] {
			seen[in.Stmt] = true
			f(in)
		}
	}
}

// AllStates returns the states for the conjunctions of the postcondition, those with the fewest false predicates first.
func (t *Trace) AllStates() []*States {
	list := append([]Conj(nil), t.Post...)
	sort.SliceStable(list, func(i, j int) bool { return list[i].negatives() < list[j].negatives() })
	if len(list) == 0 {
		list = []Conj{{}}
	}
	var out []*States
	for _, c := range list[:min(len(list), mostStates)] {
		out = append(out, t.States(c))
	}
	return out
}
