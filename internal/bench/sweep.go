package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand"
	"runtime"
	"slices"
	"sort"
	"strings"
	"sync"
	"time"

	"gulo/internal/cfront"
	"gulo/internal/fault"
	"gulo/internal/locate/gradient"
	"gulo/internal/lower"
	"gulo/internal/plural"
	"gulo/internal/process"
	"gulo/internal/repair"
	"gulo/internal/repair/trace"
	"gulo/internal/spec"
)

// This file repairs thousands of faulty programs in sessions: Wolverine2,
// Figures 16 and 18 and the claims about localization.

// Class is a bug class ⟨x,y⟩.
type Class struct{ X, Y int }

func (c Class) String() string { return fmt.Sprintf("<%d,%d>", c.X, c.Y) }

// Classes are the paper's classes, in its order.
var Classes = []Class{{1, 0}, {1, 1}, {2, 0}, {2, 1}}

// Session is the result for one faulty program.
type Session struct {
	ID       string   `json:"id"`
	Class    string   `json:"class"`
	Variant  int      `json:"variant"`
	Faults   []string `json:"faults"`
	Found    bool     `json:"found"`
	Cause    string   `json:"cause,omitempty"` // why no repair was found
	Took     float64  `json:"ms"`              // time for the repair, localization included
	Edits    int      `json:"edits"`
	Where    string   `json:"where"`
	Confined bool     `json:"confined"`  // found among the suspicious statements
	Suspects int      `json:"suspects"`  // number of suspicious statements
	Size     int      `json:"size"`      // number of the program's statements, without those of the library that gulo adds
	Sound    bool     `json:"sound"`     // every faulty statement is suspicious, and every missing one is noticed
	Rank     int      `json:"rank"`      // of the first faulty statement; 0: not listed
	Output   bool     `json:"output_ok"` // the patched program prints what the right one prints
	Fixed    int      `json:"corrected"` // cells and nodes that the user corrected
	Forced   int      `json:"forced"`
	Redrawn  []string `json:"redrawn,omitempty"` // why earlier draws were rejected
	Patch    []string `json:"patch,omitempty"`
	Under    *Session `json:"under_gdb,omitempty"` // the same session under gdb

	crashes []int32  // statements at which the program crashed
	typed   []string // what the user did
}

// SweepOptions say what is measured.
type SweepOptions struct {
	Entries  []Entry
	Classes  []Class
	Variants int
	Seed     int64
	Limit    time.Duration // for one repair
	Workers  int
	Mode     string // localized (the default), section or unconfined
	Both     bool   // under gdb as well as on the machine
	Progress func(done, all int)
}

// maxDraws bounds how often a variant is drawn anew.
const maxDraws = 200

// Sweep plays a session for every variant of every class of every program.
func Sweep(ctx context.Context, o SweepOptions) ([]Session, error) {
	if o.Workers == 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	type job struct {
		e    *Entry
		c    Class
		v    int
		slot int
	}
	var jobs []job
	for i := range o.Entries {
		for _, c := range o.Classes {
			for v := 0; v < o.Variants; v++ {
				jobs = append(jobs, job{&o.Entries[i], c, v, len(jobs)})
			}
		}
	}
	out := make([]Session, len(jobs))
	var mu sync.Mutex
	var first error
	done := 0
	ch := make(chan job)
	var wg sync.WaitGroup
	for w := 0; w < o.Workers; w++ {
		wg.Add(1)
		process.Go(func() {
			defer wg.Done()
			subjects := map[*Entry]*subject{}
			for j := range ch {
				sub := subjects[j.e]
				var err error
				if sub == nil {
					if sub, err = newSubject(ctx, j.e); err == nil {
						subjects[j.e] = sub
					}
				}
				var s Session
				if err == nil {
					s, err = sub.variant(ctx, j.c, j.v, &o)
				}
				mu.Lock()
				out[j.slot] = s
				if err != nil && first == nil {
					first = err
				}
				done++
				if o.Progress != nil {
					o.Progress(done, len(jobs))
				}
				mu.Unlock()
			}
		})
	}
	for _, j := range jobs {
		mu.Lock()
		stop := first != nil || ctx.Err() != nil
		mu.Unlock()
		if stop {
			break
		}
		ch <- j
	}
	close(ch)
	wg.Wait()
	if first == nil {
		first = ctx.Err()
	}
	return out, first
}

