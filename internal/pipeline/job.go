package pipeline

import (
	"context"

	"gulo/internal/job"
	"gulo/internal/logic"
	"gulo/internal/smt"
)

// Job says what is to be repaired, Spec what is right.
type (
	Job  = job.Job
	Spec = job.Spec
	// Space says how outputs are compared.
	Space = job.Space
	// Texts are the programs that were read for a job.
	Texts = job.Texts

	UsageError = job.UsageError
)

// Kinds of Space.
const (
	SpaceExact = job.SpaceExact
	SpaceJudge = job.SpaceJudge
	SpaceAuto  = job.SpaceAuto
)

// IsTest is job.IsTest.
func IsTest(name string) bool { return job.IsTest(name) }

// forLogic returns the job for logic, which takes only one of reference, contract and assertions; it checks assertions
// in any case.
func forLogic(j *job.Job) *job.Job {
	r := *j
	switch {
	case len(j.Reference) > 0:
		r.Spec = job.Spec{Reference: j.Reference}
	case j.ByContract():
		r.Spec = job.Spec{Contract: j.Contract, Contracts: j.Contracts}
	default:
		r.Spec = job.Spec{Assert: j.Assert}
	}
	return &r
}

// evidence returns the job for the search by evidence of a contract.
func evidence(j *job.Job) *job.Job {
	r := *j
	if r.Folder() {
		r.Tests = "" // whole runs are not calls; they judge the repairs found
	}
	return &r
}

// wantsLogic reports whether logic is to be asked: always for assertions and contracts, and for a reference unless the
// program's data are linked.
func wantsLogic(ctx context.Context, j *job.Job) (bool, error) {
	s := &j.Spec
	switch {
	case !j.Asks("template"):
		return false, nil
	case j.Alone():
		return true, nil
	case !smt.Available() && (s.ByRuns() || s.ByContract()):
		return false, nil
	case s.Assert && len(s.Reference) == 0:
		return true, nil
	case len(s.Reference) == 0:
		return s.ByContract(), nil
	case s.Tests != "" && !s.Folder():
		return false, nil
	}
	tree, err := j.Tree(ctx)
	if err != nil {
		return false, err
	}
	return logic.Scalar(tree), nil
}
