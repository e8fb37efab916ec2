package cases

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/job"
	"gulo/internal/lower"
	"gulo/internal/oracle"
	"gulo/internal/process"
)

// This file distinguishes variants of a program from the program.

// Teller knows what a program does on generated inputs of its functions and in one whole run.
type Teller struct {
	calls map[string][]*oracle.State // by function
	prog  *lower.Program
	whole []oracle.Test
}

// NewTeller prepares the comparison with a program. args are the arguments of the whole run. It is a usage error if
// there is nothing to compare.
func NewTeller(ctx context.Context, p *lower.Program, funcs []*cfront.Func, args []string) (*Teller, error) {
	j := &Teller{calls: map[string][]*oracle.State{}, prog: p}
	for _, f := range funcs {
		im, err := oracle.Entered(ctx, p, f, oracle.Start{Args: args})
		if err != nil {
			return nil, err
		}
		if im == nil || !oracle.Shaped(im, f) {
			if made := oracle.Synthesize(p, f); made != nil {
				im = made
			}
		}
		if im == nil {
			continue
		}
		if states, why := oracle.Inputs(im, f, 40, 1); why == "" {
			j.calls[f.Name] = states
		}
	}
	if p.IR.Main >= 0 {
		t, _, ok, err := oracle.Expect(p, "the run of main", args, "", -1)
		if err != nil {
			return nil, err
		}
		if ok {
			j.whole = append(j.whole, t)
		}
	}
	if len(j.calls)+len(j.whole) == 0 {
		return nil, job.Usage("there is nothing to tell variants by: no inputs can be made and main cannot be run")
	}
	return j, nil
}

// Tells returns an input on which a variant differs from the program. It is "" if there is none or the variant does not
// compile.
func (j *Teller) Tells(ctx context.Context, text string, opt cfront.Options) (string, error) {
	dir, err := process.TempDir("gulo-inject")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "variant.c")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		return "", err
	}
	p, err := lower.Load(ctx, []string{path}, opt.As(path, j.prog.Tree.Files[0].Name))
	if err != nil {
		return "", ctx.Err() // gcc rejects it
	}
	for _, f := range Written(p) {
		states := j.calls[f.Name]
		if len(states) == 0 {
			continue
		}
		ref := &oracle.Reference{Prog: j.prog, Entry: j.prog.Tree.Func(f.Name)}
		s, _, err := ref.Suite(p, states)
		if err != nil {
			return "", err
		}
		c, err := firstFailing(s)
		if err != nil {
			return "", err
		}
		if c != nil {
			return strings.TrimSpace(fmt.Sprintf("%s: %s", f.Name, c.Name)), nil
		}
	}
	c, err := firstFailing(oracle.Runs(p, j.whole, 0))
	if err != nil || c == nil {
		return "", err
	}
	return c.Name, nil
}

// firstFailing returns the first case that a suite's program fails, or nil.
func firstFailing(s *oracle.Suite) (*oracle.Case, error) {
	run, err := oracle.NewRunner(s)
	if err != nil {
		return nil, err
	}
	for _, c := range s.Cases {
		r, err := run.Run(c, nil)
		if err != nil {
			return nil, err
		}
		if !r.Meets(c.Want) {
			return c, nil
		}
	}
	return nil, nil
}
