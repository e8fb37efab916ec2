package textedit

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
)

// This file gives arrays more elements: one array, or all of those that were made for as many elements. Whoever thought
// that no line is longer than twenty characters has several arrays for such lines.

// dimension is the length of an array as written.
type dimension struct {
	of *cfront.Func // a function that uses the array
	Change
	size string
}

// dimensions matches what stands behind the name of an array.
var dimensions = regexp.MustCompile(`^\s*\[[^\[\]]*\](\s*\[[^\[\]]*\])*`)

// dimensionsOf finds the lengths of an array that are written as one.
func (s *facts) dimensionsOf(fn *cfront.Func, v *cfront.Var) (out []dimension) {
	r := v.Range
	if v.Type.Kind != ctype.Array || v.VLALen != nil || !r.Valid() || r.Text() != v.Name || !s.free(r.File, r.Position().Line) {
		return nil
	}
	text := string(dimensions.Find(r.File.Text[r.End:]))
	for at := 0; ; {
		open := strings.IndexByte(text[at:], '[')
		if open < 0 {
			return out
		}
		stop := strings.IndexByte(text[at+open:], ']')
		size := text[at+open+1 : at+open+stop]
		if start := r.End + at + open + 1; strings.TrimSpace(size) != "" {
			out = append(out, dimension{fn, Change{r.File, start, start + len(size), ""}, strings.TrimSpace(size)})
		}
		at += open + stop + 1
	}
}

// larger lists edits that give arrays of functions, and arrays at file scope that they use, more elements.
func (s *facts) larger(funcs []*cfront.Func) (out []*Edit) {
	var all []dimension
	for _, fn := range funcs {
		if fn.Body == nil || InMacro(fn.Body) {
			continue
		}
		for _, v := range fn.Locals {
			if b := fn.Body.Range(); v.Range.File == b.File && v.Range.Start >= b.Start {
				all = append(all, s.dimensionsOf(fn, v)...)
			}
		}
	}
	for _, v := range s.tree.Globals {
		if fn := using(funcs, v); v.Func == nil && fn != nil {
			all = append(all, s.dimensionsOf(fn, v)...)
		}
	}
	const what = "an array that is too small"
	alike := map[string][]dimension{}
	var order []string
	for _, d := range all {
		for i, now := range sizes(d.size) {
			c := d.Change
			c.Text = now
			out = append(out, &Edit{What: what, Cost: costRetype + i, Func: d.of, Changes: []Change{c}})
		}
		if alike[d.size] == nil {
			order = append(order, d.size)
		}
		alike[d.size] = append(alike[d.size], d)
	}
	for _, size := range order {
		list := alike[size]
		if len(list) == 1 || len(list) > mostAlikeSized {
			continue
		}
		for i, now := range sizes(size) {
			e := &Edit{What: what, Cost: costRetype + i, Func: list[0].of}
			for _, d := range list {
				c := d.Change
				c.Text = now
				e.Changes = append(e.Changes, c)
			}
			out = append(out, e)
		}
	}
	return out
}

// mostAlikeSized bounds the arrays of one length that are made larger together.
const mostAlikeSized = 8

// using returns the first function that names a variable; nil for none.
func using(funcs []*cfront.Func, v *cfront.Var) *cfront.Func {
	for _, fn := range funcs {
		if fn.Body == nil {
			continue
		}
		found := false
		cfront.WalkStmt(fn.Body, nil, func(x cfront.Expr) {
			cfront.Walk(x, func(y cfront.Expr) bool {
				found = found || refers(y, v)
				return !found
			})
		})
		if found {
			return fn
		}
	}
	return nil
}

// sizes returns larger sizes of an array: one more, for the zero of a string or for indices from 1, a much larger one,
// and one for every number that may be read.
func sizes(size string) []string {
	if n, err := strconv.Atoi(size); err == nil && n > 0 && n < 1<<20 {
		return append([]string{fmt.Sprint(n + 1), fmt.Sprint(max(10*n, 1000))}, vast(n)...)
	}
	return []string{size + " + 1", "10 * (" + size + ")"}
}

// vast returns a thousand times a size that is not small.
func vast(n int) []string {
	if n < 100 || n > 4000 {
		return nil
	}
	return []string{fmt.Sprint(1000 * n)}
}
