package oracle

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"sort"
	"strings"

	"gulo/internal/budget"
	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/lower"
	"gulo/internal/machine"
	"gulo/internal/plural"
	"gulo/internal/source"
)

// This file defines specifications by example: calls of a function in given states, or whole runs of a program, with
// the expected results. Programs run on the abstract machine, with natural control flow. Edits are applied to their
// code.

// Suite is the cases that a program must meet.
type Suite struct {
	Prog    *lower.Program
	Entry   *cfront.Func   // called by every case; nil for whole runs
	Globals []string       // globals whose final values count
	Args    []int          // arguments through which memory counts
	Stderr  bool           // what a call writes to standard error counts
	Errno   bool           // what a call leaves in errno counts
	Env     []string       // of the program, as NAME=VALUE
	Edited  []*cfront.Func // for whole runs: only these may be edited, so that the part before them runs only once; nil: any
	Cases   []*Case

	Forgiving bool // errors of memory do no harm (machine.Config)
	Fill      byte // with Forgiving: the value of bytes never written

	NoResult bool // the entry's result does not count
	Texts    bool // in blocks of characters only the part before the first zero counts
	Drawn    bool // the same for arrays of characters in structs, as in a picture
}

// Case is one call or one run.
type Case struct {
	Name   string
	State  *State   // for a call: the memory that the entry finds
	Args   []string // for a whole run
	Stdin  string
	Until  *Until // where a whole run ends in its middle; nil: at its end
	Want   *Run
	Judged bool  // the output of a whole run is compared as judges do (source.Judged)
	Own    int64 // steps that the suite's program needs, if it is known to need many; else 0
}

// Run is the result of a case, or the wanted result. A field marked wanted is only set there.
type Run struct {
	Fault   *machine.Fault // an error, or an exceeded limit; nil for none
	State   string         // canonical text of the state that is left
	Output  string
	Printed string // for a run that ends in its middle: what was printed so far
	Errors  string // written to standard error, where that counts
	Status  int    // of a whole run
	Lost    int    // heap blocks that nothing points to; -1 if not known
	Heap    int    // for a whole run: heap blocks not freed at its end
	Freed   int    // heap blocks that were freed
	Steps   int64
	Guessed bool   // wanted: Steps is a guess
	Frees   bool   // wanted: at most Heap blocks are left
	Any     bool   // wanted: any end without an error
	Begins  string // with Any: how the output begins
	Mute    bool   // wanted: what is printed does not count

	Misread []string // formats of scanf that standard input did not match (machine.Misread)
	At      string   // where Fault is: file and line (cfront.Program.At)
	Rest    int      // of a whole run: bytes of standard input that were not read

	cells []uint64
}

// Unmodelled says what the run reached that the machine has no model of. It is "" if there was nothing. Such a run says
// nothing about the program.
func (r *Run) Unmodelled() string { return unmodelled(r.Fault) }

func unmodelled(f *machine.Fault) string {
	if f == nil || f.Kind != machine.Unsupported {
		return ""
	}
	return f.Error()
}

// Asserted reports whether an assertion failed.
func (r *Run) Asserted() bool { return r.Fault != nil && r.Fault.Kind == machine.AssertFailed }

// Endless reports whether a run was stopped because it took too many steps.
func (r *Run) Endless() bool {
	return r.Fault != nil && r.Fault.Kind == machine.LimitFault && r.Fault.Steps
}

// Meets reports whether a run is as wanted. Losing more memory than wanted is a leak and does not meet it; losing less
// does.
func (r *Run) Meets(want *Run) bool {
	if want.Any {
		return r.Fault == nil && strings.HasPrefix(r.Output, want.Begins) && (!want.Frees || r.Heap <= want.Heap)
	}
	return r.Fault == nil && r.Status == want.Status && (want.Mute || r.Output == want.Output) && r.Errors == want.Errors && r.State == want.State && r.Lost <= want.Lost && (!want.Frees || r.Heap <= want.Heap)
}

