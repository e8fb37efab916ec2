package session

import (
	"context"
	"fmt"
	"os"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"

	"gulo/internal/cfront"
	"gulo/internal/locate/gradient"
	"gulo/internal/lower"
	"gulo/internal/patch"
	"gulo/internal/plural"
	"gulo/internal/process"
	"gulo/internal/repair"
	"gulo/internal/repair/trace"
	"gulo/internal/source"
	"gulo/internal/trust"
)

// This file has locate and the commands that show, choose, write or take back patches.

func (s *searcher) asserted() error {
	if len(s.segs) == 0 && len(s.checks) > 0 {
		return errorf("nothing is asserted of what the program does yet: checkpoint %d is where the run begins; go on, correct the picture with change, then use spec again", s.current)
	}
	if len(s.segs) == 0 && len(s.printing) > 0 {
		return errorf("only the program's output is asserted, and no picture: repair can work with that, this command cannot")
	}
	if len(s.segs) == 0 {
		return errorf("nothing is asserted yet: step into the function, correct the picture with change, then use spec")
	}
	return nil
}

func (s *Session) locate(ctx context.Context, args string) error {
	if err := s.asserted(); err != nil {
		return err
	}
	ctx, done := s.searching(ctx, 0)
	defer done()
	r := gradient.Locate(s.prog, s.segments(), s.patch)
	s.located = &located{r, len(s.segs), s.patch}
	if args == "table" {
		s.gradientTable(r)
		return nil
	}
	s.progress("looking for edits of one place")
	edits, goesOn := s.singles(ctx)
	s.progress("")
	s.suspects(r, edits)
	switch {
	case goesOn:
		s.printf("gulo is still looking for edits of one place; the order may change\n")
		s.printf("type locate to wait for the final order; any command that changes something stops the search\n")
	case ctx.Err() != nil:
		s.printf("the search for edits of one place was stopped; the order might have changed\n")
	}
	if odds := s.atOdds(); odds != "" {
		s.printf("note: %s\n", odds)
	}
	s.wholeNote()
	if r.Missing {
		s.printf("no statement sets something that you drew: a statement may be missing\n")
	}
	return nil
}

// Bounds of the search for single edits in locate.
const (
	singleNodes = 40_000
	singleLimit = 10 * time.Second
)

// single1 returns repairs of one edit: a place where changing one statement meets all assertions is the likeliest.
// soFar is called with intermediate results.
func (s *searcher) single1(ctx context.Context, soFar func([]choice)) []choice {
	defer s.inHand(ctx)()
	f := repairFlags{slots: 1}
	free, freeGap, err := s.inScope(f, s.scope)
	if err != nil || len(trace.Deferred(s.prog, s.segments())) > 0 {
		return nil
	}
	res := s.enumerate(ctx, f, &trace.Problem{
		Program: s.prog, Segments: s.segments(), Base: s.patch, Free: free, FreeGap: freeGap,
		Slots: 1, MaxCost: 1, MaxNodes: singleNodes, Limit: singleLimit,
	})
	if res.Cost == 0 && len(res.Repairs) > 0 {
		return nil
	}
	t := s.newTrial(ctx)
	list, _, _ := t.hold(s.replayed(&answer{base: s.patch, repairs: res.Repairs}))
	soFar(s.oddLast(list))
	if r := s.runs(ctx); r != nil {
		kept, changing := s.accepting(r, list)
		if list = kept; len(list) == 0 {
			found, err := s.byText(ctx, f, r, nil)
			if err != nil {
				return nil
			}
			weigh(found)
			if list = likeliest(found); len(list) > 0 {
				return list
			}
			list = changing
		}
		soFar(s.oddLast(list))
	}
	if a, err := t.byCalls(ctx, f, 1, fewerRuns, len(list) == 0); err == nil && a != nil {
		for _, r := range a.repairs {
			if len(list) == 0 || s.decides(r.Patch) {
				list = append(list, choice{patch: r.Patch, distance: r.Distance})
			}
		}
	}
	if suite, met := s.fromStart(ctx); len(list) == 0 && len(suite.Cases) > 0 {
		if a, err := t.byRun(ctx, f, suite, met, 1, fewerRuns); err == nil && a != nil {
			for _, r := range a.repairs {
				list = append(list, choice{patch: r.Patch, distance: r.Distance})
			}
		}
	}
	return s.oddLast(list)
}

// oddLast sorts repairs by distance, to which it adds the cost of what people rarely write.
func (s *searcher) oddLast(list []choice) []choice {
	list = slices.Clone(list)
	for i := range list {
		list[i].distance += s.unlikely(list[i].patch)
	}
	sort.SliceStable(list, func(i, j int) bool { return list[i].distance < list[j].distance })
	return list
}

