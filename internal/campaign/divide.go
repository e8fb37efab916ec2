package campaign

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"gulo/internal/native"
	"gulo/internal/pipeline"
	"gulo/internal/plural"
	"gulo/internal/source"
)

// This file finds what the tests of a class without a reference leave open: inputs on which submissions that meet all
// tests, as handed in or as repaired, differ. The teacher decides which is right, since a majority may well be wrong.

// Division is an input on which submissions differ.
type Division struct {
	Input  string   `json:"input"` // the input in one line
	Args   []string `json:"args,omitempty"`
	Stdin  string   `json:"stdin,omitempty"`
	Groups []Group  `json:"groups"` // the largest group first
}

// Group is the submissions that behave alike on the input.
type Group struct {
	Does     string   `json:"does"` // for example: prints "4\n"
	Names    []string `json:"names"`
	Repaired []string `json:"repaired,omitempty"` // names of the group for which the repaired program was run
}

// divided is what is stored for a class: its submissions and the divisions found, with IDs instead of names.
type divided struct {
	IDs       []string
	Asked     []string // the submissions that were compared
	Divisions []Division
}

// mostDivided bounds the submissions that are compared.
const mostDivided = 400

// AskDivided looks for inputs on which submissions that meet the tests differ, in a process with limits, the command
// self. It stores them in the queue. With a reference it does nothing.
func AskDivided(ctx context.Context, self []string, q *Queue, jobs map[string]*Submission) error {
	ask := &Question{Programs: map[string]*Submission{}, Divide: true}
	ids := slices.Sorted(maps.Keys(jobs))
	repaired := map[string]bool{}
	for _, id := range ids {
		s := jobs[id]
		if len(s.Reference) > 0 || len(s.Tests) == 0 {
			return nil
		}
		b, done, err := q.Result(ctx, id)
		if err != nil {
			return err
		}
		var o Outcome
		if ask.Tests, ask.Space = s.Tests, s.Space; !done || len(ask.Programs) == mostDivided || json.Unmarshal(b, &o) != nil {
			continue
		}
		switch {
		case o.Category == Right:
			ask.Programs[id] = s.program()
		case o.Category == Fixed && len(o.Repaired) > 0:
			ask.Programs[id], repaired[id] = s.repaired(o.Repaired), true
		}
	}
	keep := divided{IDs: ids, Asked: slices.Sorted(maps.Keys(ask.Programs))}
	var last divided
	if b, err := q.kept(ctx, dividedKey); err != nil {
		return err
	} else if b != nil && json.Unmarshal(b, &last) == nil && slices.Equal(last.IDs, keep.IDs) && slices.Equal(last.Asked, keep.Asked) {
		return nil
	}
	if len(ask.Programs) > 1 {
		out, err := ask.apart(ctx, self)
		if out == "" || err != nil {
			return err
		}
		if err := json.Unmarshal([]byte(out), &keep.Divisions); err != nil {
			return err
		}
	}
	for i := range keep.Divisions {
		for k := range keep.Divisions[i].Groups {
			g := &keep.Divisions[i].Groups[k]
			g.Repaired = slices.DeleteFunc(slices.Clone(g.Names), func(id string) bool { return !repaired[id] })
		}
	}
	b, err := json.Marshal(keep)
	if err != nil {
		return err
	}
	return q.keep(ctx, dividedKey, b)
}

// dividedKey is the key under which the queue stores the divisions.
const dividedKey = "divided"

// Split looks for such inputs in this process. The divisions name submissions as the question does.
func (q *Question) Split(ctx context.Context) ([]Division, error) {
	dir, asked, err := q.write()
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	tests := filepath.Join(dir, "tests")
	space, err := q.space(tests)
	if err != nil {
		return nil, err
	}
	list, _, err := pipeline.Divide(ctx, asked, space, tests, 0)
	if err != nil {
		return nil, err
	}
	out := []Division{}
	for _, d := range list {
		x := Division{Input: strings.TrimSpace(d.String()), Args: d.Args, Stdin: d.Stdin}
		for i := range d.Groups {
			g := Group{Does: doesThere(&d.Groups[i], &d.Groups[max(0, 1-i)])}
			g.Names = d.Groups[i].Names
			x.Groups = append(x.Groups, g)
		}
		out = append(out, x)
	}
	return out, nil
}

// doesThere says what a group does. Of a long output it shows the part that differs from another group's.
func doesThere(g, other *pipeline.Group) string {
	prints, _ := source.Excerpts(g.Prints, other.Prints)
	switch {
	case g.Error != "":
		return strings.TrimPrefix(worded(g.Error), "it ")
	case g.Exit >= native.Signal:
		return "crashes"
	case g.Exit != 0:
		return fmt.Sprintf("prints %q and exits with %d", prints, g.Exit)
	}
	return fmt.Sprintf("prints %q", prints)
}

// divide adds the stored divisions to a summary of the same class. Submissions on which others disagree are then no
// longer called right.
func (s *Summary) divide(ctx context.Context, q *Queue, jobs map[string]*Submission) error {
	b, err := q.kept(ctx, dividedKey)
	if b == nil || err != nil {
		return err
	}
	var keep divided
	if err := json.Unmarshal(b, &keep); err != nil {
		return fmt.Errorf("what tells submissions apart cannot be read: %w", err)
	}
	if !slices.Equal(keep.IDs, slices.Sorted(maps.Keys(jobs))) {
		return nil
	}
	of := map[string]*Outcome{}
	for _, o := range s.Outcomes {
		of[o.Name] = o
	}
	for _, d := range keep.Divisions {
		for i := range d.Groups {
			g := &d.Groups[i]
			for _, list := range [][]string{g.Names, g.Repaired} {
				for k, id := range list {
					list[k] = jobs[id].Name
				}
				slices.Sort(list)
			}
		}
		for i := range d.Groups {
			for _, name := range d.Groups[i].Names {
				s.doubt(of[name], &d, i)
			}
		}
		s.Divisions = append(s.Divisions, d)
	}
	return nil
}

// doubt records that another group behaves differently from a submission's group. A submission that was right then only
// fits the tests.
func (s *Summary) doubt(o *Outcome, d *Division, group int) {
	if o == nil || o.Divided {
		return
	}
	o.Divided = true
	text := fmt.Sprintf("the tests do not say what is right on %s: it %s", d.Input, d.Groups[group].Does)
	for i := range d.Groups {
		if n := len(d.Groups[i].Names); i != group {
			text += fmt.Sprintf(", and %s %s", others(n), d.Groups[i].plural(n))
			break
		}
	}
	if o.Category != Right {
		o.Notes = append(o.Notes, "repaired, "+text)
		return
	}
	s.Counts[Right]--
	s.Counts[Fits]++
	o.Category, o.Why = Fits, text
}

// others counts other submissions.
func others(n int) string {
	if n == 1 {
		return "another one that meets them"
	}
	return fmt.Sprintf("%s that meet them", plural.N(n, "other"))
}

// plural says what n submissions of the group do.
func (g *Group) plural(n int) string {
	if n == 1 {
		return g.Does
	}
	for one, many := range map[string]string{"prints ": "print ", "goes ": "go ", "crashes": "crash"} {
		if rest, ok := strings.CutPrefix(g.Does, one); ok {
			return many + strings.ReplaceAll(rest, " and exits with ", " and exit with ")
		}
	}
	return g.Does
}

// String says in a line how many are in a group and what they do.
func (g *Group) String() string {
	return fmt.Sprintf("%d %s", len(g.Names), g.plural(len(g.Names)))
}
