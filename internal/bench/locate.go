package bench

import (
	"context"
	"fmt"
	"io"
	"math/rand"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"gulo/internal/job"
	"gulo/internal/locate"
	"gulo/internal/plural"
	"gulo/internal/process"
	"gulo/internal/timing"
)

// This file compares localization methods on all corpora: at which rank each names the faulty line. The forty programs
// on lists and trees and the controller have the right program as a reference. Those with contracts have both, and each
// method uses what it can.

// locatable is a fault of a corpus.
type locatable struct {
	corpus, program, kind string
	lines                 []int // the faulty lines
	text, right           string
	entry                 string
	args                  []string
	inputs, calls         string // texts of files; "": none
	contract              bool
}

// localized is the answers of the methods for one fault.
type localized struct {
	*locatable
	size int // lines of the program, roughly the size of the function
	rank map[string]float64
	took map[string]time.Duration
	all  float64 // rank of the line in the combined ranking; 0: not listed
}

// LocateCorpora names the corpora of Locate.
var LocateCorpora = []string{"heap", "controller", "contracts"}

// LocateOptions say what is measured.
type LocateOptions struct {
	Options
	Sample   int      // faults of each program
	Programs []string // only these; empty: all
	Workers  int
	Progress func(string)
}

// Located is what Locate measured.
type Located struct {
	all  []localized
	left int
}

