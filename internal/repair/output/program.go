package output

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"gulo/internal/cfront"
	"gulo/internal/native"
	"gulo/internal/repair/schema"
	"gulo/internal/source"
)

// This file finds the literals and the printing calls of a C program. It runs the program with marks between its
// output, which say what printed which part.

// Problem is a program with its tests.
type Problem struct {
	Tree    *cfront.Program
	Options cfront.Options // how it is compiled
	Funcs   []*cfront.Func
	Free    func(f *source.File, line int) bool // lines that may change; nil: all
	Tests   []native.Test
	Limit   time.Duration // for all runs together

	Screens bool // see schema.Problem
}

// node is a literal or a printing call, with its place in the program.
type node struct {
	x     cfront.Expr
	fn    *cfront.Func
	stmt  *cfront.ExprStmt // the statement that consists of the call
	block *cfront.Block    // the block that the statement stands in, if it has braces
	loops []cfront.Stmt    // around it, the innermost last
	call  string           // name of the called function, for calls
	free  bool
}

// Analysis holds the results of running a program.
type Analysis struct {
	p       *Problem
	prog    Program
	lits    map[int]*node
	sites   map[int]*node
	loops   []cfront.Stmt
	inserts []schema.Insert
	runs    []Run

	Guesses  *Guesses
	Outcomes []native.Outcome // of the tests, without marks
	Failing  []int            // indices of failing tests
	Steps    int64            // the most that any test took
	Spaces   bool             // all failures differ from the wanted output only in white space
}

// printers are the functions that print to standard output, with the index of the argument that is the text.
var printers = map[string]struct {
	kind Kind
	arg  int
}{"printf": {Format, 0}, "puts": {Line, 0}, "putchar": {Char, 0}, "fputs": {Plain, 0}, "fprintf": {Format, 1}, "putc": {Char, 0}, "fputc": {Char, 0}}

// Marks enclose the notes in the output of an instrumented program.
const (
	markBegin = '\x01'
	markEnd   = '\x02'
)

// marks is the name of the file that holds marker.
const marks = "gulo_marks.c"

// marker is linked into an instrumented program.
const marker = `#include <stdio.h>
static void mark(char kind, int n) { printf("\1%c%d\2", kind, n); }
char *gulo_lit(int k, char *s) { mark('L', k); return s; }
int gulo_chr(int k, int c) { mark('L', k); return c; }
void gulo_site(int k) { mark('S', k); }
`

const declarations = "extern char *gulo_lit(int, char *); extern int gulo_chr(int, int); extern void gulo_site(int);\n"

// Begin compiles, in the background, a program that Analyze will be called with soon. The tests of p need not be known
// yet. The caller calls forget when Analyze will not be called any more.
func Begin(ctx context.Context, p *Problem) (forget func()) {
	drop := native.Begin(ctx, read(p).instrumented(), p.config())
	return func() { drop() }
}

// Analyze runs the tests of a program and makes guesses.
func Analyze(ctx context.Context, p *Problem) (*Analysis, error) {
	a := read(p)
	if err := a.run(ctx); err != nil {
		return nil, err
	}
	a.prog.over = func() bool { return ctx.Err() != nil }
	a.Guesses = a.prog.Guess(a.runs)
	a.rank()
	return a, ctx.Err()
}

// read finds the literals and the printing calls of a program.
func read(p *Problem) *Analysis {
	a := &Analysis{p: p, prog: Program{Sites: map[int]Site{}, Literals: map[int]Literal{}}, lits: map[int]*node{}, sites: map[int]*node{}}
	for _, f := range p.Tree.Files {
		if !p.Tree.Compiled(f) {
			continue
		}
		a.inserts = append(a.inserts, schema.Insert{File: f, Open: declarations})
	}
	for _, fn := range cfront.Once(p.Tree.Funcs) {
		if fn.Body != nil && fn.Range.Valid() && strings.HasPrefix(fn.Body.Range().Text(), "{") {
			a.block(fn.Body, node{fn: fn})
		}
	}
	return a
}

// instrumented returns the texts of the program with calls that mark its output.
func (a *Analysis) instrumented() map[string]string {
	texts := schema.Instrument(a.p.Tree, a.inserts)
	texts[marks] = marker
	return texts
}

func (p *Problem) config() native.Config {
	return native.Config{Units: append(p.Tree.Units(), marks), Options: p.Options, Unset: true, Screens: p.Screens}
}

