package bench

import (
	"context"
	"fmt"
	"io"
	"math/rand"
	"os"
	"path/filepath"
	"slices"
	"time"

	"gulo/internal/batch"
	"gulo/internal/ensure"
	"gulo/internal/fault"
	"gulo/internal/formal"
)

// This file sets localization methods side by side, on programs with contracts whose
// right text is a reference, too: by which rank the faulty line is named.

var locateMethods = []string{"evidence", "diagnosis", "spectrum"}

// localized is what the methods say of one fault.
type localized struct {
	program string
	kind    fault.Kind
	lines   int // of the function
	rank    map[string]float64
	took    map[string]time.Duration
}

// Locate prints where methods rank the faulty line, by kind of fault and size of the
// program. sample bounds the faults of a program.
func Locate(ctx context.Context, w io.Writer, o Options, sample int, only []string, progress func(string)) error {
	dir, err := os.MkdirTemp("", "gulo-locate-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	var all []localized
	left := 0
	for i, name := range ContractNames() {
		if len(only) > 0 && !slices.Contains(only, name) {
			continue
		}
		text, err := contracts.ReadFile("contracts/" + name + ".c")
		if err != nil {
			return err
		}
		right := filepath.Join(dir, name+".c")
		if err := os.WriteFile(right, text, 0o600); err != nil {
			return err
		}
		faults, err := contractFaults(ctx, right)
		if err != nil {
			return err
		}
		rand.New(rand.NewSource(o.Seed+int64(i))).Shuffle(len(faults), func(a, b int) { faults[a], faults[b] = faults[b], faults[a] })
		n := 0
		for _, f := range faults {
			if n >= sample {
				break
			}
			if progress != nil {
				progress(fmt.Sprintf("%s, fault %d", name, n+1))
			}
			l, err := locateOne(ctx, o, dir, right, name, f)
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			if l == nil {
				left++
				continue
			}
			n++
			all = append(all, *l)
		}
	}
	fmt.Fprintf(w, "%-28s %5s", "", "")
	for _, m := range locateMethods {
		fmt.Fprintf(w, " %29s", m)
	}
	fmt.Fprintf(w, "\n%-28s %5s", "", "n")
	for range locateMethods {
		fmt.Fprintf(w, " %29s", "first  in 3  named  median ms")
	}
	fmt.Fprintln(w)
	group := func(label string, in func(localized) bool) {
		var list []localized
		for _, l := range all {
			if in(l) {
				list = append(list, l)
			}
		}
		if len(list) > 0 {
			locateRow(w, label, list)
		}
	}
	group("all", func(localized) bool { return true })
	for _, k := range []fault.Kind{fault.Operator, fault.Variable, fault.Constant, fault.Field} {
		group("kind: "+string(k), func(l localized) bool { return l.kind == k })
	}
	group("up to 12 lines", func(l localized) bool { return l.lines <= 12 })
	group("more than 12 lines", func(l localized) bool { return l.lines > 12 })
	fmt.Fprintf(w, "%d draws keep the contract and are left out; ties count with their average rank; diagnosis has the right text as a reference\n", left)
	return nil
}

func locateRow(w io.Writer, label string, list []localized) {
	fmt.Fprintf(w, "%-28s %5d", label, len(list))
	for _, m := range locateMethods {
		first, three, named := 0, 0, 0
		var took []float64
		for _, l := range list {
			took = append(took, float64(l.took[m].Microseconds())/1000)
			r, ok := l.rank[m]
			switch {
			case !ok:
				continue
			case r < 1.5:
				first++
				three++
			case r <= 3:
				three++
			}
			named++
		}
		pc := func(n int) float64 { return 100 * float64(n) / float64(len(list)) }
		fmt.Fprintf(w, " %4.0f %% %4.0f %% %4.0f %% %9.0f", pc(first), pc(three), pc(named), middle(took))
	}
	fmt.Fprintln(w)
}

// locateOne asks all methods about one fault; nil when no test shows it.
func locateOne(ctx context.Context, o Options, dir, right, name string, f contractFault) (*localized, error) {
	file := filepath.Join(dir, "faulty.c")
	if err := os.WriteFile(file, []byte(f.text), 0o600); err != nil {
		return nil, err
	}
	l := &localized{program: name, kind: f.kind, rank: map[string]float64{}, took: map[string]time.Duration{}}
	for _, c := range f.text {
		if c == '\n' {
			l.lines++
		}
	}
	begin := time.Now()
	rank, rep, err := ensure.Locate(ctx, &ensure.Request{Files: []string{file}, Limit: o.Limit, Seed: o.Seed, Spectrum: true})
	if err != nil {
		return nil, err
	}
	if rep.Result != "" {
		return nil, nil
	}
	l.took["evidence"], l.took["spectrum"] = time.Since(begin), time.Since(begin)
	l.note("evidence", rank.Ranking, f.line)
	l.note("spectrum", rep.Spectrum, f.line)
	begin = time.Now()
	limited, cancel := context.WithTimeout(ctx, max(o.Limit, 10*time.Second))
	defer cancel()
	rank, _, err = formal.Locate(limited, &formal.Request{Files: []string{file}, Reference: []string{right}, Limit: o.Limit, Seed: o.Seed, Size: 1})
	l.took["diagnosis"] = time.Since(begin)
	if err == nil && rank != nil {
		l.note("diagnosis", rank.Ranking, f.line)
	}
	return l, ctx.Err()
}

// note keeps the rank of a line: of several entries of it the best.
func (l *localized) note(method string, list []batch.Suspect, line int) {
	seen := map[int]bool{}
	n := 0.0
	for _, s := range list {
		if seen[s.Line] {
			continue
		}
		seen[s.Line] = true
		n++
		r := n
		if x, ok := s.Ranks["ochiai"]; ok {
			r = x
		}
		if s.Line == line {
			l.rank[method] = r
			return
		}
	}
}
