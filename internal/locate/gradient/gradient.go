// Package gradient localizes faults by the gradient of the difference between a forward and a backward execution of a
// trace.
//
// It is Algorithm 4 of Wolverine2 (Verma and Roy, "Debug-Localize-Repair: A Symbiotic Construction for Heap
// Manipulations", Formal Methods in System Design 58, 2021, section 5 and Figures 11 and 12). The backward execution
// starts at the asserted state. A statement whose left side no earlier statement assigns (upward exposed) gets its
// value from the first state; any other is split into all values of its type.
//
// Where we differ: splitting is uniform and entity by entity. So the states at a point are a product, and Γ is computed
// in closed form: a fixed entity contributes 0 or 1, and a split one contributes (N-1)/N, where N is the number of
// values of its type. No state is ever materialized.
//
// The paper leaves some questions open, which are decided here. A guard that disagrees with the control flow that the
// user forced is suspicious outright. A statement that was skipped by such a guard is not in the trace. A mismatch
// without any writer makes every writer of that field suspicious, and what feeds its base, and the gaps of the segment.
// A segment that ends as asserted makes nothing suspicious, although an entity that is written twice in it has a
// gradient.
package gradient

import (
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/eval"
	"gulo/internal/heap"
	"gulo/internal/lower"
	"gulo/internal/repair"
	"gulo/internal/report"
	"gulo/internal/spec"
)

// Result is the result of localization.
type Result struct {
	Suspects []report.Suspect // most suspicious first, by |Γ(i-1) - Γ(i)| summed over the trace, in entities
	Missing  bool             // an entity is wrong and nothing in the trace writes it
	MayMiss  bool             // an entity is wrong that a missing statement might write
	Total    int              // number of statements in the segments
	Rows     []Row            // the table of Figure 9
}

// Row is one statement of the trace with its states, as in Figure 9.
type Row struct {
	Segment  int
	Stmt     int32
	Entity   string // the entity that it writes; empty for conditions
	Forward  string // the value after it
	Backward string // the value in the backward execution; * if split
	Diff     float64
	Gradient float64
}

// Suspicious reports whether a statement is a suspect.
func (r *Result) Suspicious(id int32) bool {
	for _, s := range r.Suspects {
		if s.Stmt.ID == id {
			return true
		}
	}
	return false
}

type event struct {
	stmt   int32
	addr   ctype.Word
	typ    *ctype.Type
	word   ctype.Word // after
	writes bool
	key    string
}

func (e *event) place() place {
	if e.typ == nil {
		return place{addr: e.addr}
	}
	return place{e.addr, e.typ.Place}
}

// Locate runs the algorithm on every segment, and returns the union of the suspects.
func Locate(p *lower.Program, segs []*spec.Segment, base *repair.Patch) *Result {
	l := &locator{p: p, base: base, score: map[int32]float64{}, reason: map[int32]string{}, weight: map[int32]float64{}, seen: map[int32]bool{}, res: &Result{}}
	for i, s := range segs {
		l.segment(i, s)
	}
	l.res.Total = len(l.seen)
	for id, sc := range l.score {
		x := report.SuspectOf(p.Stmts[id], sc)
		x.Reason = l.reason[id]
		l.res.Suspects = append(l.res.Suspects, x)
	}
	sort.Slice(l.res.Suspects, func(i, j int) bool {
		a, b := l.res.Suspects[i], l.res.Suspects[j]
		if a.Score != b.Score {
			return a.Score > b.Score
		}
		return a.Stmt.ID < b.Stmt.ID
	})
	return l.res
}

// place identifies an entity. The bit is needed as bit-fields share bytes.
type place struct {
	addr ctype.Word
	bit  int // Place of its type
}

func placeOf(c *spec.Cell) place { return place{c.Addr, c.Type.Place} }

type locator struct {
	p      *lower.Program
	base   *repair.Patch
	score  map[int32]float64
	reason map[int32]string
	weight map[int32]float64 // weight of the reason
	seen   map[int32]bool
	broken []int               // events of the current segment that could not be executed
	cells  map[place]spec.Cell // entities asserted in it
	dead   map[ctype.Word]int  // nodes freed in it, and the event that freed them
	wrong  bool                // something in it is suspicious
	res    *Result
}

