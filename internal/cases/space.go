package cases

import (
	"fmt"
	"slices"

	"gulo/internal/job"
	"gulo/internal/lower"
	"gulo/internal/oracle"
	"gulo/internal/source"
)

// This file decides whether white space at the ends of lines and of the output counts.

// Judged changes tests so that white space at the ends of lines and of the output does not count, as with most judges.
func Judged(tests []oracle.Test) {
	for i := range tests {
		t := &tests[i]
		t.Stdout, t.Judged = source.Judged(t.Stdout), true
	}
}

// Printed is what a program prints on a test.
type Printed struct {
	Got   string
	Ended bool // false: it says nothing about white space
	Exit  int
}

// JudgedBy reports whether tests should be compared as judges do, given what a program prints on them. That is so if
// every failing test differs in white space that judges ignore, whatever else it differs in. But if some tests are met
// exactly and the others differ in white space only, then the white space is what is wrong, unless the program is said
// to be right.
func JudgedBy(tests []oracle.Test, printed []Printed, right bool) bool {
	met, alone, besides := 0, 0, 0
	for i, p := range printed {
		t := &tests[i]
		switch {
		case t.Any || !p.Ended || p.Got == "":
		case p.Got == t.Stdout && p.Exit == t.Exit:
			met++
		case !source.Noise(p.Got, t.Stdout):
			return false
		case source.Judged(p.Got) == source.Judged(t.Stdout) && p.Exit == t.Exit:
			alone++
		default:
			besides++
		}
	}
	return besides > 0 || alone > 0 && (met == 0 || right)
}

// ApartInSpace names two tests that have the same input and outputs that differ only in white space that judges ignore.
// It is empty if there are none, or if tests also contradict each other otherwise.
func ApartInSpace(tests []oracle.Test) string {
	one, other := contradiction(tests)
	if one == nil {
		return ""
	}
	loose := slices.Clone(tests)
	Judged(loose)
	if still, _ := contradiction(loose); still != nil {
		return ""
	}
	return fmt.Sprintf("tests %s and %s have the same input and differ in nothing else", one.Name, other.Name)
}

// load reads a folder of whole runs, whose outputs are compared as the job says. If the job leaves that open, load
// decides it by the tests and what the program, or the reference if there is one, prints on them, and sets it in the
// job.
func (t *Set) load(dir string) ([]oracle.Test, error) {
	tests, err := LoadTests(dir)
	if err != nil {
		return nil, err
	}
	if t.Job.Space == job.SpaceAuto {
		if err := t.decide(tests); err != nil {
			return nil, err
		}
	}
	if t.Job.Space == job.SpaceJudge {
		Judged(tests)
	}
	if t.Job.Spaced != "" && t.Spaced == "" {
		t.Spaced = t.Job.Spaced
		t.Notes = append(t.Notes, t.Spaced)
	}
	return tests, nil
}

// Spaced returns the note that white space does not count because the output of who differs in it.
func Spaced(who string) string {
	return fmt.Sprintf("white space at the ends of lines and outputs does not count, since %s differs in it on every test that is not met; --space exact counts it", who)
}

// decide decides how outputs are compared.
func (t *Set) decide(tests []oracle.Test) error {
	if why := ApartInSpace(tests); why != "" {
		t.judge(fmt.Sprintf("white space at the ends of lines and outputs does not count, since %s; --space exact counts it", why))
		return nil
	}
	prog, who := t.Prog, "the program's output"
	if t.Ref != nil {
		prog, who = t.Ref.Prog, "the reference's output"
	}
	if t.Job.Space = job.SpaceExact; prog.IR.Main < 0 {
		return nil
	}
	printed, err := printedBy(prog, tests)
	if err == nil && JudgedBy(tests, printed, t.Ref != nil) {
		t.judge(Spaced(who))
	}
	return err
}

// judge makes outputs be compared as judges do, and notes why.
func (t *Set) judge(why string) {
	t.Job.Space, t.Spaced = job.SpaceJudge, why
	t.Notes = append(t.Notes, why)
}

// printedBy runs a program on tests on the abstract machine (package machine), and returns what it prints on each.
func printedBy(prog *lower.Program, tests []oracle.Test) ([]Printed, error) {
	s := oracle.Runs(prog, tests, 0)
	run, err := oracle.NewRunner(s)
	if err != nil {
		return nil, err
	}
	out := make([]Printed, len(tests))
	for i, c := range s.Cases {
		r, err := run.Run(c, nil)
		if err != nil {
			return nil, err
		}
		out[i] = Printed{r.Output, r.Fault == nil, r.Status}
	}
	return out, nil
}
