package session

import (
	"context"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"

	"gulo/internal/heap"
	"gulo/internal/lower"
	"gulo/internal/plural"
	"gulo/internal/repair"
	"gulo/internal/spec"
	"gulo/internal/target"
)

// This file implements assertions and the way back to earlier ones (Wolverine2, section 6.2). Every spec makes a
// checkpoint. Checkpoints form a graph, with the constraints from one to the next as edges. resume pops to the common
// ancestor and pushes down to the checkpoint asked for. Every branch has its own patches.

// checkpoint is an asserted state that can be resumed.
type checkpoint struct {
	id     int
	parent int           // -1 for none
	seg    *spec.Segment // asserted on the way from the parent; nil for none
	snap   target.Snapshot
	state  state         // when it was made
	patch  *repair.Patch // in force when its branch was left last
	graph  *heap.Graph
	shape  string // the asserted state, to recognize it again
	same   int    // an earlier checkpoint with the same state; -1 for none
}

// spec asserts the state shown.
func (s *Session) spec(ctx context.Context, args string) error {
	if err := s.running(); err != nil {
		return err
	}
	st := s.stmt()
	if st == nil {
		return errorf("the program is at no statement of the source")
	}
	if s.stop.Inside {
		return s.errInside()
	}
	// A caller that is only recorded after the functions under repair have returned is not one of them.
	if a := s.top(); a == nil || a.tail == 0 {
		s.scope[st.Func] = true
	}
	for f := range s.watched {
		s.scope[f] = true
	}
	s.watched = nil
	cells := s.cells()
	cp := checkpoint{id: len(s.checks), parent: s.current, same: -1, graph: s.graph, shape: s.shapeOf(st, cells)}
	if a := s.top(); a != nil && a.depth == s.stop.Depth {
		seg := *s.open
		seg.End, seg.At, seg.Label = cells, st.ID, fmt.Sprintf("checkpoint %d", cp.id)
		seg.Freed = seg.Dead(s.img)
		if s.call != nil {
			seg.Call = s.call.id
			if fn := s.call.fn; !slices.ContainsFunc(s.firsts, func(c call) bool { return c.fn == fn }) {
				s.firsts = append(s.firsts, *s.call)
			}
		}
		s.endCall(&seg)
		s.accept(seg.Call)
		for _, addr := range s.made {
			if o := s.img.Find(addr); o != nil {
				seg.Fresh = append(seg.Fresh, o)
			}
		}
		first := len(seg.Items) == 0 && seg.From == "" // what the function is given
		// Another picture without statements between is a contradiction, which repair reports.
		if !first && (len(seg.Items) > 0 || !seg.Holds()) {
			s.segs = append(s.segs, &seg)
			cp.seg = &seg
		}
	}
	for _, c := range s.checks {
		if c.shape == cp.shape {
			cp.same = c.id
			break
		}
	}
	var left string
	if cp.seg != nil {
		left = s.leftOut(cells)
	}
	drawn := ""
	if cp.seg == nil && cp.id == 0 && len(s.fresh) > 0 && st != nil && !s.isFirst(st) {
		drawn = s.freshNames()
	}
	s.current = cp.id
	s.hints = 0
	s.fresh, s.texts = map[string]bool{}, nil
	s.begin()
	if s.open != nil {
		s.open.From = fmt.Sprintf("checkpoint %d", cp.id)
	}
	snap, err := s.tgt.Save()
	if err != nil {
		return errorf("the state cannot be saved: %v", err)
	}
	cp.snap, cp.patch, cp.state = snap, s.patch, s.state()
	s.checks = append(s.checks, cp)
	if cp.seg == nil {
		s.printf("This is a starting picture (checkpoint %d). Go on, then assert what it should lead to.\n", cp.id)
	} else {
		s.printf("Asserted: this picture is right (checkpoint %d).\n", cp.id)
	}
	if held := s.untyped(); held != "" && cp.seg != nil {
		s.printf("note: the contents of %s are not asserted: no pointer tells their type\n", held)
	}
	s.out.WriteString(left)
	if drawn != "" {
		s.printf("note: no statement was executed since the program halted here, so your change of %s is an input of what follows, and no statement has to produce it; to assert it, undo, halt earlier, come here with next, and draw it again\n", drawn)
	}
	return nil
}