// Locate runs all methods on faults of all corpora and prints at which ranks they name the faulty line.
func Locate(ctx context.Context, w io.Writer, o LocateOptions) (*Located, error) {
	list, left, err := locatables(ctx, o)
	if err != nil {
		return nil, err
	}
	dir, err := process.TempDir("gulo-locate-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	out := &Located{left: left}
	var mu sync.Mutex
	err = process.Parallel(ctx, o.Workers, len(list), func(ctx context.Context, i int) error {
		own := filepath.Join(dir, fmt.Sprint(i))
		defer os.RemoveAll(own)
		l, err := list[i].ask(ctx, own, o)
		mu.Lock()
		defer mu.Unlock()
		switch {
		case err != nil:
			return fmt.Errorf("%s: %w", list[i].program, err)
		case l == nil:
			out.left++
		default:
			out.all = append(out.all, *l)
		}
		if o.Progress != nil {
			o.Progress(fmt.Sprintf("fault %d of %d", len(out.all), len(list)))
		}
		return nil
	})
	if err == nil {
		out.print(w)
	}
	return out, err
}

// locatables draws the faults of all corpora. left counts those that were left out.
func locatables(ctx context.Context, o LocateOptions) (out []locatable, left int, err error) {
	wants := func(names ...string) bool {
		return len(o.Programs) == 0 || slices.ContainsFunc(names, func(n string) bool { return slices.Contains(o.Programs, n) })
	}
	for i := range Table5() {
		e := &Corpus[i]
		if !wants("heap", e.ID, e.Name) {
			continue
		}
		list, n, err := e.locatables(ctx, o)
		if err != nil {
			return nil, 0, err
		}
		out, left = append(out, list...), left+n
	}
	if wants("controller") {
		list, err := controllerFaults(o.Seed)
		if err != nil {
			return nil, 0, err
		}
		out = append(out, list...)
	}
	for i, name := range ContractNames() {
		if !wants("contracts", name) {
			continue
		}
		list, err := contractLocatables(ctx, name, o, int64(i))
		if err != nil {
			return nil, 0, err
		}
		out = append(out, list...)
	}
	return out, left, nil
}

// locatables draws single faults of a program on lists or trees.
func (e *Entry) locatables(ctx context.Context, o LocateOptions) (out []locatable, left int, err error) {
	j, err := Judge(ctx, e, 60, 0)
	if err != nil {
		return nil, 0, err
	}
	seen := map[string]bool{}
	for v := range o.Sample {
		var name int64
		for _, r := range e.Name {
			name = name*31 + int64(r)
		}
		b, err := j.Break(ctx, rand.New(rand.NewSource(o.Seed+name*1000+int64(v))), 1, 0)
		if err != nil {
			return nil, 0, err
		}
		if b == nil || seen[b.Text] {
			left++
			continue
		}
		seen[b.Text] = true
		m := b.Fault.Mutations[0]
		out = append(out, locatable{
			corpus: "heap", program: e.Name, kind: string(m.Kind), lines: []int{m.Line}, text: b.Text, right: string(e.Source()), entry: e.Func, args: e.Args(),
		})
	}
	return out, left, nil
}

// controllerFaults returns the mutants of the controller, with calls whose arguments are near the numbers that it
// compares with.
func controllerFaults(seed int64) ([]locatable, error) {
	program, list, err := Mutants()
	if err != nil {
		return nil, err
	}
	inputs, err := separation.ReadFile("separation/inputs.json")
	if err != nil {
		return nil, err
	}
	rnd := rand.New(rand.NewSource(seed))
	near := []int{0, 100, 400, 500, 600, 640, 650, 700, 740}
	feet := func() int { return near[rnd.Intn(len(near))] + []int{0, 0, -1, 1, -100, 100}[rnd.Intn(6)] }
	var calls strings.Builder
	for range 1500 {
		own := 1000 + 100*rnd.Intn(5)
		fmt.Fprintf(&calls, "now=%d good=%d agree=%d own=%d rate=%d other=%d level=%d up=%d down=%d plan=%d kind=%d blocked=%d\n",
			feet(), min(rnd.Intn(5), 1), rnd.Intn(2), own, feet(), own+100*(rnd.Intn(5)-2), rnd.Intn(6)-1, feet(), feet(), rnd.Intn(3), rnd.Intn(4), rnd.Intn(2))
	}
	var out []locatable
	for _, m := range list {
		kind, _, _ := strings.Cut(m.Kind, ",")
		out = append(out, locatable{
			corpus: "controller", program: "mutant " + m.Name, kind: kind, lines: changedLines(program, m.Text), text: m.Text, right: program, entry: "advise",
			inputs: string(inputs), calls: calls.String(),
		})
	}
	return out, nil
}

// changedLines lists the lines of a text that the right one does not have. If lines are only missing, it returns the
// line where they are missing.
func changedLines(right, text string) []int {
	a, b := strings.Split(right, "\n"), strings.Split(text, "\n")
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	x, y := len(a), len(b)
	for x > i && y > i && a[x-1] == b[y-1] {
		x, y = x-1, y-1
	}
	var out []int
	in := map[string]bool{}
	for _, l := range a[i:x] {
		in[l] = true
	}
	for k := i; k < y; k++ {
		if !in[b[k]] {
			out = append(out, k+1)
		}
	}
	if len(out) == 0 {
		out = []int{i + 1}
	}
	return out
}

func contractLocatables(ctx context.Context, name string, o LocateOptions, salt int64) ([]locatable, error) {
	dir, err := process.TempDir("gulo-locate-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	text, err := contracts.ReadFile("contracts/" + name + ".c")
	if err != nil {
		return nil, err
	}
	right := filepath.Join(dir, name+".c")
	if err := os.WriteFile(right, text, 0o600); err != nil {
		return nil, err
	}
	faults, err := contractFaults(ctx, right)
	if err != nil {
		return nil, err
	}
	rand.New(rand.NewSource(o.Seed+salt)).Shuffle(len(faults), func(a, b int) { faults[a], faults[b] = faults[b], faults[a] })
	var out []locatable
	for _, f := range faults[:min(len(faults), o.Sample)] {
		out = append(out, locatable{corpus: "contracts", program: name, kind: string(f.kind), lines: []int{f.line}, text: f.text, right: string(text), contract: true})
	}
	return out, nil
}

// ask runs all methods on a fault; nil if no case shows the fault.
func (f *locatable) ask(ctx context.Context, dir string, o LocateOptions) (*localized, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	var failed error
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			failed = err
		}
		return path
	}
	req := &job.Job{
		Files: []string{write("faulty.c", f.text)}, Spec: job.Spec{Reference: []string{write("right.c", f.right)}, Contracts: f.contract}, Entry: f.entry, Args: f.args,
		Limit: o.Limit, Logic: job.Logic{Size: 1}, Seed: o.Seed,
	}
	if f.inputs != "" {
		req.Inputs, req.Tests = write("inputs.json", f.inputs), write("calls.txt", f.calls)
	}
	if failed != nil {
		return nil, failed
	}
	rep, err := locate.Locate(ctx, req)
	if err != nil {
		return nil, err
	}
	if rep.Failing == 0 {
		return nil, nil
	}
	l := &localized{locatable: f, size: strings.Count(f.text, "\n"), rank: map[string]float64{}, took: rep.Took}
	best := func(r float64, now float64) float64 {
		if now == 0 || r < now {
			return r
		}
		return now
	}
	for m, list := range rep.Lists {
		for _, x := range locate.ByLine(list) {
			if slices.Contains(f.lines, x.Line) {
				l.rank[m] = best(x.Score, l.rank[m])
			}
		}
	}
	for i, x := range rep.Ranking {
		if slices.Contains(f.lines, x.Line) {
			l.all = best(float64(i+1), l.all)
		}
	}
	return l, nil
}

