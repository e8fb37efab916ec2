package session

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/draw"
	"gulo/internal/heap"
	"gulo/internal/lower"
	"gulo/internal/plural"
	"gulo/internal/target"
)

// This file decides which part of a program the picture shows, and selects among the active functions.

// manyFunctions is the number of functions above which a program is large. Its picture shows only what the functions in
// hand lead to.
const manyFunctions = 60

// large reports whether the picture leaves out what the functions in hand do not name.
func (s *drawing) large() bool { return len(s.prog.Tree.Funcs) > manyFunctions }

// shownFrame reports whether the picture of a large program has the variables of an active function: the innermost, its
// caller, and the one that up has selected.
func (s *drawing) shownFrame(i int) bool { return i <= 1 || i == s.frame }

// mentions returns the variables of static storage that a function names.
func (s *drawing) mentions(f *cfront.Func) map[*cfront.Var]bool {
	if m, ok := s.staticsOf[f]; ok {
		return m
	}
	m := map[*cfront.Var]bool{}
	cfront.WalkStmt(f.Body, nil, func(x cfront.Expr) {
		cfront.Walk(x, func(y cfront.Expr) bool {
			if r, ok := y.(*cfront.Ref); ok && r.Var.Storage != cfront.Local && r.Var.Storage != cfront.Param {
				m[r.Var] = true
			}
			return true
		})
	})
	if s.staticsOf == nil {
		s.staticsOf = map[*cfront.Func]map[*cfront.Var]bool{}
	}
	s.staticsOf[f] = m
	return m
}

// visible decides which variables a graph has: those that can be named where the program stands. Of a large program the
// picture then shows a part.
func (s *drawing) visible(im *heap.Image) func(o *heap.Object) bool {
	return func(o *heap.Object) bool {
		if o.Kind == heap.Global {
			return s.large() || o.Var.Func == nil || len(im.Frames) > 0 && im.Frames[0].Func == o.Var.Func || s.handedOut(im, o)
		}
		if im.Frames[o.Frame].Thread != 0 {
			return s.canName(im, o) && pointedAt(im, o)
		}
		return s.canName(im, o)
	}
}

// mentioned decides which variables the picture of a large program shows: those of the functions shown, and the static
// variables that these name.
func (s *drawing) mentioned(im *heap.Image) func(v *heap.VarInfo) bool {
	var named []map[*cfront.Var]bool
	for i, f := range im.Frames {
		if s.shownFrame(i) && f.Func.Body != nil {
			named = append(named, s.mentions(f.Func))
		}
	}
	return func(v *heap.VarInfo) bool {
		if v.Frame < 0 {
			return slices.ContainsFunc(named, func(m map[*cfront.Var]bool) bool { return m[v.Var] })
		}
		return im.Frames[v.Frame].Thread != 0 || s.shownFrame(v.Frame)
	}
}

// handedOut reports whether a static variable belongs to an active function, and a local pointer leads to it.
func (s *drawing) handedOut(im *heap.Image, o *heap.Object) bool {
	if !o.Var.Exposed() || !slices.ContainsFunc(im.Frames, func(f heap.FrameInfo) bool { return f.Func == o.Var.Func }) {
		return false
	}
	for x := range im.Each {
		if x.Kind != heap.Local || x.Var.Type.Kind != ctype.Pointer {
			continue
		}
		if w, ok := im.Load(x.Addr, x.Var.Type); ok && w >= o.Addr && w < o.End() {
			return true
		}
	}
	return false
}

// pointedAt reports whether a variable of another thread may be known to the one that is
// stepped: something outside the other threads' functions holds its address.
func pointedAt(im *heap.Image, o *heap.Object) bool {
	for x := range im.Each {
		if x.Kind == heap.Local && im.Frames[x.Frame].Thread != 0 {
			continue
		}
		for i := 0; i+8 <= len(x.Data); i += 8 {
			if w := ctype.Load(ctype.ULongT, x.Data[i:]); w >= o.Addr && w < o.End() {
				return true
			}
		}
	}
	return false
}

// canName reports whether a local variable can be named where its function stands.
func (s *drawing) canName(im *heap.Image, o *heap.Object) bool {
	st := s.prog.Stmts[im.Frames[o.Frame].Stmt]
	if f := im.Frames[o.Frame].Func; f.Name == "main" && o.Var.Storage == cfront.Param && o.Var.Type.Kind == ctype.Pointer {
		return s.hasArguments(im, o)
	}
	return target.Visible(o.Var, st)
}

// standing returns the statement that the selected function is at.
func (s *drawing) standing() *lower.Stmt {
	if s.frame > 0 && s.img != nil && s.frame < len(s.img.Frames) {
		if id := s.img.Frames[s.frame].Stmt; id > 0 && int(id) < len(s.prog.Stmts) {
			return s.prog.Stmts[id]
		}
	}
	return s.stmt()
}

