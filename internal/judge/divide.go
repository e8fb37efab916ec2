package judge

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"gulo/internal/cases"
	"gulo/internal/lower"
	"gulo/internal/native"
	"gulo/internal/oracle"
	"gulo/internal/process"
)

// This file finds inputs that distinguish programs which all pass the same tests. None of them is taken to be right:
// the tests do not say what is right on these inputs.

// Division is an input on which programs that meet all tests do different things.
type Division struct {
	cases.Input
	Groups []Group // programs that do the same, the largest group first
}

// Group is a set of programs that do the same on an input.
type Group struct {
	Names  []string
	Prints string
	Exit   int    // native.Signal or more: a signal ended it
	Error  string // the error in which the first of them ends on the machine; empty if none

	first *other
}

// Bounds.
const (
	mostDivisions = 3
	dividedRuns   = 600 // runs made
	dividedTries  = 8   // tries per run, as most made inputs lack the form of the tests
)

// Divide makes runs that have the form of the tests, and returns those that distinguish the programs. Programs that
// fail a test are left out; n is how many remain.
func Divide(ctx context.Context, list []Asked, tests []oracle.Test, seed int64) (out []Division, n int, err error) {
	asked := make([]*other, len(list))
	defer func() {
		for _, p := range asked {
			if p != nil && p.why == "" {
				p.prog.Close()
			}
		}
	}()
	err = process.Parallel(ctx, runtime.GOMAXPROCS(0), len(list), func(ctx context.Context, i int) (err error) {
		asked[i], err = ask(ctx, &list[i], tests)
		return err
	})
	if err != nil {
		return nil, 0, err
	}
	var right []*other
	for _, p := range asked {
		if p.why == "" {
			right = append(right, p)
		}
	}
	made, err := alike(ctx, right, tests, seed)
	if err != nil || len(right) < 2 || len(made) == 0 {
		return nil, len(right), err
	}
	did := make([][]native.Outcome, len(right))
	err = process.Parallel(ctx, runtime.GOMAXPROCS(0), len(right), func(ctx context.Context, i int) (err error) {
		did[i], err = right[i].run(ctx, made, agreedRun, agreedLimit)
		return err
	})
	if err != nil {
		return nil, 0, err
	}
	out, err = divisions(ctx, right, did, made)
	return out, len(right), err
}

// alike makes runs that have the form of the tests.
func alike(ctx context.Context, right []*other, tests []oracle.Test, seed int64) (out []oracle.Test, err error) {
	out, err = invented(ctx, right, tests, seed)
	if err != nil {
		return nil, err
	}
	var seeds []cases.Input
	known := map[string]bool{}
	judged := false
	for _, t := range tests {
		in := cases.Input{Args: t.Args, Stdin: t.Stdin}
		seeds, known[in.String()], judged = append(seeds, in), true, judged || t.Judged
	}
	form := cases.FormOf(seeds)
	out = slices.DeleteFunc(out, func(t oracle.Test) bool { return !form.Has(&cases.Input{Args: t.Args, Stdin: t.Stdin}) })
	for _, t := range out {
		known[t.Name] = true
	}
	for _, x := range right[:min(len(right), agreedTries)] {
		p, err := lower.Load(ctx, x.Files, x.Options)
		if err != nil {
			continue // gcc accepts it, and only gcc is needed to ask it
		}
		speaks := cases.LanguageOf(p.Tree)
		form.Speak(speaks.Words, seeds)
		for _, in := range cases.MoreOf(form, seed+13, seeds, speaks, dividedRuns, dividedTries*dividedRuns) {
			if name := in.String(); !known[name] {
				known[name] = true
				out = append(out, oracle.Test{Name: name, Args: in.Args, Stdin: in.Stdin, Judged: judged})
			}
		}
		return out, nil
	}
	return out, nil
}

