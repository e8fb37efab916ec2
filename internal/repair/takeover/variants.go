package takeover

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"sort"
	"strings"

	"gulo/internal/budget"
	"gulo/internal/ctype"
)

// This file compiles many variants of a program at once. Each function that changes is written once for each of its
// texts, under names of its own, and the function itself calls the text of the current variant. Reading headers and
// linking take most of the time of a compilation.

// several reports which of some sets of groups suffice. Known results are reused.
func (s *search) several(ctx context.Context, list [][]bool) ([]bool, error) {
	out := make([]bool, len(list))
	if s.p.Screen == nil {
		for i := range list {
			var err error
			if out[i], err = s.fits(ctx, list[i]); err != nil {
				return nil, err
			}
		}
		return out, nil
	}
	var ask []int
	for i := range list {
		text, _, _, ok := s.render(list[i])
		if !ok {
			continue
		}
		if was, known := s.tried[text]; known {
			out[i] = was
			continue
		}
		ask = append(ask, i)
	}
	err := s.screened(ctx, list, ask, out)
	return out, err
}

// screened asks for the variants together. Variants with a function that gcc refuses are dropped. If gcc's messages do
// not name such a function, each half is asked for separately.
func (s *search) screened(ctx context.Context, list [][]bool, ask []int, out []bool) error {
	for len(ask) > 1 && !budget.Over(ctx, s.p.Until) {
		var some [][]bool
		for _, i := range ask {
			some = append(some, list[i])
		}
		text, uses := s.variants(some)
		fits, refused, err := s.p.Screen(ctx, text, len(some))
		if err != nil {
			return err
		}
		if refused == "" {
			for k, i := range ask {
				text, _, _, _ := s.render(list[i])
				out[i], s.tried[text] = fits[k], fits[k]
			}
			return nil
		}
		bad := map[string]bool{}
		for _, n := range clone.FindAllString(refused, -1) {
			bad[n] = true
		}
		var left []int
		for k, i := range ask {
			if !slices.ContainsFunc(uses[k], func(n string) bool { return bad[n] }) {
				left = append(left, i)
			}
		}
		if len(left) == len(ask) {
			if err := s.screened(ctx, list, ask[:len(ask)/2], out); err != nil {
				return err
			}
			left = ask[len(ask)/2:]
		}
		ask = left
	}
	if len(ask) == 0 || budget.Over(ctx, s.p.Until) {
		return nil
	}
	var err error
	out[ask[0]], err = s.fits(ctx, list[ask[0]])
	return err
}

// clone matches the name of a function with another body.
var clone = regexp.MustCompile(`\w+_gulo[0-9]+\b`)

// variants returns a text that is one of the programs, depending on gulo_g. uses are the names of the functions that
// each variant consists of.
func (s *search) variants(list [][]bool) (text string, uses [][]string) {
	uses = make([][]string, len(list))
	type bodies struct {
		*pair
		texts []string
		of    []int // index of the text in each variant
	}
	by := map[*pair]*bodies{}
	for k, on := range list {
		parts, _, _, _ := s.bodies(on)
		for _, x := range parts {
			b := by[x.pair]
			if b == nil {
				b = &bodies{pair: x.pair, texts: []string{s.text[x.from:x.to]}, of: make([]int, len(list))}
				by[x.pair] = b
			}
			n := slices.Index(b.texts, x.text)
			if n < 0 {
				n = len(b.texts)
				b.texts = append(b.texts, x.text)
			}
			b.of[k] = n
			uses[k] = append(uses[k], fmt.Sprintf("%s_gulo%d", x.fn.Name, n))
		}
	}
	var all []*bodies
	for _, b := range by {
		all = append(all, b)
	}
	sort.Slice(all, func(i, j int) bool { return all[i].from < all[j].from })
	var out strings.Builder
	at := 0
	for _, b := range all {
		whole := b.fn.Whole
		out.WriteString(s.text[at:whole.Start])
		b.write(&out, s.text, b.texts, b.of)
		at = whole.End
	}
	out.WriteString(s.text[at:])
	text = out.String()
	if s.head != "" && s.needsHead(text) {
		text = s.headed(text)
	}
	return "extern int gulo_g;\n#line 1\n" + strings.TrimPrefix(text, "\ufeff"), uses
}

// write writes a function with several bodies. The original name is undefined as a macro at the end, so that the
// harness calls main by the name it has there.
func (p *pair) write(out *strings.Builder, text string, texts []string, of []int) {
	name, whole := p.fn.Name, p.fn.Whole
	last := ""
	if name == "main" {
		last = "\nreturn 0;\n"
	}
	for n, t := range texts {
		fmt.Fprintf(out, "\n#undef %s\n#define %s %s_gulo%d\n%s%s%s%s", name, name, name, n, text[whole.Start:p.from], t, last, text[p.to:whole.End])
	}
	fmt.Fprintf(out, "\n#undef %s\n", name)
	var args []string
	for _, v := range p.fn.Params {
		args = append(args, v.Name)
	}
	call := "return "
	if p.fn.Type.Result.Kind == ctype.Void {
		call = ""
	}
	out.WriteString(text[whole.Start:p.from] + " switch (gulo_g) {\n")
	for n := len(texts) - 1; n >= 0; n-- {
		for k, m := range of {
			if m == n {
				fmt.Fprintf(out, "case %d: ", k)
			}
		}
		if n == 0 {
			out.WriteString("default: ")
		}
		fmt.Fprintf(out, "%s%s_gulo%d(%s); break;\n", call, name, n, strings.Join(args, ", "))
	}
	out.WriteString("}\n}\n")
}