// Differs says in words how a run differs from what is wanted.
func (r *Run) Differs(want *Run) string {
	switch {
	case r.Endless():
		return fmt.Sprintf("it does not come to an end within %s", plural.N(r.Steps, "step"))
	case r.Fault != nil && r.Fault.Kind == machine.LimitFault:
		return "it needs more than it is given here: " + r.Fault.Message
	case r.Fault != nil:
		return fmt.Sprintf("%s at %s: %s", r.Fault.Kind, r.At, r.Fault.Message)
	case r.Output != want.Output && !want.Mute:
		got, right := source.Excerpts(r.Output, want.Output)
		return fmt.Sprintf("it prints %q instead of %q", got, right)
	case r.Errors != want.Errors:
		got, right := source.Excerpts(r.Errors, want.Errors)
		return fmt.Sprintf("it writes %q to standard error instead of %q", got, right)
	case r.Status != want.Status:
		return fmt.Sprintf("it exits with %d instead of %d", r.Status, want.Status)
	case r.State != want.State:
		return "it leaves " + firstDifference(r.State, want.State)
	case want.Frees && r.Heap > want.Heap:
		return fmt.Sprintf("it leaves %s of memory that %s not freed instead of %d", plural.N(r.Heap, "block"), plural.Verb(r.Heap, "is", "are"), want.Heap)
	case r.Lost > want.Lost:
		return fmt.Sprintf("it loses %s of memory", plural.N(r.Lost-want.Lost, "block"))
	}
	return "nothing"
}

func firstDifference(got, want string) string {
	a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range a {
		if i >= len(b) {
			return "more than it should: " + source.Excerpt(a[i])
		}
		if a[i] != b[i] {
			x, y := source.Excerpts(a[i], b[i])
			return fmt.Sprintf("%s where %s is right", x, y)
		}
	}
	return "less than it should"
}

// Closeness returns how far a run is from what is wanted: 0 if it meets it, larger if it is farther away.
func (r *Run) Closeness(want *Run) int {
	if r.Meets(want) {
		return 0
	}
	d := 0
	switch {
	case r.Fault != nil && r.Fault.Kind == machine.LimitFault:
		d = 12
	case r.Fault != nil:
		d = 8
	}
	if want.Any {
		return d
	}
	if r.Status != want.Status {
		d += 5
	}
	if want.cells != nil { // lost memory shows in the cells
		d += apart(r.cells, want.cells)
	} else if r.Fault == nil {
		d += tokensApart(r.State, want.State)
	}
	if !want.Mute {
		d += tokensApart(r.Output, want.Output)
	}
	d += tokensApart(r.Errors, want.Errors)
	return max(d, 1)
}

// tokensApart returns the edit distance of two texts in words. A missing or superfluous word counts twice as much as a
// wrong one. Long texts are compared word by word, without alignment.
func tokensApart(a, b string) int {
	if a == b {
		return 0
	}
	x, y := strings.Fields(a), strings.Fields(b)
	const long = 60
	if len(x) > long || len(y) > long {
		d := 2 * max(len(x)-len(y), len(y)-len(x))
		for i := 0; i < len(x) && i < len(y); i++ {
			if x[i] != y[i] {
				d++
			}
		}
		return max(d, 1)
	}
	row := make([]int, len(y)+1)
	for j := range row {
		row[j] = 2 * j
	}
	for i := range x {
		last := row[0]
		row[0] += 2
		for j := range y {
			d := last
			if x[i] != y[j] {
				d++
			}
			last = row[j+1]
			row[j+1] = min(d, row[j]+2, last+2)
		}
	}
	return max(row[len(y)], 1)
}

// Runner runs the cases of a suite. It is not safe for concurrent use.
type Runner struct {
	Suite   *Suite
	M       *machine.Machine
	Covered map[int32]bool // set by Cover: statements that the last run executed
	Spend   func(n int64)  // called with the cost of each run; may be nil
	Pace    int64          // steps of the program for one that the cases speak of, by which limits are multiplied; 0: 1

	begun   map[*Case]bool    // whole runs that were begun once
	states  map[*Case]*Moment // where cases begin
	layouts map[*Case]*layout
	parts   map[*ctype.Type][]scalar
	out     bytes.Buffer
	errs    bytes.Buffer
	in      rewindable
	come    progress // of a case that ends in its middle
}

// rewindable is the standard input of a run.
type rewindable struct{ r *strings.Reader }

func (r *rewindable) Read(p []byte) (int, error) { return r.r.Read(p) }

// Moment is a saved state of a run in the middle of a case.
type Moment struct {
	state *machine.State
	out   string
	errs  string
	rest  string // of standard input
	come  progress
}

// Save copies the present state of a run.
func (r *Runner) Save(c *Case) *Moment {
	left := r.in.r.Len() + r.M.Unread()
	return &Moment{r.M.Save(), r.out.String(), r.errs.String(), c.Stdin[len(c.Stdin)-left:], r.come}
}

