package check

import (
	"bufio"
	"context"
	"debug/elf"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"gulo/internal/machine"
	"gulo/internal/process"
	"gulo/internal/rules"
	"gulo/internal/rules/gen"
	"gulo/internal/source"
)

// This file runs a program under its native debugger and reads the report.

// native builds the program with instrumentation and runs it.
func native(ctx context.Context, r *Request, files []*rules.File) (*Result, error) {
	d, err := Build(ctx, files, map[string]string{"ts": r.Function}, r.Strict)
	if err != nil {
		return nil, err
	}
	tmp, err := process.TempDir("gulo-check-")
	if err != nil {
		return nil, &ToolError{err.Error()}
	}
	defer os.RemoveAll(tmp)
	bin := filepath.Join(tmp, "program")
	link := append([]string{}, d.Objects()...)
	for i, f := range r.Files {
		obj := filepath.Join(tmp, fmt.Sprintf("f%d.o", i))
		u := r.Options.Unit(f)
		if err := d.Compile(ctx, u.Dir, u.Name, obj, u.Flags); err != nil {
			return nil, err
		}
		if name := ownAllocator(obj); name != "" {
			return nil, &UsageError{Text: fmt.Sprintf("%s defines %s, and the native debugger has an allocator of its own: use --engine machine, or give it another name", f, name)}
		}
		link = append(link, obj)
	}
	if err := run(ctx, "", nil, Clang, append(append(link, r.Options.Link...), "-lm", "-pthread", "-o", bin)...); err != nil {
		return nil, err
	}
	if r.Function != "" && !hasSymbol(bin, "gulo_watched_"+r.Function) {
		return nil, &UsageError{Text: fmt.Sprintf("--ts: there is no function %s", r.Function)}
	}
	q := *r
	in, kept, done, err := hand(r.Stdin)
	if err != nil {
		return nil, err
	}
	q.Stdin = in
	rep, err := watch(ctx, &q, bin, filepath.Join(tmp, "report"), files)
	done()
	if err != nil {
		return nil, err
	}
	if kept != nil {
		q.Stdin = kept
	}
	complete(ctx, &q, files, rep)
	return rep, nil
}

// ownAllocator returns an allocation function that an object defines although the runtime defines it; "" if there is
// none.
func ownAllocator(obj string) string {
	file, err := elf.Open(obj)
	if err != nil {
		return ""
	}
	defer file.Close()
	syms, _ := file.Symbols()
	for _, s := range syms {
		if s.Section != elf.SHN_UNDEF && elf.ST_BIND(s.Info) == elf.STB_GLOBAL && slices.Contains(gen.Allocator, s.Name) {
			return s.Name
		}
	}
	return ""
}

// hasSymbol reports whether a program defines a symbol.
func hasSymbol(bin, name string) bool {
	file, err := elf.Open(bin)
	if err != nil {
		return false
	}
	defer file.Close()
	syms, err := file.Symbols()
	return err == nil && slices.ContainsFunc(syms, func(s elf.Symbol) bool { return s.Name == name })
}

// Binary runs a program that gulo cc built.
func Binary(ctx context.Context, r *Request) (*Result, error) {
	if !hasSymbol(r.Files[0], "gulo_report") {
		return nil, &UsageError{Text: fmt.Sprintf("%s has no memory debugger in it; build it with CC=\"gulo cc\", or give gulo check its C files", r.Files[0])}
	}
	tmp, err := process.TempDir("gulo-check-")
	if err != nil {
		return nil, &ToolError{err.Error()}
	}
	defer os.RemoveAll(tmp)
	bin, err := filepath.Abs(r.Files[0])
	if err != nil {
		return nil, &ToolError{err.Error()}
	}
	return watch(ctx, r, bin, filepath.Join(tmp, "report"), nil)
}

// IsBinary reports whether a file is a program rather than C source.
func IsBinary(name string) bool {
	if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() {
		return false // opening a pipe would wait for its other end
	}
	f, err := os.Open(name)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, 4)
	n, _ := f.Read(head)
	return string(head[:n]) == elf.ELFMAG
}

// watch runs a built program and reads its report.
func watch(ctx context.Context, r *Request, bin, found string, files []*rules.File) (*Result, error) {
	for _, n := range r.Off {
		if files != nil && n != arrayBounds && !slices.ContainsFunc(files, func(f *rules.File) bool {
			return slices.ContainsFunc(f.Rules, func(x *rules.Rule) bool { return x.Name == n })
		}) {
			return nil, &UsageError{Text: fmt.Sprintf("--off: there is no rule %s", n)}
		}
	}
	off := r.Off
	if r.Rules == nil && r.Function != "" {
		off = append(slices.Clip(off), "possible_leak")
	}
	c := process.Program(ctx, bin, r.Args...)
	c.Stdin, c.Stdout, c.Stderr = r.Stdin, r.Stdout, r.Stderr
	c.Env = append(os.Environ(), "GULO_REPORT="+found)
	if len(off) > 0 {
		c.Env = append(c.Env, "GULO_OFF="+strings.Join(off, ","))
	}
	if r.Events != "" {
		c.Env = append(c.Env, "GULO_EVENTS="+r.Events)
	}
	if r.Unknown {
		c.Env = append(c.Env, "GULO_UNKNOWN=1")
	}
	err := c.Run()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if c.ProcessState == nil {
		return nil, &ToolError{err.Error()}
	}
	rep := &Result{Findings: []Finding{}, Exit: c.ProcessState.ExitCode()}
	if err := rep.read(found, newSourceLines(r.Files)); err != nil {
		return nil, err
	}
	if w, ok := c.ProcessState.Sys().(syscall.WaitStatus); ok && w.Signaled() && len(rep.Findings) == 0 && rep.Stopped == "" {
		rep.Stopped, rep.Missed = fmt.Sprintf("the program was killed by signal %d (%v); no rule fired", w.Signal(), w.Signal()), true
	}
	return rep, nil
}