// focused puts the name of the selected function before its variables in text, as the picture names them.
func (s *drawing) focused(text string) string {
	if s.graph == nil {
		return text
	}
	if s.frame == 0 { // main.l in main is l
		if st := s.stmt(); st != nil && strings.HasPrefix(text, st.Func.Name+".") {
			own := strings.TrimPrefix(text, st.Func.Name+".")
			name := own[:len(own)-len(strings.TrimLeftFunc(own, func(r rune) bool { return r < 128 && isWord(byte(r)) }))]
			for _, v := range s.graph.Vars {
				if v.Frame == 0 && v.Name == name {
					return own
				}
			}
		}
		return text
	}
	for _, v := range s.graph.Vars {
		if v.Frame == s.frame {
			text = replaceName(text, v.Var.Name, v.Name)
		}
	}
	return text
}

// replaceName replaces a C identifier, but not as a member and not inside another name.
func replaceName(text, name, by string) string {
	var b strings.Builder
	for i := 0; i < len(text); {
		j := i
		for j < len(text) && isWord(text[j]) {
			j++
		}
		if j == i {
			b.WriteByte(text[i])
			i++
			continue
		}
		before := strings.TrimRight(text[:i], " ")
		member := strings.HasSuffix(before, ".") || strings.HasSuffix(before, "->")
		calls := strings.HasPrefix(strings.TrimLeft(text[j:], " "), ".") && text[i:j] != name
		if text[i:j] == name && !member && !calls {
			b.WriteString(by)
		} else {
			b.WriteString(text[i:j])
		}
		i = j
	}
	return b.String()
}

// replaceWhole replaces a name of the picture, but not inside another name.
func replaceWhole(text, name, by string) string {
	part := func(c byte) bool { return isWord(c) || c == '#' || c == ':' }
	for from := 0; ; {
		i := strings.Index(text[from:], name)
		if i < 0 {
			return text
		}
		i += from
		if end := i + len(name); i > 0 && (part(text[i-1]) || text[i-1] == '.') || end < len(text) && part(text[end]) && text[end] != ':' {
			from = i + 1
			continue
		}
		text = text[:i] + by + text[i+len(name):]
		from = i + len(by)
	}
}

func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// frameLine describes an active function.
func (s *drawing) frameLine(i int, f *cfront.Func, id int32) string {
	line := ""
	if id > 0 && int(id) < len(s.prog.Stmts) {
		st := s.prog.Stmts[id]
		p := st.Range.Position()
		line = fmt.Sprintf(" at %s:%d: %s", p.File, p.Line, Show(st))
	}
	return fmt.Sprintf("#%d %s%s\n", i, f.Name, line)
}

// maxFrameText bounds what where full prints of the variables of a function.
const maxFrameText = 160

func (s *drawing) whereCmd(ctx context.Context, args string) error {
	if !s.started {
		return errorf("the program is not running; use start")
	}
	if args != "" && args != "full" {
		return errorf("where [full]: full adds the variables of each function")
	}
	frames, err := s.tgt.Frames()
	if err != nil {
		return err
	}
	var vars map[int][]string
	if args == "full" && s.img != nil {
		vars = s.frameVars()
	}
	if n := len(s.threads()); n > 1 {
		s.printf("thread %d of %d\n", s.stop.Thread, n)
	}
	for i, f := range frames {
		if i == 30 {
			s.printf("... %d more\n", len(frames)-i)
			break
		}
		line := s.frameLine(i, f.Func, f.Stmt)
		if i == s.frame && i > 0 {
			line = "=> " + line
		}
		s.printf("%s", line)
		if text := strings.Join(vars[i], "   "); text != "" {
			if r := []rune(text); len(r) > maxFrameText {
				text = string(r[:maxFrameText]) + " ..."
			}
			s.printf("     %s\n", text)
		}
	}
	return nil
}

// frameVars are the variables of the active functions, as text.
func (s *drawing) frameVars() map[int][]string {
	g := heap.NewGraph(s.img, func(o *heap.Object) bool { return o.Kind != heap.Global && s.canName(s.img, o) })
	out := map[int][]string{}
	for _, v := range g.Vars {
		var parts []string
		for i := range v.Cells {
			if i == 8 {
				parts = append(parts, "...")
				break
			}
			parts = append(parts, v.Cells[i].Value.Text)
		}
		text := strings.Join(parts, ", ")
		if len(v.Cells) != 1 {
			text = "{ " + text + " }"
		}
		out[v.Frame] = append(out[v.Frame], v.Var.Name+" "+text)
	}
	return out
}

func (s *recorder) up(ctx context.Context, args string) error   { return s.selectFrame(args, 1) }
func (s *recorder) down(ctx context.Context, args string) error { return s.selectFrame(args, -1) }

