// Package check runs programs under memory debuggers made from rules and reports
// what fires: the rule, the place, and where the values involved came from.
//
// There are two engines: the abstract machine (rules/calculus) and a native
// debugger that is generated, built with clang and linked into the program
// (rules/gen, rules/rt, cmd/gulo-instrument). Rules fire at the same statements.
package check

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/lower"
	"gulo/internal/machine"
	"gulo/internal/plural"
	"gulo/internal/rules"
	"gulo/internal/rules/calculus"
	"gulo/internal/source"
)

// Request is a program with the rules to check while it runs.
type Request struct {
	Files    []string
	Options  cfront.Options
	Rules    []string // files, or names of shipped rule files; nil: memory
	Function string   // ts: leak_in_ts is checked for this function
	Native   bool     // build and run natively instead of on the machine
	Strict   bool     // copying uninitialized memory counts as reading it
	Off      []string // rules that are switched off
	Events   string   // native only: a file for the steps of all chains, with times
	Unknown  bool     // native only: report the library functions that have no model

	Dir            string // on the machine: the folder with the files that the program may read; what it writes stays in memory. "": the files that were read with the program
	Args           []string
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	MaxSteps       int64
}

// Result is the findings of a run; its JSON form is the document of gulo check.
type Result struct {
	Findings []Finding `json:"findings"`
	Exit     int       `json:"exit"` // the program's exit status, if it ended by itself
	Stopped  string    `json:"stopped,omitempty"`
	Missed   bool      `json:"-"` // the run stopped at an error that no rule is about
	Steps    int64     `json:"-"` // of the machine
}

// Finding is a rule that fired.
type Finding struct {
	Rule     string  `json:"rule"`
	File     string  `json:"file"`
	Line     int     `json:"line"`
	Column   int     `json:"column"`
	Function string  `json:"function"`
	Text     string  `json:"text"`
	Message  string  `json:"message"`
	Chain    []Step  `json:"chain"`            // history of the first pointer
	Others   []Chain `json:"others,omitempty"` // history of the other pointers
	Made     *Step   `json:"made,omitempty"`   // where the block concerned was allocated
	Ended    *Step   `json:"ended,omitempty"`  // where it was freed, or its scope ended
	Access   *Access `json:"access,omitempty"` // the access that is about to happen
	Blocks   int64   `json:"blocks,omitempty"` // for leaks: number of lost blocks allocated there by these calls
	Bytes    int64   `json:"bytes,omitempty"`  // for leaks: their size

	means string
	about subject

	Calls      []Step `json:"calls,omitempty"`       // the calls that led there, the innermost first; at most ten
	MadeCalls  []Step `json:"made_calls,omitempty"`  // the calls that led to the allocation
	EndedCalls []Step `json:"ended_calls,omitempty"` // the calls that led to the free
	Lost       []Step `json:"lost,omitempty"`        // for leaks: where the last pointers to them were lost, as far as known
}

// Access is a read or write of memory.
type Access struct {
	Write  bool  `json:"write"`
	Size   int64 `json:"size"`   // in bytes
	Offset int64 `json:"offset"` // from the beginning of the block that the pointer belongs to; without a block, the address
}

// Chain is the value propagation chain of a pointer: from where it is used back to where it was made.
type Chain struct {
	Of    string `json:"of"`
	Links []Step `json:"links"`
}

// Step is one step of a chain.
type Step struct {
	File     string `json:"file"`
	Line     int    `json:"line"`
	Function string `json:"function"`
	Text     string `json:"text"`
	What     string `json:"what"`
	Time     int64  `json:"time,omitempty"` // counted in events; with Request.Events
}

// UsageError is a request that makes no sense.
type UsageError struct {
	Text string

	cause error
}

func (e *UsageError) Error() string { return e.Text }
func (e *UsageError) Unwrap() error { return e.cause }

// Load reads rule files, given as paths or as names of shipped ones.
func Load(names []string) ([]*rules.File, error) {
	var out []*rules.File
	for _, n := range names {
		if !strings.ContainsAny(n, "./") {
			f, err := rules.Shipped(n)
			if err != nil {
				return nil, &UsageError{Text: err.Error()}
			}
			out = append(out, f)
			continue
		}
		src, err := source.ReadFile(n)
		if err != nil {
			return nil, &UsageError{Text: err.Error()}
		}
		f, err := rules.Parse(src)
		if err == nil {
			err = rules.Check(f)
		}
		if err != nil {
			return nil, err
		}
		out = append(out, f)
	}
	return out, nil
}

