package campaign

import (
	"slices"
	"strings"

	"gulo/internal/cases"
	"gulo/internal/native"
	"gulo/internal/oracle"
	"gulo/internal/pipeline"
	"gulo/internal/source"
)

// This file decides whether white space at the ends of lines and of outputs counts. It is decided once for a class: by
// what the reference prints on the tests, or without a reference by the expected outputs.

// byTests decides by the expected outputs if there is no reference. Outputs without a last newline, or with carriage
// returns, suggest that their author ignores such white space. It returns why white space does not count, or "".
func byTests(tests []oracle.Test) string {
	told := func(t oracle.Test) bool { return t.Stdout != "" }
	bare := func(t oracle.Test) bool { return told(t) && !strings.HasSuffix(t.Stdout, "\n") }
	switch {
	case slices.ContainsFunc(tests, func(t oracle.Test) bool { return strings.Contains(t.Stdout, "\r\n") }):
		return "the tests' outputs have carriage returns"
	case slices.ContainsFunc(tests, told) && !slices.ContainsFunc(tests, func(t oracle.Test) bool { return told(t) && !bare(t) }):
		return "no output that the tests want ends with a newline"
	}
	return cases.ApartInSpace(tests)
}

// space returns how outputs are compared for a question: as when its submissions are judged.
func (q *Question) space(dir string) (pipeline.Space, error) {
	tests, err := cases.LoadTests(dir)
	if err != nil || pipeline.Space(q.Space) == pipeline.SpaceJudge || q.Space == "" && byTests(tests) != "" {
		return pipeline.SpaceJudge, err
	}
	return pipeline.SpaceExact, nil
}

// Spaced says why white space at the ends of lines and outputs does not count in a class. It returns "" if it counts or
// the teacher decided.
func (s *Summary) Spaced() string {
	for _, o := range s.Outcomes {
		if o.Spaced != "" {
			return o.Spaced
		}
	}
	return ""
}

// judged makes white space at the ends of lines and outputs not count from now on.
func (j *job) judged(why string) {
	j.space = pipeline.SpaceJudge
	j.out.Spaced = why
	cases.Judged(j.runs)
}

// asTests makes a run of the reference compare white space as the tests do.
func (j *job) asTests(t *oracle.Test) {
	if t.Judged = j.space == pipeline.SpaceJudge; t.Judged {
		t.Stdout = source.Judged(t.Stdout)
	}
}

// prints returns a run in the form in which it is compared with a test.
func prints(r *native.Process, t *oracle.Test) *native.Process {
	if !t.Judged {
		return r
	}
	out := *r
	out.Stdout = source.Judged(r.Stdout)
	return &out
}