// selectFrame selects an active function further out (way 1) or further in (way -1).
func (s *recorder) selectFrame(args string, way int) error {
	if !s.started || s.img == nil || len(s.img.Frames) == 0 {
		return errorf("the program is not running; use start")
	}
	n := 1
	if args != "" {
		k, err := strconv.Atoi(args)
		if err != nil || k < 1 {
			return errorf("how many functions? %q is no number", args)
		}
		n = k
	}
	to := s.frame + way*n
	switch {
	case to < 0:
		return errorf("the innermost function is selected already")
	case to >= len(s.img.Frames) || s.img.Frames[to].Thread != 0:
		last := max(0, s.frame, to-1)
		for last >= len(s.img.Frames) || s.img.Frames[last].Thread != 0 {
			last--
		}
		return errorf("%s is the outermost function", s.img.Frames[last].Func.Name)
	}
	s.frame = to
	if s.large() {
		if err := s.refresh(); err != nil {
			return err
		}
	}
	f := s.img.Frames[to]
	s.printf("%s", s.frameLine(to, f.Func, f.Stmt))
	s.picture()
	return nil
}

// leftFunction is a function that finish has left, with what it returned.
type leftFunction struct {
	f     *cfront.Func
	w     ctype.Word
	whole *target.Whole // the value, if it is no scalar
}

// returnedText writes what a function has returned.
func (s *drawing) returnedText(l *leftFunction) string {
	t := l.f.Type.Result
	if l.whole == nil {
		return s.img.Symbol(l.w, t).Text
	}
	mark := s.img.Mark()
	defer s.img.Rollback(mark)
	o := &heap.Object{Addr: nameCells - 1<<40, Kind: heap.Local, Live: true, Data: l.whole.Data, Undef: l.whole.Undef}
	s.img.Push(o)
	var b strings.Builder
	if err := s.writeValue(&b, s.img, o.Addr, t); err != nil {
		return "?"
	}
	return b.String()
}

// noteResult records what a function at its end returns.
func (s *recorder) noteResult(f *cfront.Func) {
	if f.Result == nil {
		return
	}
	if w, ok := s.tgt.Result(); ok {
		s.left = &leftFunction{f: f, w: w}
	}
}

func (s *Session) finish(ctx context.Context, args string) error {
	if err := s.running(); err != nil {
		return err
	}
	if s.stop.Depth <= 1 {
		return s.outermost()
	}
	s.settle()
	g := &goal{mode: target.Out, depth: s.stop.Depth}
	s.left, s.leaving = nil, g.depth
	defer func() { s.leaving = 0 }()
	return s.reach(ctx, g, func(context.Context) error { return s.finished(g.depth) })
}

// finished shows what the function that was active at a depth returned, or where the program halted before.
func (s *Session) finished(depth int) error {
	s.attend()
	if l := s.left; l != nil && s.stop.Reason == target.Stepped && s.stop.Depth < depth {
		if err := s.refresh(); err != nil {
			return err
		}
		s.flushProgram()
		s.printf("%s returned %s\n", l.f.Name, s.returnedText(l))
		s.report()
		return nil
	}
	if err := s.show(); err != nil {
		return err
	}
	if st := s.stmt(); st != nil && s.stop.Reason == target.Stepped && s.stop.Depth >= depth && s.breaks[st.ID] {
		further := ""
		if n := s.stop.Depth - depth; n > 0 {
			further = fmt.Sprintf(", %s further in", plural.N(n, "call"))
		}
		s.printf("halted at a breakpoint before the call returned%s; break -%d removes it\n", further, st.Range.Position().Line)
	}
	return nil
}

