package user

import (
	"slices"

	"gulo/internal/cfront"
	"gulo/internal/lower"
)

// This file finds where to stop: the first moment that a wrong and a right run have in common at which they show
// different pictures. The runs are compared call by call, as long as they come to the same statements; statements of
// only one version are passed over. Where the runs part, the comparison goes on after the loop or branch in which they
// did so, at the latest at the end of the call. If no picture differs, the first condition that goes the other way
// counts.

// Moment is where a user stops: before an event of a call of the wrong program.
type Moment struct {
	Func  string // the function
	Call  int    // which call of it: 1 for the first
	Steps int    // statements of the call that were executed before
	Lead  string // "enter" or "leave" if the next condition goes the wrong way; Want is what the right run shows after it
	Want  Picture
}

// Finding is what was found.
type Finding struct {
	Moment *Moment // nil: none
	Apart  bool    // the runs went different ways
	Common int     // moments that were compared
}

// Find compares two runs.
func Find(wrong, right *Trace) *Finding {
	f := &finder{wrong: wrong.Prog, right: right.Prog, alignment: align(wrong.Prog, right.Prog), live: map[*cfront.Func]map[int32]map[*cfront.Var]bool{}}
	if wrong.Main != nil && right.Main != nil {
		if f.found.Moment = f.call(wrong.Main, right.Main); f.found.Moment == nil {
			f.found.Moment = f.led
		}
	}
	return &f.found
}

type finder struct {
	wrong, right *lower.Program
	live         map[*cfront.Func]map[int32]map[*cfront.Var]bool

	*alignment
	led   *Moment // the first condition that is wrong; nil: none
	found Finding
}

// call compares two calls of one function. Differences at their beginning are the fault of their callers.
func (f *finder) call(w, r *Call) *Moment {
	i, k := 0, 0
	for {
		if i, k = f.both(w, r, i, k); i == len(w.Events) || k == len(r.Events) {
			return nil
		}
		here, there := w.Events[i], r.Events[k]
		if f.same[here.Stmt] != there.Stmt {
			f.found.Apart = true
			if f.led == nil && i > 0 && k > 0 {
				f.led = f.lead(w, r, i, k)
			}
			var ok bool
			if i, k, ok = f.meet(w, r, i, k); !ok {
				return nil
			}
			continue
		}
		if i > 0 && !(here.Stmt.Kind == lower.End && w.Func.Name == "main") { // what main leaves nobody reads
			f.found.Common++
			if want := f.counts(here, there); difference(here.Picture, want, nil) != nil {
				return &Moment{w.Func.Name, w.Number, i, "", want}
			}
		}
		ours, others := w.inner(i), r.inner(k)
		for n := 0; n < len(ours) && n < len(others) && ours[n].Func.Name == others[n].Func.Name; n++ {
			if m := f.call(ours[n], others[n]); m != nil {
				return m
			}
		}
		i, k = i+1, k+1
	}
}

// lead returns the moment before a branch after which two calls are about to do different things; nil if that is no if
// statement of both. What a loop that is wrongly entered or left leads to is asserted after it has been left.
func (f *finder) lead(w, r *Call, i, k int) *Moment {
	at, cond := w.Events[i-1].Stmt, r.Events[k-1].Stmt
	branch, ok := cond.Node.(*cfront.If)
	if !ok || f.place[at] != cond || at.Loop {
		return nil
	}
	m := &Moment{w.Func.Name, w.Number, i - 1, "leave", f.counts(w.Events[i], r.Events[k])}
	if within(r.Events[k].Stmt, branch.Then) {
		m.Lead = "enter"
	}
	return m
}

// counts returns what the right run shows, with the entities that do not count in one of the runs.
func (f *finder) counts(here, there *Event) Picture {
	want := there.Picture
	want.Unread = map[string]bool{}
	f.unread(f.wrong, here, want.Unread)
	f.unread(f.right, there, want.Unread)
	return want
}

// unread adds the variables of the function in hand that nothing reads after an event, and those that were not set and
// whose address is taken, as for scanf.
func (f *finder) unread(p *lower.Program, e *Event, out map[string]bool) {
	in := e.Stmt.Func
	if f.live[in] == nil {
		f.live[in] = p.Live(in)
	}
	for _, v := range e.Graph.Vars {
		if v.Frame == 0 && (e.Stmt.Kind == lower.End || !f.live[in][e.Stmt.ID][v.Var]) {
			for _, c := range v.Cells {
				out[c.Key] = true
			}
		}
		if v.Frame == 0 && v.Var.Exposed() && len(v.Cells) == 1 && v.Cells[0].Value.Text == "?" {
			out[v.Name] = true
		}
	}
}

// both passes over statements that only one version has.
func (f *finder) both(w, r *Call, i, k int) (int, int) {
	for i < len(w.Events) && f.same[w.Events[i].Stmt] == nil {
		i++
	}
	for k < len(r.Events) && !f.matched[r.Events[k].Stmt] {
		k++
	}
	return i, k
}

// inner returns the calls that are made at an event.
func (c *Call) inner(event int) (out []*Call) {
	for _, in := range c.Inner {
		if in.after == event {
			out = append(out, in.call)
		}
	}
	return out
}

// meet returns where two calls that part come to the same statement again; ok is false if they never do.
func (f *finder) meet(w, r *Call, i, k int) (x, y int, ok bool) {
	ends := exits(r, k)
	for _, a := range exits(w, i) {
		for _, b := range ends {
			a, b := f.both(w, r, a, b)
			if a < len(w.Events) && b < len(r.Events) && f.same[w.Events[a].Stmt] == r.Events[b].Stmt && (!ok || a+b < x+y) {
				x, y, ok = a, b, true
			}
		}
	}
	return x, y, ok
}

// exits takes the loops and branches that enclose the statement before an event. For each of them it lists the first
// event, from this one on, that lies outside of it. Last it lists the end of the call, if the call comes to it.
func exits(c *Call, event int) (out []int) {
	from := max(event-1, 0)
	for _, s := range around(c.Events[from].Stmt) {
		for n := event; n < len(c.Events); n++ {
			if !within(c.Events[n].Stmt, s) {
				if !slices.Contains(out, n) {
					out = append(out, n)
				}
				break
			}
		}
	}
	if n := len(c.Events) - 1; c.Events[n].Stmt.Kind == lower.End && !slices.Contains(out, n) {
		out = append(out, n)
	}
	return out
}