// block finds the literals and calls in a block.
func (a *Analysis) block(b *cfront.Block, at node) {
	if !b.Implicit {
		at.block = b
	}
	for _, st := range b.List {
		a.statement(st, at)
	}
}

func (a *Analysis) statement(st cfront.Stmt, at node) {
	at.stmt = nil
	expr := func(x cfront.Expr) {
		if x != nil {
			a.expr(x, at)
		}
	}
	in := func(loop cfront.Stmt) node {
		n := at
		n.loops = append(append([]cfront.Stmt(nil), at.loops...), loop)
		return n
	}
	switch st := st.(type) {
	case nil:
	case *cfront.ExprStmt:
		at.stmt = st
		expr(st.X)
	case *cfront.Decl:
		if st.Var.Storage == cfront.Local {
			for _, x := range st.Init {
				expr(x.X)
			}
		}
	case *cfront.Block:
		a.block(st, at)
	case *cfront.If:
		expr(st.Cond)
		a.statement(st.Then, at)
		if st.Else != nil {
			a.statement(st.Else, at)
		}
	case *cfront.While:
		expr(st.Cond)
		a.statement(st.Body, in(st))
	case *cfront.For:
		if st.Init != nil {
			a.statement(st.Init, at)
		}
		expr(st.Cond)
		expr(st.Post)
		a.statement(st.Body, in(st))
	case *cfront.Switch:
		expr(st.X)
		a.statement(st.Body, at)
	case *cfront.Case:
		a.statement(st.Body, at)
	case *cfront.Label:
		a.statement(st.Body, at)
	case *cfront.Return:
		expr(st.X)
	}
}

// expr finds the literals and calls in an expression.
func (a *Analysis) expr(x cfront.Expr, at node) {
	cfront.Walk(x, func(y cfront.Expr) bool {
		switch y := y.(type) {
		case *cfront.Call:
			a.call(y, at)
		case *cfront.Decay:
			if s, ok := y.X.(*cfront.String); ok {
				a.literal(s, at)
				return false
			}
		case *cfront.StmtExpr:
			return false
		}
		return true
	})
}

// plain reports whether an expression is written out in a .c file.
func plain(x cfront.Expr) bool {
	return x.Editable() && strings.HasSuffix(x.Range().File.Name, ".c")
}

func (a *Analysis) isFree(x cfront.Expr, fn *cfront.Func) bool {
	in := false
	for _, f := range a.p.Funcs {
		in = in || f == fn
	}
	r := x.Range()
	return in && (a.p.Free == nil || a.p.Free(r.File, r.File.Position(r.Start).Line))
}

// literal gives a number to a string literal.
func (a *Analysis) literal(s *cfront.String, at node) {
	t := s.Range().Text()
	if !plain(s) || len(t) < 2 || t[0] != '"' || len(s.Bytes) == 0 {
		return
	}
	a.number(s, at, Literal{Text: string(s.Bytes[:len(s.Bytes)-1])}, "gulo_lit")
}

func (a *Analysis) number(x cfront.Expr, at node, l Literal, f string) int {
	r := x.Range()
	for k, n := range a.lits {
		if n.x == x {
			return k
		}
	}
	k := len(a.lits) + 1
	at.x, at.free = x, a.isFree(x, at.fn)
	a.lits[k], a.prog.Literals[k] = &at, l
	a.inserts = append(a.inserts, schema.Insert{File: r.File, Start: r.Start, End: r.End, Open: fmt.Sprintf("%s(%d, ", f, k), Close: ")"})
	return k
}

// call gives a number to a call that prints.
func (a *Analysis) call(c *cfront.Call, at node) {
	f, ok := c.Fun.(*cfront.FuncRef)
	if !ok || !plain(c) {
		return
	}
	pr, ok := printers[f.Func.Name]
	if !ok || pr.arg >= len(c.Args) || f.Func.Body != nil {
		return
	}
	if n := f.Func.Name; n == "fprintf" && !stdout(c.Args[0]) || n != "fprintf" && len(c.Args) == 2 && pr.kind != Format && !stdout(c.Args[1]) {
		return
	}
	r := c.Range()
	k := len(a.sites) + 1
	s := Site{Kind: pr.kind, Loop: a.loop(at.loops)}
	at.x, at.call, at.free = c, f.Func.Name, a.isFree(c, at.fn)
	if at.stmt != nil && at.stmt.X != cfront.Expr(c) {
		at.stmt = nil
	}
	a.sites[k] = &at
	a.inserts = append(a.inserts, schema.Insert{File: r.File, Start: r.Start, End: r.End, Open: fmt.Sprintf("(gulo_site(%d), ", k), Close: ")"})
	text := c.Args[pr.arg]
	cfront.Walk(text, func(y cfront.Expr) bool {
		switch y := y.(type) {
		case *cfront.String:
			if plain(y) {
				a.literal(y, at)
				for id, n := range a.lits {
					if n.x == cfront.Expr(y) {
						s.Own = append(s.Own, id)
					}
				}
			}
		case *cfront.Const:
			if pr.kind == Char && plain(y) && strings.HasPrefix(y.Range().Text(), "'") {
				s.Own = append(s.Own, a.number(y, at, Literal{Text: string([]byte{byte(y.Value)}), Char: true}, "gulo_chr"))
			}
		case *cfront.Call, *cfront.Index, *cfront.Binary:
			return false
		}
		return true
	})
	a.prog.Sites[k] = s
}

