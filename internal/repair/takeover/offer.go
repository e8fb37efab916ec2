package takeover

import (
	"cmp"
	"slices"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/repair/textedit"
)

// This file offers single statements and conditions of a reference as edits. A search tries them one at a time, also
// together with edits of its own. Solve needs two programs that are alike as a whole; offers do not.

// Bounds and costs of offers.
const (
	mostOffers    = 900 // of one reference
	farVariant    = 3   // added to the distance of an offer with another variable, in units
	mostOffered   = 200 // bytes of an offered text
	costOffered   = 5   // of an inserted statement, plus one for each perCost bytes of it
	costCondition = 4   // of another condition, plus the same
	perCost       = 20
)

// offer is an edit with the distance of its place from the place that corresponds to the reference's.
type offer struct {
	textedit.Suggested
	far int
}

// Offers lists the statements of a reference that the program lacks, at every place of the corresponding function, and
// the reference's conditions in place of the program's. Each is written with the program's names, and also with one
// variable replaced by another of the same type. Those closest to their place in the reference come first. Texts that
// name something that the program does not have are left out. from describes the reference in words.
func Offers(own, ref *cfront.Program, from string) []textedit.Suggested {
	s := &search{p: &Problem{Own: own, Ref: ref}}
	if !s.prepare() {
		return nil
	}
	known := map[string]bool{}
	for _, w := range append(word.FindAllString(s.text, -1), keywords...) {
		known[w] = true
	}
	var all []offer
	for _, p := range s.pairs {
		o := &offers{pair: p, known: known, from: from}
		o.block(p.fn.Body)
		all = append(all, o.out...)
	}
	slices.SortStableFunc(all, func(a, b offer) int { return cmp.Compare(a.far, b.far) })
	var out []textedit.Suggested
	for _, x := range all[:min(len(all), mostOffers)] {
		out = append(out, x.Suggested)
	}
	return out
}

// keywords are the words that statements begin with, and sizeof.
var keywords = []string{"if", "else", "while", "for", "return", "break", "continue", "switch", "case", "default", "do", "sizeof", "goto"}

// offers collects the offers for one function.
type offers struct {
	*pair
	known  map[string]bool // words that the program has
	from   string
	stmts  []offered // statements that the program lacks
	conds  []offered
	listed bool
	out    []offer
}

// offered is a text of the reference, with the number of the program's units that stand before its place.
type offered struct {
	text string
	at   int
	far  int // distance added for another reason
}

// list collects the statements and conditions of the reference.
func (o *offers) list() {
	if o.listed {
		return
	}
	o.listed = true
	at, before := map[int]int{}, 0
	same := map[int]bool{}
	for k, st := range o.steps {
		if st.ref >= 0 {
			at[st.ref] = before
			same[st.ref] = o.group[k] < 0
		}
		if st.own >= 0 {
			before++
		}
	}
	add := func(to *[]offered, j int, write func() string) {
		o.variants(write, func(text string, far int) {
			if len(text) <= mostOffered && o.nameable(text) && !slices.ContainsFunc(*to, func(x offered) bool { return x.text == text }) {
				*to = append(*to, offered{text, at[j], far})
			}
		})
	}
	for j := range o.ref.units {
		u := &o.ref.units[j]
		if c := condition(u); c != nil {
			add(&o.conds, j, func() string { return o.spelled(c) })
		}
		switch {
		case u.kind == plain && (same[j] || slices.Contains(keywords, u.toks[0]) || len(u.toks) > 1 && u.toks[1] == ":"):
		case u.kind == plain:
			add(&o.stmts, j, func() string { return o.spelled(u.toks) })
		case u.kind == open && u.pair >= 0 && u.key != "do" && u.key != "{" && u.key != "switch":
			if _, end := o.written(j, true); same[j] && o.allSame(j, end, same) {
				continue
			}
			add(&o.stmts, j, o.writing(j, true))
			if u.key == "if" && o.ref.units[u.pair].kind == turn {
				add(&o.stmts, j, o.writing(j, false))
			}
		case u.kind == turn && u.key == "else if" && !same[j]:
			add(&o.stmts, j, o.writing(j, false))
		}
	}
}

func (o *offers) writing(j int, whole bool) func() string {
	return func() string {
		text, _ := o.written(j, whole)
		return text
	}
}

// variants passes to add a text with the program's names, and then with another variable of the program for one of
// them.
func (o *offers) variants(write func() string, add func(text string, far int)) {
	text := write()
	add(text, 0)
	for _, l := range o.ref.locals {
		was, ok := o.names[l.name]
		if !ok || o.fresh[l.name] || !slices.Contains(textedit.NamedIn(text), was) {
			continue
		}
		for _, other := range o.own.locals {
			if other.name != was && other.types == l.types {
				o.names[l.name] = other.name
				add(write(), farVariant)
			}
		}
		o.names[l.name] = was
	}
}