// subject is a program of the corpus with a run of the right program.
type subject struct {
	e     *Entry
	prog  *lower.Program
	right *Right
	segs  []*spec.Segment // of the right run, with assertions
	in    *fault.Injector
}

func newSubject(ctx context.Context, e *Entry) (*subject, error) {
	prog, err := e.Parse(ctx, e.Source())
	if err != nil {
		return nil, err
	}
	right, err := e.Record(ctx, prog)
	if err != nil {
		return nil, err
	}
	segs, err := play(ctx, &Program{Entry: *e, Prog: prog}, true)
	if err != nil {
		return nil, err
	}
	return &subject{e, prog, right, segs, fault.New(prog, []*cfront.Func{prog.Tree.Func(e.Func)}, fault.Paper)}, nil
}

// variant draws a fault that the session's run shows, and plays the session.
func (b *subject) variant(ctx context.Context, c Class, v int, o *SweepOptions) (Session, error) {
	var name int64
	for _, r := range b.e.Name {
		name = name*31 + int64(r)
	}
	rnd := rand.New(rand.NewSource(o.Seed + name*1000 + int64(100*c.X+10*c.Y)*7919 + int64(v)))
	out := Session{ID: b.e.ID, Class: c.String(), Variant: v}
	for try := 0; try < maxDraws; try++ {
		if err := ctx.Err(); err != nil {
			return out, err
		}
		f := b.in.Draw(rnd, c.X, c.Y)
		if f == nil {
			out.Cause = "the program is too small for such a fault"
			return out, nil
		}
		if !b.visible(f) {
			out.Redrawn = append(out.Redrawn, "one of the faults alone, or two together, change nothing in the run")
			continue
		}
		s := out
		again, err := b.session(ctx, f, o, &s, false)
		if err == nil && again == "" && o.Both {
			g := Session{ID: s.ID, Class: s.Class, Variant: v}
			again, err = b.session(ctx, f, o, &g, true)
			switch {
			case err != nil || again != "":
			case !slices.Equal(s.crashes, g.crashes):
				again = "it does what C leaves undefined and goes on"
			case !slices.Equal(s.typed, g.typed):
				again = "the user corrects something else" // gcc leaves out a variable that is not used
			}
			if again != "" {
				again = "under gdb: " + again
			}
			s.Under = &g
		}
		if err != nil || again == "" {
			return s, err
		}
		out.Redrawn = append(out.Redrawn, again)
	}
	out.Cause = "no fault drawn that the run shows"
	return out, nil
}

// visible reports whether every mutation by itself, and every pair of them, shows in the states of the right run:
// faults that undo each other do not count. A mutation of a returned value shows only in the session.
func (b *subject) visible(f *fault.Fault) bool {
	if len(f.Mutations) == 1 {
		return true
	}
	for i, m := range f.Mutations {
		if b.prog.Stmts[m.Stmt].Kind == lower.Return {
			if last := b.right.Steps[max(len(b.right.Steps)-2, 0)]; last.Stmt != m.Stmt {
				return false
			}
			continue
		}
		for _, n := range f.Mutations[i:] { // first n is m itself
			p := repair.NewPatch(m.Edits...).Merge(repair.NewPatch(n.Edits...))
			if b.prog.Stmts[n.Stmt].Kind != lower.Return && trace.Replay(b.prog, b.segs, p) < 0 {
				return false
			}
		}
	}
	return true
}

