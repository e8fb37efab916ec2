package locate

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"gulo/internal/cases"
	"gulo/internal/job"
	"gulo/internal/judge"
	"gulo/internal/locate/effects"
	"gulo/internal/process"
)

// This file applies the method of edits if there are no whole runs: calls of a function become runs by a main that is
// appended to the program's text.

// fewCalls bounds the calls on which edits are tried.
const fewCalls = 24

// byEdits makes whole runs from calls.
type byEdits struct{}

func (byEdits) Methods() []string { return []string{"edits"} }

func (byEdits) Accepts(s *search) error {
	if s.Lists["edits"] != nil {
		return errors.New("whole runs told")
	}
	if s.set == nil && s.calls == nil {
		return errors.New("there are no calls of a function")
	}
	return nil
}

func (byEdits) Locate(ctx context.Context, s *search) error {
	s.req.Say("edits")
	defer s.begin("edits")()
	dir, err := process.TempDir("gulo-edits-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	b, err := s.behind(ctx, dir)
	var no *judge.UnwrittenError
	if errors.As(err, &no) {
		s.leave("edits", err.Error())
		return nil
	}
	if b == nil || err != nil {
		return err
	}
	q := *b.Job
	q.Limit = s.left(ctx, 2)
	set, err := cases.OfRuns(ctx, &q, nil)
	var use *job.UsageError
	if errors.As(err, &use) {
		s.leave("edits", use.Error())
		return nil
	}
	if err != nil {
		return err
	}
	list, none, err := effects.Rank(ctx, set, s.left(ctx, 2))
	if err != nil {
		return err
	}
	if len(list) == 0 {
		s.Left["edits"] = none // replaces what was said about whole runs
		return nil
	}
	for i := range list {
		list[i].File = b.Own(list[i].File)
	}
	s.Lists["edits"] = list
	return nil
}

// behind returns the program with an appended main that makes the calls, judged by a contract or a reference. It
// returns nil if no call can be made.
func (s *search) behind(ctx context.Context, dir string) (*judge.Behind, error) {
	if s.calls != nil {
		own := filepath.Join(dir, "contract")
		if err := os.Mkdir(own, 0o700); err != nil {
			return nil, err
		}
		s.calls.Few(fewCalls)
		b, err := s.calls.Runs(ctx, own, true)
		var no *judge.UnwrittenError
		if !errors.As(err, &no) || s.set == nil {
			return b, err
		}
	}
	runs, err := (&judge.Judge{Set: s.set, Until: s.until}).CallRuns(fewCalls)
	if err != nil || runs.Failing == 0 {
		return nil, err
	}
	return runs.Behind(ctx, s.req, dir)
}