// leftOut says which changes an assertion does not contain: those of variables that are gone when the function has
// ended, and of variables of callers that it cannot reach.
func (s *recorder) leftOut(cells []spec.Cell) string {
	asserted := map[string]bool{}
	for _, c := range cells {
		asserted[c.Key] = true
	}
	dotted := s.untracked()
	var own, outer []string
	for _, v := range s.graph.Vars {
		for _, c := range v.Cells {
			if !s.fresh[c.Key] || asserted[c.Key] || asserted[c.Key+"[0]"] || dotted[c.Key] || v.Frame < 0 {
				continue
			}
			if v.Frame == 0 {
				own = append(own, c.Key)
			} else {
				outer = append(outer, c.Key)
			}
		}
	}
	sort.Strings(own)
	sort.Strings(outer)
	text := ""
	if len(own) > 0 {
		text += fmt.Sprintf("note: your change of %s is not asserted: %s ends here, and its variables with it; draw it before the end of the function\n", joinAnd(own), s.stmt().Func.Name)
	}
	if len(outer) > 0 {
		text += fmt.Sprintf("note: your change of %s is not asserted: %s has no pointer to it and cannot change it\n", joinAnd(outer), s.stmt().Func.Name)
	}
	return text
}

// untyped names the nodes that pointers lead to without telling their type, as void * does: their contents are neither
// shown nor drawn.
func (s *recorder) untyped() string {
	known := map[int]bool{}
	for _, n := range s.graph.Nodes {
		known[n.Seq] = n.Type != nil || !n.Live
	}
	var out []string
	look := func(cells []heap.Cell) {
		for _, c := range cells {
			v := c.Value
			if k, ok := known[v.Node]; v.Kind == heap.ToNode && !v.Dead && ok && !k {
				known[v.Node] = true
				out = append(out, fmt.Sprintf("n%d", v.Node))
			}
		}
	}
	for _, v := range s.graph.Vars {
		look(v.Cells)
	}
	for _, n := range s.graph.Nodes {
		look(n.Cells)
	}
	return joinAnd(out)
}

// Asserting returns the segment that was recorded since the last assertion, with the given cells asserted at its end;
// address 0 stands for the result of the function. ok is false if nothing was recorded up to here. The session does not
// change.
func (s *Session) Asserting(cells []spec.Cell) (seg *spec.Segment, ok bool) {
	st, a := s.stmt(), s.top()
	if st == nil || a == nil || a.depth != s.stop.Depth {
		return nil, false
	}
	out := *s.open
	out.At = st.ID
	for _, c := range cells {
		if c.Addr == 0 {
			c.Addr = a.frame.Result
		}
		if c.Addr != 0 {
			out.End = append(out.End, c)
		}
	}
	out.Freed = out.Dead(s.img)
	return &out, true
}

func (s *recorder) shapeOf(st *lower.Stmt, cells []spec.Cell) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d %d", st.ID, s.stop.Depth)
	for _, c := range cells {
		fmt.Fprintf(&b, " %s=%s", c.Key, s.img.Symbol(c.Word, c.Type).Text)
	}
	return b.String()
}

// ancestors returns a checkpoint and those it follows from, the first one last.
func (s *recorder) ancestors(id int) []int {
	var out []int
	for id >= 0 {
		out = append(out, id)
		id = s.checks[id].parent
	}
	return out
}

// resume goes to a checkpoint.
func (s *Session) resume(ctx context.Context, args string) error {
	k, err := strconv.Atoi(strings.TrimPrefix(strings.ToLower(args), "checkpoint "))
	switch {
	case len(s.checks) == 0:
		return errorf("there is no checkpoint yet; spec makes one")
	case err != nil:
		return errorf("resume wants the number of a checkpoint, as in: resume 0")
	case k < 0 || k >= len(s.checks):
		return errorf("there is no checkpoint %d; checkpoints draws those there are (0 to %d)", k, len(s.checks)-1)
	}
	s.abandon()
	before, from := s.patch, s.current
	checks := s.checks
	if s.current >= 0 {
		checks[s.current].patch = s.patch
	}
	popped, pushed, root := s.way(s.current, k)
	wrote := s.written - checks[k].state.written
	cp := &checks[k]
	st := cp.state.clone()
	st.checks, st.patch = checks, cp.patch
	st.breaks, st.locked, st.concrete = s.breaks, s.locked, s.concrete
	st.conds, st.watches = s.conds, nil
	st.current = k
	if err := s.back(cp.snap, &st); err != nil {
		return errorf("cannot resume checkpoint %d: %v", k, err)
	}
	s.printf("Program resumed at checkpoint %d\n", k)
	if len(popped)+len(pushed) > 0 {
		at := "the start"
		if root >= 0 {
			at = fmt.Sprintf("checkpoint %d", root)
		}
		s.printf("common ancestor: %s; popped: %s; pushed: %s\n", at, numbers(popped), numbers(pushed))
	}
	if n := len(before.Edits()); before != s.patch && n > 0 {
		s.printf("note: the patch found at checkpoint %d (%s) is not applied here; resume %d brings it back\n", from, plural.N(n, "edit"), from)
	}
	if wrote > 0 {
		s.printf("note: what the program has written since then (%s) stays written, and it will write it again\n", plural.N(wrote, "byte"))
	}
	s.flushProgram()
	s.printf("%s", s.where())
	s.picture()
	return nil
}