// allSame reports whether the program has all units of a range.
func (o *offers) allSame(from, to int, same map[int]bool) bool {
	for j := from; j < to; j++ {
		if !same[j] && o.ref.units[j].kind != closing {
			return false
		}
	}
	return true
}

// spelled returns tokens of the reference as C, with the program's names.
func (o *offers) spelled(toks []string) string { return spelled(translated(toks, o.names)) }

// condition returns the condition of an if, a while or a for; nil for other units.
func condition(u *unit) []string {
	if u.kind != open && u.kind != turn {
		return nil
	}
	toks := u.toks
	switch u.key {
	case "else if":
		toks = toks[1:]
	case "if", "while":
	case "for":
		parts := split(toks[2:len(toks)-1], ";")
		if len(parts) != 3 || len(parts[1]) == 0 {
			return nil
		}
		return parts[1]
	default:
		return nil
	}
	return toks[2 : len(toks)-1]
}

// written returns a statement with its body on one line, and the index of the unit after it. With whole, all branches
// of an if are included.
func (o *offers) written(j int, whole bool) (text string, end int) {
	u := &o.ref.units[j]
	toks := u.toks
	if u.key == "else if" && !whole {
		toks = toks[1:]
	}
	var parts []string
	single := true
	k := j + 1
	for k < u.pair {
		if o.ref.units[k].kind == plain {
			parts = append(parts, o.spelled(o.ref.units[k].toks))
			k++
			continue
		}
		part, next := o.written(k, true)
		parts, single = append(parts, part), false
		k = max(next, k+1)
	}
	body := strings.Join(parts, " ")
	if len(parts) != 1 || !single {
		body = "{ " + body + " }"
	}
	text, end = o.spelled(toks)+" "+body, k+1
	if o.ref.units[min(k, len(o.ref.units)-1)].kind == turn && whole {
		rest, n := o.written(k, true)
		text, end = text+" "+rest, n
	}
	return text, end
}

// nameable reports whether the program has everything that a text names.
func (o *offers) nameable(text string) bool {
	for _, w := range textedit.NamedIn(text) {
		if !o.known[w] && (w[0] < '0' || w[0] > '9') {
			return false
		}
	}
	for _, l := range o.ref.locals {
		if n, ok := o.names[l.name]; !ok || o.fresh[l.name] {
			if ok {
				l.name = n
			}
			if slices.Contains(textedit.NamedIn(text), l.name) && !slices.ContainsFunc(o.own.locals, func(x local) bool { return x.name == l.name }) {
				return false
			}
		}
	}
	return true
}

// block offers statements at the beginning of a block and after each of its statements.
func (o *offers) block(b *cfront.Block) {
	o.list()
	r := b.Range()
	if !r.Valid() || b.Implicit && len(b.List) == 0 {
		return
	}
	if !b.Implicit {
		o.put(textedit.Suggested{What: "insert", Where: textedit.Before, Node: b, Block: b, Cost: costOffered}, r.Start+1, o.stmts)
	}
	for _, st := range b.List {
		sr := st.Range()
		if !sr.Valid() {
			continue
		}
		switch st.(type) {
		case *cfront.Return, *cfront.Jump:
		default:
			o.put(textedit.Suggested{What: "insert", Where: textedit.Behind, Node: st, Block: b, Cost: costOffered}, sr.End, o.stmts)
		}
		o.inside(st)
	}
}

// put offers texts at a place.
func (o *offers) put(x textedit.Suggested, at int, list []offered) {
	n := 0 // units of the program before the place
	for n < len(o.own.units) && o.own.units[n].start < at {
		n++
	}
	x.Func, x.From, x.Common = o.fn, o.from, true
	least := x.Cost
	for _, s := range list {
		x.Text, x.Cost = s.text, least+len(s.text)/perCost
		o.out = append(o.out, offer{x, max(n-s.at, s.at-n) + s.far})
	}
}

// conditionOf returns the condition of a statement; nil for none.
func conditionOf(st cfront.Stmt) cfront.Expr {
	switch st := st.(type) {
	case *cfront.If:
		return st.Cond
	case *cfront.While:
		return st.Cond
	case *cfront.For:
		return st.Cond
	}
	return nil
}

// inside offers conditions in place of a statement's condition, and offers texts inside its bodies.
func (o *offers) inside(st cfront.Stmt) {
	if c := conditionOf(st); c != nil && c.Range().Valid() {
		was := c.Range().Text()
		o.put(textedit.Suggested{What: "another condition", Where: textedit.Instead, Node: c, Cost: costCondition}, st.Range().Start, slices.DeleteFunc(slices.Clone(o.conds), func(x offered) bool { return x.text == was }))
	}
	switch st := st.(type) {
	case *cfront.Block:
		o.block(st)
	case *cfront.If:
		o.inside(st.Then)
		if st.Else != nil {
			o.inside(st.Else)
		}
	case *cfront.While:
		o.inside(st.Body)
	case *cfront.For:
		o.inside(st.Body)
	case *cfront.Switch:
		o.inside(st.Body)
	}
}
