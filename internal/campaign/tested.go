package campaign

import (
	"context"
	"strings"

	"gulo/internal/lower"
	"gulo/internal/native"
	"gulo/internal/oracle"
)

// This file is the table of tests of a submission as it was handed in: what each prints
// beside what it should, where they part, and which line printed that.

// Tested is a test of a submission as it was handed in.
type Tested struct {
	Name string `json:"name"`
	Met  bool   `json:"met"`

	// Of tests that are not met:
	Args  []string `json:"args,omitempty"`
	Stdin string   `json:"stdin,omitempty"`
	Want  string   `json:"want,omitempty"`
	Got   string   `json:"got,omitempty"`
	At    int      `json:"at"`              // the first byte in which Got differs from Want
	Line  int      `json:"line,omitempty"`  // that printed it, or what stands before it; 0: nobody knows
	File  string   `json:"file,omitempty"`  // where that line is, of a submission of several files
	Ended string   `json:"ended,omitempty"` // "exits with 1", where that is what is wrong
}

// Bounds of what is kept of a test.
const (
	mostTested  = 40   // tests
	mostFailing = 6    // of which the texts are kept
	longTested  = 1200 // bytes of a text
)

// tested notes what a test came to.
func (j *job) tested(t *oracle.Test, r *native.Process) {
	if len(j.out.Tests) == mostTested {
		return
	}
	x := Tested{Name: t.Name, Met: r.Differs(t.Stdout, t.Exit) == ""}
	if !x.Met {
		if j.failing++; j.failing <= mostFailing {
			x.Args, x.Stdin, x.Want, x.Got = t.Args, clip(t.Stdin), clip(t.Stdout), clip(r.Stdout)
			x.At = parts(t.Stdout, r.Stdout)
		}
		if r.Stopped != "" || r.Status != t.Exit {
			x.Ended = r.String()
		}
	}
	j.out.Tests = append(j.out.Tests, x)
}

func clip(s string) string {
	if len(s) > longTested {
		return s[:longTested] + "…"
	}
	return s
}

// parts returns the first byte in which two texts differ.
func parts(a, b string) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}

// printers finds the lines that printed what is not wanted, on the machine. What cannot be
// run there has none.
func (j *job) printers(ctx context.Context) {
	var list []oracle.Test
	var at []int
	for i := range j.out.Tests {
		x := &j.out.Tests[i]
		for _, t := range j.runs {
			if t.Name == x.Name && !x.Met && (x.Got != "" || x.Want != "") {
				list, at = append(list, t), append(at, i)
			}
		}
	}
	if len(list) == 0 {
		return
	}
	p, err := lower.Load(ctx, j.files, j.options())
	if err != nil || p.IR.Main < 0 {
		return
	}
	suite := oracle.Runs(p, list, 0)
	run, err := oracle.NewRunner(suite)
	if err != nil {
		return
	}
	for k, c := range suite.Cases {
		x := &j.out.Tests[at[k]]
		if s, err := run.Printer(c, x.At); err == nil && s != nil && j.texts[s.Range.File.Name] != "" {
			x.Line = s.Range.Position().Line
			if len(j.files) > 1 {
				x.File = strings.TrimPrefix(s.Range.File.Name, j.dir+"/")
			}
		}
	}
}

// in names the file of the line, where a submission has several.
func (t *Tested) in() string {
	if t.File == "" {
		return ""
	}
	return " of " + t.File
}
