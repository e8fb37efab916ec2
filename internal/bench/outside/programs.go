package outside

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
)

// This file reads the programs.

//go:embed programs
var files embed.FS

// Set is a set of programs: the sixty, or those of a folder with the same layout.
type Set struct {
	files fs.FS
	root  string // its folder in files
}

// Sixty returns the programs that are part of gulo.
func Sixty() *Set { return &Set{files, "programs"} }

// Folder returns the programs of a folder: its subfolders that hold a faulty.c.
func Folder(dir string) *Set { return &Set{os.DirFS(dir), "."} }

// Program is a program with its faults.
type Program struct {
	Name          string
	Right, Faulty string // texts
	Reference     string // another program for the same task, written separately; "": none
	Faults        []Fault
	Double        bool
	Failing       string // name of the run that shows the fault
	Tests         []Run
	Inputs        *Grammar
	Contracts     []string // contract files, one for each function
	asserts       []asserted
	from          *Set
}

// Fault is a place in faulty.c. A double fault has two or more; so has a fault of two statements in the wrong order.
type Fault struct {
	From, To int  // lines
	Gap      bool // something is missing between lines From and To
	Words    string
}

// Covers reports whether a reader who looks at this line sees the fault.
func (f Fault) Covers(line int) bool {
	if f.Gap {
		return line == f.From || line == f.To
	}
	return line >= f.From && line <= f.To
}

// Run is one run of a program; Stdout and Exit are set for tests.
type Run struct {
	Name   string
	Args   []string
	Stdin  string
	Stdout string
	Exit   int
}

func (r Run) String() string {
	s := strings.Join(r.Args, " ")
	if r.Stdin != "" {
		s = strings.TrimSpace(fmt.Sprintf("%s < %q", s, r.Stdin))
	}
	return s
}

// Names lists the sixty.
func Names() []string {
	names, err := Sixty().Names()
	if err != nil {
		panic(err) // they are embedded
	}
	return names
}

// Names lists the programs of a set, sorted.
func (s *Set) Names() ([]string, error) {
	list, err := fs.Glob(s.files, path.Join(s.root, "*", "faulty.c"))
	if err != nil {
		return nil, err
	}
	var out []string
	for _, f := range list {
		out = append(out, path.Base(path.Dir(f)))
	}
	return out, nil
}

// Open reads one of the sixty.
func Open(name string) (*Program, error) { return Sixty().Open(name) }

