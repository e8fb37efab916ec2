package mine

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"gulo/internal/bench/gate"
	"gulo/internal/cfront"
	"gulo/internal/process"
	"gulo/internal/repair/mistakes"
	"gulo/internal/source"
)

// This file mines a corpus.

// Options say what is mined.
type Options struct {
	Dir      string
	Sample   int // pairs that are drawn; 0: all
	Seed     int64
	Workers  int
	Known    []Record            // of an earlier run, which are not mined again
	Found    func(*Record) error // is given each new record
	Progress func(done, all int)
}

// Rule is what was counted of a rule.
type Rule struct {
	Name       string
	Explained  int         // edits of it that are corrections; one may correct several places
	Like       int         // other places that one corrects but for names and values
	Programs   int         // in which it lists an edit
	Candidates int         // edits that it lists
	costs      map[int]int // those by their cost in use
}

// Share is how many of some things have a property.
type Share struct{ Have, All int }

func (s *Share) add(has bool) {
	if s.All++; has {
		s.Have++
	}
}

func share(m map[string]*Share, key string, has bool) {
	if m[key] == nil {
		m[key] = &Share{}
	}
	m[key].add(has)
}

// Mined is what was counted.
type Mined struct {
	Pairs   int               // drawn
	Done    int               // of those, looked at
	Left    map[string]int    // of those, left out, by cause
	Read    int               // corrections that were read
	Places  map[int]int       // corrections by their number of places
	All     Share             // places that are explained
	Like    Share             // places that are but for names and values
	Whole   Share             // corrections of which one edit is all
	EachOne Share             // corrections of which every place is explained
	Needs   map[string]*Share // places by what they put in: explained
	Shapes  map[string]*Share // places by their shape: explained, if but for names and values
	rules   map[string]*Rule
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
	edits   []Listed
}

// Run mines a corpus. Where ctx ends before all is done it returns what was counted, and why ctx ended.
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
	m := &Mined{Pairs: len(drawn), Left: map[string]int{}, Places: map[int]int{}, Needs: map[string]*Share{}, Shapes: map[string]*Share{}, rules: map[string]*Rule{}}
	known := map[string]*Record{}
	for i := range o.Known {
		known[o.Known[i].Program] = &o.Known[i]
	}
	var todo []*gate.Program
	for _, p := range drawn {
		if r := known[p.Name]; r != nil {
			m.count(r)
			continue
		}
		todo = append(todo, p)
	}
	return m, o.mine(ctx, m, todo)
}

// mine mines pairs and counts them as they come. When ctx ends it does not wait for those at work.
func (o *Options) mine(ctx context.Context, m *Mined, todo []*gate.Program) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	records := make(chan *Record)
	errs := make(chan error, 1)
	process.Go(func() {
		errs <- process.Parallel(ctx, max(o.Workers, 1), len(todo), func(ctx context.Context, i int) error {
			p, err := o.pair(ctx, todo[i])
			if err != nil {
				return err
			}
			select {
			case records <- p.record(todo[i].Name):
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		})
	})
	for {
		select {
		case r := <-records:
			if o.Found != nil {
				if err := o.Found(r); err != nil {
					return err
				}
			}
			if m.count(r); o.Progress != nil {
				o.Progress(m.Done, m.Pairs)
			}
		case err := <-errs:
			return err
		case <-ctx.Done():
			return ctx.Err()
		}
	}
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
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
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
	out.edits = space(tree, mistakes.Builtin())
	explain(f, out.wrong, out.edits, slices.Concat(out.singles, out.others))
	return out, nil
}

// count adds a record.
func (m *Mined) count(r *Record) {
	if m.Done++; r.Left != "" {
		m.Left[r.Left]++
		return
	}
	m.Read++
	m.Places[len(r.Places)]++
	for name, c := range r.Rules {
		x := m.rule(name)
		x.Programs++
		x.Explained += c.Explained
		for cost, n := range c.Costs {
			x.Candidates += n
			x.costs[cost] += n
		}
	}
	each := true
	for _, p := range r.Places {
		share(m.Needs, p.Needs, p.Rule != "")
		share(m.Shapes, p.Shape, p.Rule != "" || p.Like != "")
		m.All.add(p.Rule != "")
		m.Like.add(p.Rule == "" && p.Like != "")
		if each = each && p.Rule != ""; p.Rule == "" && p.Like != "" {
			m.rule(p.Like).Like++
		}
	}
	m.Whole.add(r.Whole)
	m.EachOne.add(each)
}

func (m *Mined) rule(name string) *Rule {
	if m.rules[name] == nil {
		m.rules[name] = &Rule{Name: name, costs: map[int]int{}}
	}
	return m.rules[name]
}

// Rules returns what was counted of each rule, those that explain most first.
func (m *Mined) Rules() []*Rule {
	return slices.SortedFunc(maps.Values(m.rules), func(a, b *Rule) int {
		return cmp.Or(b.Explained-a.Explained, b.Like-a.Like, strings.Compare(a.Name, b.Name))
	})
}