// session plays one session; again says why the fault must be drawn anew.
func (b *subject) session(ctx context.Context, f *fault.Fault, o *SweepOptions, out *Session, gdb bool) (again string, err error) {
	_, text, err := f.Source(b.prog)
	if err != nil {
		return "the text cannot be written", nil
	}
	faulty, err := b.e.Parse(ctx, []byte(text))
	if err != nil {
		return "it does not compile", nil
	}
	deleted := map[int32]bool{}
	out.Faults = nil
	for _, m := range f.Mutations {
		if m.Kind == fault.Deletion {
			deleted[m.Stmt] = true
		}
		out.Faults = append(out.Faults, m.Text[strings.LastIndex(m.Text[:strings.Index(m.Text, ": ")+1], "/")+1:])
	}
	same, err := b.e.Align(b.prog, faulty, deleted)
	if err != nil {
		return "the statements cannot be matched", nil
	}
	s := b.e.Machine(faulty)
	if gdb {
		close, gs, err := b.e.debugger(ctx, text, faulty)
		if err != nil {
			return "", err
		}
		defer close()
		s = gs
	}
	defer s.Close()
	u := b.e.NewUser(b.right, faulty, s, same)
	if err := u.Play(ctx, true); err != nil {
		return "the user is lost", nil
	}
	out.Fixed, out.Forced, out.crashes = u.Fixed, u.Forced, u.crashes
	out.typed = slices.Clone(u.Typed)
	text, rerr := u.do(ctx, fmt.Sprintf("repair --no-verify --limit %v%s", o.Limit, b.confine(f, faulty, same, o.Mode)))
	if strings.HasPrefix(text, "nothing to repair") {
		return "the run does not show it", nil
	}
	if b.masked(f, faulty, u) {
		return "one of the faults does in the session what is right", nil
	}
	b.localization(f, faulty, u, out)
	if rerr != nil {
		out.Cause = rerr.Error()
		return "", nil
	}
	took, edits, where, ok := s.Searched()
	out.Found, out.Took, out.Edits, out.Where = ok, float64(took.Microseconds())/1000, edits, where
	out.Confined = strings.Contains(where, "suspicious")
	for _, e := range s.Patch().Edits() {
		d := e.Describe(faulty)
		out.Patch = append(out.Patch, d[strings.LastIndex(d[:strings.Index(d, ": ")+1], "/")+1:])
	}
	out.Output = b.prints(faulty, u)
	return "", nil
}

// masked reports whether one of several faults has, in the states of the session, the effect of the right statement.
func (b *subject) masked(f *fault.Fault, faulty *lower.Program, u *User) bool {
	if len(f.Mutations) == 1 {
		return false
	}
	for _, m := range f.Mutations {
		e := b.undone(m, faulty, u.same[m.Stmt])
		if e == nil {
			continue
		}
		same := true
		for _, seg := range u.s.Segments() {
			same = same && alike(repair.NewTrace(faulty, seg, nil), repair.NewTrace(faulty, seg, repair.NewPatch(e)))
		}
		if same {
			return true
		}
	}
	return false
}

// alike executes two traces of a segment, ignoring failures, and reports whether they take the same decisions and end
// in the same state.
func alike(x, y *repair.Trace) bool {
	_ = x.Fill(-1, x.Seg.Before)
	_ = y.Fill(-1, y.Seg.Before)
	for i := range x.Seg.Items {
		a, err1 := x.Exec(i, x.Edit(i))
		b, err2 := y.Exec(i, y.Edit(i))
		if a != b || (err1 == nil) != (err2 == nil) {
			return false
		}
		_ = x.Fill(i, x.Seg.Items[i].Gaps)
		_ = y.Fill(i, y.Seg.Items[i].Gaps)
	}
	return x.Im.Equal(y.Im)
}

// undone returns the edit of a faulty program that reverts a mutation; nil if the mutation is a deletion or the edit
// cannot be written.
func (b *subject) undone(m fault.Mutation, faulty *lower.Program, stmt int32) *repair.Edit {
	st := b.prog.Stmts[m.Stmt]
	if m.Kind == fault.Deletion || stmt == 0 {
		return nil
	}
	f := faulty.Stmts[stmt].Func
	parse := func(x cfront.Expr) cfront.Expr {
		y, err := cfront.ParseExpr(cfront.Text(x), func(name string) *cfront.Var {
			for _, list := range [][]*cfront.Var{f.Locals, f.Params, faulty.Tree.Globals} {
				for _, v := range list {
					if v.Name == name {
						return v
					}
				}
			}
			return nil
		})
		if err != nil {
			return nil
		}
		return y
	}
	x := st.X
	if st.Kind == lower.Decl && len(st.Decl.Init) == 1 {
		x = st.Decl.Init[0].X
	}
	if a, ok := x.(*cfront.Assign); ok && !a.HasOp {
		if l, r := parse(a.L), parse(a.R); l != nil && r != nil {
			return &repair.Edit{Stmt: stmt, New: cfront.NewAssign(l, r)}
		}
		return nil
	}
	if y := parse(x); y != nil {
		return &repair.Edit{Stmt: stmt, New: y}
	}
	return nil
}

