package pipeline

import (
	"context"

	"gulo/internal/job"
	"gulo/internal/logic"
	"gulo/internal/smt"
)

// Job is what is to be repaired, and Spec what is right.
type (
	Job  = job.Job
	Spec = job.Spec
	// Space says how outputs are compared.
	Space = job.Space
	// Texts are programs that were read.
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

// forLogic is the job for logic, which takes one of a reference, a contract and assertions;
// those it executes anyway.
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

// evidence is the job for evidence of a contract.
func evidence(j *job.Job) *job.Job {
	r := *j
	if r.Folder() {
		r.Tests = "" // whole runs are no calls; they judge what is found
	}
	return &r
}

// wantsLogic reports whether logic is to be asked. Assertions and contracts always are its
// business; a reference is unless the program's data are linked.
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
