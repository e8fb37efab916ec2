package session

import (
	"context"
	"encoding/binary"
	"strconv"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/eval"
	"gulo/internal/heap"
	"gulo/internal/lower"
	"gulo/internal/target"
)

// This file handles halts before the goal of a run, at breakpoints with conditions and changes of watched entities, and
// finds the statement that changed an entity last.

// condition says at which visits a breakpoint halts.
type condition struct {
	text  string
	x     cfront.Expr // nil: at every visit
	times int         // halts from this one on, of the visits at which x holds
	hits  int         // such visits so far
}

// String returns the condition in the syntax of break.
func (c condition) String() string {
	s := ""
	if c.x != nil {
		s += " if " + c.text
	}
	if c.times > 1 {
		s += " times " + strconv.Itoa(c.times)
	}
	return s
}

// parseCondition splits "31 if n > 3 times 2" into the place and the condition. The text of the condition is parsed
// later, at the place.
func parseCondition(args string) (place string, c condition, err error) {
	words := strings.Fields(args)
	c.times = 1
	if n := len(words); n >= 2 && words[n-2] == "times" {
		if c.times, err = strconv.Atoi(words[n-1]); err != nil || c.times < 1 {
			return "", c, errorf("times wants the number of a visit, not %q", words[n-1])
		}
		words = words[:n-2]
	}
	for i, w := range words {
		if w == "if" {
			if c.text = strings.Join(words[i+1:], " "); c.text == "" {
				return "", c, errorf("if wants a condition, as in: break 31 if n->data > 3")
			}
			words = words[:i]
			break
		}
	}
	return strings.Join(words, " "), c, nil
}

// named returns a function that finds the variable that a name means at a statement.
func (s *drawing) named(st *lower.Stmt) func(name string) *cfront.Var {
	return func(name string) *cfront.Var {
		var best *cfront.Var
		for _, v := range append(st.Func.Params[:len(st.Func.Params):len(st.Func.Params)], st.Func.Locals...) {
			// Of several the innermost is declared last.
			if v.Name == name && target.Visible(v, st) && (best == nil || v.Range.Start > best.Range.Start) {
				best = v
			}
		}
		for _, v := range s.prog.Tree.Globals {
			if best == nil && v.Name == name && (v.Func == nil || v.Func == st.Func) {
				best = v
			}
		}
		return best
	}
}

// read parses the condition in the scope of a statement.
func (s *drawing) read(c *condition, st *lower.Stmt) error {
	if c.text == "" {
		return nil
	}
	x, err := s.prog.Tree.ParseTyped(c.text, s.named(st))
	if err == nil {
		err = inPrivate(x)
	}
	if err != nil {
		return errorf("%v", err)
	}
	if !x.Type().IsScalar() && !x.Type().IsWide() || !asks(x) {
		return errorf("%s is not a condition that can be tested without changing anything", c.text)
	}
	c.x = x
	return nil
}

// asks reports whether an expression has no side effects besides those of the functions that it calls.
func asks(x cfront.Expr) bool {
	ok := true
	cfront.Walk(x, func(e cfront.Expr) bool {
		switch e.(type) {
		case *cfront.StmtExpr, *cfront.Assign, *cfront.IncDec, *cfront.VaArg, *cfront.VaStart, *cfront.Compound:
			ok = false
		}
		return ok
	})
	return ok
}

// asked evaluates a condition; functions that it calls write to a copy.
func (s *drawing) asked(x cfront.Expr) (bool, error) {
	if cfront.Pure(x) {
		return eval.Truth(memory{s: s}, x)
	}
	n := &names{memory: memory{s: s}, at: map[*cfront.Var]ctype.Word{}, words: map[ctype.Word]ctype.Word{}}
	w, _ := s.copy(n)
	return eval.Truth(w, x)
}

// halts reports whether there is a breakpoint where the program is, and its condition holds.
func (s *recorder) halts() (bool, error) {
	id := s.stop.Stmt
	if !s.breaks[id] || s.atEntry[id] && !s.called { // a loop back to the first statement of a function is no call
		return false, nil
	}
	c, ok := s.conds[id]
	if !ok {
		return true, nil
	}
	if c.x != nil {
		im, err := s.capture()
		if err != nil {
			return false, err
		}
		s.img = im
		holds, err := s.asked(c.x)
		if err != nil {
			s.printf("the breakpoint's condition %s cannot be evaluated: %v\n", c.text, err)
			return true, nil
		}
		if !holds {
			return false, nil
		}
	}
	c.hits++
	s.conds[id] = c
	return c.hits >= c.times, nil
}