// confine returns the flags of the command repair for a mode. A section is the innermost loop around each fault, or the
// statements near it.
func (b *subject) confine(f *fault.Fault, faulty *lower.Program, same map[int32]int32, mode string) string {
	switch mode {
	case "unconfined":
		return " --no-locate"
	case "section":
		lo, hi := 1<<30, 0
		for _, m := range f.Mutations {
			first, last := sectionOf(b.prog, m.Stmt)
			lo, hi = min(lo, first), max(hi, last)
		}
		return fmt.Sprintf(" --no-locate --scope %d-%d", lo, hi)
	}
	return ""
}

// sectionOf returns the lines of the innermost loop around a statement. Outside of loops it returns the lines of the
// function between the loops before and after it.
func sectionOf(p *lower.Program, id int32) (first, last int) {
	st := p.Stmts[id]
	at := st.Range.Start
	f := st.Func.Whole
	lo, hi := f.Start, f.End-1
	for _, s := range p.Stmts {
		if s == nil || s.Func != st.Func || !s.Loop || s.Node == nil {
			continue
		}
		r := s.Node.Range()
		switch {
		case r.Start <= at && at < r.End:
			lo, hi = max(lo, r.Start), min(hi, r.End-1)
		case r.End <= at:
			lo = max(lo, r.End-1)
		case r.Start > at:
			hi = min(hi, r.Start)
		}
	}
	return f.File.Position(lo).Line, f.File.Position(hi).Line
}

// localization records the suspicious statements that package gradient finds in the session.
func (b *subject) localization(f *fault.Fault, faulty *lower.Program, u *User, out *Session) {
	loc := gradient.Locate(faulty, u.s.Segments(), nil)
	out.Suspects, out.Size = len(loc.Suspects), len(statements(faulty))
	out.Sound = true
	for _, m := range f.Mutations {
		if m.Kind == fault.Deletion {
			out.Sound = out.Sound && (loc.Missing || loc.MayMiss)
			continue
		}
		id := u.same[m.Stmt]
		out.Sound = out.Sound && loc.Suspicious(id)
		for i, s := range loc.Suspects {
			if s.Stmt.ID == id && (out.Rank == 0 || i+1 < out.Rank) {
				out.Rank = i + 1
			}
		}
	}
}

// prints reports whether the patched program prints what the right program prints.
func (b *subject) prints(faulty *lower.Program, u *User) bool {
	want, ok1 := b.e.output(b.prog, nil)
	got, ok2 := b.e.output(faulty, u.s.Patch())
	return ok1 && ok2 && want == got
}

// WriteJSON writes one line for each element.
func WriteJSON[T any](w io.Writer, ss []T) error {
	enc := json.NewEncoder(w)
	for i := range ss {
		if err := enc.Encode(&ss[i]); err != nil {
			return err
		}
	}
	return nil
}

// quantile returns the q-quantile of sorted values.
func quantile(v []float64, q float64) float64 {
	if len(v) == 0 {
		return 0
	}
	return v[min(int(q*float64(len(v))), len(v)-1)]
}

