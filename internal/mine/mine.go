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
	Sample   int // number of pairs to draw; 0: all
	Seed     int64
	Workers  int
	Known    []Record            // from an earlier run; these pairs are not mined again
	Found    func(*Record) error // called with each new record
	Progress func(done, all int)
}

// Rule is the counts of a rule.
type Rule struct {
	Name       string
	Explained  int         // its edits that are corrections; one may correct several places
	Like       int         // other places that an edit corrects except for names and values
	Programs   int         // programs in which it lists an edit
	Candidates int         // edits that it lists
	costs      map[int]int // these by their cost in gulo fix
}

// Share counts things, and those of them that have a property.
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

// Mined is the result of mining.
type Mined struct {
	Pairs   int               // number of pairs drawn
	Done    int               // number of these that were processed
	Left    map[string]int    // number of these that were left out, by reason
	Read    int               // number of corrections that were counted
	Places  map[int]int       // corrections by their number of places
	All     Share             // places that are explained
	Like    Share             // places that are explained except for names and values
	Whole   Share             // corrections that one edit makes completely
	EachOne Share             // corrections of which every place is explained
	Needs   map[string]*Share // places by what they need: explained ones
	Shapes  map[string]*Share // places by shape: those explained, at least except for names and values
	rules   map[string]*Rule
}

// mostPlaces bounds the places of a correction; a larger change makes another program.
const mostPlaces = 8

// pair is the result for one pair.
type pair struct {
	left    string // why it was left out; "": it was not
	wrong   []token
	places  []place
	shapes  []string
	singles []*target // one for each place
	others  []*target // for several places: neighbours, and all
	edits   []Listed
}

// Run mines a corpus. If ctx ends before all is done, it returns the counts so far and why ctx ended.
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

// mine mines pairs and counts them as they come. When ctx ends it does not wait for running workers.
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

// Rules returns the counts of the rules, those that explain most first.
func (m *Mined) Rules() []*Rule {
	return slices.SortedFunc(maps.Values(m.rules), func(a, b *Rule) int {
		return cmp.Or(b.Explained-a.Explained, b.Like-a.Like, strings.Compare(a.Name, b.Name))
	})
}