// keepBreaks takes breakpoints and watched entities over from the state before an undo. Visits are counted as in the
// restored state.
func (s *drawing) keepBreaks(from *state) {
	hits := s.conds
	s.breaks, s.atEntry, s.conds, s.watches = from.breaks, from.atEntry, from.conds, from.watches
	for id, c := range s.conds {
		if old, ok := hits[id]; ok && old.text == c.text {
			c.hits = old.hits
		} else {
			c.hits = 0
		}
		s.conds[id] = c
	}
	for i := range s.watches {
		w := &s.watches[i]
		if now, ok := s.held(w); ok {
			w.was = now
		}
	}
}

// watched is an entity whose change halts the program.
type watched struct {
	key   string
	addr  ctype.Word
	typ   *ctype.Type
	was   string // its bytes
	fresh bool   // nothing was written there yet
	depth int    // of the function whose local it is; 0 for none
}

// watch makes changes of an entity halt the program, lists what is watched, or with -
// takes one out.
func (s *recorder) watch(ctx context.Context, args string) error {
	if args == "" {
		for _, w := range s.watches {
			s.printf("%s\n", w.key)
		}
		if len(s.watches) == 0 {
			s.printf("nothing is watched\n")
		}
		return nil
	}
	name, off := strings.CutPrefix(args, "-")
	key := heap.ParseEntity(name)
	c, err := s.watchable(name)
	if err == nil {
		key = c.Key
	}
	var rest []watched
	for _, w := range s.watches {
		if w.key != key {
			rest = append(rest, w)
		}
	}
	if off {
		if len(rest) == len(s.watches) {
			return errorf("%s is not watched", key)
		}
		s.watches = rest
		s.printf("%s is not watched any more\n", key)
		return nil
	}
	if err != nil {
		return err
	}
	w := watched{key: key, addr: c.Addr, typ: c.Type}
	var ok bool
	if w.was, ok = s.held(&w); !ok {
		return errorf("cannot read %s", key)
	}
	w.fresh = c.Value.Kind == heap.Unknown && c.Value.Text == "?"
	for _, v := range s.graph.Vars {
		if v.Frame >= 0 && v.Addr <= c.Addr && c.Addr < v.Addr+ctype.Word(max(v.Type.Size, 1)) {
			w.depth = s.stop.Depth - v.Frame
		}
	}
	s.watches = append(rest, w)
	s.printf("the program halts when %s changes\n", key)
	return nil
}

// maxWatchedBytes bounds what is watched as a whole.
const maxWatchedBytes = 4096

// watchable returns an entity that can be watched: of the picture, or named by an expression.
func (s *drawing) watchable(name string) (*heap.Cell, error) {
	if !s.started || s.graph == nil {
		return nil, errorf("the program is not running; use start")
	}
	c, err := s.entity(name)
	switch {
	case err != nil:
		return nil, err
	case c.Type.Private():
		return nil, errorf("what %s is made of is the C library's own", heap.ParseEntity(name))
	case c.Type.Size <= 0 || c.Type.Size > maxWatchedBytes:
		return nil, errorf("%s is of type %s; name one of its members", heap.ParseEntity(name), c.Type)
	}
	return c, nil
}

// held reads the bytes of a watched entity.
func (s *drawing) held(w *watched) (bytes string, ok bool) {
	buf := make([]byte, w.typ.Size)
	if ok = s.tgt.Read(w.addr, buf); ok && w.typ.IsScalar() { // of a bit-field its bits alone
		buf = binary.LittleEndian.AppendUint64(nil, ctype.Load(w.typ, buf))
	}
	return string(buf), ok
}

// tellWatched hands the watched entities to the target. It returns false if they must be read after every statement
// instead.
func (s *recorder) tellWatched(mode target.Mode) bool {
	t, ok := s.tgt.(target.Watcher)
	if !ok || mode != target.Continue {
		return false
	}
	var list []target.Watched
	for i := range s.watches {
		w := &s.watches[i]
		list = append(list, target.Watched{Addr: w.addr, Size: w.typ.Size, Depth: w.depth})
	}
	return t.Watch(list)
}

// shownAs writes the value that bytes of a watched entity have; im is the present memory.
func (w *watched) shownAs(im *heap.Image, bytes string) string {
	switch {
	case w.typ.IsScalar():
		return im.Symbol(binary.LittleEndian.Uint64([]byte(bytes)), w.typ).Text
	case w.typ.IsWide():
		return heap.WideText(w.typ, []byte(bytes))
	case w.typ.IsText():
		return ctype.Quote(ctype.CharactersOf([]byte(bytes), w.typ.Elem), w.typ.Elem)
	}
	return ""
}