// site is a place as the runtime reports it.
type site struct {
	File, Function, What string
	Line, Column         int
	Time                 int64
}

// report is a line that the runtime wrote.
type report struct {
	Cannot         string            // why the program cannot be checked to its end
	Valueless, Use *site             // a function that ended without a return value, and where the value was used
	Fault          machine.FaultKind // an error that no rule is about
	Text           string            // what is wrong at Use

	Rule, Means   string
	At            site
	Calls         []site
	Access        *Access
	Size          int64
	Kind          int // of the block, as in gulo.h
	Blocks, Bytes int64
	Made, Ended   *site

	MadeCalls, EndedCalls []site
	Chains                []struct {
		Of    string
		Links []site
	}
}

// read reads the runtime's report.
func (r *Result) read(path string, text *sourceLines) error {
	f, err := os.Open(path)
	if err != nil {
		return nil // no rule fired
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var x report
		if err := json.Unmarshal(lines.Bytes(), &x); err != nil {
			return fmt.Errorf("the debugger's report is damaged: %v", err)
		}
		switch {
		case x.Cannot != "":
			return &ToolError{"the program could not be checked: " + x.Cannot}
		case x.Valueless != nil && x.Use != nil:
			pos := source.Position{File: text.short(x.Valueless.File), Line: x.Valueless.Line, Column: x.Valueless.Column}
			r.Stopped, r.Missed = machine.EndsWithoutValue(pos, x.Valueless.Function, x.Use.Line).Error(), true
		case x.Fault == machine.ArrayBounds && x.Use != nil:
			x.Rule, x.Means, x.At = arrayBounds, x.Text, *x.Use
			r.Findings = append(r.Findings, x.finding(text))
		case x.Fault != "" && x.Use != nil:
			pos := source.Position{File: text.short(x.Use.File), Line: x.Use.Line, Column: x.Use.Column}
			r.Stopped, r.Missed = (&machine.Fault{Kind: x.Fault, Pos: pos, Message: x.Text}).Error(), true
		default:
			r.Findings = append(r.Findings, x.finding(text))
		}
	}
	return lines.Err()
}

func (x *report) finding(text *sourceLines) Finding {
	at := text.place(x.At)
	n := Finding{
		Rule: x.Rule, File: at.File, Line: at.Line, Column: x.At.Column, Function: at.Function, Text: at.Text, Chain: []Step{},
		Calls: text.calls(x.Calls, at.Function), Access: x.Access, Blocks: x.Blocks, Bytes: x.Bytes,
	}
	about := subject{size: x.Size, heap: x.Kind == heapBlock}
	if x.Made != nil {
		about.name = x.Made.What
	}
	if x.Made != nil && x.Made.Line > 0 {
		made := text.place(*x.Made)
		n.Made, n.MadeCalls = &made, text.calls(x.MadeCalls, made.Function)
		about.made = fmt.Sprintf("%s:%d", made.File, made.Line)
	}
	if x.Ended != nil && x.Ended.Line > 0 {
		ended := text.place(*x.Ended)
		n.Ended, n.EndedCalls = &ended, text.calls(x.EndedCalls, ended.Function)
		about.ended = fmt.Sprintf("%s:%d", ended.File, ended.Line)
	}
	if x.Size == 0 && x.Kind == 0 {
		about = subject{}
	}
	n.means, n.about = x.Means, about
	n.say()
	for i, c := range x.Chains {
		var links []Step
		for _, l := range c.Links {
			links = append(links, text.place(l))
		}
		if i == 0 {
			n.Chain = append(n.Chain, links...)
		} else {
			n.Others = append(n.Others, Chain{c.Of, links})
		}
	}
	return n
}

// short returns a file's name as in the request, or relative to the working folder.
func (t *sourceLines) short(name string) string {
	if n, ok := t.given[filepath.Clean(name)]; ok {
		return n
	}
	wd, err := os.Getwd()
	if err != nil {
		return name
	}
	if r, err := filepath.Rel(wd, name); err == nil && !strings.HasPrefix(r, "..") {
		return r
	}
	return filepath.Clean(name)
}

// sourceLines caches the files that reports quote.
type sourceLines struct {
	given map[string]string
	files map[string]*source.File
}

func newSourceLines(files []string) *sourceLines {
	t := &sourceLines{map[string]string{}, map[string]*source.File{}}
	for _, f := range files {
		if abs, err := filepath.Abs(f); err == nil {
			t.given[abs] = f
		}
	}
	return t
}

// heapBlock is the number for heap blocks in gulo.h.
const heapBlock = 1

func (t *sourceLines) calls(list []site, in string) (out []Step) {
	for _, s := range list {
		out = append(out, t.place(s))
	}
	return callers(out, in)
}

func (t *sourceLines) place(s site) Step {
	f, ok := t.files[s.File]
	if !ok {
		f, _ = source.ReadFile(s.File)
		t.files[s.File] = f
	}
	out := Step{File: t.short(s.File), Line: s.Line, Function: s.Function, What: s.What, Time: s.Time}
	if f != nil {
		out.Text = strings.TrimSpace(f.Line(s.Line))
	}
	return out
}
