package outside

import (
	"embed"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// This file reads the programs.

//go:embed programs
var files embed.FS

// Program is one of the sixty.
type Program struct {
	Name          string
	Right, Faulty string // texts
	Faults        []Fault
	Double        bool
	Failing       string // name of the run that shows it
	Tests         []Run
	Inputs        *Grammar
}

// Fault is a place in faulty.c. A double fault has two or more, a fault of two
// statements in the wrong order has two as well.
type Fault struct {
	From, To int  // lines
	Gap      bool // something is missing between the two
	Words    string
}

// Covers reports whether a reader who is shown this line has been shown the fault.
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

// Names lists the programs.
func Names() []string {
	list, err := files.ReadDir("programs")
	if err != nil {
		panic(err) // it is embedded
	}
	var out []string
	for _, e := range list {
		out = append(out, e.Name())
	}
	return out
}

// Open reads a program.
func Open(name string) (*Program, error) {
	p := &Program{Name: name}
	dir := "programs/" + name + "/"
	var about, grammar string
	for file, to := range map[string]*string{"right.c": &p.Right, "faulty.c": &p.Faulty, "fault.txt": &about, "inputs.txt": &grammar} {
		text, err := files.ReadFile(dir + file)
		if err != nil {
			return nil, fmt.Errorf("there is no program %q: %w", name, err)
		}
		*to = string(text)
	}
	if err := p.about(about); err != nil {
		return nil, fmt.Errorf("%sfault.txt: %w", dir, err)
	}
	var err error
	if p.Inputs, err = ParseGrammar(grammar); err != nil {
		return nil, fmt.Errorf("%sinputs.txt: %w", dir, err)
	}
	p.Tests, err = tests(dir + "tests")
	return p, err
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
func tests(dir string) ([]Run, error) {
	outs, err := fs.Glob(files, dir+"/*.out")
	if err != nil {
		return nil, err
	}
	var out []Run
	for _, o := range outs {
		base := strings.TrimSuffix(o, ".out")
		read := func(ext string) string {
			text, err := files.ReadFile(base + ext)
			if err != nil {
				return "" // it may be missing
			}
			return string(text)
		}
		r := Run{Name: filepath.Base(base), Args: strings.Fields(read(".args")), Stdin: read(".in"), Stdout: read(".out")}
		if s := strings.TrimSpace(read(".exit")); s != "" {
			if r.Exit, err = strconv.Atoi(s); err != nil {
				return nil, fmt.Errorf("%s.exit holds %q", base, s)
			}
		}
		out = append(out, r)
	}
	return out, nil
}

// Test returns the run of a name.
func (p *Program) Test(name string) *Run {
	for i := range p.Tests {
		if p.Tests[i].Name == name {
			return &p.Tests[i]
		}
	}
	return nil
}

// Write lays a program out in a folder: right.c, faulty.c and tests.
func (p *Program) Write(dir string) error {
	if err := os.Mkdir(filepath.Join(dir, "tests"), 0o755); err != nil {
		return err
	}
	put := func(name, text string) error {
		return os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644)
	}
	if err := put("right.c", p.Right); err != nil {
		return err
	}
	if err := put("faulty.c", p.Faulty); err != nil {
		return err
	}
	list, err := files.ReadDir("programs/" + p.Name + "/tests")
	if err != nil {
		return err
	}
	for _, e := range list {
		text, err := files.ReadFile("programs/" + p.Name + "/tests/" + e.Name())
		if err != nil {
			return err
		}
		if err := put("tests/"+e.Name(), string(text)); err != nil {
			return err
		}
	}
	return nil
}

// CodeLines counts the lines of a text that hold more than a brace, a comment or a
// directive of the preprocessor.
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