// Restore returns to a moment. A moment can be restored several times.
func (r *Runner) Restore(m *Moment) {
	r.M.Restore(m.state)
	r.out.Reset()
	r.out.WriteString(m.out)
	r.errs.Reset()
	r.errs.WriteString(m.errs)
	r.in.r = strings.NewReader(m.rest)
	r.come = m.come
	r.M.Reread()
}

// Patience is how many steps a program may take that needs more than others and may not end.
const Patience = 4_000_000

// Limits of a run on the machine.
const (
	maxSteps  = 200_000
	ownShare  = 4         // a repair may take so many times the program's own steps, but at most Patience more than these
	wantShare = 2         // and so many times the steps of the run that says what is right
	maxMemory = 256 << 20 // bytes written
	maxOutput = 1 << 20
)

// NewRunner prepares a machine for a suite's program.
func NewRunner(s *Suite) (*Runner, error) {
	r := &Runner{Suite: s, begun: map[*Case]bool{}, states: map[*Case]*Moment{}, layouts: map[*Case]*layout{}, parts: map[*ctype.Type][]scalar{}}
	r.in.r = strings.NewReader("")
	return r, nil
}

// start brings the machine to the beginning of a case and sets its limits.
func (r *Runner) start(c *Case) error {
	if m, ok := r.states[c]; ok {
		r.Restore(m)
	} else if err := r.first(c); err != nil {
		return err
	}
	own := min(ownShare*c.Own, c.Own+Patience)
	limit := max(int64(maxSteps), own)
	if c.Want != nil {
		limit = max(min(int64(maxSteps), 20*c.Want.Steps+2_000), wantShare*c.Want.Steps, own)
	}
	r.M.SetLimit(limit * max(r.Pace, 1))
	if c.Want != nil && c.Until == nil {
		most := int64(4*len(c.Want.Output) + 1_000)
		if c.Want.Mute || c.Want.Any {
			most = maxOutput
		}
		r.M.SetOutputLimit(most)
	}
	return nil
}

// first makes the state in which a case begins. The machine is made once and reused. The beginning of a call is kept at
// once, that of a whole run only the second time, as many whole runs are made only once.
func (r *Runner) first(c *Case) error {
	var errs io.Writer
	if r.Suite.Stderr {
		errs = &r.errs
	}
	m, err := machine.New(r.Suite.Prog, machine.Config{
		Name: "program", Args: c.Args, Env: r.Suite.Env, Stdin: &r.in, Stdout: &r.out, Stderr: errs, MaxMemory: maxMemory, MaxOutput: maxOutput, MaxDepth: 2_000,
		Debug: true, Overlays: true, Idle: r.Suite.Entry != nil, Forgiving: r.Suite.Forgiving, Fill: r.Suite.Fill,
	})
	if err != nil {
		return err
	}
	if r.M == nil {
		r.M = m
	} else {
		r.M.Adopt(m)
	}
	if c.State != nil {
		if r.layouts[c], err = c.State.build(r.M, r.Suite.Prog, r.Suite.Entry); err != nil {
			return err
		}
	}
	r.out.Reset()
	r.errs.Reset()
	r.come = progress{}
	r.in.r = strings.NewReader("")
	if c.State == nil {
		r.in.r = strings.NewReader(c.Stdin)
		r.M.ResetInput()
		if !r.begun[c] {
			r.begun[c] = true
			return nil
		}
	}
	r.states[c] = r.Save(c)
	if c.State == nil && r.Suite.Edited != nil {
		r.ahead(c)
	}
	return nil
}

// ahead runs a case up to the first statement of a function that may be edited, and makes the moment before it the
// beginning of the case.
func (r *Runner) ahead(c *Case) {
	edited := func(stmt int32) bool {
		f := r.Suite.Prog.Stmts[stmt].Func
		return slices.Contains(r.Suite.Edited, f)
	}
	n, met := 0, false
	r.M.SetLimit(maxSteps)
	r.M.RunUntil(func(stmt int32, lib bool) bool {
		if !lib && edited(stmt) {
			met = true
			return true
		}
		n++
		return false
	})
	begin := r.states[c]
	r.Restore(begin)
	if !met || n < 2 {
		return
	}
	r.M.SetLimit(maxSteps)
	r.M.RunUntil(func(int32, bool) bool {
		n--
		return n == 0
	})
	r.M.FlushOutput()
	r.states[c] = r.Save(c)
}

