// Package check runs programs under memory debuggers made from rules and reports
// what fires: the rule, the place, and where the values involved came from.
//
// There are two engines: the abstract machine (rules/calculus) and a native
// debugger that is generated, built with clang and linked into the program
// (rules/gen, rules/rt, cmd/gulo-instrument). Rules fire at the same statements.
package check

import (
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

// Request is a program to be run under rules.
type Request struct {
	Files    []string
	Options  cfront.Options
	Rules    []string // files, or names of shipped ones; nil: memory
	Function string   // ts: leak_in_ts is asked of this function
	Native   bool     // build and run natively instead of on the machine
	Strict   bool     // copying what was never written is reading it
	Off      []string // rules that are not asked
	Events   string   // natively: file for the steps of all chains, with times
	Unknown  bool     // natively: say which library functions nothing is known of

	Dir            string // on the machine, whose files the program may read; what it writes stays in memory. "": those that it was read with
	Args           []string
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	MaxSteps       int64
}

// Result is what was found; its JSON form is the document of gulo check.
type Result struct {
	Findings []Finding `json:"findings"`
	Exit     int       `json:"exit"` // the program's status, when it ended by itself
	Stopped  string    `json:"stopped,omitempty"`
	Missed   bool      `json:"-"` // what stopped it is no rule's
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
	Chain    []Step  `json:"chain"`            // of the first pointer
	Others   []Chain `json:"others,omitempty"` // of the others
	Made     *Step   `json:"made,omitempty"`   // the block that the rule is about
	Ended    *Step   `json:"ended,omitempty"`  // natively: where it was freed
}

// Chain is the value propagation chain of a pointer: from where it is used back
// to where it was made.
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
	Time     int64  `json:"time,omitempty"` // when, counted in events; with Request.Events
}

// UsageError is a request that makes no sense.
type UsageError struct {
	Text string

	cause error
}

func (e *UsageError) Error() string { return e.Text }
func (e *UsageError) Unwrap() error { return e.cause }

// Load reads rule files: paths, or names of shipped ones.
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
	lax   bool // what mostly does what was meant is no error: machine.Config.Thorough
}

func onMachine(ctx context.Context, r *Request, files []*rules.File) (*Result, error) {
	m, err := prepareWith(ctx, r, files)
	if err != nil {
		return nil, err
	}
	return m.run(r)
}

// prepare loads a program and the rules that a request is about.
func prepare(ctx context.Context, r *Request) (*prepared, error) {
	files, err := Load(ruleNames(r))
	if err != nil {
		return nil, err
	}
	return prepareWith(ctx, r, files)
}

func prepareWith(ctx context.Context, r *Request, files []*rules.File) (*prepared, error) {
	tree, err := cfront.Load(ctx, r.Files, r.Options)
	if err != nil {
		return nil, err
	}
	p, err := lower.Lower(tree, lower.Options{Memory: true, Scopes: true})
	if err != nil {
		return nil, err
	}
	return &prepared{p: p, files: files}, named(files, r.Function, p)
}

// with prepares a program that is loaded.
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
	m, err := x.machine(r, d, false)
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
	case len(d.Findings) == 0:
		rep.Stopped, rep.Missed = f.Error(), true
	}
	return rep, nil
}

// report tells what a debugger found.
func (x *prepared) report(d *calculus.Debugger) *Result {
	rep := &Result{Findings: []Finding{}}
	for i := range d.Findings {
		rep.Findings = append(rep.Findings, finding(x.p, &d.Findings[i]))
	}
	return rep
}

func (x *prepared) debugger(r *Request) (*calculus.Debugger, error) {
	o := calculus.Options{Rules: x.files, Names: map[string]string{"ts": r.Function}, Strict: r.Strict, Disabled: map[string]bool{}}
	if r.Rules == nil && r.Function != "" {
		o.Disabled["possible_leak"] = true
	}
	d, err := calculus.New(o)
	if err != nil {
		return nil, err
	}
	names, _ := d.Rules()
	for _, n := range r.Off {
		if !slices.Contains(names, n) {
			return nil, &UsageError{Text: fmt.Sprintf("--off: there is no rule %s; there are %s", n, strings.Join(names, ", "))}
		}
		o.Disabled[n] = true
	}
	return d, nil
}