// PrintSweep prints the tables: by class for small and large programs, then by program, then what was not repaired and
// what was drawn anew.
func PrintSweep(w io.Writer, ss []Session, o SweepOptions) {
	fmt.Fprintf(w, "Repair in sessions: %s, seed %d, limit %v, machine engine; localization included, no verification\n", plural.N(len(ss), "faulty program"), o.Seed, o.Limit)
	fmt.Fprintf(w, "paper (Figure 16a): most under 5 s, all repaired within 30 s\n\n")
	fmt.Fprintf(w, "%-16s %6s %6s %6s %9s %9s %9s %9s %6s %6s\n", "programs, class", "asked", "found", "right", "median", "95%", "99%", "max", "edits", "conf.")
	groups := []struct {
		name string
		in   func(s *Session) bool
	}{
		{"small", func(s *Session) bool { return s.ID[0] == 'B' }},
		{"large", func(s *Session) bool { return s.ID[0] == 'L' }},
	}
	for _, g := range groups {
		for _, c := range o.Classes {
			printRow(w, g.name+" "+c.String(), ss, func(s *Session) bool { return g.in(s) && s.Class == c.String() })
		}
	}
	printRow(w, "all", ss, func(*Session) bool { return true })
	fmt.Fprintln(w)
	for i := range o.Entries {
		id := o.Entries[i].ID
		printRow(w, id+" "+o.Entries[i].Name, ss, func(s *Session) bool { return s.ID == id })
	}
	redrawn, failed := map[string]int{}, map[string]int{}
	for i := range ss {
		for _, r := range ss[i].Redrawn {
			redrawn[r]++
		}
		if !ss[i].Found {
			failed[ss[i].Cause]++
		}
	}
	fmt.Fprintln(w, "\ndrawn anew:")
	printCounts(w, redrawn)
	fmt.Fprintln(w, "not repaired:")
	printCounts(w, failed)
	printEach(w, "not repaired, one by one", ss, func(s *Session) bool { return !s.Found })
	printEach(w, "a fault that is not in the suspicious set", ss, func(s *Session) bool { return !s.Sound && s.Size > 0 })
	printLocalization(w, ss)
}

func printCounts(w io.Writer, m map[string]int) {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	sort.Slice(keys, func(i, j int) bool { return m[keys[i]] > m[keys[j]] || m[keys[i]] == m[keys[j]] && keys[i] < keys[j] })
	for _, k := range keys {
		fmt.Fprintf(w, "  %5d  %s\n", m[k], k)
	}
	if len(keys) == 0 {
		fmt.Fprintln(w, "  none")
	}
}

// maxEach bounds how many sessions are listed one by one.
const maxEach = 60

func printEach(w io.Writer, title string, ss []Session, in func(*Session) bool) {
	n := 0
	for i := range ss {
		s := &ss[i]
		if !in(s) {
			continue
		}
		if n++; n == 1 {
			fmt.Fprintf(w, "%s:\n", title)
		}
		if n <= maxEach {
			fmt.Fprintf(w, "  %s %s %d: %s\n", s.ID, s.Class, s.Variant, strings.Join(s.Faults, "; "))
		}
	}
	if n > maxEach {
		fmt.Fprintf(w, "  and %d more\n", n-maxEach)
	}
}

func printRow(w io.Writer, name string, ss []Session, in func(*Session) bool) {
	var times []float64
	asked, found, right, edits, confined := 0, 0, 0, 0, 0
	for i := range ss {
		s := &ss[i]
		if !in(s) || s.Cause == "the program is too small for such a fault" {
			continue
		}
		asked++
		if s.Found {
			found++
			times = append(times, s.Took)
			edits += s.Edits
			if s.Output {
				right++
			}
			if s.Confined {
				confined++
			}
		}
	}
	sort.Float64s(times)
	ms := func(q float64) string {
		return time.Duration(quantile(times, q) * float64(time.Millisecond)).Round(10 * time.Microsecond).String()
	}
	fmt.Fprintf(w, "%-26s %5d %6d %6d %9s %9s %9s %9s %6.2f %5d%%\n", name, asked, found, right, ms(0.5), ms(0.95), ms(0.99), ms(1), float64(edits)/float64(max(found, 1)), 100*confined/max(found, 1))
}

func printLocalization(w io.Writer, ss []Session) {
	n, under12, sound, within10, within25, single := 0, 0, 0, 0, 0, 0
	for i := range ss {
		s := &ss[i]
		if s.Size == 0 {
			continue
		}
		n++
		if float64(s.Suspects) < 0.12*float64(s.Size) {
			under12++
		}
		if s.Sound {
			sound++
		}
		if s.Class == "<1,0>" {
			single++
			if s.Rank > 0 && float64(s.Rank) <= 0.1*float64(s.Size) || s.Rank == 1 {
				within10++
			}
			if s.Rank > 0 && float64(s.Rank) <= 0.25*float64(s.Size) {
				within25++
			}
		}
	}
	fmt.Fprintf(w, "\nlocalization: suspicious set under 12%% of the program's statements in %d of %d; every fault in the set or noticed as missing in %d of %d\n", under12, n, sound, n)
	fmt.Fprintf(w, "single faults: ranked within 10%% (or first) in %d of %d, within 25%% in %d\n", within10, single, within25)
}
