package campaign

import (
	"context"
	"errors"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/source"
)

// This file calls functions many times in one process, natively. State that they keep in statics and globals, which
// starts from the initializers, shows there, but in no single call from a generated state.

// rows are the ranges of the arguments for sequences of calls, the widest first. If the reference is stopped with one, the
// next is tried.
var rows = []struct{ lo, hi int }{{-3, 20}, {0, 9}, {1, 5}, {1, 1}}

const rowLength = 24

// sequences compares sequences of calls of functions on integers with the reference's.
func (j *job) sequences(ctx context.Context, c *Checked) (*wrong, error) {
	if j.alone || j.ref == "" {
		return nil, nil
	}
	tree, err := j.tree(ctx)
	if err != nil {
		why, err := cannot(err)
		return &wrong{why: why, beyond: true}, err
	}
	var list []*cfront.Func
	for _, f := range j.tops {
		if g := tree.Func(f.Name); g != nil && numeric(f) && numeric(g) && len(f.Params) == len(g.Params) {
			list = append(list, f)
		}
	}
	uncalled := slices.ContainsFunc(list, func(f *cfront.Func) bool { return c.Calls[f.Name] == 0 && !slices.Contains(c.Same, f.Name) })
	if len(list) == 0 || !uncalled && !stateful(tree) && !j.stateful {
		return nil, nil
	}
	if j.refRows == nil {
		if j.refRows, err = j.rows(ctx, []string{j.ref}, cfront.Options{Work: j.work}, list); err != nil {
			return nil, err
		}
	}
	own, err := j.rows(ctx, j.files, j.options(), list)
	if err != nil {
		return nil, err
	}
	if own == nil || j.refRows == nil {
		j.note("functions were not called in a row: that does not compile")
		return nil, nil
	}
	for i, f := range list {
		bad, err := j.row(ctx, own, f, i, c)
		if bad != nil || err != nil {
			return bad, err
		}
	}
	return nil, nil
}

// row compares one sequence of calls of a function with the reference's.
func (j *job) row(ctx context.Context, own *program, f *cfront.Func, i int, c *Checked) (*wrong, error) {
	for k := range rows {
		args := []string{fmt.Sprint(i), fmt.Sprint(k)}
		want, err := j.refRows.run(ctx, runLimit, "", args...)
		if err != nil {
			return nil, err
		}
		if want.Stopped != "" {
			continue
		}
		got, err := own.run(ctx, runLimit, "", args...)
		if err != nil {
			return nil, err
		}
		if d := got.Differs(want.Stdout, want.Status); d != "" {
			return &wrong{why: fmt.Sprintf("the function %s, called %d times in a row: %s", f.Name, rowLength, firstLineApart(got.Stdout, want.Stdout, d))}, nil
		}
		c.Sequences++
		c.rows[f.Name]++
		return nil, nil
	}
	return nil, nil
}

// stateful reports whether a program keeps state between calls.
func stateful(tree *cfront.Program) bool {
	for _, v := range tree.Globals {
		if v.Range.Valid() && !strings.HasPrefix(v.Range.File.Name, "@") {
			return true
		}
	}
	return false
}

// numeric reports whether a function takes only integers and returns one, or nothing.
func numeric(f *cfront.Func) bool {
	for _, p := range f.Params {
		if !p.Type.IsInteger() {
			return false
		}
	}
	t := f.Type.Result
	return t.IsInteger() || t.Kind == ctype.Void
}

// rows compiles a program that makes the sequence of calls selected by its arguments; nil if that does not compile. The
// first file is the one with main.
func (j *job) rows(ctx context.Context, files []string, o cfront.Options, list []*cfront.Func) (*program, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "#define main gulo_main\n#include \"%s\"\n#undef main\n#include <stdio.h>\n#include <stdlib.h>\nint main(int argc, char **argv)\n{\n    switch (%d * atoi(argv[1]) + atoi(argv[2])) {\n", files[0], len(rows))
	for i, f := range list {
		for k, row := range rows {
			fmt.Fprintf(&b, "    case %d:\n", len(rows)*i+k)
			calls(&b, f, row.lo, row.hi)
			b.WriteString("        break;\n")
		}
	}
	b.WriteString("    }\n    return 0;\n}\n")
	j.built++
	to := filepath.Join(j.dir, fmt.Sprintf("row%d.c", j.built))
	if err := os.WriteFile(to, []byte(b.String()), 0o644); err != nil {
		return nil, err
	}
	p, err := j.build(ctx, append(append(o.Flags, to), files[1:]...)...)
	var no *refused
	if errors.As(err, &no) {
		return nil, nil
	}
	return p, err
}

// calls writes a sequence of calls of a function.
func calls(b *strings.Builder, f *cfront.Func, lo, hi int) {
	rnd := rand.New(rand.NewSource(int64(len(f.Params)) + 1))
	for i := range rowLength {
		var args []string
		for range f.Params {
			args = append(args, fmt.Sprint(lo+rnd.Intn(hi-lo+1)))
		}
		call := fmt.Sprintf("%s(%s)", f.Name, strings.Join(args, ", "))
		if f.Type.Result.IsInteger() {
			fmt.Fprintf(b, "        { long long gulo_r = %s; printf(\"call %d, %s: %%lld\\n\", gulo_r); }\n", call, i+1, call)
		} else {
			fmt.Fprintf(b, "        %s; printf(\"call %d, %s\\n\");\n", call, i+1, call)
		}
	}
}

// firstLineApart shows the first line in which two outputs differ, or other if one is a prefix of the other.
func firstLineApart(got, want, other string) string {
	a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			x, y := source.Excerpts(a[i], b[i])
			return fmt.Sprintf("%q instead of %q", x, y)
		}
	}
	return other
}