// Begin brings the machine to the beginning of a case, with edits applied to the program. The caller runs it and calls
// End.
func (r *Runner) Begin(c *Case, edits []*lower.Overlay) error {
	if err := r.start(c); err != nil {
		return err
	}
	for _, o := range edits {
		if err := r.M.Overlay(o); err != nil {
			r.M.RemoveOverlays()
			return err
		}
	}
	return nil
}

// End removes the edits.
func (r *Runner) End() { r.M.RemoveOverlays() }

// Run runs a case with edits applied to the program.
func (r *Runner) Run(c *Case, edits []*lower.Overlay) (*Run, error) {
	if err := r.Begin(c, edits); err != nil {
		return nil, err
	}
	defer r.End()
	return r.Finish(c, r.RunUntil(c, nil)), nil
}

// Patient runs a case, with edits applied, with a higher limit of steps, since a program may work in another way than the one that says what
// is right, or one that is wrong may end early. If the run ends, with or without an error, the case from then on allows repairs as many steps and a few
// times more.
func (r *Runner) Patient(c *Case, edits []*lower.Overlay, steps int64) (*Run, error) {
	own := c.Own
	c.Own = max(steps/ownShare, steps-Patience)
	run, err := r.Run(c, edits)
	if c.Own = own; err == nil && !run.Endless() {
		c.Own = max(own, run.Steps)
	}
	return run, err
}

// Long returns the cases that the suite's program does not end within the usual number of steps.
func (r *Runner) Long() (list []*Case, err error) {
	for _, c := range r.Suite.Cases {
		run, err := r.Run(c, nil)
		if err != nil {
			return nil, err
		}
		if run.Endless() {
			list = append(list, c)
		}
	}
	return list, nil
}

// Cover runs a case and stores in Covered which statements are executed.
func (r *Runner) Cover(c *Case, edits []*lower.Overlay) (*Run, error) {
	if err := r.Begin(c, edits); err != nil {
		return nil, err
	}
	defer r.End()
	r.Covered = map[int32]bool{}
	return r.Finish(c, r.RunUntil(c, func(s int32, _ bool) bool { r.Covered[s] = true; return false })), nil
}

// CoverUntil is Cover of the first steps of a run.
func (r *Runner) CoverUntil(c *Case, steps int64) error {
	if err := r.Begin(c, nil); err != nil {
		return err
	}
	defer r.End()
	r.Covered = map[int32]bool{}
	r.RunUntil(c, func(s int32, _ bool) bool {
		if r.M.Steps() > steps {
			return true
		}
		r.Covered[s] = true
		return false
	})
	return nil
}

// Count runs a case and returns how often every statement was executed.
func (r *Runner) Count(c *Case) (*Run, map[int32]int32, error) {
	if err := r.Begin(c, nil); err != nil {
		return nil, nil, err
	}
	defer r.End()
	at := make([]int32, len(r.Suite.Prog.Stmts))
	n := map[int32]int32{} // first only for IDs that are no statements, then for all
	run := r.Finish(c, r.RunUntil(c, func(s int32, _ bool) bool {
		if uint(s) < uint(len(at)) {
			at[s]++
		} else {
			n[s]++
		}
		return false
	}))
	for s, k := range at {
		if k > 0 {
			n[int32(s)] = k
		}
	}
	return run, n, nil
}

// Trace runs a case and calls step for every statement, with the one executed before it in the same call.
func (r *Runner) Trace(c *Case, step func(prev, at int32)) (*Run, error) {
	if err := r.Begin(c, nil); err != nil {
		return nil, err
	}
	defer r.End()
	var last []int32
	return r.Finish(c, r.RunUntil(c, func(s int32, lib bool) bool {
		if st := r.Suite.Prog.Stmts[s]; lib || !st.Stop {
			return false
		}
		d := r.M.Depth()
		for len(last) <= d {
			last = append(last, 0)
		}
		last = last[:d+1]
		step(last[d], s)
		last[d] = s
		return false
	})), nil
}

