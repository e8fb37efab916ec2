package output

import (
	"sort"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/repair/textedit"
)

// This file finds values that are printed with a minus sign, and wanted without it in every run: distances, areas,
// differences. If an input is negative, this is hardly a coincidence.

// Costs of removing a sign if some input contains a minus, and if none does.
const (
	costSignless = 2
	costAbsolute = 5
)

// signless lists arguments of printf that should be absolute values.
func (a *Analysis) signless() []textedit.Suggested {
	uses := map[key][]use{}
	cost := costAbsolute
	for i := range a.runs {
		a.prog.align(&a.runs[i], false).collect(earliest, uses)
		if strings.Contains(a.p.Tests[i].Stdin, "-") {
			cost = costSignless
		}
	}
	type argument struct{ site, n int }
	wanted := map[argument]bool{} // wanted without a sign in all runs so far
	var order []argument
	for _, k := range sortedKeys(uses) {
		for _, u := range uses[k] {
			if u.conv == "" || u.piece%2 == 0 || !strings.ContainsAny(u.conv, "dif") {
				continue
			}
			g := argument{u.site, (u.piece - 1) / 2}
			old, now := strings.TrimSpace(u.old), strings.TrimSpace(u.text)
			unsigned := strings.TrimPrefix(old, "-") == now
			if was, ok := wanted[g]; !ok && unsigned && old != now {
				wanted[g], order = true, append(order, g)
			} else if (ok && was || !ok) && !unsigned {
				wanted[g] = false
			}
		}
	}
	sort.Slice(order, func(i, j int) bool {
		return order[i].site < order[j].site || order[i].site == order[j].site && order[i].n < order[j].n
	})
	var out []textedit.Suggested
	for _, g := range order {
		n := a.sites[g.site]
		if !wanted[g] || n == nil || !n.free || n.call != "printf" {
			continue
		}
		args := n.x.(*cfront.Call).Args
		if g.n+1 >= len(args) || !plain(args[g.n+1]) {
			continue
		}
		out = append(out, absolute(n, args[g.n+1], cost))
	}
	return out
}

// absolute returns the edit that makes a value absolute, and includes the header for that.
func absolute(n *node, x cfront.Expr, cost int) textedit.Suggested {
	r, t := x.Range(), cfront.Skip(x).Type()
	name, header := "fabs", "<math.h>"
	if t.IsInteger() {
		name, header = "abs", "<stdlib.h>"
		if t.Size > 4 {
			name = "labs"
		}
	}
	text := name + "(" + r.Text() + ")"
	changes := []textedit.Change{{File: r.File, Start: r.Start, End: r.End, Text: text}}
	if file := string(r.File.Text); !strings.Contains(file, header) {
		at := max(strings.Index(file, "#include"), r.File.Mark())
		changes = append(changes, textedit.Change{File: r.File, Start: at, End: at, Text: "#include " + header + "\n"})
	}
	return textedit.Suggested{Func: n.fn, Node: x, Text: text, What: "the value is printed with its sign", Cost: cost, Changes: changes}
}