func (l *locator) suspect(id int32, d float64, why string) {
	l.wrong = true
	l.score[id] += d
	if d > l.weight[id] { // keep the reason with the greatest weight
		l.weight[id], l.reason[id] = d, why
	}
}

// forward executes a segment and returns what its statements write.
func (l *locator) forward(t *repair.Trace) []event {
	var out []event
	for i := range t.Seg.Items {
		it := &t.Seg.Items[i]
		st := l.p.Stmts[it.Stmt]
		l.seen[it.Stmt] = true
		e := t.Edit(i)
		if it.Concrete != nil || it.Kind == spec.Leave {
			_, _ = t.Exec(i, e)
			_ = t.Fill(i, it.Gaps)
			continue
		}
		ev := event{stmt: it.Stmt}
		if it.Kind != spec.Enter {
			ev.addr, ev.typ, ev.key, ev.writes = l.target(t.At(i), t.Im, st, e)
		}
		mark := t.Im.Mark()
		var reads []heap.Access
		t.Im.Watch(&reads)
		d, err := t.Exec(i, e)
		t.Im.Watch(nil)
		l.unknown(t, it.Stmt, mark, reads, out)
		for _, a := range t.Im.Died(mark) {
			l.dead[a] = len(out)
		}
		if errors.Is(err, eval.ErrSupport) { // nothing is known about it, so it is not suspected
			_ = t.Fill(i, it.Gaps)
			continue
		}
		if st.Kind == lower.Cond && it.Decision >= 0 && (err != nil || d != (it.Decision == 1)) {
			l.suspect(it.Stmt, 1, disagreement(it, err))
		}
		if st.Kind != lower.Cond && err != nil {
			l.suspect(it.Stmt, 1, failure(err))
			l.res.MayMiss = true
			l.broken = append(l.broken, len(out))
		}
		if ev.writes {
			w, ok := t.Im.Load(ev.addr, ev.typ)
			ev.word, ev.writes = w, ok
		}
		if !ev.writes && st.Kind != lower.Cond {
			out = append(out, l.stored(t.Im, it.Stmt, mark)...)
		}
		out = append(out, ev)
		_ = t.Fill(i, it.Gaps)
	}
	return out
}

// disagreement says what is wrong with a condition.
func disagreement(it *spec.Item, err error) string {
	switch {
	case err != nil:
		return failure(err)
	case it.Decision == 1:
		return "is false where the run you drew goes in"
	}
	return "is true where the run you drew goes past"
}

// failure says why a statement cannot be executed on the way that the user drew.
func failure(err error) string {
	switch {
	case errors.Is(err, eval.ErrNull):
		return "follows a null pointer on the way you drew"
	case errors.Is(err, eval.ErrAccess):
		return "uses memory that is freed or not the program's on the way you drew"
	}
	return "cannot be executed on the way you drew"
}

// stored returns the entities that a statement with several assignments wrote.
func (l *locator) stored(im *heap.Image, stmt int32, mark int) []event {
	var out []event
	addrs, sizes := im.Stored(mark)
	for i, a := range addrs {
		t := map[int]*ctype.Type{1: ctype.CharT, 2: ctype.ShortT, 4: ctype.IntT, 8: ctype.LongT}[sizes[i]]
		o := im.Find(a)
		key := "memory"
		switch {
		case o == nil:
			continue
		case o.Var != nil:
			key = o.Var.Name
			if o.Var.Type.IsScalar() {
				t = o.Var.Type
			}
		case o.Kind == heap.Node:
			key = fmt.Sprintf("n%d", o.Seq)
		}
		for bit := 1; bit <= 8; bit++ {
			if c, ok := l.cells[place{a, bit}]; ok {
				w, ok := im.Load(a, c.Type)
				out = append(out, event{stmt: stmt, addr: a, typ: c.Type, word: w, writes: ok, key: c.Key})
			}
		}
		if c, ok := l.around(a); ok && (c.Addr != a || c.Type.Size >= int64(sizes[i])) {
			key, t, a = c.Key, c.Type, c.Addr
		}
		w, ok := im.Load(a, t)
		out = append(out, event{stmt: stmt, addr: a, typ: t, word: w, writes: ok, key: key})
	}
	return out
}

