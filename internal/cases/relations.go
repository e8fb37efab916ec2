package cases

import (
	"math"
	"slices"
	"strings"
)

// This file finds what holds between the numbers of all given inputs: the second number is below the first, a line is in
// order, no number occurs twice. Such preconditions of a task are seldom written down, and programs that are right rely
// on them: on other inputs each does what happens. They are found as Daikon finds likely invariants (Ernst and others,
// "Dynamically discovering likely program invariants to support program evolution", IEEE TSE 27, 2001): whatever holds in
// all samples and would hardly do so by chance.

// Bounds.
const (
	chance      = 0.01 // probability at which something is taken for chance, as in Daikon
	mostColumns = 8    // columns of numbers that are compared with each other
	mostCells   = 4000 // numbers of an input that are looked at
	fewValues   = 3    // so many different values in a column are all that it may have,
	valuedCells = 30   // if it has so many numbers in all inputs
)

// column is a place of numbers in the inputs: a word of a line, all words of a line from one on, or a word of each line
// from one on.
type column struct {
	line, word int
	along      bool // the words behind it, too
	down       bool // the lines below it, too
}

// of returns the numbers of a column; ok is false if other words stand there, or nothing where one word should.
func (c column) of(lines [][]string) (out []int64, ok bool) {
	last := min(c.line+1, len(lines))
	if c.down {
		last = len(lines)
	}
	for i := c.line; i < last; i++ {
		l := lines[i]
		end := min(c.word+1, len(l))
		if c.along {
			end = len(l)
		}
		if end <= c.word && !c.along {
			return nil, false
		}
		for k := c.word; k < end && len(out) < mostCells; k++ {
			n, ok := wholeNumber(l[k])
			if !ok {
				return nil, false
			}
			out = append(out, n)
		}
	}
	return out, len(out) > 0 || c.along
}

// one reports whether a column has one number in each input.
func (c column) one() bool { return !c.along && !c.down }

// kind of a relation.
type relating int

const (
	notAbove  relating = iota // each number of a is at most the one of b
	under                     // each is below it
	ascending                 // of a alone
	strictly                  // ascending, and none twice
	descending
	distinct
	unequal // a and b differ in each row
	among   // values
	least   // each is at least the value
)

// relation is what holds between the numbers of one column, or of two.
type relation struct {
	is     relating
	a, b   int // columns
	values []int64
}

// relations are what holds in all given inputs.
type relations struct {
	columns []column
	list    []relation
}

// numberLines splits a text into the words of its lines, without empty lines at its end.
func numberLines(text string) (out [][]string) {
	for _, l := range strings.Split(strings.TrimRight(text, " \t\r\n"), "\n") {
		out = append(out, strings.Fields(l))
	}
	return out
}

// relationsOf finds the relations of some inputs. It returns nil if there are none.
func relationsOf(list []Input) *relations {
	seen := map[string]bool{}
	var docs [][][]string
	for i := range list {
		if text := list[i].Stdin; strings.TrimSpace(text) != "" && !seen[text] {
			seen[text] = true
			docs = append(docs, numberLines(text))
		}
	}
	if len(docs) < 2 {
		return nil
	}
	r := &relations{columns: columnsOf(docs)}
	cells := make([][][]int64, len(r.columns)) // by column and input
	for i, c := range r.columns {
		for _, d := range docs {
			v, _ := c.of(d)
			cells[i] = append(cells[i], v)
		}
	}
	for i, c := range r.columns {
		if !c.one() {
			r.alone(i, cells[i])
		} else {
			r.from(i, cells[i])
		}
		for k := range r.columns {
			if k != i {
				r.between(i, k, cells[i], cells[k])
			}
		}
	}
	if len(r.list) == 0 {
		return nil
	}
	return r
}

// columnsOf finds the columns that have numbers in all inputs.
func columnsOf(docs [][][]string) (out []column) {
	least, most := len(docs[0]), 0
	for _, d := range docs {
		least, most = min(least, len(d)), max(most, len(d))
	}
	add := func(c column) {
		if len(out) == mostColumns {
			return
		}
		for _, d := range docs {
			if _, ok := c.of(d); !ok {
				return
			}
		}
		out = append(out, c)
	}
	fixed := least // lines that all inputs have, each in a meaning of its own
	if least < most {
		fixed = 1
	}
	for i := range fixed {
		few, many := len(docs[0][i]), 0
		for _, d := range docs {
			few, many = min(few, len(d[i])), max(many, len(d[i]))
		}
		if few == many && many <= mostColumns {
			for k := range few {
				add(column{line: i, word: k})
			}
			continue
		}
		if counts(docs, i) {
			add(column{line: i})
			add(column{line: i, word: 1, along: true})
		} else {
			add(column{line: i, along: true})
		}
	}
	if least == most {
		return out
	}
	width := -1
	for _, d := range docs {
		for _, l := range d[min(fixed, len(d)):] {
			if width < 0 {
				width = len(l)
			}
			if width != len(l) {
				width = 0
			}
		}
	}
	for k := range max(width, 0) {
		add(column{line: fixed, word: k, down: true})
	}
	if width == 0 {
		add(column{line: fixed, along: true, down: true})
	}
	return out
}