func (x *prepared) machine(r *Request, d *calculus.Debugger, debug bool) (*machine.Machine, error) {
	var files *machine.Files
	if r.Dir != "" {
		files = &machine.Files{Dir: r.Dir}
	}
	m, err := machine.New(x.p, machine.Config{
		Files: files,
		Args:  r.Args, Env: os.Environ(), Name: r.Files[0], Stdin: r.Stdin, Stdout: r.Stdout, Stderr: r.Stderr, MaxSteps: r.MaxSteps,
		Trace: true, Monitor: d, Thorough: !x.lax, Wrap: true, Debug: debug,
	})
	if err != nil {
		return nil, err
	}
	d.Attach(m)
	return m, nil
}

// named checks that the functions that rules name for the user are there.
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

// returned is where a function with one return statement returns; natively that
// is the statement, too, and the closing brace for others.
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
	out.Message = message(p, x)
	if r := made(p, x); r.Valid() {
		step := placed(r, "made")
		if s := stmt(p, x.Made); s != nil && s.Func != nil {
			step.Function = s.Func.Name
		}
		out.Made = &step
	}
	for i, c := range x.Chains {
		var links []Step
		for _, l := range c {
			if stmt(p, l.Stmt) != nil {
				links = append(links, place(p, l.Stmt, l.What))
			}
		}
		if i == 0 {
			out.Chain = append(out.Chain, links...)
		} else {
			out.Others = append(out.Others, Chain{x.Names[i], links})
		}
	}
	return out
}

// what says in words what the shipped rules mean; a user's rule has its name.
var what = map[string]string{
	"unmatched_free":         "free of a pointer that malloc did not return",
	"double_free":            "free of a block that was freed before",
	"dangling_pointer_deref": "access to memory that is no more",
	"null_pointer_deref":     "access through a null pointer",
	"heap_buffer_overflow":   "access outside a heap block",
	"stack_buffer_overflow":  "access outside a local variable",
	"global_buffer_overflow": "access outside a global variable",
	"uninitialized_read":     "read of memory that was never written",
	"definite_leak":          "nothing points to this block any more",
	"possible_leak":          "this block was not freed",
	"leak_in_ts":             "this block outlives the call that made it",
}

func message(p *lower.Program, x *calculus.Firing) string {
	s := what[x.Rule]
	if s == "" {
		s = "the rule holds"
	}
	if r := made(p, x); r.Valid() {
		s += fmt.Sprintf(": a block of %s made at %s", plural.N(x.Size, "byte"), r.Position())
	}
	return s
}

// made is where the block that a finding is about was made: the declaration of a local variable, or the statement.
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
		out.Function = s.Func.Name
	}
	return out
}

func placed(r source.Range, how string) Step {
	pos := r.Position()
	return Step{File: pos.File, Line: pos.Line, Text: strings.Join(strings.Fields(r.Text()), " "), What: how}
}

// Text writes a report for people.
func (r *Result) Text(w io.Writer) {
	for _, f := range r.Findings {
		fmt.Fprintf(w, "%s:%d:%d: %s: %s\n", f.File, f.Line, f.Column, f.Rule, f.Message)
		fmt.Fprintf(w, "  in %s: %s\n", f.Function, f.Text)
		chain(w, "the value", f.Chain)
		for _, c := range f.Others {
			chain(w, c.Of, c.Links)
		}
	}
	if r.Stopped != "" {
		fmt.Fprintln(w, r.Stopped)
	}
}

func chain(w io.Writer, of string, links []Step) {
	if len(links) == 0 {
		return
	}
	fmt.Fprintf(w, "  %s came from\n", of)
	for _, l := range links {
		when := ""
		if l.Time > 0 {
			when = fmt.Sprintf("at %d: ", l.Time)
		}
		if l.Line == 0 {
			fmt.Fprintf(w, "    %s%s\n", when, l.What)
			continue
		}
		fmt.Fprintf(w, "    %s%-14s %s:%d  %s: %s\n", when, l.What, l.File, l.Line, l.Function, l.Text)
	}
}