// Finish returns the result of a case whose machine has stopped. f is the fault with which it stopped, or nil.
func (r *Runner) Finish(c *Case, f *machine.Fault) *Run {
	if r.Spend != nil {
		r.Spend(budget.Run + r.M.Steps())
	}
	r.M.FlushOutput()
	printed := r.out.String()
	if c.Judged {
		printed = source.Judged(printed)
	}
	out := &Run{Fault: f, Output: printed, Errors: r.errs.String(), Steps: r.M.Steps(), Misread: r.M.Misread()}
	if c.State == nil && r.in.r != nil {
		out.Rest = r.in.r.Len() + r.M.Unread() + r.M.PutBack()
	}
	if f != nil {
		out.At = r.Suite.Prog.Tree.At(f.Pos)
		out.cells = r.cells(c)
		return out
	}
	if c.Until != nil {
		list := r.ended(c)
		if out.Lost = -1; c.Until.Leaves && r.come.reached {
			out.Lost = stray(r.Suite.Prog, r.M)
		}
		out.Printed = out.Output
		out.State, out.Output, out.Errors, out.cells = strings.Join(list, "\n"), "", "", make([]uint64, len(list))
		return out
	}
	if c.State == nil {
		out.Status, _ = r.M.Exited()
		if c.Want == nil || c.Want.Frees {
			for _, b := range r.M.HeapBlocks() {
				if !b.Freed {
					out.Heap++
				} else {
					out.Freed++
				}
			}
		}
		return out
	}
	s := r.Suite
	k := newTaker(machineMemory{r.M, s.Prog})
	k.types = r.layouts[c].typed(c.State)
	for _, v := range s.Prog.Tree.Globals {
		if i, ok := s.Prog.GlobalIndex(v); ok && contains(s.Globals, nameOf(v)) {
			k.global(nameOf(v), r.M.GlobalAddr(i), v.Type)
		}
	}
	for i, p := range s.Entry.Params {
		switch {
		case contains(s.Args, i) && p.Type.InMemory():
			k.state.Args = append(k.state.Args, k.whole(k.mem, c.entryArg(r, i), p.Type))
		case contains(s.Args, i):
			k.state.Args = append(k.state.Args, k.word(c.entryArg(r, i), p.Type))
		default:
			k.state.Args = append(k.state.Args, Value{})
		}
	}
	var result []Cell
	switch t := s.Entry.Type.Result; {
	case s.NoResult:
	case t.IsScalar():
		result = []Cell{{Value: k.word(r.M.Returned(), t)}}
	case t.IsAggregate():
		result = k.cells(r.layouts[c].result, t)
	}
	k.rest()
	out.State = k.state.ended(s.Texts).drawn(s.Drawn).text(result, s.Globals, s.Args)
	if s.Errno {
		out.State += fmt.Sprintf("errno = %d\n", r.M.Errno())
	}
	for _, b := range r.M.HeapBlocks() {
		if _, met := k.ids[ctype.MakePointer(b.ID, 0)]; !b.Freed && !met {
			out.Lost++
		}
	}
	if c.Want == nil || !out.Meets(c.Want) {
		out.cells = r.cells(c)
	}
	return out
}

// entryArg returns the i-th argument with which the entry was called.
func (c *Case) entryArg(r *Runner, i int) ctype.Word {
	if r.layouts[c].result != 0 { // the first argument says where the result goes
		i++
	}
	return r.M.EntryArgs()[i]
}

func contains[T comparable](list []T, x T) bool {
	for _, y := range list {
		if x == y {
			return true
		}
	}
	return false
}

// machineMemory takes states from a machine.
type machineMemory struct {
	m *machine.Machine
	p *lower.Program
}

func (m machineMemory) load(a ctype.Word, t *ctype.Type) (ctype.Word, bool, bool) {
	var buf [8]byte
	b := m.live(a)
	if b == nil || !m.m.Read(a, buf[:t.Size]) {
		return 0, false, false
	}
	return ctype.Load(t, buf[:]), true, m.m.Initialized(a, t.Size)
}

func (m machineMemory) live(a ctype.Word) *machine.Block {
	if b, _ := m.m.Find(a); b != nil && !b.Freed {
		return b
	}
	return nil
}

func (m machineMemory) block(a ctype.Word) (ctype.Word, int64, bool, bool) {
	b := m.live(a)
	if b == nil || b.Kind == machine.Stack || b.Kind == machine.Code {
		return 0, 0, false, false
	}
	return ctype.MakePointer(b.ID, 0), b.Size, b.Kind == machine.Heap, true
}

func (m machineMemory) name(a ctype.Word) string {
	b := m.live(a)
	if b == nil || b.Kind == machine.Heap || b.Kind == machine.Stack {
		return ""
	}
	if n := m.m.StreamName(a); n != "" {
		return n
	}
	return b.Name
}

func indices(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

func sortStrings(s []string) { sort.Strings(s) }
