package output

import (
	"fmt"
	"regexp"
	"slices"
	"sort"
	"strings"
	"unicode"
)

// This file makes guesses: other texts for literals.

// Guess is a set of other texts for literals.
type Guess struct {
	Texts map[int]string // by the number of the literal
	Cost  int            // number of literals that change; more if fewer uses support it

	Distance int // of the predicted outputs to the wanted ones; 0: equal
}

// Separator is a literal whose text differs at the first or last of several calls in a row.
type Separator struct {
	Literal int
	Site    int
	Last    bool   // the last use differs; false: the first
	Other   string // the text of all other uses
	Odd     string // the text of the use that differs
}

// Plural is a format whose text differs if a value is 1.
type Plural struct {
	Literal int
	Value   int    // index of the piece that prints the value
	One     string // the text for 1
	Other   string // the text for other values
}

// Member is a text without values that some uses of a literal should have in place of its text.
type Member struct {
	Literal int
	Text    string
}

// Guesses are the guesses that runs suggest.
type Guesses struct {
	Literals   []Guess
	Separators []Separator
	Plurals    []Plural
	Members    []Member
	Inserted   []string     // short texts that are wanted where nothing is printed, the most frequent ones first
	Extra      map[int]bool // sites of which no byte, or no byte of a value, is wanted
	Distance   int          // of all outputs to the wanted ones
}

// Bounds of guesses.
const (
	mostGuesses  = 120
	mostInserted = 5
	mostMembers  = 6
	longInserted = 40
)

// use is one use of a piece of a literal, with the text wanted in its place.
type use struct {
	key
	text  string
	site  int
	first bool // first of several calls of its site in a row
	last  bool
	conv  string
	old   string
	count string // the value that the same call prints before it; "": none
	fails bool   // it belongs to a failing run
}

type key struct{ literal, piece int }

// policy says which of the pieces that touch an insertion the inserted text belongs to.
type policy uint8

const (
	earliest policy = iota // people forget the end of a line
	latest
	filled // a piece that has a text already
	padded // the value beside it, if it looks like part of a value
	policies
)

// Guess makes guesses from runs, some of which fail.
func (p *Program) Guess(runs []Run) *Guesses {
	g := &Guesses{Extra: map[int]bool{}}
	var all []*aligned
	for i := range runs {
		if p.ended() {
			return g
		}
		a := p.align(&runs[i], false)
		g.Distance += p.distance(&runs[i], nil)
		all = append(all, a)
	}
	seen := map[string]bool{}
	add := func(texts map[int]string, cost int) {
		for k, t := range texts {
			if t == p.Literals[k].Text || p.Literals[k].Char && len(t) != 1 {
				delete(texts, k)
			}
		}
		id := fmt.Sprint(texts)
		if len(texts) == 0 || seen[id] || len(g.Literals) >= mostGuesses {
			return
		}
		seen[id] = true
		for k, t := range texts { // a zero beside a value belongs to the value, as with %02d, rather than to the text
			if digits(fixed(t)) > digits(fixed(p.Literals[k].Text)) {
				cost++
			}
		}
		g.Literals = append(g.Literals, Guess{Texts: texts, Cost: cost + len(texts)})
	}
	for pol := range policies {
		if p.ended() {
			return g
		}
		uses := map[key][]use{}
		for i, a := range all {
			if pol == padded && a.unpadded() {
				a = p.align(&runs[i], true)
			}
			a.collect(pol, uses)
		}
		p.byMajority(uses, add)
		p.separators(uses, g)
		p.plurals(uses, g)
		p.members(uses, g)
	}
	p.byBlanks(all, add)
	p.insertions(all, g)
	sort.SliceStable(g.Literals, func(i, j int) bool { return g.Literals[i].Cost < g.Literals[j].Cost })
	return g
}

func (p *Program) ended() bool { return p.over != nil && p.over() }

// aligned is a run, split into tokens and aligned.
type aligned struct {
	run   *Run
	ts    []token
	al    *alignment
	fails bool
}

// unpadded reports whether a failing run prints integers without a width.
func (a *aligned) unpadded() bool {
	return a.fails && slices.ContainsFunc(a.ts, func(t token) bool { return t.conv == "%d" || t.conv == "%i" || t.conv == "%ld" || t.conv == "%u" })
}

