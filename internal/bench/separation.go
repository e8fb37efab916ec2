package bench

import (
	"context"
	"embed"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"

	"gulo/internal/job"
	"gulo/internal/logic"
	"gulo/internal/plural"
	"gulo/internal/process"
	"gulo/internal/report"
	"gulo/internal/timing"
)

// This file measures correction by logic on a controller with 41 mutants, as Table I of Koenighofer and Bloem
// ("Automated Error Localization and Correction for Imperative Programs") does on TCAS. The program and its mutants are
// our own.

//go:embed separation
var separation embed.FS

// Mutant is a faulty variant of the controller.
type Mutant struct {
	Name, Kind, Text string
}

var mutantHead = regexp.MustCompile(`^(\d+) (.*)$`)

// Mutants returns the controller and its faulty variants. It fails if the list of mutants is wrong: each replaced text
// must occur once in the program.
func Mutants() (program string, list []Mutant, err error) {
	text, err := separation.ReadFile("separation/separation.c")
	if err != nil {
		return "", nil, err
	}
	edits, err := separation.ReadFile("separation/mutants.txt")
	if err != nil {
		return "", nil, err
	}
	program = string(text)
	var old, new []string // of the current mutant
	end := func() error {
		if len(list) == 0 {
			return nil
		}
		m := &list[len(list)-1]
		m.Text = program
		for i := range old {
			if strings.Count(m.Text, old[i]) != 1 {
				return fmt.Errorf("mutant %s: %q does not stand in the program once", m.Name, old[i])
			}
			m.Text = strings.Replace(m.Text, old[i], new[i], 1)
		}
		old, new = nil, nil
		return nil
	}
	var to *[]string
	for _, line := range strings.Split(string(edits), "\n") {
		h := mutantHead.FindStringSubmatch(line)
		switch {
		case strings.HasPrefix(line, "#"), line == "":
		case h != nil:
			if err := end(); err != nil {
				return "", nil, err
			}
			list = append(list, Mutant{Name: h[1], Kind: h[2]})
		case strings.HasPrefix(line, "- "):
			to = &old
			old = append(old, line[2:])
		case strings.HasPrefix(line, "+ "):
			to = &new
			new = append(new, line[2:])
		default:
			(*to)[len(*to)-1] += "\n" + line
		}
	}
	return program, list, end()
}

// mutantRun is a line of the table.
type mutantRun struct {
	rep, plain *logic.Answer
}

// Separation prints the table: diagnoses and repairs of each mutant and, with plain, repairs without the heuristics and
// the neighbourhood, as in the paper.
func Separation(ctx context.Context, w io.Writer, o Options, plain bool, progress func(string)) error {
	dir, err := process.TempDir("gulo-separation-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	program, list, err := Mutants()
	if err != nil {
		return err
	}
	inputs, err := separation.ReadFile("separation/inputs.json")
	if err != nil {
		return err
	}
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err == nil {
			err = os.WriteFile(path, []byte(text), 0o600)
		}
		return path
	}
	right, in := write("right.c", program), write("inputs.json", string(inputs))
	fmt.Fprintf(w, "%-4s %-26s %9s %9s %10s %9s %s\n", "", "kind", "diagnosis", "diagnoses", "repair", "checks", "first repair")
	var runs []mutantRun
	for _, m := range list {
		name := write("mutant"+m.Name+".c", m.Text)
		if err != nil {
			return err
		}
		if progress != nil {
			progress("mutant " + m.Name)
		}
		req := job.Job{Files: []string{name}, Spec: job.Spec{Reference: []string{right}}, Entry: "advise", Inputs: in, Limit: o.Limit, Seed: o.Seed, Logic: job.Logic{Random: 1000}}
		rep, err := logic.Fix(ctx, &req)
		if err != nil {
			return fmt.Errorf("mutant %s: %w", m.Name, err)
		}
		run := mutantRun{rep: rep}
		if plain {
			req.Plain, req.Meek, req.NoNear, req.Random, req.NoConditions = true, true, true, -1, true
			if run.plain, err = logic.Fix(ctx, &req); err != nil {
				return fmt.Errorf("mutant %s: %w", m.Name, err)
			}
		}
		runs = append(runs, run)
		fmt.Fprintf(w, "%-4s %-26s %6.0f ms %9d %7.0f ms %6.0f ms %s\n", m.Name, m.Kind, rep.Times.Diagnosis, len(rep.Diagnoses), rep.Times.Repair, rep.Times.Check, firstRepair(rep))
	}
	summary(w, runs)
	return nil
}

func firstRepair(rep *logic.Answer) string {
	if len(rep.Repairs) == 0 {
		return rep.Result + ": " + rep.Cause
	}
	var parts []string
	for _, e := range rep.Repairs[0].Edits {
		parts = append(parts, fmt.Sprintf("%d: %s", e.Line, e.After))
	}
	return rep.Proof + "; " + strings.Join(parts, "; ")
}

func summary(w io.Writer, runs []mutantRun) {
	repaired, proved, plain, tried := 0, 0, 0, 0
	var diagnosis, repair, count []float64
	for _, r := range runs {
		diagnosis = append(diagnosis, r.rep.Times.Diagnosis)
		repair = append(repair, r.rep.Times.Repair)
		count = append(count, float64(len(r.rep.Diagnoses)))
		tried += r.rep.Tried
		if r.rep.Result == report.Repaired {
			repaired++
			if r.rep.Proof == "proved" {
				proved++
			}
		}
		if r.plain != nil && r.plain.Result == report.Repaired {
			plain++
		}
	}
	fmt.Fprintf(w, "\n%d of %d repaired, the first shown proved for all inputs in %d; %s\n", repaired, len(runs), proved, plural.N(tried, "candidate"))
	fmt.Fprintf(w, "median: diagnosis %.0f ms, %.0f diagnoses, repair %.0f ms\n", timing.Median(diagnosis), timing.Median(count), timing.Median(repair))
	if len(runs) > 0 && runs[0].plain != nil {
		fmt.Fprintf(w, "right sides alone, templates alone, without heuristics, as the paper: %d of %d repaired\n", plain, len(runs))
	}
	var own, solver syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &own) == nil && syscall.Getrusage(syscall.RUSAGE_CHILDREN, &solver) == nil {
		fmt.Fprintf(w, "greatest resident memory: %d MiB, of one solver or compiler %d MiB\n", own.Maxrss>>10, solver.Maxrss>>10)
	}
	fmt.Fprintln(w, "the paper: 7 of 8 mutants of TCAS with a fault on a right side repaired, 2 to 5 diagnoses in 70 to 125 s, repair 38 to 271 s (2.0 GHz)")
}
