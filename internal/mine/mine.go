package mine

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"gulo/internal/bench/gate"
	"gulo/internal/cfront"
	"gulo/internal/process"
	"gulo/internal/repair/textedit"
	"gulo/internal/source"
)

// This file mines a corpus.

// Options say what is mined.
type Options struct {
	Dir      string
	Sample   int // pairs that are drawn; 0: all
	Seed     int64
	Workers  int
	Progress func(done, all int)
}

// Rule is what was counted of a rule.
type Rule struct {
	Name       string
	Explained  int // places that an edit of it corrects exactly
	Like       int // other places that one corrects but for names and values
	Programs   int // in which it lists an edit
	Candidates int // edits that it lists
	today      []float64
}

// Mined is what was counted.
type Mined struct {
	Pairs    int            // drawn
	Left     map[string]int // of those, left out, by cause
	Read     int            // corrections that were read
	Places   int
	Counts   map[int]int    // corrections by their number of places
	Explain  int            // places
	Like     int            // places, but for names and values
	Whole    int            // corrections of which one edit is all
	EachOne  int            // corrections of which every place is explained
	Novel    map[string]int // places by what they put in
	NovelHit map[string]int // of those, explained
	Rules    []*Rule        // those that explain most first
	Shapes   map[string]int // places that no rule explains
	AllShape map[string]int // all places
}

// mostPlaces bounds the places of a correction; what changes more is another program.
const mostPlaces = 8

// pair is what one pair came to.
type pair struct {
	left    string // why it is left out; empty: it is not
	wrong   []token
	places  []place
	shapes  []string
	singles []*target // one for each place
	others  []*target // several places: neighbours, all
	edits   []listed
}

// Run mines a corpus.
func Run(ctx context.Context, o *Options) (*Mined, error) {
	all, err := gate.Open(o.Dir)
	if err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, func(p *gate.Program) bool { return len(p.Right) == 0 })
	if len(all) == 0 {
		return nil, gate.UsageError(o.Dir + " holds no pairs: there is no folder with a wrong.c and a right.c in it; docs/gate.md has the layout")
	}
	drawn := gate.Draw(all, o.Sample, o.Seed)
	m := &Mined{Pairs: len(drawn), Left: map[string]int{}, Counts: map[int]int{}, Novel: map[string]int{}, NovelHit: map[string]int{}, Shapes: map[string]int{}, AllShape: map[string]int{}}
	rules := map[string]*Rule{}
	results := make(chan *pair)
	errs := make(chan error, 1)
	process.Go(func() {
		errs <- process.Parallel(ctx, max(o.Workers, 1), len(drawn), func(ctx context.Context, i int) error {
			p, err := o.pair(ctx, drawn[i])
			if err == nil {
				results <- p
			}
			return err
		})
		close(results)
	})
	done := 0
	for p := range results {
		m.count(p, rules)
		if done++; o.Progress != nil {
			o.Progress(done, len(drawn))
		}
	}
	if err := <-errs; err != nil {
		return nil, err
	}
	for _, r := range rules {
		m.Rules = append(m.Rules, r)
	}
	slices.SortFunc(m.Rules, func(a, b *Rule) int {
		if a.Explained != b.Explained {
			return b.Explained - a.Explained
		}
		if a.Like != b.Like {
			return b.Like - a.Like
		}
		return strings.Compare(a.Name, b.Name)
	})
	return m, nil
}

// pair reads and explains one pair.
func (o *Options) pair(ctx context.Context, p *gate.Program) (*pair, error) {
	out := &pair{wrong: canonical(string(p.Wrong))}
	var ok bool
	out.places, ok = align(out.wrong, canonical(string(p.Right)))
	switch {
	case !ok || len(out.places) > mostPlaces:
		out.left = "more than eight places changed: another program"
		return out, nil
	case len(out.places) == 0:
		out.left = "only the layout changed"
		return out, nil
	}
	file := filepath.Join(o.Dir, filepath.FromSlash(p.Name), "wrong.c")
	tree, err := cfront.Load(ctx, []string{file}, cfront.Options{})
	var bad *source.Error
	if errors.As(err, &bad) {
		out.left = "wrong.c does not compile"
		return out, nil
	}
	if err != nil {
		return nil, err
	}
	f := tree.Files[0]
	for i := range out.places {
		x := &out.places[i]
		start, end := bytesOf(out.wrong, x.from, x.to)
		out.shapes = append(out.shapes, change(texts(out.wrong[x.from:x.to]), texts(x.new))+", in "+where(tree, f, start, end))
		out.singles = append(out.singles, targetOf(out.wrong, out.places, []int{i}))
		if i > 0 {
			out.others = append(out.others, targetOf(out.wrong, out.places, []int{i - 1, i}))
		}
	}
	if n := len(out.places); n > 2 {
		whole := make([]int, n)
		for i := range whole {
			whole[i] = i
		}
		out.others = append(out.others, targetOf(out.wrong, out.places, whole))
	}
	out.edits = space(tree)
	explain(f, out.wrong, out.edits, slices.Concat(out.singles, out.others))
	return out, nil
}

// count adds a pair.
func (m *Mined) count(p *pair, rules map[string]*Rule) {
	if p.left != "" {
		m.Left[p.left]++
		return
	}
	rule := func(name string) *Rule {
		if rules[name] == nil {
			rules[name] = &Rule{Name: name}
		}
		return rules[name]
	}
	here := map[string]bool{}
	for _, e := range p.edits {
		r := rule(e.rule)
		r.Candidates++
		r.today = append(r.today, float64(e.Cost))
		if !here[e.rule] {
			here[e.rule] = true
			r.Programs++
		}
	}
	exact, like := make([]*listed, len(p.places)), make([]*listed, len(p.places))
	whole := false
	for _, t := range slices.Concat(p.others, p.singles) { // a statement that is moved is no deletion and an insertion
		whole = whole || t.exact != nil && len(t.places) == len(p.places)
		for _, i := range t.places {
			if exact[i] == nil {
				exact[i] = t.exact
			}
			if like[i] == nil {
				like[i] = t.like
			}
		}
	}
	m.Read++
	m.Counts[len(p.places)]++
	each, credited := true, map[*textedit.Edit]bool{}
	for i := range p.places {
		m.Places++
		new := novelty(p.wrong, p.places[i].new)
		m.Novel[new]++
		m.AllShape[p.shapes[i]]++
		switch {
		case exact[i] != nil:
			m.Explain++
			m.NovelHit[new]++
			if !credited[exact[i].Edit] { // one edit may correct several places
				credited[exact[i].Edit] = true
				rule(exact[i].rule).Explained++
			}
			continue
		case like[i] != nil:
			m.Like++
			rule(like[i].rule).Like++
		default:
			m.Shapes[p.shapes[i]]++
		}
		each = false
	}
	if whole {
		m.Whole++
	}
	if each {
		m.EachOne++
	}
}