func (p *Program) align(r *Run, padding bool) *aligned {
	a := &aligned{run: r, ts: p.tokens(r), fails: r.Out != r.Want}
	value := make([]bool, len(r.Out))
	for _, t := range a.ts {
		for i := range t.text {
			value[t.at+i] = t.conv != ""
		}
	}
	a.al = align(r.Out, r.Want, value, padding)
	return a
}

// collect adds the uses of pieces in a run.
func (a *aligned) collect(pol policy, uses map[key][]use) {
	n := len(a.al.to)
	gets := a.owners(pol)
	for i, t := range a.ts {
		end := t.at + len(t.text)
		if t.literal == 0 || end > n || a.al.cut && end > n*7/8 {
			continue
		}
		text := a.al.text(t.at, end)
		if gets[t.at] == i {
			if t.text == "" || end == t.at {
				text = a.al.inserted[t.at]
			} else {
				text = a.al.inserted[t.at] + text
			}
		}
		if end > t.at && gets[end] == i {
			text += a.al.inserted[end]
		}
		u := use{key: key{t.literal, t.piece}, text: text, site: t.site, conv: t.conv, old: t.text, fails: a.fails}
		if i > 0 && t.conv == "" && a.ts[i-1].group == t.group && a.ts[i-1].literal == t.literal && strings.HasSuffix(a.ts[i-1].conv, "d") {
			u.count = strings.TrimSpace(a.ts[i-1].text)
		}
		u.first, u.last = a.edge(i, -1), a.edge(i, 1)
		uses[u.key] = append(uses[u.key], u)
	}
}

// edge reports whether the call of a token is the first (step -1) or last (step 1) of several calls in a row: of the
// calls in its loop or, outside of loops, of the calls of its site.
func (a *aligned) edge(i, step int) bool {
	for j := i + step; j >= 0 && j < len(a.ts); j += step {
		if a.ts[j].group == a.ts[i].group {
			continue
		}
		if a.ts[i].loop == 0 {
			return a.ts[j].site != a.ts[i].site
		}
		return a.ts[j].loop != a.ts[i].loop
	}
	return true
}

// owners returns, for each offset, the index of the token that text inserted there belongs to; -1 for none.
func (a *aligned) owners(pol policy) map[int]int {
	touching := map[int][]int{}
	for i, t := range a.ts {
		if t.literal == 0 || t.conv != "" {
			continue
		}
		touching[t.at] = append(touching[t.at], i)
		if t.text != "" {
			touching[t.at+len(t.text)] = append(touching[t.at+len(t.text)], i)
		}
	}
	out := map[int]int{}
	for at, ts := range touching {
		sort.Ints(ts)
		pick := ts[0]
		switch pol {
		case latest:
			pick = ts[len(ts)-1]
		case filled, padded:
			for _, i := range ts {
				if a.ts[i].text != "" {
					pick = i
				}
			}
		}
		out[at] = pick
	}
	if pol == padded {
		a.pad(out)
	}
	for i := 0; i <= len(a.al.to); i++ {
		if _, ok := out[i]; !ok {
			out[i] = -1
		}
	}
	return out
}

// pad gives digits and blanks that are inserted beside a value to that value.
func (a *aligned) pad(owner map[int]int) {
	for i, t := range a.ts {
		if t.literal == 0 || t.conv == "" {
			continue
		}
		for _, at := range []int{t.at, t.at + len(t.text)} {
			if at <= len(a.al.to) && a.al.inserted[at] != "" && strings.Trim(a.al.inserted[at], "0123456789. ") == "" {
				owner[at] = i
			}
		}
	}
}

// choice is a text for a piece, with the number and the share of the uses that show it.
type choice struct {
	text  string
	n     int
	share float64
}

// choices returns the texts that uses show, the most frequent first.
func choices(us []use) []choice {
	n := map[string]int{}
	for _, u := range us {
		n[u.text]++
	}
	var out []choice
	for t, k := range n {
		out = append(out, choice{t, k, float64(k) / float64(len(us))})
	}
	sort.Slice(out, func(i, j int) bool {
		if out[i].n != out[j].n {
			return out[i].n > out[j].n
		}
		return out[i].text < out[j].text
	})
	return out
}