// way returns what is popped on the way from one checkpoint to another, what is
// pushed, and their first common ancestor.
func (s *recorder) way(from, to int) (popped, pushed []int, root int) {
	down := s.ancestors(to)
	on := map[int]bool{}
	for _, id := range down {
		on[id] = true
	}
	root = -1
	for _, id := range s.ancestors(from) {
		if on[id] {
			root = id
			break
		}
		popped = append(popped, id)
	}
	for _, id := range down {
		if id == root {
			break
		}
		pushed = append([]int{id}, pushed...)
	}
	return popped, pushed, root
}

func numbers(ids []int) string {
	if len(ids) == 0 {
		return "nothing"
	}
	var out []string
	for _, id := range ids {
		out = append(out, strconv.Itoa(id))
	}
	return strings.Join(out, ", ")
}

// compare lists what differs between a checkpoint's state and the present one.
func (s *recorder) compare(ctx context.Context, args string) error {
	k, err := strconv.Atoi(args)
	switch {
	case err != nil:
		return errorf("compare wants the number of a checkpoint, as in: compare 0")
	case k < 0 || k >= len(s.checks):
		return errorf("there is no checkpoint %d; checkpoints draws those there are", k)
	case s.graph == nil:
		return errorf("the program is not running; use start")
	}
	old := s.checks[k].graph
	keys := heap.Diff(old, s.graph)
	text := func(g *heap.Graph, key string) string {
		if c, ok := g.Cell(key); ok {
			return c.Value.Text
		}
		return "not there"
	}
	n := 0
	keys = append(append(keys, gone(old, s.graph)...), gone(s.graph, old)...)
	for _, key := range keys {
		if a, b := text(old, key), text(s.graph, key); a != b {
			s.printf("%-16s checkpoint %d: %-12s now: %s\n", key, k, a, b)
			n++
		}
	}
	if n == 0 {
		s.printf("the state is that of checkpoint %d\n", k)
	}
	return nil
}

// gone returns the keys of the entities of old that now does not have.
func gone(old, now *heap.Graph) []string {
	var out []string
	for _, key := range old.Keys() {
		if _, ok := now.Cell(key); !ok {
			out = append(out, key)
		}
	}
	sort.Strings(out)
	return out
}

// checkpoints draws the graph of checkpoints.
func (s *recorder) checkpoints(ctx context.Context, args string) error {
	if len(s.checks) == 0 {
		s.printf("no checkpoints%s; spec makes one\n", map[bool]string{true: " since start; what was asserted before still counts"}[len(s.segs) > 0])
		return nil
	}
	children := map[int][]int{}
	for _, c := range s.checks {
		children[c.parent] = append(children[c.parent], c.id)
	}
	var walk func(id int, indent, branch string)
	walk = func(id int, indent, branch string) {
		s.printf("%s%s\n", indent+branch, s.checkLine(&s.checks[id]))
		switch branch {
		case "├─ ":
			indent += "│  "
		case "└─ ":
			indent += "   "
		}
		kids := children[id]
		sort.Ints(kids)
		for i, k := range kids {
			b := ""
			if len(kids) > 1 {
				b = "├─ "
				if i == len(kids)-1 {
					b = "└─ "
				}
			}
			walk(k, indent, b)
		}
	}
	for _, id := range children[-1] {
		walk(id, "", "")
	}
	return nil
}

func (s *recorder) checkLine(c *checkpoint) string {
	st := s.stmtOf(c)
	p := st.Range.Position()
	text := fmt.Sprintf("Checkpoint %d at %s:%d: %s", c.id, p.File, p.Line, Show(st))
	patch := c.patch
	if c.id == s.current {
		patch = s.patch
		text += "  <- here"
	}
	if n := len(patch.Edits()); n > 0 {
		text += fmt.Sprintf("  (%s applied)", plural.N(n, "edit"))
	}
	if c.same >= 0 {
		text += fmt.Sprintf("  (the state of checkpoint %d)", c.same)
	}
	return text
}

func (s *recorder) stmtOf(c *checkpoint) *lower.Stmt { return s.prog.Stmts[c.state.stop.Stmt] }