// around returns the asserted entity that contains an address.
func (l *locator) around(a ctype.Word) (spec.Cell, bool) {
	for d := range ctype.Word(8) {
		if c, ok := l.cells[place{a - d, 0}]; ok {
			return c, c.Type.Size > int64(d)
		}
	}
	return spec.Cell{}, false
}

// target returns the entity that a statement writes.
func (l *locator) target(m eval.Memory, im *heap.Image, st *lower.Stmt, e *repair.Edit) (ctype.Word, *ctype.Type, string, bool) {
	x := st.X
	if e != nil && e.New != nil {
		x = e.New
	}
	if e != nil && e.Delete {
		return 0, nil, "", false
	}
	lhs := cfront.Stored(x)
	switch {
	case st.Kind == lower.Decl:
		a, ok := im.VarAddr(st.Decl.Var)
		return a, st.Decl.Var.Type, st.Decl.Var.Name, ok && st.Decl.Var.Type.IsScalar()
	case st.Kind == lower.Return && st.Func.Result != nil:
		a, ok := im.VarAddr(st.Func.Result)
		return a, st.Func.Result.Type, "result", ok
	}
	if lhs == nil || !lhs.Type().IsScalar() || st.Kind == lower.Cond {
		return 0, nil, "", false
	}
	a, err := eval.Addr(m, lhs)
	key, t := cfront.Text(lhs), lhs.Type()
	if m, ok := lhs.(*cfront.Member); ok && m.Field.BitLen > 0 {
		var at int64
		if t, at, ok = m.Field.Stored(); !ok {
			return 0, nil, "", false
		}
		a += ctype.Word(at - m.Field.Offset)
	}
	if c, ok := l.cells[place{a, t.Place}]; ok && err == nil && ctype.Same(c.Type, t) {
		key = c.Key
	} else if o := im.Find(a); o != nil && o.Kind == heap.Node {
		if m, ok := lhs.(*cfront.Member); ok {
			key = fmt.Sprintf("n%d->%s", o.Seq, m.Field.Name)
		}
	}
	return a, t, key, err == nil
}

// values returns how many values an entity may have: the nodes and null, or the values of a word.
func values(im *heap.Image, t *ctype.Type) float64 {
	if t.Kind != ctype.Pointer {
		return 1 << 32
	}
	n := 1.0
	for _, o := range im.All() {
		if o.Kind == heap.Node {
			n++
		}
	}
	return n
}

// segment is Algorithm 4 for one segment.
func (l *locator) segment(k int, seg *spec.Segment) {
	t := repair.NewTrace(l.p, seg, l.base)
	im := t.Im
	_ = t.Fill(-1, seg.Before)
	l.broken, l.dead, l.wrong = nil, map[ctype.Word]int{}, false
	l.cells = map[place]spec.Cell{}
	for _, c := range seg.End {
		l.cells[placeOf(&c)] = c
	}
	events := l.forward(t)
	right := !l.wrong && t.Ends()
	want := map[place]ctype.Word{}
	for _, c := range seg.End {
		want[placeOf(&c)] = c.Word
	}
	writers := map[place][]int{}
	for i, e := range events {
		if e.writes {
			writers[e.place()] = append(writers[e.place()], i)
		}
	}
	// d(i) of an entity is its mismatch with the asserted value at the end. Above its last writer it is that of a split
	// entity, and above its first writer 0, as it has the value of the first state.
	rows := make([]Row, len(events))
	for i, e := range events {
		rows[i] = Row{Segment: k, Stmt: e.stmt}
		if !e.writes {
			continue
		}
		ws := writers[e.place()]
		after, before := 0.0, 0.0
		back := "*"
		target, asserted := want[e.place()]
		if i == ws[len(ws)-1] {
			if asserted && target != e.word {
				after = 1
				l.res.MayMiss = true
			}
			if asserted {
				// A node that is allocated differently here.
				if back = im.SymbolLike(target, e.typ, l.cells[e.place()].Text).Text; back == "wild" {
					back = l.cells[e.place()].Text
				}
			}
		} else {
			n := values(im, e.typ)
			after = (n - 1) / n
		}
		if i != ws[0] {
			n := values(im, e.typ)
			before = (n - 1) / n
		}
		if !asserted { // nothing is known about it, so there is no difference
			before, after, back = 0, 0, "untracked"
		}
		g := after - before
		if g < 0 {
			g = -g
		}
		rows[i].Entity, rows[i].Forward, rows[i].Backward = e.key, im.SymbolLike(e.word, e.typ, l.cells[e.place()].Text).Text, back
		rows[i].Diff, rows[i].Gradient = after, g
		if g != 0 && !right {
			why, score := fmt.Sprintf("sets %s to %s; you drew %s", e.key, rows[i].Forward, back), g
			last := events[ws[len(ws)-1]]
			switch {
			case i != ws[len(ws)-1] && last.word == target: // its value is overwritten by the right one
				why, score = fmt.Sprintf("sets %s, which is right in the end", e.key), 0.02*g
			case i != ws[len(ws)-1]:
				why, score = fmt.Sprintf("sets %s, which is wrong in the end", e.key), 0.2*g
			case target == e.word:
				why, score = fmt.Sprintf("sets %s again", e.key), 0.02*g
			}
			l.suspect(e.stmt, score, why)
		}
	}
	l.res.Rows = append(l.res.Rows, rows...)
	for _, i := range l.broken {
		st := l.p.Stmts[events[i].stmt]
		for _, x := range st.Exprs() {
			l.feeders(x, events[:i])
		}
	}
	l.unasserted(events, want)
	l.users(events, want, writers)
	l.unwritten(seg, im, events, writers)
	l.killed(seg, im, events)
	l.unfreed(seg, im, events)
}