// ruleNames lists the rule files of a request.
func ruleNames(r *Request) []string {
	switch {
	case r.Rules != nil:
		return r.Rules
	case r.Function != "":
		return []string{"memory", "leaks"}
	}
	return []string{"memory"}
}

// Run runs the program under the rules. It stops just before the first error.
func Run(ctx context.Context, r *Request) (*Result, error) {
	files, err := Load(ruleNames(r))
	if err != nil {
		return nil, err
	}
	if r.Native {
		return native(ctx, r, files)
	}
	return onMachine(ctx, r, files)
}

// prepared is a program that can be run on the machine several times.
type prepared struct {
	p     *lower.Program
	files []*rules.File
	lax   bool // no error for what usually works as intended, see machine.Config.Thorough
}

func onMachine(ctx context.Context, r *Request, files []*rules.File) (*Result, error) {
	m, err := prepareWith(ctx, r, files)
	if err != nil {
		return nil, err
	}
	return m.run(r)
}

// Loads reports whether the machine can load the program of a request.
func Loads(ctx context.Context, r *Request) bool {
	_, err := prepare(ctx, r)
	return err == nil
}

// prepare loads a program and the rules of a request.
func prepare(ctx context.Context, r *Request) (*prepared, error) {
	files, err := Load(ruleNames(r))
	if err != nil {
		return nil, err
	}
	return prepareWith(ctx, r, files)
}

func prepareWith(ctx context.Context, r *Request, files []*rules.File) (*prepared, error) {
	opt := r.Options
	opt.Nested = true
	tree, err := cfront.Load(ctx, r.Files, opt)
	if err != nil {
		return nil, err
	}
	p, err := lower.Lower(tree, lower.Options{Memory: true, Scopes: true, Bounds: !slices.Contains(r.Off, arrayBounds)})
	if err != nil {
		return nil, err
	}
	return &prepared{p: p, files: files}, named(files, r.Function, p)
}

// with is prepare for a program that is loaded already.
func with(r *Request, p *lower.Program) (*prepared, error) {
	files, err := Load(ruleNames(r))
	if err != nil {
		return nil, err
	}
	return &prepared{p: p, files: files}, named(files, r.Function, p)
}

func (x *prepared) run(r *Request) (*Result, error) {
	d, err := x.debugger(r)
	if err != nil {
		return nil, err
	}
	q := *r
	q.Stdin = &reread{from: r.Stdin}
	m, err := x.machine(&q, d, false)
	if err != nil {
		return nil, err
	}
	status, err := m.Run()
	rep := x.report(d)
	rep.Exit, rep.Steps = status, m.Steps()
	var f *machine.Fault
	switch {
	case err == nil:
	case !errors.As(err, &f):
		return nil, err
	case f.Kind == machine.Unsupported:
		return nil, source.Errorf(f.Pos, "%s", f.Message)
	case f.Kind == machine.ArrayBounds:
		rep.Findings = append(rep.Findings, x.ofArray(m, f))
	case len(d.Findings) == 0:
		rep.Stopped, rep.Missed = f.Error(), true
	}
	return rep, x.addNumbers(r, again(q.Stdin), rep)
}

// ofArray returns the finding for an index outside an array.
func (x *prepared) ofArray(m *machine.Machine, f *machine.Fault) Finding {
	at := place(x.p, f.Stmt, "")
	return Finding{
		Rule: arrayBounds, File: at.File, Line: at.Line, Column: f.Pos.Column, Function: at.Function, Text: at.Text, Message: f.Message, Chain: []Step{},
		Calls: calls(x.p, m.Callers(mostCalls), at.Function),
	}
}

// mostCalls bounds the calls that are reported for a place.
const mostCalls = 10

// report returns the findings of a debugger.
func (x *prepared) report(d *calculus.Debugger) *Result {
	rep := &Result{Findings: []Finding{}}
	for i := range d.Findings {
		rep.Findings = append(rep.Findings, finding(x.p, &d.Findings[i]))
	}
	rep.Findings = together(rep.Findings)
	return rep
}

// mostLost bounds the places of loss that are reported for one finding.
const mostLost = 4

