package cases

import (
	"fmt"
	"slices"

	"gulo/internal/job"
	"gulo/internal/lower"
	"gulo/internal/oracle"
	"gulo/internal/source"
)

// This file decides whether white space at the ends of lines and of outputs counts.

// Judged makes tests those of a judge: such white space does not count.
func Judged(tests []oracle.Test) {
	for i := range tests {
		t := &tests[i]
		t.Stdout, t.Judged = source.Judged(t.Stdout), true
	}
}

// Printed is what a program prints on a test.
type Printed struct {
	Got   string
	Ended bool // otherwise it says nothing of white space
	Exit  int
}

// JudgedBy reports whether tests are to be compared as judges do, by what a program prints on them: where every
// failing test differs in white space that judges do not count, whatever else it differs in. Where some tests
// are met to the last blank and others differ in white space alone, the white space is what is wrong.
func JudgedBy(tests []oracle.Test, printed []Printed) bool {
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
	return besides > 0 || alone > 0 && met == 0
}

// ApartInSpace says which two tests have the same input and outputs that differ in white space that judges do not count.
// It is empty where there are none, or where tests contradict each other besides.
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

// load reads a folder of whole runs, whose outputs are compared as the job says. Where it leaves that
// open, the program on the tests tells, or the reference where there is one, and the job says it from then on.
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

// Spaced says that white space does not count, since it is what somebody's output differs in.
func Spaced(who string) string {
	return fmt.Sprintf("white space at the ends of lines and outputs does not count, since %s differs in it on every test that is not met; --space exact counts it", who)
}

// decide says how outputs are compared.
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
	if err == nil && JudgedBy(tests, printed) {
		t.judge(Spaced(who))
	}
	return err
}

// judge has outputs compared as judges do, and says why.
func (t *Set) judge(why string) {
	t.Job.Space, t.Spaced = job.SpaceJudge, why
	t.Notes = append(t.Notes, why)
}

// printedBy runs a program on tests, on the machine.
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