// changedWatch reports whether something that is watched has changed, and says what.
func (s *recorder) changedWatch() bool {
	hit := false
	var rest []watched
	for _, w := range s.watches {
		if w.depth > s.stop.Depth {
			s.printf("%s is not watched any more: its function has returned\n", w.key)
			hit = true
			continue
		}
		now, ok := s.held(&w)
		if ok && now != w.was {
			if im, err := s.capture(); err != nil {
				s.printf("%s changed\n", w.key)
			} else if text := w.shownAs(im, now); text != "" {
				old := "?"
				if !w.fresh {
					old = w.shownAs(im, w.was)
				}
				s.printf("%s changed from %s to %s\n", w.key, old, text)
			} else {
				s.printf("%s changed\n", w.key)
			}
			w.was, w.fresh, hit = now, false, true
		}
		rest = append(rest, w)
	}
	s.watches = rest
	return hit
}

// when goes back to just before the statement that changed an entity last. Among the commands that undo can take back
// it finds the one in which that happened, and executes it again from its start, statement by statement.
func (s *Session) when(outer context.Context, args string) error {
	key := heap.ParseEntity(args)
	if key == "" {
		return errorf("when wants a variable or field, as in: when n3->next")
	}
	if s.started && s.stop.Reason == target.Exited {
		return s.running()
	}
	c, err := s.watchable(key)
	if err != nil {
		return err
	}
	w := watched{key: key, addr: c.Addr, typ: c.Type}
	var ok bool
	if w.was, ok = s.held(&w); !ok {
		return errorf("cannot read %s", key)
	}
	here := len(s.history) - 1 // the point that undo of this command leads to
	i := s.lastOther(here, &w)
	if i < 0 {
		if err := s.back(s.history[here].snap, &s.history[here].state); err != nil {
			return err
		}
		return errorf("%s was not changed by any of the commands that undo can take back", key)
	}
	u, end := &s.history[i], &s.history[i+1]
	if name, _, _ := strings.Cut(u.command, " "); name == "change" {
		if err := s.back(u.snap, &u.state); err != nil {
			return err
		}
		s.printf("%s was changed by the command %q; the program is as it was before\n", key, u.command)
		return s.showAgain()
	}
	ctx, cancel := context.WithTimeout(outer, s.cfg.Limit)
	defer cancel()
	if err := s.replay(ctx, u, end, &w); err != nil {
		if back := s.back(s.history[here].snap, &s.history[here].state); back != nil {
			return back
		}
		return err
	}
	return s.showAgain()
}

// showAgain prints where the program is after it went back.
func (s *Session) showAgain() error {
	if err := s.refresh(); err != nil {
		return err
	}
	s.tellProcesses()
	s.printf("%s", s.where())
	s.picture()
	return nil
}

// lastOther returns the last command before here at whose start an entity had another value; -1 for none. It leaves the
// program in one of the states it looked at.
func (s *Session) lastOther(here int, w *watched) int {
	for i := here; i >= 0; i-- {
		u := &s.history[i]
		if u.snap == nil || !u.state.started || s.tgt.Restore(u.snap) != nil {
			return -1
		}
		if now, ok := s.held(w); !ok || now != w.was {
			return i
		}
	}
	return -1
}

// replay executes a command's statements again, up to the state that the next command
// began with, and goes back to before the one that gave the entity its value.
func (s *Session) replay(ctx context.Context, u, end *undoPoint, w *watched) error {
	if err := s.back(end.snap, &end.state); err != nil {
		return err
	}
	goal, stop := s.img, s.stop
	if err := s.back(u.snap, &u.state); err != nil {
		return err
	}
	var before undoPoint
	forked := s.processesNow().Forked
	for n := 0; ; n++ {
		now, ok := s.held(w)
		if ok && now == w.was && s.stop.Stmt == stop.Stmt && s.stop.Depth == stop.Depth && n > 0 {
			if im, err := s.capture(); err == nil && im.Equal(goal) {
				break
			}
		}
		if n == maxTrace || ctx.Err() != nil || s.running() != nil {
			if s.processesNow().Forked > forked {
				return errorf("%s changed in %q, which forks: executed again it has other processes, and comes to another state", w.key, u.command)
			}
			return errorf("%s changed in %q, too long ago to be found again statement by statement", w.key, u.command)
		}
		p := undoPoint{state: s.state()}
		var err error
		if p.snap, err = s.tgt.Save(); err != nil {
			return err
		}
		if err := s.advance(ctx, stepInto(s.stop.Depth)); err != nil {
			return err
		}
		_ = s.tgt.Output() // it was shown the first time
		next, ok := s.held(w)
		if ok && next == w.was && now != w.was {
			before = p
		}
	}
	if before.snap == nil {
		return errorf("%s changed in %q, in no statement of its own", w.key, u.command)
	}
	s.printf("%s got its value from the statement that comes next\n", w.key)
	return s.back(before.snap, &before.state)
}

func stepInto(depth int) *goal { return &goal{mode: target.Into, depth: depth} }