// start runs the program. If other arguments or another input are given, what is asserted stays asserted.
func (s *Session) start(ctx context.Context, args string) error {
	given := args != ""
	points := s.kept()
	if given {
		list, file, err := startArguments(args)
		if err != nil {
			return err
		}
		if err := s.tgt.Arguments(list, file); err != nil {
			return errorf("%v", err)
		}
		s.cfg.Args = list
		if file != "" {
			text, err := os.ReadFile(file)
			if err != nil {
				return errorf("%v", err)
			}
			s.cfg.Input = string(text)
		}
	}
	at, attached := 0, false
	if x, ok := s.tgt.(interface{ Attached() int }); ok {
		at, attached = x.Attached(), x.Attached() != 0
	}
	core := s.postMortem()
	if core != "" && s.started {
		if !s.opened {
			return s.running()
		}
		s.opened = false
		s.printf("Looking at %s...\n", core)
		s.report()
		return nil
	}
	if attached && s.started && s.opened {
		s.opened = false
		s.printf("Attached to process %d...\n", at)
		s.report()
		return nil
	}
	if attached && s.started {
		return errorf("process %d was attached to, and cannot be started again", at)
	}
	s.abandon()
	stop, err := s.tgt.Start(ctx)
	if err != nil {
		return err
	}
	if s.started {
		s.anew(given)
	}
	n := newState()
	n.started, n.stop, n.patch, n.thread = true, stop, s.patch, stop.Thread
	n.retold, n.printing = s.retold, s.printing
	if given { // what is asserted in the new run may tell the repairs found apart
		n.found, n.result, n.asWritten, n.inputs = s.found, s.result, s.asWritten, s.inputs
	}
	n.called = true
	defer s.attend()
	n.atEntry = s.atEntry
	n.breaks, n.locked, n.concrete, n.keep = s.breaks, s.locked, s.concrete, s.keep
	for id, c := range s.conds {
		c.hits = 0
		n.conds[id] = c
	}
	if given && len(s.segs) > 0 {
		n.keepAsserted(&s.recorderState, points)
		if len(s.segs) == 1 {
			s.printf("the asserted state still counts\n")
		} else {
			s.printf("the %s still count\n", plural.N(len(s.segs), "asserted state"))
		}
	} else if len(s.segs) > 0 {
		s.dropped = &droppedRun{s.state(), points}
	}
	s.setState(n)
	s.graph = nil
	s.layout, s.wrote, s.screenNow = draw.Layout{}, "", ""
	if err := s.refresh(); err != nil {
		return err
	}
	switch {
	case core != "":
		s.printf("Looking at %s...\n", s.postMortem())
	case attached:
		s.printf("Attached to process %d...\n", at)
	default:
		s.printf("Starting program...\n")
	}
	s.report()
	return nil
}

// anew drops what a new run of the program makes invalid, and says so.
func (s *Session) anew(given bool) {
	s.history = nil // the process that they lead back to is gone
	s.trail = trail{ids: s.trail.ids}
	s.dropped = nil
	s.printf("the program is run again; what was done before cannot be undone any more\n")
	if n := len(s.segs); n == 1 && !given {
		s.printf("the asserted state does not count in this run; undo makes it count again\n")
	} else if n > 1 && !given {
		s.printf("the %s do not count in this run; undo makes them count again\n", plural.N(n, "asserted state"))
	}
}

// droppedRun holds what was asserted in the run before.
type droppedRun struct {
	state  state
	points []point
}

// keepAsserted takes over what was asserted in a run before.
func (s *recorderState) keepAsserted(from *recorderState, points []point) {
	s.segs, s.scope, s.entries, s.settled = from.segs, from.scope, from.entries, from.settled
	s.points, s.callIDs = points, from.callIDs
}

// undrop makes what was asserted before the last start count again; false where there is nothing.
func (s *Session) undrop() bool {
	d := s.dropped
	if d == nil {
		return false
	}
	s.dropped = nil
	s.keepAsserted(&d.state.recorderState, d.points)
	if len(s.segs) == 1 {
		s.printf("the asserted state of the run before counts again\n")
	} else {
		s.printf("the %s of the run before count again\n", plural.N(len(s.segs), "asserted state"))
	}
	return true
}

// Open shows a core file, or a process that was attached to, before any command, since nothing has to run for that. It
// returns what start prints; if the first command is start, that prints it again. For other sessions it does nothing.
func (s *Session) Open(ctx context.Context) (string, error) {
	if s.postMortem() == "" && !s.attachedTo() || s.started {
		return "", nil
	}
	s.out.Reset()
	if err := s.start(ctx, ""); err != nil {
		return "", err
	}
	s.opened = true
	return s.out.String(), nil
}

// startArguments reads the arguments of start: words as a shell has them, and < FILE.
func startArguments(text string) (list []string, file string, err error) {
	var word strings.Builder
	open, redirected, all := false, false, false
	end := func() {
		if !open {
			return
		}
		w := word.String()
		word.Reset()
		open = false
		switch {
		case redirected:
			file, redirected = w, false
		case w == "--" && !all && len(list) == 0:
			all = true
		default:
			list = append(list, w)
		}
	}
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == ' ' || c == '\t':
			end()
		case c == '<' && !open:
			redirected = true
		case c == '>' && !open || c == '|' && !open:
			return nil, "", errorf("start takes arguments and < FILE; what the program prints is shown here")
		case c == '\\' && i+1 < len(text):
			i++
			word.WriteByte(text[i])
			open = true
		case c == '"' || c == '\'':
			k := strings.IndexByte(text[i+1:], c)
			if k < 0 {
				return nil, "", errorf("a quote has no end in %s", text)
			}
			word.WriteString(text[i+1 : i+1+k])
			i += k + 1
			open = true
		default:
			word.WriteByte(c)
			open = true
		}
	}
	end()
	if redirected {
		return nil, "", errorf("start < wants a file, as in: start < input.txt")
	}
	return list, file, nil
}
