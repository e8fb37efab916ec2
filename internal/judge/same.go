package judge

import (
	"context"
	"errors"
	"time"

	"gulo/internal/job"
	"gulo/internal/lower"
	"gulo/internal/native"
	"gulo/internal/oracle"
)

// sameTime bounds one native run.
const sameTime = time.Second

// Same runs the program natively and returns the runs in which it does what is wanted. It returns none if gcc rejects
// the program.
func Same(ctx context.Context, j *job.Job, p *lower.Program, runs []*oracle.Case) ([]*oracle.Case, error) {
	texts := map[string]string{}
	for _, f := range p.Tree.Files {
		texts[f.Name] = string(f.Text)
	}
	prog, err := native.Build(ctx, texts, native.Config{Units: p.Tree.Units(), Options: j.Options, Unset: true})
	var no *native.CompileError
	if errors.As(err, &no) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer prog.Close()
	tests := make([]native.Test, len(runs))
	for i, c := range runs {
		tests[i] = Test(c)
	}
	ses := &native.Session{}
	ses.Limit(sameTime, 0)
	ses.PrintAll(tests)
	a, err := prog.Run(ctx, ses, time.Duration(len(tests))*sameTime)
	if err != nil {
		return nil, err
	}
	var out []*oracle.Case
	for i := range a.Printed {
		if tests[i].Met(&a.Printed[i]) {
			out = append(out, runs[i])
		}
	}
	return out, nil
}
