package output

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/repair/textedit"
)

// This file finds programs that print each of the things that they should count or add up, such as the divisors of a
// number where their number is asked for.

// costCounted is the cost of counting instead. It is low because all runs must fit.
const costCounted = 4

// loneNumber matches a text with exactly one number.
var loneNumber = regexp.MustCompile(`^([^0-9]*?)(-?[0-9]+)([^0-9]*)$`)

var numbers = regexp.MustCompile(`-?[0-9]+`)

// counted looks for a call in a loop that should count or add up: in every run, the one number that is wanted equals
// how often the call printed, or the sum of what it printed.
func (a *Analysis) counted() []textedit.Suggested {
	if len(a.Failing) == 0 || !a.prints() {
		return nil
	}
	var out []textedit.Suggested
	for k, n := range a.sites {
		if !n.free || n.stmt == nil || len(n.loops) == 0 || !n.loops[0].Range().Valid() {
			continue
		}
		args := n.x.(*cfront.Call).Args
		often, total, format := true, len(args) == 2 && n.call == "printf" && args[1].Type().IsInteger() && plain(args[1]), ""
		for i := range a.runs {
			times, sum, only := a.runs[i].printedBy(k)
			m := loneNumber.FindStringSubmatch(a.runs[i].Want)
			if m == nil || !only {
				often, total = false, false
				break
			}
			want, err := strconv.Atoi(m[2])
			f := strings.ReplaceAll(m[1], "%", "%%") + "%d" + strings.ReplaceAll(m[3], "%", "%%")
			if err != nil || format != "" && f != format {
				often, total = false, false
				break
			}
			format, often, total = f, often && want == times, total && want == sum
		}
		if often {
			out = append(out, a.collects(n, "count", "%s++;", format, "each is printed instead of how many there are"))
		}
		if total && !often {
			out = append(out, a.collects(n, "sum", "%s += "+args[1].Range().Text()+";", format, "each is printed instead of their sum"))
		}
	}
	return out
}

// printedBy returns how often a call printed in a run and the sum of the first numbers that it printed. only is false
// if anything else was printed.
func (r *Run) printedBy(site int) (times, sum int, only bool) {
	for i, n := range r.Notes {
		if n.Literal {
			continue
		}
		if n.ID != site {
			return 0, 0, false
		}
		end := len(r.Out)
		for _, m := range r.Notes[i+1:] {
			if !m.Literal {
				end = m.At
				break
			}
		}
		times++
		if x, err := strconv.Atoi(numbers.FindString(r.Out[n.At:end])); err == nil {
			sum += x
		}
	}
	return times, sum, times > 0 || r.Out == ""
}

// collects returns the edit that replaces a call by statement store and prints the collected number after the
// outermost loop.
func (a *Analysis) collects(n *node, name, store, format, what string) textedit.Suggested {
	loop, r := n.loops[0], n.stmt.Range()
	f := r.File
	for i := 2; regexp.MustCompile(`\b` + name + `\b`).Match(f.Text); i++ {
		name = fmt.Sprint(strings.TrimRight(name, "0123456789"), i)
	}
	start, end := loop.Range().Start, textedit.WholeEnd(f, loop.Range().End)
	from, to := r.Start, textedit.WholeEnd(f, r.End)
	store = fmt.Sprintf(store, name)
	declared, printed := "int "+name+" = 0;", "printf("+quoted(format, false)+", "+name+");"
	in := "\n" + f.Indent(start)
	return textedit.Suggested{Func: n.fn, Node: loop, What: what, Cost: costCounted,
		Text: "{ " + declared + " " + string(f.Text[start:from]) + store + string(f.Text[to:end]) + " " + printed + " }",
		Changes: []textedit.Change{
			{File: f, Start: start, End: start, Text: declared + in},
			{File: f, Start: from, End: to, Text: store},
			{File: f, Start: end, End: end, Text: in + printed},
		}}
}