// byMajority guesses all literals at once, each by most of its uses, and each literal alone by its most frequent texts.
func (p *Program) byMajority(uses map[key][]use, add func(map[int]string, int)) {
	var ids []int
	by := map[int][]key{}
	for k := range uses {
		if by[k.literal] == nil {
			ids = append(ids, k.literal)
		}
		by[k.literal] = append(by[k.literal], k)
	}
	sort.Ints(ids)
	all, sure := map[int]string{}, map[int]string{}
	blanks := map[int]string{}
	for _, id := range ids {
		main, share := p.rewritten(id, by[id], uses, 0)
		all[id] = main
		if share > 0.99 {
			sure[id] = main
		}
		if squeezed(main) == squeezed(p.Literals[id].Text) {
			blanks[id] = main
		}
	}
	for _, set := range []map[int]string{sure, all, blanks} {
		if more := p.likewise(set, by); len(more) > len(set) {
			add(more, len(set)-len(more)-1) // literals that no run uses cost nothing
		}
		add(copied(set), 0)
	}
	for _, id := range ids {
		for rank := range 3 {
			t, _ := p.rewritten(id, by[id], uses, rank)
			add(map[int]string{id: t}, rank)
		}
		for _, k := range by[id] { // one piece alone
			for rank, c := range choices(uses[k]) {
				if rank < 3 {
					add(map[int]string{id: p.with(id, map[int]string{k.piece: c.text}, uses)}, 1+rank)
				}
			}
		}
	}
}

// likewise also changes literals that no run uses, in the way of similar ones: those with the same text, with the same
// conversions, or with the same words. If all changes put the same blanks or newlines in place of the same end,
// literals with that end change in this way too, unless one with the same tail is used and stays.
func (p *Program) likewise(set map[int]string, used map[int][]key) map[int]string {
	out := copied(set)
	same, convs := map[string]string{}, map[string]map[string]bool{}
	lost, end, ends := "", "", 0 // all changes replace the end lost by end
	for k, now := range set {
		old := p.Literals[k].Text
		if now == old || p.Literals[k].Char {
			continue
		}
		same[old] = now
		c := conversions(old)
		if convs[c] == nil {
			convs[c] = map[string]bool{}
		}
		convs[c][now] = true
		n := 0
		for n < len(old) && n < len(now) && old[n] == now[n] {
			n++
		}
		if ends == 0 {
			lost, end = old[n:], now[n:]
		}
		if ends++; old[n:] != lost || now[n:] != end || words.MatchString(lost+end) {
			ends = -1000
		}
	}
	kept := map[string]bool{} // tails of literals that are used and do not change
	for k := range used {
		if now, ok := set[k]; !ok || now == p.Literals[k].Text {
			kept[tail(p.Literals[k].Text)] = true
		}
	}
	spelled := p.spelled(set, used)
	for k, l := range p.Literals {
		if used[k] != nil || l.Char || !p.printed(k) {
			continue
		}
		switch c := conversions(l.Text); {
		case same[l.Text] != "":
			out[k] = same[l.Text]
		case c != "" && len(convs[c]) == 1 && conversions(only(convs[c])) == c && saysNoMore(only(convs[c]), l.Text):
			out[k] = only(convs[c])
		case ends > 0 && strings.Trim(end, " \n") == "" && strings.HasSuffix(l.Text, lost) && (lost != "" || !strings.HasSuffix(l.Text, end)) && !kept[tail(l.Text)]:
			out[k] = strings.TrimSuffix(l.Text, lost) + end
		default:
			if now := respelled(l.Text, spelled); now != l.Text {
				out[k] = now
			}
		}
	}
	return out
}

// saysNoMore reports whether all words of text also occur in other.
func saysNoMore(text, other string) bool {
	ws := words.FindAllString(other, -1)
	return !slices.ContainsFunc(words.FindAllString(text, -1), func(w string) bool { return !slices.Contains(ws, w) })
}

// spelled returns the words whose spelling changes, each in all the literals that runs use: "the circle" in one branch
// and "the Circle" in the next would be inconsistent.
func (p *Program) spelled(set map[int]string, used map[int][]key) map[string]string {
	out := map[string]string{}
	for k, now := range set {
		was, is := words.FindAllString(p.Literals[k].Text, -1), words.FindAllString(now, -1)
		if len(was) != len(is) || conversions(p.Literals[k].Text) != conversions(now) {
			continue
		}
		for i, w := range was {
			if x, ok := out[w]; ok && x != is[i] {
				is[i] = w // two new spellings for one word: it keeps the old one
			}
			out[w] = is[i]
		}
	}
	for k := range used {
		if now, ok := set[k]; !ok || now == p.Literals[k].Text {
			for _, w := range words.FindAllString(p.Literals[k].Text, -1) {
				out[w] = w
			}
		}
	}
	return out
}