// accepting separates the repairs that are known to change a picture that the user accepted from the others.
func (s *searcher) accepting(r *fromMain, list []choice) (kept, changing []choice) {
	for _, c := range list {
		if s.comes(r.suite, c.patch) && !s.comes(r.before, c.patch) {
			changing = append(changing, c)
		} else {
			kept = append(kept, c)
		}
	}
	return kept, changing
}

// likeliest returns the first text edits of a sorted list: those that cost little more than the best.
func likeliest(list []choice) []choice {
	for i := range list {
		if list[i].weight() > min(list[0].weight()+20, 20*likely) {
			return list[:i]
		}
	}
	return list
}

// place is one of the places that locate ranks.
type place struct {
	at        source.Position
	text, why string
}

// suspects prints the ranked places.
func (s *searcher) suspects(r *gradient.Result, single []choice) {
	if len(r.Suspects)+len(single) == 0 {
		if s.misses(s.segments(), s.patch) < 0 {
			s.printf("no statement is suspicious: the program %s in this run, and no other run was looked at\n", trust.States(len(s.segs)))
			return
		}
		if x, y, ok := s.contradiction(); ok {
			s.printf("no statement is suspicious: the assertions contradict each other at %s and %s, and no program gives both\n", x, y)
			return
		}
		s.printf("the program does not give what you drew, and no statement of the functions under repair is known to lead to that\n")
		return
	}
	for i, p := range s.places(r, single) {
		s.printf("%2d. %s:%d: %-32s %s\n", i+1, p.at.File, p.at.Line, p.text, p.why)
	}
}

// places ranks the places where one edit suffices before the others.
func (s *inferior) places(r *gradient.Result, single []choice) []place {
	reasons := map[int32]string{}
	for _, x := range r.Suspects {
		reasons[x.Stmt.ID] = x.Reason
	}
	var out []place
	listed := map[string]bool{} // an edit of the text and a statement may be the same place
	line := func(p source.Position, text, why string) {
		if k := fmt.Sprint(p.File, p.Line, text); !listed[k] {
			listed[k] = true
			out = append(out, place{p, text, why})
		}
	}
	met := map[[2]int32]bool{}
	places := map[string]bool{}
	for _, c := range single {
		if x := c.text; x != nil && !places[x.at.String()] && len(out) < maxAlone {
			places[x.at.String()] = true
			line(x.at, x.line, "changed here, the program gives what you drew")
		}
		for _, e := range c.patch.Edits() {
			if s.patch.Stmts[e.Stmt] == e || s.patch.Gaps[e.Gap] == e && e.Stmt == 0 || met[[2]int32{e.Stmt, e.Gap}] {
				continue
			}
			met[[2]int32{e.Stmt, e.Gap}] = true
			if e.Stmt == 0 {
				p, where := repair.GapPosition(s.prog.Gaps[e.Gap])
				if len(out) < maxAlone {
					line(p, where, "a statement missing here would give what you drew")
				}
				continue
			}
			st := s.prog.Stmts[e.Stmt]
			why := reasons[e.Stmt]
			if why != "" {
				why += "; "
			}
			line(st.Range.Position(), Show(st), why+"changed alone, it gives what you drew")
		}
	}
	sort.SliceStable(r.Suspects, func(i, j int) bool { // views show them in this order, too
		a, b := met[[2]int32{r.Suspects[i].Stmt.ID, 0}], met[[2]int32{r.Suspects[j].Stmt.ID, 0}]
		return a && !b
	})
	for _, x := range r.Suspects {
		if st := x.Stmt; !met[[2]int32{st.ID, 0}] {
			line(st.Range.Position(), Show(st), x.Reason)
		}
	}
	return out
}

// maxAlone bounds the places of missing statements that are listed.
const maxAlone = 6

// wholeNote names the statements of the trace that are executed as a whole and
// never edited: what comes out of macros, and what cannot be modelled.
func (s *searcher) wholeNote() {
	seen := map[int32]bool{}
	for _, seg := range s.segs {
		for i := range seg.Items {
			it := &seg.Items[i]
			st := s.prog.Stmts[it.Stmt]
			if seen[st.ID] || !s.scope[st.Func] || !st.Macro && (it.Concrete == nil || s.concrete[st.ID]) {
				continue
			}
			seen[st.ID] = true
			p := st.Range.Position()
			switch {
			case st.Macro:
				s.printf("note: %s:%d: %s comes out of a macro and cannot be edited\n", p.File, p.Line, Show(st))
			case st.Kind == lower.Decl && st.Decl.Var.VLALen != nil:
			case st.Kind == lower.Switch:
				s.printf("note: %s:%d: %s keeps the case that it took in the run: it is not suspected, and only edits of the text change it\n", p.File, p.Line, Show(st))
			case st.X != nil && !cfront.HasCall(st.X):
				s.printf("note: %s:%d: %s cannot be evaluated outside the run: it is not suspected, and only edits of the text change it\n", p.File, p.Line, Show(st))
			default:
				s.printf("note: %s:%d: %s is executed as a whole and cannot be edited: what it calls is not modelled\n", p.File, p.Line, Show(st))
			}
		}
	}
}