// unknown makes a statement suspicious that reads uninitialized memory, and the statements that may have written
// something else instead.
func (l *locator) unknown(t *repair.Trace, stmt int32, mark int, reads []heap.Access, before []event) {
	for _, r := range reads {
		o := t.Im.Find(r.Addr)
		if o == nil || t.Im.Known(r.Addr, r.Size) || o.Kind == heap.Node && !o.Live {
			continue
		}
		if addrs, _ := t.Im.Stored(mark); slices.Contains(addrs, r.Addr) {
			return // it writes the place itself
		}
		l.suspect(stmt, 0.5, "reads what was never written")
		l.res.MayMiss = true
		if o.Var != nil && o.Var.Type.IsScalar() {
			l.elsewhere(&spec.Cell{Key: o.Var.Name, Type: o.Var.Type}, before)
		}
	}
}

// killed handles nodes that are freed and should not be.
func (l *locator) killed(seg *spec.Segment, im *heap.Image, events []event) {
	for _, c := range seg.End {
		o := im.Find(c.Addr)
		if o == nil || o.Kind != heap.Node || o.Live {
			continue
		}
		i, ok := l.dead[o.Addr]
		if !ok || i >= len(events) {
			continue
		}
		delete(l.dead, o.Addr)
		st := l.p.Stmts[events[i].stmt]
		l.suspect(st.ID, 1, fmt.Sprintf("frees n%d, which you drew as not freed", o.Seq))
		if st.X != nil {
			l.feeders(st.X, events[:i])
		}
	}
}

// unfreed handles nodes that should be freed: it suspects the statements that free, those that compute their arguments,
// and those that may have written elsewhere instead.
func (l *locator) unfreed(seg *spec.Segment, im *heap.Image, events []event) {
	for _, a := range seg.Freed {
		if o := im.Find(a); o == nil || !o.Live {
			continue
		}
		l.res.Missing, l.res.MayMiss = true, true
		for i := range seg.Items {
			st := l.p.Stmts[seg.Items[i].Stmt]
			call, ok := st.X.(*cfront.Call)
			if !ok || len(call.Args) != 1 {
				continue
			}
			l.suspect(st.ID, 1, "leaves a node that you drew as freed")
			l.feeders(call.Args[0], events)
			if t := cfront.Skip(call.Args[0]).Type(); t.Kind == ctype.Pointer {
				l.elsewhere(&spec.Cell{Key: cfront.Text(call.Args[0]), Type: t, Word: a}, events)
			}
		}
	}
}