// Open reads a program.
func (s *Set) Open(name string) (*Program, error) {
	p := &Program{Name: name, from: s}
	dir := path.Join(s.root, name)
	var about, grammar string
	for file, to := range map[string]*string{"right.c": &p.Right, "faulty.c": &p.Faulty, "fault.txt": &about, "inputs.txt": &grammar} {
		text, err := fs.ReadFile(s.files, path.Join(dir, file))
		if err != nil {
			return nil, fmt.Errorf("there is no program %q: %w", name, err)
		}
		*to = string(text)
	}
	text, err := fs.ReadFile(s.files, path.Join(dir, "reference.c"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	p.Reference = string(text)
	if err := p.about(about); err != nil {
		return nil, fmt.Errorf("%s/fault.txt: %w", dir, err)
	}
	if p.Inputs, err = ParseGrammar(grammar); err != nil {
		return nil, fmt.Errorf("%s/inputs.txt: %w", dir, err)
	}
	if p.Tests, err = s.tests(path.Join(dir, "tests")); err != nil {
		return nil, err
	}
	if err := p.said(dir); err != nil {
		return nil, err
	}
	if p.Test(p.Failing) == nil {
		return nil, fmt.Errorf("%s: the run %q that is said to fail is not among the tests", dir, p.Failing)
	}
	return p, nil
}

// about reads fault.txt.
func (p *Program) about(text string) error {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	if len(lines) < 3 {
		return fmt.Errorf("three lines are wanted at least")
	}
	switch lines[0] {
	case "single":
	case "double":
		p.Double = true
	default:
		return fmt.Errorf("%q is neither single nor double", lines[0])
	}
	var ok bool
	if p.Failing, ok = strings.CutPrefix(lines[1], "failing: "); !ok {
		return fmt.Errorf("%q does not name a failing run", lines[1])
	}
	for _, l := range lines[2:] {
		head, words, ok := strings.Cut(l, ": ")
		kind, place, ok2 := strings.Cut(head, " ")
		if !ok || !ok2 || kind != "line" && kind != "gap" {
			return fmt.Errorf("%q is no place of a fault", l)
		}
		from, to, several := strings.Cut(place, "-")
		if !several {
			to = from
		}
		f := Fault{Gap: kind == "gap", Words: words}
		var err1, err2 error
		f.From, err1 = strconv.Atoi(from)
		f.To, err2 = strconv.Atoi(to)
		if err1 != nil || err2 != nil {
			return fmt.Errorf("%q is no place of a fault", l)
		}
		p.Faults = append(p.Faults, f)
	}
	return nil
}

// tests reads a folder of runs.
func (s *Set) tests(dir string) ([]Run, error) {
	outs, err := fs.Glob(s.files, dir+"/*.out")
	if err != nil {
		return nil, err
	}
	var out []Run
	for _, o := range outs {
		base := strings.TrimSuffix(o, ".out")
		read := func(ext string) string {
			text, err := fs.ReadFile(s.files, base+ext)
			if err != nil {
				return "" // it may be missing
			}
			return string(text)
		}
		r := Run{Name: path.Base(base), Args: strings.Fields(read(".args")), Stdin: read(".in"), Stdout: read(".out")}
		if s := strings.TrimSpace(read(".exit")); s != "" {
			if r.Exit, err = strconv.Atoi(s); err != nil {
				return nil, fmt.Errorf("%s.exit holds %q", base, s)
			}
		}
		out = append(out, r)
	}
	return out, nil
}

// Test returns the run with a name; nil if there is none.
func (p *Program) Test(name string) *Run {
	for i := range p.Tests {
		if p.Tests[i].Name == name {
			return &p.Tests[i]
		}
	}
	return nil
}

// Write writes a program to a folder: right.c, faulty.c, reference.c and contracts if there are any, the folder tests,
// and the folder failing with the one run that shows the fault.
func (p *Program) Write(dir string) error {
	texts := map[string]string{"right.c": p.Right, "faulty.c": p.Faulty}
	if p.Reference != "" {
		texts["reference.c"] = p.Reference
	}
	for n, text := range p.Contracts {
		texts[contractName(n)] = text
	}
	runs := path.Join(p.from.root, p.Name, "tests")
	list, err := fs.ReadDir(p.from.files, runs)
	if err != nil {
		return err
	}
	for _, e := range list {
		text, err := fs.ReadFile(p.from.files, path.Join(runs, e.Name()))
		if err != nil {
			return err
		}
		texts[filepath.Join("tests", e.Name())] = string(text)
		if strings.TrimSuffix(e.Name(), path.Ext(e.Name())) == p.Failing {
			texts[filepath.Join("failing", e.Name())] = string(text)
		}
	}
	for _, folder := range []string{"tests", "failing"} {
		if err := os.Mkdir(filepath.Join(dir, folder), 0o755); err != nil {
			return err
		}
	}
	for name, text := range texts {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// CodeLines counts the lines of a text that hold more than a brace, a comment or a preprocessor directive.
func CodeLines(text string) int {
	n, comment := 0, false
	for _, l := range strings.Split(text, "\n") {
		l = strings.TrimSpace(l)
		switch {
		case comment:
			comment = !strings.Contains(l, "*/")
		case strings.HasPrefix(l, "/*"):
			comment = !strings.Contains(l, "*/")
		case l == "" || strings.Trim(l, "{};") == "" || l[0] == '#':
		default:
			n++
		}
	}
	return n
}