// gradientTable shows forward and backward execution, like Figure 9 of the paper that package gradient cites.
func (s *searcher) gradientTable(r *gradient.Result) {
	s.printf("%-34s %-12s %-10s %-10s %6s %8s\n", "statement", "entity", "forward", "backward", "diff", "gradient")
	for _, w := range r.Rows {
		mark := ""
		if w.Gradient != 0 {
			mark = "  <--"
		}
		s.printf("%-34s %-12s %-10s %-10s %6.2f %8.2f%s\n", Show(s.prog.Stmts[w.Stmt]), w.Entity, w.Forward, w.Backward, w.Diff, w.Gradient, mark)
	}
}

type repairFlags struct {
	scope    string
	slots    int
	noLocate bool
	noVerify bool
	quick    bool          // search the segments alone, for a first offer
	wait     bool          // return only when everything has been tried
	inserts  bool          // allow only insertions
	limit    time.Duration // 0 means the usual limits
	until    time.Time
}

func parseRepairFlags(args string) (repairFlags, error) {
	f := repairFlags{slots: 2}
	w := strings.Fields(args)
	for i := 0; i < len(w); i++ {
		arg := func() string {
			if i+1 < len(w) {
				i++
				return w[i]
			}
			return ""
		}
		switch w[i] {
		case "--scope":
			if f.scope = arg(); f.scope == "" {
				return f, errorf("--scope wants a function or a range of lines, as 20-30")
			}
		case "--slots":
			n, err := strconv.Atoi(arg())
			if err != nil || n < 0 || n > 8 {
				return f, errorf("--slots wants a number from 0 to 8")
			}
			f.slots = n
		case "--no-locate":
			f.noLocate = true
		case "--limit":
			d, err := time.ParseDuration(arg())
			if err != nil || d <= 0 {
				return f, errorf("--limit wants a time, as 2s or 500ms")
			}
			f.limit = d
		case "--no-verify":
			f.noVerify = true
		case "--wait":
			f.wait = true
		default:
			return f, errorf("repair has no option %q", w[i])
		}
	}
	return f, nil
}

// inScope returns which statements and gaps may be edited under the flags and locks.
func (s *searcher) inScope(f repairFlags, scope map[*cfront.Func]bool) (func(int32) bool, func(int32) bool, error) {
	lo, hi, fn := 0, 1<<30, ""
	if f.scope != "" {
		a, b, ok := strings.Cut(f.scope, "-")
		x, err1 := strconv.Atoi(a)
		y, err2 := strconv.Atoi(b)
		switch {
		case ok && err1 == nil && err2 == nil:
			lo, hi = x, y
		case s.prog.Tree.Func(f.scope) != nil:
			fn = f.scope
		default:
			return nil, nil, errorf("no function or range of lines %q", f.scope)
		}
	}
	lines := func(l int, name string) bool {
		return l >= lo && l <= hi && (fn == "" || fn == name)
	}
	stmt := func(id int32) bool {
		st := s.prog.Stmts[id]
		return !f.inserts && !s.locked[id] && !s.concrete[id] && scope[st.Func] && lines(st.Range.Position().Line, st.Func.Name)
	}
	gap := func(id int32) bool {
		g := s.prog.Gaps[id]
		p, _ := repair.GapPosition(g)
		return scope[g.Func] && lines(p.Line, g.Func.Name) && !s.beside(id)
	}
	return stmt, gap, nil
}

// disagrees reports whether the user forced a condition against its value. The text is the forced value of an entered
// loop.
func (s *recorder) disagrees(st *lower.Stmt) (string, bool) {
	r := gradient.Locate(s.prog, s.segments(), s.patch)
	if st.Kind == lower.Cond && r.Suspicious(st.ID) {
		return "true", true
	}
	return "", false
}

// install makes a patch the one in force and shows it.
func (s *searcher) install(p *repair.Patch) {
	s.patch = p
	s.overRun()
	for _, e := range p.Edits() {
		s.printf("  %s\n", e.Describe(s.prog))
	}
}

// take makes a repair the one in force. If no patch expresses it, the run in hand goes on with the program as written.
func (s *searcher) take(c *choice) {
	s.retold = c.text
	if c.text == nil {
		s.install(c.patch)
		return
	}
	s.patch, s.settled = repair.NewPatch(), nil
	for _, l := range strings.Split(c.text.shown, "\n") {
		s.printf("  %s\n", l)
	}
}