// words matches the words of a literal, and conversions together with letters after them.
var words = regexp.MustCompile(`%?[A-Za-z]{2,}`)

// respelled returns a text with words spelled as in spelled.
func respelled(text string, spelled map[string]string) string {
	return words.ReplaceAllStringFunc(text, func(w string) string {
		if now, ok := spelled[w]; ok {
			return now
		}
		return w
	})
}

// tail returns the end of a literal: the text after its last conversion; without a conversion its last character, if
// that is neither a letter nor a digit, and otherwise the whole literal. Literals with the same tail are used in
// similar places, as "%d:" and "0%d:" before other text.
func tail(text string) string {
	if ms := conversion.FindAllStringIndex(text, -1); len(ms) > 0 {
		return text[ms[len(ms)-1][1]:]
	}
	if text != "" && !word(text[len(text)-1]) {
		return text[len(text)-1:]
	}
	return text
}

func word(c byte) bool { return c >= 0x80 || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' }

func only(m map[string]bool) string {
	for k := range m {
		return k
	}
	return ""
}

// unsized removes the size from a conversion. It is made once, because a replacer is expensive to make.
var unsized = strings.NewReplacer("l", "", "h", "", "z", "", "L", "")

// printed reports whether a literal is the text or format of some call other than puts.
func (p *Program) printed(id int) bool {
	for _, s := range p.Sites {
		for _, k := range s.Own {
			if k == id && s.Kind != Line {
				return true
			}
		}
	}
	return false
}

func digits(s string) int {
	n := 0
	for _, c := range s {
		if c >= '0' && c <= '9' {
			n++
		}
	}
	return n
}

func copied(m map[int]string) map[int]string {
	out := map[int]string{}
	for k, v := range m {
		out[k] = v
	}
	return out
}

// rewritten returns a literal with each piece's text of a given rank, and the smallest share of uses that any of these
// texts has.
func (p *Program) rewritten(id int, ks []key, uses map[key][]use, rank int) (string, float64) {
	with := map[int]string{}
	share := 1.0
	for _, k := range ks {
		cs := choices(uses[k])
		c := cs[min(rank, len(cs)-1)]
		with[k.piece] = c.text
		share = min(share, c.share)
	}
	return p.with(id, with, uses), share
}

// with returns a literal with other texts for some of its pieces.
func (p *Program) with(id int, texts map[int]string, uses map[key][]use) string {
	l := p.Literals[id]
	if t, ok := texts[whole]; ok {
		return t
	}
	if _, plain := uses[key{id, 0}]; plain && len(uses[key{id, 1}]) == 0 && !p.format(id) {
		if t, ok := texts[0]; ok {
			return t
		}
		return l.Text
	}
	ps := pieces(l.Text)
	for i := range ps {
		t, ok := texts[i]
		switch {
		case !ok:
		case ps[i].conv == "":
			ps[i].text = t
		default:
			ps[i].conv = reformatted(ps[i].conv, uses[key{id, i}])
		}
	}
	return join(ps)
}

// separators finds pieces whose text differs at the first or last of several calls in a row.
func (p *Program) separators(uses map[key][]use, g *Guesses) {
	for _, k := range sortedKeys(uses) {
		us := uses[k]
		cs := choices(us)
		if us[0].conv != "" || len(cs) < 2 {
			continue
		}
		for _, last := range []bool{true, false} {
			edge := func(u use) bool { return last && u.last || !last && u.first }
			odd, other := "", ""
			var ats, rest []use
			for _, u := range us {
				if edge(u) {
					ats = append(ats, u)
				} else {
					rest = append(rest, u)
				}
			}
			if len(ats) == 0 || len(rest) == 0 {
				continue
			}
			odd, other = choices(ats)[0].text, choices(rest)[0].text
			if odd == other || p.Judged && last && strings.TrimRight(odd, " \t") == strings.TrimRight(other, " \t") {
				continue // behind the last there may be one, too
			}
			s := Separator{Literal: k.literal, Site: us[0].site, Last: last,
				Other: p.with(k.literal, map[int]string{k.piece: other}, uses), Odd: p.with(k.literal, map[int]string{k.piece: odd}, uses)}
			dup := false
			for _, x := range g.Separators {
				dup = dup || x == s
			}
			if !dup {
				g.Separators = append(g.Separators, s)
			}
		}
	}
}

// plurals finds pieces whose text differs if the value before them is 1.
func (p *Program) plurals(uses map[key][]use, g *Guesses) {
	for _, k := range sortedKeys(uses) {
		var one, rest []use
		counted := true
		for _, u := range uses[k] {
			switch {
			case u.count == "":
				counted = false
			case u.count == "1":
				one = append(one, u)
			default:
				rest = append(rest, u)
			}
		}
		if !counted || len(one) == 0 || len(rest) == 0 {
			continue
		}
		a, b := choices(one), choices(rest)
		if a[0].text == b[0].text || len(a) > 1 || len(b) > 1 || !strings.ContainsFunc(a[0].text+b[0].text, unicode.IsLetter) {
			continue
		}
		x := Plural{Literal: k.literal, Value: k.piece - 1,
			One: p.with(k.literal, map[int]string{k.piece: a[0].text}, uses), Other: p.with(k.literal, map[int]string{k.piece: b[0].text}, uses)}
		if !slices.Contains(g.Plurals, x) {
			g.Plurals = append(g.Plurals, x)
		}
	}
}

// members finds texts that some uses of a literal need, while others need its present text.
func (p *Program) members(uses map[key][]use, g *Guesses) {
	for _, k := range sortedKeys(uses) {
		l, us := p.Literals[k.literal], uses[k]
		if k.piece > 0 || us[0].conv != "" || l.Char || strings.Contains(l.Text, "%") || strings.TrimSpace(l.Text) == "" {
			continue
		}
		cs := choices(us)
		if len(cs) < 2 || !slices.ContainsFunc(cs, func(c choice) bool { return c.text == l.Text }) {
			continue
		}
		for _, c := range cs {
			m := Member{k.literal, c.text}
			if c.text != l.Text && strings.TrimSpace(c.text) != "" && len(g.Members) < mostMembers && !slices.Contains(g.Members, m) {
				g.Members = append(g.Members, m)
			}
		}
	}
}

func sortedKeys(m map[key][]use) []key {
	var out []key
	for k := range m {
		out = append(out, k)
	}
	sort.Slice(out, func(i, j int) bool {
		if out[i].literal != out[j].literal {
			return out[i].literal < out[j].literal
		}
		return out[i].piece < out[j].piece
	})
	return out
}

// insertions finds texts that are wanted between calls, and calls whose output is not wanted.
func (p *Program) insertions(all []*aligned, g *Guesses) {
	n := map[string]int{}
	printed, kept := map[int]int{}, map[int]int{}
	values, kept2 := map[int]int{}, map[int]int{}
	for _, a := range all {
		if !a.fails {
			continue
		}
		bounds := map[int]bool{0: true, len(a.al.to): true}
		for _, t := range a.ts {
			bounds[t.at], bounds[t.at+len(t.text)] = true, true
			if end := t.at + len(t.text); end <= len(a.al.to) {
				for i := t.at; i < end; i++ {
					printed[t.site]++
					if t.conv != "" {
						values[t.site]++
					}
					if a.al.to[i] >= 0 {
						kept[t.site]++
						if t.conv != "" {
							kept2[t.site]++
						}
					}
				}
			}
		}
		for i, s := range a.al.inserted {
			if s != "" && len(s) <= longInserted && bounds[i] {
				n[s]++
			}
		}
	}
	for site, k := range printed {
		if site != 0 && k > 0 && (kept[site] == 0 || values[site] > 0 && kept2[site] == 0) {
			g.Extra[site] = true
		}
	}
	for s := range n {
		g.Inserted = append(g.Inserted, s)
	}
	sort.Slice(g.Inserted, func(i, j int) bool {
		a, b := g.Inserted[i], g.Inserted[j]
		if n[a] != n[b] {
			return n[a] > n[b]
		}
		return a < b
	})
	g.Inserted = g.Inserted[:min(len(g.Inserted), mostInserted)]
}