// ranked returns the rank by a method, or by all combined.
func (l *localized) ranked(m string) (float64, bool) {
	r := l.rank[m]
	if m == "combined" {
		r = l.all
	}
	return r, r > 0
}

var locateColumns = append(slices.Clone(locate.Names), "combined")

func (o *Located) print(w io.Writer) {
	fmt.Fprintf(w, "%-24s %4s", "", "")
	for _, m := range locateColumns {
		fmt.Fprintf(w, " %25s", m)
	}
	fmt.Fprintf(w, "\n%-24s %4s", "", "n")
	for range locateColumns {
		fmt.Fprintf(w, " %25s", "first  in 3 named     ms")
	}
	fmt.Fprintln(w)
	group := func(label string, in func(*localized) bool) {
		var list []localized
		for i := range o.all {
			if in(&o.all[i]) {
				list = append(list, o.all[i])
			}
		}
		if len(list) > 0 {
			locateRow(w, label, list)
		}
	}
	group("all", func(*localized) bool { return true })
	for _, c := range LocateCorpora {
		group(c, func(l *localized) bool { return l.corpus == c })
	}
	var kinds []string
	for _, l := range o.all {
		if !slices.Contains(kinds, l.kind) {
			kinds = append(kinds, l.kind)
		}
	}
	slices.Sort(kinds)
	for _, k := range kinds {
		group("kind: "+k, func(l *localized) bool { return l.kind == k })
	}
	group("up to 30 lines", func(l *localized) bool { return l.size <= 30 })
	group("31 to 80 lines", func(l *localized) bool { return l.size > 30 && l.size <= 80 })
	group("more than 80 lines", func(l *localized) bool { return l.size > 80 })
	fmt.Fprintf(w, "%s left out: no case shows them, or they were drawn twice; lines with equal scores have their average rank; ms: median\n", plural.N(o.left, "draw"))
}

func locateRow(w io.Writer, label string, list []localized) {
	fmt.Fprintf(w, "%-24s %4d", label, len(list))
	for _, m := range locateColumns {
		first, three, named := 0, 0, 0
		var took []float64
		for i := range list {
			if t, ok := list[i].took[m]; ok {
				took = append(took, float64(t.Microseconds())/1000)
			}
			r, ok := list[i].ranked(m)
			if !ok {
				continue
			}
			named++
			if r < 1.5 {
				first++
			}
			if r <= 3 {
				three++
			}
		}
		pc := func(n int) float64 { return 100 * float64(n) / float64(len(list)) }
		ms := fmt.Sprintf("%6.0f", timing.Median(took))
		if len(took) == 0 {
			ms = "      "
		}
		fmt.Fprintf(w, " %4.0f %% %4.0f %% %3.0f %% %s", pc(first), pc(three), pc(named), ms)
	}
	fmt.Fprintln(w)
}

// Plot draws how many faults are found by looking at so many lines.
func (o *Located) Plot() []byte {
	var cs []curve
	for _, m := range locateColumns {
		c := curve{name: m}
		for k := 1; k <= 15; k++ {
			n := 0
			for i := range o.all {
				if r, ok := o.all[i].ranked(m); ok && r <= float64(k) {
					n++
				}
			}
			c.x = append(c.x, float64(k))
			c.y = append(c.y, 100*float64(n)/float64(max(len(o.all), 1)))
		}
		cs = append(cs, c)
	}
	return plot("faults found by looking at so many lines", "lines looked at", "% of faults", false, cs)
}