// counts reports whether the first word of a line is the number of the others in all inputs.
func counts(docs [][][]string, line int) bool {
	for _, d := range docs {
		if l := d[line]; len(l) == 0 {
			return false
		} else if n, ok := wholeNumber(l[0]); !ok || n != int64(len(l)-1) {
			return false
		}
	}
	return true
}

// alone adds the relations of one column of several numbers.
func (r *relations) alone(a int, cells [][]int64) {
	var orders, pairs float64 // logarithms of the probability that numbers without order are in order, or differ
	up, strict, down, apart := true, true, true, true
	all := map[int64]bool{}
	n := 0
	for _, v := range cells {
		if len(v) == 0 {
			continue
		}
		for i := 1; i < len(v); i++ {
			up, strict, down = up && v[i-1] <= v[i], strict && v[i-1] < v[i], down && v[i-1] >= v[i]
			orders += math.Log(float64(i + 1))
		}
		own := map[int64]bool{}
		for _, x := range v {
			apart = apart && !own[x]
			own[x], all[x] = true, true
		}
		n += len(v)
		k := float64(len(v))
		pairs += k * (k - 1) / 2 / float64(slices.Max(v)-slices.Min(v)+1)
	}
	same := len(all) == 1
	switch sure := -math.Log(chance); {
	case up && orders >= sure && !same:
		if is := ascending; apart && strict && pairs >= sure {
			r.list = append(r.list, relation{is: strictly, a: a})
		} else {
			r.list = append(r.list, relation{is: is, a: a})
		}
	case down && orders >= sure && !same:
		r.list = append(r.list, relation{is: descending, a: a})
	case apart && pairs >= sure:
		r.list = append(r.list, relation{is: distinct, a: a})
	}
	if len(all) <= fewValues && n >= valuedCells {
		var values []int64
		for x := range all {
			values = append(values, x)
		}
		slices.Sort(values)
		r.list = append(r.list, relation{is: among, a: a, values: values})
	}
}

// from adds the least number of a column of single ones where it is 0 or 1 in more than one input: who tests the least
// number that a task allows comes to it. Daikon has the same bound, justified by how often the least number occurs.
func (r *relations) from(a int, cells [][]int64) {
	low, times := cells[0][0], 0
	for _, v := range cells {
		if v[0] < low {
			low, times = v[0], 0
		}
		if v[0] == low {
			times++
		}
	}
	if (low == 0 || low == 1) && times > 1 && times < len(cells) && many(len(cells)) {
		r.list = append(r.list, relation{is: least, a: a, values: []int64{low}})
	}
}

// between adds the relations of column a with column b: row by row if both are single numbers or go down, and with b a
// single number for each number of a.
func (r *relations) between(a, b int, x, y [][]int64) {
	rows := r.columns[a].down && r.columns[b].down && !r.columns[a].along && !r.columns[b].along
	if !r.columns[b].one() && !rows {
		return
	}
	most, less, differ := true, true, true
	samples, next := 0, 0
	var equal float64 // logarithm, as in alone
	for i := range x {
		if rows && len(x[i]) != len(y[i]) {
			return
		}
		some := 0
		for k, v := range x[i] {
			w := y[i][0]
			if rows {
				w = y[i][k]
				equal += 1 / float64(max(slices.Max(x[i]), slices.Max(y[i]))-min(slices.Min(x[i]), slices.Min(y[i]))+1)
			}
			most, less, differ = most && v <= w, less && v < w, differ && v != w
			if v+1 == w {
				next++
			}
			if some++; rows {
				samples++
			}
		}
		if !rows && some > 0 { // the numbers of one input are not independent
			samples++
		}
	}
	sure := -math.Log(chance)
	switch enough := float64(samples)*math.Ln2 >= sure; {
	case less && enough && next > 1: // where they never come close, equal ones may be missing by chance
		r.list = append(r.list, relation{is: under, a: a, b: b})
	case most && enough:
		r.list = append(r.list, relation{is: notAbove, a: a, b: b})
	case differ && rows && a < b && equal >= sure:
		r.list = append(r.list, relation{is: unequal, a: a, b: b})
	}
}

// Has reports whether an input has the relations. One without the columns has them.
func (r *relations) Has(in *Input) bool {
	if r == nil {
		return true
	}
	lines := numberLines(in.Stdin)
	cells := make([][]int64, len(r.columns))
	for i, c := range r.columns {
		cells[i], _ = c.of(lines)
	}
	for i := range r.list {
		if x := &r.list[i]; !x.holds(cells[x.a], cells[x.b]) {
			return false
		}
	}
	return true
}

// holds reports whether a relation holds between the numbers of its columns.
func (x *relation) holds(a, b []int64) bool {
	if len(a) == 0 || len(b) == 0 {
		return true
	}
	own := map[int64]bool{}
	for i, v := range a {
		w := b[0]
		if len(b) > 1 {
			w = b[min(i, len(b)-1)]
		}
		last := v
		if i > 0 {
			last = a[i-1]
		}
		bad := false
		switch x.is {
		case notAbove:
			bad = v > w
		case under:
			bad = v >= w
		case ascending:
			bad = last > v
		case strictly:
			bad = i > 0 && last >= v
		case descending:
			bad = last < v
		case distinct:
			bad = own[v]
		case unequal:
			bad = v == w
		case among:
			bad = !slices.Contains(x.values, v)
		case least:
			bad = v < x.values[0]
		}
		if bad {
			return false
		}
		own[v] = true
	}
	return true
}