// loop returns the number of the innermost loop; 0 for none.
func (a *Analysis) loop(loops []cfront.Stmt) int {
	if len(loops) == 0 {
		return 0
	}
	l := loops[len(loops)-1]
	for i, x := range a.loops {
		if x == l {
			return i + 1
		}
	}
	a.loops = append(a.loops, l)
	return len(a.loops)
}

func stdout(x cfront.Expr) bool {
	r, ok := cfront.Skip(x).(*cfront.Ref)
	return ok && r.Var.Name == "stdout" || x.Range().Valid() && x.Range().Text() == "stdout"
}

// Limits of runs.
const (
	runTime   = 2 * time.Second // processor time, as in package schema
	mostTests = 40
)

// run runs the tests.
func (a *Analysis) run(ctx context.Context) error {
	prog, err := native.Build(ctx, a.instrumented(), a.p.config())
	if err != nil {
		return err
	}
	defer prog.Close()
	ses := &native.Session{}
	ses.Limit(runTime, schema.StepLimit(0))
	tests := a.p.Tests[:min(len(a.p.Tests), mostTests)]
	asked := slices.Clone(tests)
	for i := range asked {
		asked[i].Judged = false // with marks in the output, white space at the end of a line would not be recognized
	}
	ses.PrintAll(asked)
	got, err := prog.Run(ctx, ses, max(a.p.Limit, time.Second))
	if err != nil {
		return err
	}
	a.Spaces = true
	for i, o := range got.Printed {
		t := &tests[i]
		r := Run{Want: t.Stdout}
		if r.Out, r.Notes = parse(o.Stdout); t.Judged {
			a.prog.Judged = true
			r.Out, r.Notes = judged(r.Out, r.Notes)
		}
		o.Stdout = r.Out
		a.Outcomes = append(a.Outcomes, o)
		if o.Ended() {
			a.Steps = max(a.Steps, o.Steps)
		}
		if o.Status != t.Exit || r.Out != t.Stdout {
			a.Failing = append(a.Failing, i)
			a.Spaces = a.Spaces && o.Status == t.Exit && squeezed(r.Out) == squeezed(t.Stdout)
		}
		a.runs = append(a.runs, r)
	}
	return nil
}

// judged returns an output without the white space that judges ignore, with its notes adapted.
func judged(out string, notes []Note) (string, []Note) {
	lines := strings.Split(source.Judged(out), "\n")
	begins := make([]int, len(lines)+1)
	for i, l := range lines {
		begins[i+1] = begins[i] + len(l) + 1
	}
	end := begins[len(lines)] - 1
	for i := range notes {
		n := &notes[i]
		k, column := strings.Count(out[:n.At], "\n"), n.At-strings.LastIndexByte(out[:n.At], '\n')-1
		if n.At = end; k < len(lines) {
			n.At = begins[k] + min(column, len(lines[k]))
		}
	}
	return strings.Join(lines, "\n"), notes
}

// parse separates the marks from an output.
func parse(s string) (out string, notes []Note) {
	var b strings.Builder
	for s != "" {
		i := strings.IndexByte(s, markBegin)
		if i < 0 {
			break
		}
		j := strings.IndexByte(s[i:], markEnd)
		if j < 3 {
			break
		}
		n, err := strconv.Atoi(s[i+2 : i+j])
		if err != nil {
			break
		}
		b.WriteString(s[:i])
		notes = append(notes, Note{n, s[i+1] == 'L', b.Len()})
		s = s[i+j+1:]
	}
	b.WriteString(s)
	return b.String(), notes
}