// together merges the leaks of a rule whose blocks were allocated at the same place by the same calls. Findings with
// the most bytes come first.
func together(list []Finding) []Finding {
	var out []Finding
	for _, f := range list {
		k := slices.IndexFunc(out, func(o Finding) bool {
			return o.Blocks > 0 && f.Blocks > 0 && o.Rule == f.Rule && o.Made != nil && f.Made != nil && *o.Made == *f.Made && slices.Equal(o.MadeCalls, f.MadeCalls)
		})
		if k < 0 {
			out = append(out, f)
			continue
		}
		for _, l := range f.Lost {
			if !slices.Contains(out[k].Lost, l) && len(out[k].Lost) < mostLost {
				out[k].Lost = append(out[k].Lost, l)
			}
		}
		out[k].Blocks, out[k].Bytes = out[k].Blocks+f.Blocks, out[k].Bytes+f.Bytes
	}
	slices.SortStableFunc(out, func(a, b Finding) int { return cmp.Compare(b.Bytes, a.Bytes) })
	for i := range out {
		out[i].say()
	}
	return out
}

// calls returns the steps of calling statements, the innermost first, that led to a place in the function in.
func calls(p *lower.Program, list []int32, in string) (out []Step) {
	for _, id := range list {
		if stmt(p, id) != nil {
			out = append(out, place(p, id, ""))
		}
	}
	return callers(out, in)
}

// callers describes how each call led to the next, and the last one to the function in.
func callers(list []Step, in string) []Step {
	for i := range list {
		list[i].What = "called from"
		if list[i].Function == in {
			list[i].What = "calls itself"
		}
		in = list[i].Function
	}
	return list
}

func (x *prepared) debugger(r *Request) (*calculus.Debugger, error) {
	o := calculus.Options{Rules: x.files, Names: map[string]string{"ts": r.Function}, Strict: r.Strict, Disabled: map[string]bool{}, Losses: !x.lax}
	if r.Rules == nil && r.Function != "" {
		o.Disabled["possible_leak"] = true
	}
	d, err := calculus.New(o)
	if err != nil {
		return nil, err
	}
	names, _ := d.Rules()
	for _, n := range r.Off {
		if !slices.Contains(names, n) && n != arrayBounds {
			return nil, &UsageError{Text: fmt.Sprintf("--off: there is no rule %s; there are %s", n, strings.Join(names, ", "))}
		}
		o.Disabled[n] = true
	}
	return d, nil
}

func (x *prepared) machine(r *Request, d *calculus.Debugger, debug bool) (*machine.Machine, error) {
	return x.machineFor(r, d, machine.Config{Debug: debug})
}

// machineFor makes a machine with the Debug and Numbers of c.
func (x *prepared) machineFor(r *Request, d *calculus.Debugger, c machine.Config) (*machine.Machine, error) {
	var files *machine.Files
	if r.Dir != "" {
		files = &machine.Files{Dir: r.Dir}
	}
	m, err := machine.New(x.p, machine.Config{
		Files: files,
		Args:  r.Args, Env: os.Environ(), Name: r.Files[0], Stdin: r.Stdin, Stdout: r.Stdout, Stderr: r.Stderr, MaxSteps: r.MaxSteps,
		Trace: true, Monitor: d, Thorough: !x.lax, Wrap: true, Debug: c.Debug, Numbers: c.Numbers,
	})
	if err != nil {
		return nil, err
	}
	d.Attach(m)
	return m, nil
}

// named checks that the function that the user names for rules exists.
func named(files []*rules.File, ts string, p *lower.Program) error {
	if ts != "" && p.Tree.Func(ts) == nil {
		return &UsageError{Text: fmt.Sprintf("--ts: there is no function %s", ts)}
	}
	for _, f := range files {
		for _, r := range f.Rules {
			if r.Point.Func == "ts" && ts == "" && len(files) == 1 && len(f.Rules) == 1 {
				return &UsageError{Text: fmt.Sprintf("rule %s is about a function that --ts names", r.Name)}
			}
		}
	}
	return nil
}

// returned moves a finding from the end of a function to its return statement if it has exactly one. The native engine
// reports that statement, too, and otherwise the closing brace.
func returned(p *lower.Program, id int32) int32 {
	s := stmt(p, id)
	if s == nil || s.Kind != lower.End {
		return id
	}
	only := id
	for _, r := range p.Stmts {
		if r != nil && r.Func == s.Func && r.Kind == lower.Return {
			if only != id {
				return id
			}
			only = r.ID
		}
	}
	return only
}