func (s *searcher) choose(ctx context.Context, args string) error {
	if len(s.found) == 0 {
		return errorf("no repairs yet; use repair")
	}
	n, err := strconv.Atoi(args)
	if err != nil || n < 1 || n > len(s.found) {
		return errorf("choose wants a number from 1 to %d; patches lists the repairs", len(s.found))
	}
	s.take(&s.found[n-1])
	return nil
}

func (s *searcher) unpatch(ctx context.Context, args string) error {
	if s.patch.Empty() && s.retold == nil {
		return errorf("no patch is applied")
	}
	s.patch, s.settled, s.retold = repair.NewPatch(), nil, nil
	s.printf("the program is as it was written again\n")
	return nil
}

func (s *inferior) diff(ctx context.Context, args string) error {
	if s.patch.Empty() && s.retold == nil {
		s.printf("no changes\n")
		return nil
	}
	d, err := s.inForceDiff()
	if err != nil {
		return errorf("%v", err)
	}
	s.out.WriteString(d)
	return nil
}

// inForceDiff is the repair in force as a unified diff; empty for none.
func (s *inferior) inForceDiff() (string, error) {
	if s.retold != nil {
		return patch.DiffTexts(s.prog, s.retold.texts)
	}
	if s.patch.Empty() {
		return "", nil
	}
	return patch.Diff(s.prog, s.patch)
}

func (s *inferior) rewrite(ctx context.Context, args string) error {
	texts, err := patch.Rewrite(s.prog, s.patch)
	if err != nil {
		return errorf("%v", err)
	}
	if s.retold != nil {
		texts = s.retold.texts
	}
	var names []string
	for n := range texts {
		names = append(names, n)
	}
	sort.Strings(names)
	if len(names) == 0 {
		return errorf("no patch is applied; the source would not change")
	}
	if args == "" {
		for _, n := range names {
			s.out.WriteString(texts[n])
		}
		return nil
	}
	if len(names) > 1 {
		return errorf("the patch changes %s; use diff instead", strings.Join(names, " and "))
	}
	kept := ""
	if same(args, names[0]) {
		kept = args + ".orig"
		if _, err := os.Stat(kept); err == nil {
			return errorf("%s is the file under debug, and its backup %s exists already; give another name", args, kept)
		}
		f := s.source(names[0])
		if f == "" {
			return errorf("%s is the file under debug; give another name", args)
		}
		if err := process.WriteFile(kept, []byte(f), 0o644); err != nil {
			return errorf("cannot make a backup of the source: %v", err)
		}
	}
	if err := process.WriteFile(args, []byte(texts[names[0]]), 0o644); err != nil {
		return errorf("cannot write the source: %v", err)
	}
	if kept != "" {
		s.printf("wrote %s, the file under debug; the original is in %s\n", args, kept)
		return nil
	}
	s.printf("wrote %s\n", args)
	return nil
}

// same reports whether two paths name the same file.
func same(a, b string) bool {
	x, err := os.Stat(a)
	y, err2 := os.Stat(b)
	return err == nil && err2 == nil && os.SameFile(x, y)
}

// source is the text of a file of the program as it was read.
func (s *inferior) source(name string) string {
	for _, f := range s.prog.Tree.Files {
		if f.Name == name {
			return string(f.Text)
		}
	}
	return ""
}

func (s *recorder) lock(ctx context.Context, args string) error   { return s.setLock(args, true) }
func (s *recorder) unlock(ctx context.Context, args string) error { return s.setLock(args, false) }

func (s *recorder) setLock(args string, on bool) error {
	ids, err := s.onLine(map[bool]string{true: "lock", false: "unlock"}[on], args)
	if err != nil {
		return err
	}
	for _, id := range ids {
		s.locked[id] = on
	}
	n := len(ids)
	s.printf("%s on line %s %s\n", plural.N(n, "statement"), args, map[bool]string{true: "locked", false: "unlocked"}[on])
	return nil
}

// onLine returns the statements that begin on a line of the current file.
func (s *recorder) onLine(command, args string) ([]int32, error) {
	line, err := strconv.Atoi(args)
	if err != nil {
		return nil, errorf("which line? for example: %s 31", command)
	}
	file := s.prog.Tree.Files[0]
	if st := s.stmt(); st != nil {
		file = st.Range.File
	}
	var ids []int32
	for _, st := range s.prog.Stmts {
		if st != nil && st.Range.File == file && st.Range.Position().Line == line {
			ids = append(ids, st.ID)
		}
	}
	if len(ids) == 0 {
		return nil, errorf("no statement begins on line %d", line)
	}
	return ids, nil
}