// unasserted makes the writers of entities suspicious about which nothing is asserted, if a suspicious statement reads
// them.
func (l *locator) unasserted(events []event, want map[place]ctype.Word) {
	for i := len(events) - 1; i >= 0; i-- {
		if l.score[events[i].stmt] == 0 {
			continue
		}
		st := l.p.Stmts[events[i].stmt]
		reads := map[string]bool{}
		visit := func(x cfront.Expr) {
			cfront.Walk(x, func(y cfront.Expr) bool {
				if r, ok := y.(*cfront.Ref); ok {
					reads[r.Var.Name] = true
				}
				return true
			})
		}
		for _, x := range st.Exprs() {
			visit(x)
		}
		for j := i - 1; j >= 0; j-- {
			e := events[j]
			if _, asserted := want[e.place()]; e.writes && !asserted && reads[e.key] {
				delete(reads, e.key)
				if l.score[e.stmt] == 0 {
					l.suspect(e.stmt, 0.5, "computes "+e.key+", which a suspicious statement uses")
				}
			}
		}
	}
}

// users makes conditions, calls and stores through pointers slightly suspicious if they use a variable whose value is
// not the asserted one. They may be meant to use another variable, and work only because of the first fault.
func (l *locator) users(events []event, want map[place]ctype.Word, writers map[place][]int) {
	for i, e := range events {
		st := l.p.Stmts[e.stmt]
		used := st.X
		switch x := st.X.(type) {
		case *cfront.Assign:
			if used = x.L; st.Kind != lower.Cond {
				if _, ok := x.L.(*cfront.Member); !ok {
					continue
				}
			}
		case *cfront.Call:
		default:
			if st.X == nil || st.Kind != lower.Cond {
				continue
			}
		}
		cfront.Walk(used, func(x cfront.Expr) bool {
			r, ok := x.(*cfront.Ref)
			if !ok {
				return true
			}
			for j := i - 1; j >= 0; j-- {
				w := events[j]
				if !w.writes || w.key != r.Var.Name {
					continue
				}
				ws := writers[w.place()]
				if target, asserted := want[w.place()]; asserted && ws[len(ws)-1] == j && target != w.word && l.score[e.stmt] == 0 {
					l.suspect(e.stmt, 0.05, "uses "+w.key+", which is wrong here")
				}
				break
			}
			return true
		})
	}
}

// unwritten handles asserted entities that are wrong although nothing wrote them: a write went elsewhere, or is
// missing.
func (l *locator) unwritten(seg *spec.Segment, im *heap.Image, events []event, writers map[place][]int) {
	for _, c := range seg.End {
		if im.Holds(c.Addr, c.Type, c.Word) || len(writers[placeOf(&c)]) > 0 {
			continue
		}
		l.res.Missing, l.res.MayMiss = true, true
		l.elsewhere(&c, events)
		field := c.Key
		if i := strings.Index(field, "->"); i >= 0 {
			field = field[i:]
		}
		for _, e := range events {
			st := l.p.Stmts[e.stmt]
			a, ok := st.X.(*cfront.Assign)
			if !ok {
				continue
			}
			if strings.HasSuffix(cfront.Text(a.L), field) && strings.Contains(field, "->") {
				l.suspect(e.stmt, 0.5, "sets "+e.key+"; nothing sets "+c.Key+", which you drew otherwise")
				l.feeders(a.L, events)
			}
		}
	}
}

// elsewhere makes the statements suspicious that wrote an entity of the same type as one that nothing wrote: their left
// side may be wrong.
func (l *locator) elsewhere(c *spec.Cell, events []event) {
	for _, e := range events {
		if e.writes && ctype.Same(e.typ, c.Type) && l.score[e.stmt] == 0 {
			d := 0.1
			if e.word == c.Word {
				d = 0.4
			}
			l.suspect(e.stmt, d, "sets "+e.key+"; perhaps "+c.Key+" was meant, which nothing sets")
		}
	}
}

// feeders makes the statements suspicious that compute variables in the left side of a write.
func (l *locator) feeders(lhs cfront.Expr, events []event) {
	cfront.Walk(lhs, func(x cfront.Expr) bool {
		r, ok := x.(*cfront.Ref)
		if !ok {
			return true
		}
		for _, e := range events {
			if e.key == r.Var.Name {
				l.suspect(e.stmt, 0.25, "computes "+r.Var.Name+", through which a wrong place is set")
			}
		}
		return true
	})
}