// divisions chooses runs greedily: each one distinguishes the most pairs of programs that no earlier one does. Short
// inputs come first.
func divisions(ctx context.Context, right []*other, did [][]native.Outcome, made []oracle.Test) (out []Division, err error) {
	order := make([]int, len(made))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(len(made[a].Name), len(made[b].Name)) })
	together := make([]int, len(right)) // class of each program; programs of one class are not distinguished yet
	used := map[int]bool{}
	for len(out) < mostDivisions {
		best, most := -1, 0
		for _, i := range order {
			if n := apart(did, together, i); n > most && !used[i] {
				best, most = i, n
			}
		}
		if best < 0 {
			break
		}
		used[best] = true
		d, ok, err := divided(ctx, right, did, &made[best], best)
		if err != nil {
			return nil, err
		}
		if !ok {
			continue
		}
		out = append(out, d)
		split(did, together, best)
	}
	return out, nil
}

// does describes what a program does on a run. It is empty if the run did not end in time.
func does(o *native.Outcome) string {
	if o.Endless() {
		return ""
	}
	return fmt.Sprintf("%d %s", o.Status, o.Stdout)
}

// apart counts the pairs of programs of one class that a run distinguishes.
func apart(did [][]native.Outcome, together []int, run int) (n int) {
	type kind struct {
		class int
		does  string
	}
	size, all := map[kind]int{}, map[int]int{}
	for p := range did {
		if x := does(&did[p][run]); x != "" {
			size[kind{together[p], x}]++
			all[together[p]]++
		}
	}
	for k, m := range size {
		n += m * (all[k.class] - m)
	}
	return n / 2
}

// split refines the classes of programs by what they do on a run.
func split(did [][]native.Outcome, together []int, run int) {
	type kind struct {
		class int
		does  string
	}
	number := map[kind]int{}
	for p := range did {
		k := kind{together[p], does(&did[p][run])}
		if _, ok := number[k]; !ok {
			number[k] = len(number)
		}
		together[p] = number[k]
	}
}

// divided groups programs by what they do on a run. ok is false if the machine does something else than the first
// program of a group does natively: C does not define what happens there.
func divided(ctx context.Context, right []*other, did [][]native.Outcome, t *oracle.Test, run int) (d Division, ok bool, err error) {
	d.Input = cases.Input{Args: t.Args, Stdin: t.Stdin}
	at := map[string]int{}
	for p := range right {
		x := does(&did[p][run])
		if x == "" {
			continue
		}
		if _, ok := at[x]; !ok {
			at[x] = len(d.Groups)
			d.Groups = append(d.Groups, Group{Prints: did[p][run].Stdout, Exit: did[p][run].Status, first: right[p]})
		}
		g := &d.Groups[at[x]]
		g.Names = append(g.Names, right[p].Name)
	}
	for i := range d.Groups {
		if ok, err := d.Groups[i].holds(ctx, t); !ok || err != nil {
			return d, false, err
		}
	}
	slices.SortStableFunc(d.Groups, func(a, b Group) int {
		return cmp.Or(cmp.Compare(len(b.Names), len(a.Names)), strings.Compare(a.Names[0], b.Names[0]))
	})
	return d, true, nil
}

// holds reports whether the machine confirms what the first program of a group does. It is true, too, if the machine
// cannot tell; an error that the machine finds is kept in g.Error.
func (g *Group) holds(ctx context.Context, t *oracle.Test) (bool, error) {
	p, err := lower.Load(ctx, g.first.Files, g.first.Options)
	if err != nil || p.IR.Main < 0 {
		return ctx.Err() == nil, ctx.Err() // only gcc's word is known
	}
	want := *t
	want.Stdout, want.Exit = g.Prints, g.Exit
	run, err := oracle.NewRunner(oracle.Runs(p, []oracle.Test{want}, 0))
	if err != nil {
		return false, err
	}
	c := run.Suite.Cases[0]
	r, err := run.Run(c, nil)
	if err != nil {
		return false, err
	}
	if r.Fault != nil && r.Unmodelled() == "" && !r.Endless() {
		g.Error = r.Differs(c.Want)
		return true, nil
	}
	return r.Unmodelled() != "" || r.Endless() || r.Meets(c.Want), nil
}