func finding(p *lower.Program, x *calculus.Firing) Finding {
	x.Stmt = returned(p, x.Stmt)
	at := place(p, x.Stmt, "")
	out := Finding{Rule: x.Rule, File: at.File, Line: at.Line, Function: at.Function, Text: at.Text, Chain: []Step{}}
	if s := stmt(p, x.Stmt); s != nil {
		out.Column = s.Range.Position().Column
	}
	if x.Access > 0 {
		out.Access = &Access{Write: x.Write, Size: x.Access, Offset: x.Offset}
	}
	if x.Found {
		out.Blocks, out.Bytes = 1, x.Size
	}
	if l := x.Loss; l != nil && stmt(p, l.Stmt) != nil {
		how := "overwritten"
		switch {
		case l.How == calculus.WithVariable:
			how = "in " + l.Holder + ", which ended"
		case l.How == calculus.WithBlock:
			how = "in a freed block"
		}
		out.Lost = []Step{place(p, returned(p, l.Stmt), how)}
	}
	out.Calls = calls(p, x.Calls, at.Function)
	var about subject
	if x.Block != 0 {
		about = subject{size: x.Size, heap: x.Kind == machine.Heap, name: "variable " + x.Name}
		switch {
		case x.Kind == machine.Global && (x.Name == "" || x.Name[0] == '"'):
			about.name = "a string"
		case x.Kind != machine.Heap && x.Var == nil:
			about.name = x.Name // for example memory from alloca or mmap
		}
	}
	if r := made(p, x); r.Valid() {
		step := placed(r, "made")
		if s := stmt(p, x.Made); s != nil && s.Func != nil {
			step.Function = written(s.Func)
		}
		out.MadeCalls = calls(p, x.MadeCalls, step.Function)
		out.Made, about.made = &step, fmt.Sprintf("%s:%d", step.File, step.Line)
	}
	if s := stmt(p, x.Ended); s != nil && (x.Kind == machine.Heap || x.Kind == machine.Stack && (s.Kind == lower.Return || s.Kind == lower.End)) {
		step := place(p, x.Ended, "freed")
		if x.Kind != machine.Heap {
			step.What = "ended"
		}
		out.EndedCalls = calls(p, x.EndedCalls, step.Function)
		out.Ended, about.ended = &step, fmt.Sprintf("%s:%d", step.File, step.Line)
	}
	out.means, out.about = x.Means, about
	out.say()
	for i, c := range x.Chains {
		links := chainOf(p, c)
		if i == 0 {
			out.Chain = append(out.Chain, links...)
		} else {
			out.Others = append(out.Others, Chain{x.Names[i], links})
		}
	}
	return out
}

// chainOf returns each statement once, at the last time that the value passed it. Plain loads are left out.
func chainOf(p *lower.Program, list []machine.Link) (out []Step) {
	told := map[int32]bool{}
	for _, l := range list {
		if stmt(p, l.Stmt) != nil && l.What != "loaded" && !told[l.Stmt] {
			told[l.Stmt] = true
			out = append(out, place(p, l.Stmt, l.What))
		}
	}
	return out
}

// subject is what a finding is about, in words: a heap block, a variable or a literal. The zero value is none.
type subject struct {
	size        int64
	heap        bool
	name        string // what it is if not a heap block
	made, ended string // place of its allocation and of its end
}

// say writes the message: what the rule means, the access, and the block.
func (f *Finding) say() {
	f.Message = f.means
	if f.means == "" {
		f.Message = "the rule holds"
	}
	if f.Access != nil {
		f.Message = f.Access.words(f.Message, f)
	} else if f.about != (subject{}) {
		f.Message += ": " + f.about.words(f)
	}
}

// words describes an access, following the meaning of the rule.
func (a *Access) words(means string, f *Finding) string {
	about := f.about
	verb := "read"
	if a.Write {
		verb = "write"
	}
	s, at := fmt.Sprintf("%s: %s of %s", means, verb, plural.N(a.Size, "byte")), a.Offset
	switch {
	case about == (subject{}) && at >= 0 && at < nullPage:
		return fmt.Sprintf("%s at address %d", s, at)
	case about == (subject{}):
		return s
	case at < 0:
		s += fmt.Sprintf(", %s before ", plural.N(-at, "byte"))
	case at >= about.size:
		s += fmt.Sprintf(", %s after ", plural.N(at-about.size, "byte"))
	default:
		s += fmt.Sprintf(" at byte %d of ", at)
	}
	return s + about.words(f)
}

// nullPage is the distance from NULL up to which an address counts as a null pointer.
const nullPage = 1 << 16

func (b subject) words(f *Finding) string {
	var s, made, ended string
	switch {
	case b.heap && f.Blocks > 1:
		return fmt.Sprintf("%s allocated at %s, %s in all", plural.N(f.Blocks, "block"), b.made, plural.N(f.Bytes, "byte"))
	case b.heap:
		s, made, ended = "a block of "+plural.N(b.size, "byte"), " allocated at ", ", freed at "
	default:
		s, made, ended = fmt.Sprintf("%s of %s", b.name, plural.N(b.size, "byte")), " made at ", ", which ended at "
		if strings.HasPrefix(b.name, "variable ") {
			made = " declared at "
		}
	}
	if b.made != "" && made != "" {
		s += made + b.made
	}
	if b.ended != "" && ended != "" {
		s += ended + b.ended
	}
	return s
}

// made returns where the block of a finding was made: the declaration of a variable, or the allocating statement.
func made(p *lower.Program, x *calculus.Firing) (r source.Range) {
	if v, ok := x.Var.(*cfront.Var); ok && x.Block != 0 {
		return v.Range
	}
	if m := stmt(p, x.Made); m != nil && x.Block != 0 {
		return m.Range
	}
	return r
}

func stmt(p *lower.Program, id int32) *lower.Stmt {
	if id <= 0 || int(id) >= len(p.Stmts) {
		return nil
	}
	return p.Stmts[id]
}

func place(p *lower.Program, id int32, how string) Step {
	s := stmt(p, id)
	if s == nil {
		return Step{What: how}
	}
	out := placed(s.Range, how)
	if s.Func != nil {
		out.Function = written(s.Func)
	}
	return out
}

// written is the name of a function as the program has it: that of a nested function has a number behind it.
func written(f *cfront.Func) string {
	name, _, _ := strings.Cut(f.Name, ".")
	return name
}

func placed(r source.Range, how string) Step {
	pos := r.Position()
	return Step{File: pos.File, Line: pos.Line, Text: source.OneLine(r.Text()), What: how}
}

// Text writes a report for people.
func (r *Result) Text(w io.Writer) {
	for _, f := range r.Findings {
		fmt.Fprintf(w, "%s:%d:%d: %s: %s\n", f.File, f.Line, f.Column, f.Rule, f.Message)
		fmt.Fprintf(w, "  in %s: %s\n", f.Function, f.Text)
		f.stacks(w)
		chain(w, "the value", f.Chain)
		for _, c := range f.Others {
			chain(w, c.Of, c.Links)
		}
	}
	if r.Stopped != "" {
		fmt.Fprintln(w, r.Stopped)
	}
}

// stacks writes the calls that led to the place, to the allocation and to the free.
func (f *Finding) stacks(w io.Writer) {
	steps(w, f.Calls)
	it := "it was"
	if f.Blocks > 1 {
		it = "they were"
	}
	for _, x := range []struct {
		how   string
		at    *Step
		calls []Step
	}{{"allocated at", f.Made, f.MadeCalls}, {"freed at", f.Ended, f.EndedCalls}} {
		if x.at != nil && len(x.calls) > 0 {
			fmt.Fprintf(w, "  %s %s\n", it, x.how)
			at := *x.at
			at.Time = 0
			steps(w, append([]Step{at}, x.calls...))
		}
	}
	if len(f.Lost) > 0 {
		last := "pointer was"
		if len(f.Lost) > 1 {
			last = "pointers were"
		}
		fmt.Fprintf(w, "  the last %s lost at\n", last)
		steps(w, f.Lost)
	}
}

func chain(w io.Writer, of string, links []Step) {
	if len(links) == 0 {
		return
	}
	fmt.Fprintf(w, "  %s came from\n", of)
	steps(w, links)
}

func steps(w io.Writer, list []Step) {
	for _, l := range list {
		when := ""
		if l.Time > 0 {
			when = fmt.Sprintf("at %d: ", l.Time)
		}
		if l.Line == 0 {
			fmt.Fprintf(w, "    %s%s\n", when, l.What)
			continue
		}
		in := ""
		if l.Function != "" {
			in = l.Function + ": "
		}
		fmt.Fprintf(w, "    %s%-14s %s:%d  %s%s\n", when, l.What, l.File, l.Line, in, l.Text)
	}
}
