// Package session is one debug session: the program on its target, the picture
// of its memory, what the user asserted, the patches in force, and the
// commands that change them (Wolverine2, "Debug-Localize-Repair", section 3,
// Algorithms 1 and 2).
//
// Views (the shell, a web page, editors) call Exec with a command line, and
// print what it returns or draw View; they know nothing below this package. A
// Session is used by one goroutine; Interrupt may come from any.
package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/draw"
	"gulo/internal/heap"
	"gulo/internal/locate/gradient"
	"gulo/internal/lower"
	"gulo/internal/oracle"
	"gulo/internal/repair"
	"gulo/internal/source"
	"gulo/internal/spec"
	"gulo/internal/target"
)

// Config is what a view decides.
type Config struct {
	Width  int           // columns of pictures
	Height int           // lines of pictures; 0 if the height of the terminal is not known
	Wrap   int           // columns of messages; 0 for no limit
	Color  bool          // pictures may use colour
	Limit  time.Duration // for one command that lets the program run; 0 means 20 s
	Name   string        // of the program, for messages
	Args   []string      // of the program
	Input  string        // its standard input, as far as it is given beforehand
	Rules  Rules         // memory rules that watch the program; nil: none

	Options cfront.Options // with which the program was read

	// Patience is the factor by which a search may exceed its nominal time by the clock: 1 where somebody waits for it.
	// 0 means usualPatience: scripts then say the same on a busy machine.
	Patience int

	// KeepBreaks keeps undo from changing breakpoints and watched values, since the view has its own list of them.
	KeepBreaks bool

	// Progress, if set, is called with what a long command is doing, and with "" when it is done. It is for terminals.
	Progress func(text string)

	// Background, if set, lets repair and locate return with the results so far while the search goes on. It is called
	// from another goroutine when the search has ended.
	Background func(text string)
	Soon       time.Duration // how long they wait for the end of the search; 0 means half a second, and less for locate

	// Whole looks for edits with which whole runs print what they should; nil: nothing can be asserted of what is printed.
	Whole func(ctx context.Context, q *WholeRuns) (*WholeAnswer, error)
}

// Session is a debug session: the commands. It stands on four layers, and each of them knows only those below it.
//
//	searcher   looks for repairs, tries them, and says what it found
//	recorder   records what the program executes, and what the user asserts of it
//	drawing    the picture: images and graphs of the memory, names in them, views
//	inferior   the program under the debugger: where it stands, and the patch in force
type Session struct {
	searcher
	sessionState

	opened    bool        // Open has shown a core file or a process, and nobody has said start since
	wrote     string      // the last part of what the program wrote
	dropped   *droppedRun // assertions that the last start dropped; undo restores them
	toldInput bool        // the user was told how to give the program input
	toldForks bool        // and how to follow a child
	noticed   string      // see Noticed
	toldKeys  bool        // and how to give it keys
	screenNow string      // the screen as it was shown last
	screenAt  string      // the screen when the user was told of it last
}

// sessionState is what commands change and undo takes back, beside what the layers have of it.
type sessionState struct {
	suspended *unfinished                     // the command in the middle of which the program waits for input; nil for none
	landing   func(ctx context.Context) error // continues the resume that waits for input; nil for none
}

// inferior is the program under the debugger.
type inferior struct {
	inferiorState
	prog *lower.Program
	tgt  target.Target
	cfg  Config
	out  strings.Builder

	pointed []*cfront.Func  // functions that are used as values
	hunting context.Context // context of the search in hand; nil for none
	stops   *stopper        // cancels the search in hand
}

// inferiorState is the part of inferior that undo takes back.
type inferiorState struct {
	started bool
	stop    target.Stop
	waiting bool // the program waits for input in the middle of a command
	frame   int  // the active function that up has gone to; 0 is the innermost
	thread  int  // the last that the user was told of

	breaks   map[int32]bool
	atEntry  map[int32]bool      // breakpoints at the beginning of a function, which a loop there does not hit
	conds    map[int32]condition // of breakpoints; none: halt at every visit
	watches  []watched
	concrete map[int32]bool // statements executed as a whole
	typed    string         // what the program was given on its standard input

	temps  map[ctype.Word]ctype.Word // values of the patch's temporaries
	patch  *repair.Patch
	retold *rewritten // the repair in force, if it is a text edit that no patch expresses
}

// drawing is the picture of the program's memory.
type drawing struct {
	inferior
	drawingState
	camera  target.Camera
	shot    *heap.Image // image of the program as it is now; nil: none was taken yet
	img     *heap.Image
	graphs  heap.Grapher // makes the graphs that are shown
	graph   *heap.Graph
	wide    *heap.Graph // of a large program: the whole graph, of which graph is a part; nil for small ones
	focus   []focused   // what pictures are drawn around; none: what is in hand
	views   heap.Views
	visuals []*visual // of files of views
	scripts []script  // of printers
	lent    []lent    // types of files that are no part of the program
	layout  draw.Layout
	changed map[string]bool

	staticsOf map[*cfront.Func]map[*cfront.Var]bool // see mentions
}

// drawingState is the part of drawing that undo takes back.
type drawingState struct {
	seen     []target.WrittenUnion // union members that are known to have been written last; the list is never modified
	made     []ctype.Word          // nodes that change commands made since the segment began
	types    heap.Types            // of the nodes seen so far
	literals map[ctype.Word]int    // numbers of the compound literals met so far, by address
	moved    *moved                // what the user's changes of trees have moved in the picture; nil for nothing
}

// recorder is what the program executed, and what the user asserted of it.
type recorder struct {
	drawing
	recorderState
	history []undoPoint
	trail   trail         // the states that the session has come through
	left    *leftFunction // left by the finish in hand; nil if it is not known what it returned
	leaving int           // depth of the function that finish is leaving; 0 for no finish
	cells16 int64         // bytes of result cells in use

	stores   map[*cfront.Func]*written // see passive
	handlers *bool                     // see interrupted
}

// recorderState is the part of recorder that undo takes back.
type recorderState struct {
	fresh   map[string]bool       // entities that change commands set since the last spec
	texts   []drawnText           // strings that change commands drew since the last spec
	unsaid  []string              // changes of the picture that no spec followed before the program went on
	called  bool                  // the last statement executed called a function, or that is not known
	scope   map[*cfront.Func]bool // functions stepped into
	watched map[*cfront.Func]bool // functions recorded from their beginning; an assertion in one puts it under repair
	locked  map[int32]bool        // by lines
	tracked tracking
	pending map[int32]int8 // forced decision at a condition not executed yet

	call    *call                  // of a function under repair, in hand; nil for none
	callIDs int                    // calls counted so far
	firsts  []call                 // the first call of each function in which something is asserted
	given   []given                // calls whose end is asserted
	points  []point                // and where those assertions were made
	settled map[*spec.Segment]bool // the patch in force meets them in the run from its beginning, but not when they are replayed alone
	passed  []passed
	gone    []call        // calls that returned without an assertion after them, the last ones
	halted  []*heap.Image // where the run halted in main, the last ones
	entries []*heap.Image // states in which the functions under repair were entered

	segs    []*spec.Segment // asserted on the way to the current checkpoint
	open    *spec.Segment   // being recorded; nil outside functions in scope
	stack   []activation    // of the open segment, innermost last
	checks  []checkpoint
	current int   // the checkpoint that the open segment starts from; -1 for none
	written int64 // bytes of output shown
}

// searcher looks for repairs.
type searcher struct {
	recorder
	searcherState
	described map[*repair.Patch]RepairView
	lastTexts *lastTexts
	hinted    *hinted
	chase     *chase  // a background search for repairs, until its result is shown; nil for none
	looks     *chase  // the same for locate
	chasing   *chase  // the background search that this copy works for, as long as it takes offers; nil for none
	scenes    *scenes // of the repairs found; nil until a view asks
}

// searcherState is the part of searcher that undo takes back.
type searcherState struct {
	found     []choice      // repairs of the last search
	printing  []WholeRun    // what runs should print
	asWritten *oracle.Tally // results of the program as written on the inputs that repairs were tried on; nil for none
	inputs    []string      // those inputs
	located   *located      // by the last locate
	result    *lastSearch
	hints     int             // hints given for the assertions so far
	keep      map[string]bool // what must hold after the function: predicates, and "shape"
}

// state is everything that commands change and undo takes back.
type state struct {
	inferiorState
	drawingState
	recorderState
	searcherState
	sessionState
}

// state returns a copy of the session's state.
func (s *Session) state() state {
	st := s.layers()
	st.sessionState = s.sessionState
	return st
}

// layers returns a copy of the state of the layers below the session.
func (s *searcher) layers() state {
	st := state{inferiorState: s.inferiorState, drawingState: s.drawingState, recorderState: s.recorderState, searcherState: s.searcherState}
	return st.clone()
}

// setState makes st the session's state. What st holds must not be changed by others.
func (s *Session) setState(st state) {
	s.inferiorState, s.drawingState, s.recorderState, s.searcherState, s.sessionState = st.inferiorState, st.drawingState, st.recorderState, st.searcherState, st.sessionState
}

// clone copies a state so that neither sees the other's changes.
func (s *state) clone() state {
	c := *s
	c.temps = maps.Clone(s.temps)
	c.conds, c.watches = maps.Clone(s.conds), slices.Clone(s.watches)
	c.fresh, c.breaks, c.scope = maps.Clone(s.fresh), maps.Clone(s.breaks), maps.Clone(s.scope)
	c.atEntry = maps.Clone(s.atEntry)
	c.locked, c.concrete, c.pending = maps.Clone(s.locked), maps.Clone(s.concrete), maps.Clone(s.pending)
	c.tracked = s.tracked.clone()
	c.texts = slices.Clip(s.texts)
	c.made, c.segs, c.checks = slices.Clip(s.made), slices.Clip(s.segs), slices.Clone(s.checks)
	c.watched, c.unsaid = maps.Clone(s.watched), slices.Clip(s.unsaid)
	c.literals = maps.Clone(s.literals)
	c.keep, c.entries = maps.Clone(s.keep), slices.Clip(s.entries)
	c.firsts, c.given, c.passed, c.gone = slices.Clip(s.firsts), slices.Clip(s.given), slices.Clone(s.passed), slices.Clip(s.gone)
	c.points, c.settled = slices.Clip(s.points), maps.Clone(s.settled)
	c.printing = slices.Clip(s.printing)
	if s.call != nil {
		d := *s.call
		c.call = &d
	}
	c.stack = slices.Clone(s.stack)
	for i := range c.stack {
		c.stack[i].results = slices.Clip(c.stack[i].results)
	}
	if s.open != nil {
		o := *s.open
		o.Items = slices.Clip(o.Items)
		c.open = &o
	}
	return c
}

func newState() state {
	return state{
		inferiorState: inferiorState{
			breaks: map[int32]bool{}, atEntry: map[int32]bool{}, conds: map[int32]condition{}, concrete: map[int32]bool{},
			temps: map[ctype.Word]ctype.Word{}, patch: repair.NewPatch(),
		},
		drawingState:  drawingState{literals: map[ctype.Word]int{}},
		recorderState: recorderState{fresh: map[string]bool{}, scope: map[*cfront.Func]bool{}, locked: map[int32]bool{}, pending: map[int32]int8{}, current: -1},
		searcherState: searcherState{keep: map[string]bool{}},
	}
}

// choice is one of the repairs that the last search found.
type choice struct {
	patch    *repair.Patch
	text     *rewritten // a text edit that no patch expresses; nil for none
	other    bool       // it changes a picture that the user accepted before the assertion
	end      *ending    // how the run from its beginning ends with it; nil if not known
	loses    bool       // it loses memory that another repair does not lose
	distance int
	behind   int           // inputs with strings that fill their buffers on which it ends in an error
	odd      int           // cost of code that people rarely write, in tenths
	verdict  *oracle.Tally // nil when it was not tried on generated inputs
}

// lastSearch is what the last search found besides the repairs.
type lastSearch struct {
	count, cost int
	where       string
	took        time.Duration
}

// located is the result of the last locate, with the number of segments and the patch that it is valid for.
type located struct {
	result *gradient.Result
	segs   int
	patch  *repair.Patch
}

// undoPoint is the state before a command.
type undoPoint struct {
	command string
	snap    target.Snapshot
	state   state
}

// maxUndo bounds the commands that can be undone.
const maxUndo = 200

// New returns a session over a program (lowered with Options.Memory).
func New(p *lower.Program, t target.Target, cfg Config) *Session {
	if cfg.Limit == 0 {
		cfg.Limit = 20 * time.Second
	}
	s := &Session{}
	s.prog, s.tgt, s.cfg, s.changed, s.stops = p, t, cfg, map[string]bool{}, &stopper{}
	s.setState(newState())
	p.Tree.MarkAddresses()
	p.Tree.MarkGeneric()
	s.camera = target.Camera{Target: t, Name: s.nameLiterals}
	return s
}

// Close ends the background searches and the program.
func (s *Session) Close() {
	for _, c := range []*chase{s.chase, s.looks} {
		if c == nil {
			continue
		}
		c.cancel()
		select {
		case <-c.done:
		case <-time.After(time.Second): // it ends with the process
		}
	}
	s.tgt.Close()
}

// Segments returns what is asserted on the way to the current checkpoint. The
// caller must not change it.
func (s *Session) Segments() []*spec.Segment { return s.segs }

// Interrupt stops the running program, or the search in hand.
func (s *Session) Interrupt() {
	s.stops.interrupt()
	s.tgt.Interrupt()
}

// Error is a message to the user: the command could not be done, the session
// is as before.
type Error struct {
	Text     string
	Negative bool // an honest "no": no repair exists or was found
}

func (e *Error) Error() string { return e.Text }

func errorf(format string, args ...any) error { return &Error{Text: fmt.Sprintf(format, args...)} }

func negative(format string, args ...any) error {
	return &Error{Text: fmt.Sprintf(format, args...), Negative: true}
}

// stmt returns the statement about to be executed, nil when there is none.
func (s *inferior) stmt() *lower.Stmt {
	if s.stop.Stmt > 0 && int(s.stop.Stmt) < len(s.prog.Stmts) {
		return s.prog.Stmts[s.stop.Stmt]
	}
	return nil
}

// hasArguments reports whether a parameter of main is the vector of the
// program's arguments, and there are some besides its name.
func (s *inferior) hasArguments(im *heap.Image, o *heap.Object) bool {
	ps := o.Var.Func.Params
	if len(ps) < 2 || ps[1] != o.Var || o.Frame > 0 {
		return false
	}
	w, _ := im.Load(o.Addr, o.Var.Type)
	a := im.Find(w)
	return a != nil && a.Kind == heap.Static && len(a.Data) > 16
}

// refresh takes a new picture; what differs from the last one is marked.
func (s *recorder) refresh() error {
	old := s.graph
	im, err := s.capture()
	if err != nil {
		return err
	}
	s.img = im
	s.frame = min(s.frame, max(len(im.Frames)-1, 0))
	s.graphs.Inner, s.graphs.Part = s.large(), s.large()
	s.graph = s.graphs.Graph(im, s.visible(im))
	s.types = s.graph.Types(s.types)
	s.annotate(s.graph)
	s.printedNotes(s.graph)
	s.wide = nil
	if s.large() {
		s.wide = s.graph
	}
	s.takePart()
	s.graph.Recall(im, s.types)
	s.changed = map[string]bool{}
	if old != nil {
		for _, k := range heap.Diff(old, s.graph) {
			s.changed[k] = true
		}
	}
	return nil
}

// remember saves what undo needs before a command changes anything.
func (s *Session) remember(command string) {
	u := undoPoint{command: command, state: s.state()}
	if s.started && s.stop.Reason != target.Exited {
		snap, err := s.tgt.Save()
		if err != nil {
			return
		}
		u.snap = snap
	}
	s.history = append(s.history, u)
	s.forget()
}

// maxUndoBytes bounds the memory that undo takes.
const maxUndoBytes = 512 << 20

// forget drops the oldest undo points until their number and size are within bounds. It keeps the last one.
func (s *Session) forget() {
	first := max(0, len(s.history)-maxUndo)
	var size int64
	for i := len(s.history) - 1; i >= first; i-- {
		if b, ok := s.history[i].snap.(interface{ Bytes() int64 }); ok {
			size += b.Bytes()
		}
		if size > maxUndoBytes && i < len(s.history)-1 {
			first = i + 1
		}
	}
	if first > 0 {
		s.history = append([]undoPoint(nil), s.history[first:]...)
		s.trail.forgot += first
	}
}

func (s *Session) undo() error {
	n := len(s.history)
	if n == 0 {
		if s.undrop() {
			return nil
		}
		return errorf("nothing to undo")
	}
	u := s.history[n-1]
	if err := s.back(u.snap, &u.state); err != nil {
		return errorf("cannot go back before %q: %v", u.command, err)
	}
	s.history = s.history[:n-1]
	s.printf("undid %s\n", u.command)
	return nil
}

// back restores a saved state, except for the count of output that was shown. Without a snapshot it leaves the
// program's memory alone.
func (s *Session) back(snap target.Snapshot, st *state) error {
	if snap != nil {
		s.shot = nil
		if err := s.tgt.Restore(snap); err != nil {
			return err
		}
	}
	written, now := s.written, s.state()
	s.setState(st.clone())
	s.written = written
	s.moveBack(now.moved)
	if s.cfg.KeepBreaks {
		s.keepBreaks(&now)
	}
	if !s.started {
		s.graph, s.img = nil, nil
		return nil
	}
	if s.stop.Reason == target.Exited {
		return nil
	}
	return s.refresh()
}

func (s *inferior) printf(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if s.cfg.Wrap > 0 {
		text = Wrap(text, s.cfg.Wrap)
	}
	s.out.WriteString(text)
}

// Wrap breaks lines that are longer than width between words, and indents the continuation lines.
func Wrap(text string, width int) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		indent := line[:len(line)-len(strings.TrimLeft(line, " "))] + "  "
		for utf8.RuneCountInString(strings.TrimRight(line, "\n")) > width {
			at, n := 0, 0 // the last blank that fits
			for i, r := range line {
				if n > width {
					break
				}
				if r == ' ' && i >= len(indent) {
					at = i
				}
				n++
			}
			if at == 0 { // the first word fills the line
				break
			}
			out.WriteString(line[:at] + "\n")
			line = indent + line[at+1:]
		}
		out.WriteString(line)
	}
	return out.String()
}

// Memory reads bytes of the program; ok is false where there are none.
func (s *Session) Memory(addr uint64, n int) (data []byte, ok bool) {
	if !s.started || n < 0 || n > maxOutput*128 {
		return nil, false
	}
	data = make([]byte, n)
	return data, s.tgt.Read(addr, data)
}

// Graph is the memory shown; nil when the program is not running. It must not be
// changed.
func (s *Session) Graph() *heap.Graph { return s.graph }

// At returns the statement that is executed next; 0 when the program has ended
// or crashed.
func (s *Session) At() int32 {
	if s.stop.Reason != target.Stepped && s.stop.Reason != target.Breakpoint {
		return 0
	}
	return s.stop.Stmt
}

// Crashed returns the statement at which the program crashed; 0 when it did not.
func (s *Session) Crashed() int32 {
	if s.stop.Reason != target.Crashed {
		return 0
	}
	return s.stop.Stmt
}

// Depth is how many calls are active where the program stands.
func (s *Session) Depth() int { return s.stop.Depth }

// Result returns what the current function returns, if the program is at its end, in the notation of change result; ok
// is false elsewhere and for functions that return no scalar.
func (s *Session) Result() (text string, ok bool) {
	st := s.stmt()
	if st == nil || st.Kind != lower.End || st.Func.Result == nil || s.img == nil {
		return "", false
	}
	w, ok := s.tgt.Result()
	if !ok {
		return "", false
	}
	if w == 0 {
		return "0", true
	}
	return s.img.Symbol(w, st.Func.Result.Type).Text, true
}

// Searched returns how long the last repair took, what it cost and where it was
// found; ok is false when there was none.
func (s *Session) Searched() (took time.Duration, edits int, where string, ok bool) {
	if s.result == nil {
		return 0, 0, "", false
	}
	return s.result.took, s.result.cost, s.result.where, true
}

// Patch returns the edits in force.
func (s *Session) Patch() *repair.Patch { return s.patch }

// Prompted is what a view shows as the place the program is at.
func (s *Session) Prompted() string {
	if st := s.stmt(); st != nil && s.started {
		return Show(st)
	}
	return ""
}

// Show returns a statement as a prompt shows it.
func Show(st *lower.Stmt) string {
	switch st.Kind {
	case lower.End:
		return "}"
	case lower.Cond, lower.Switch:
		if _, ok := st.Node.(*cfront.For); ok {
			return "for (; " + source.OneLine(st.X.Range().Text()) + "; )"
		}
		for _, m := range st.Match {
			return source.OneLine(m.Text())
		}
	case lower.Decl:
		t := source.OneLine(declarator(st.Range))
		if open := strings.Count(t, "[") - strings.Count(t, "]"); open > 0 { // an array of variable length without an initializer
			t += strings.Repeat("]", open)
		}
		return t + ";"
	}
	t := source.OneLine(st.Range.Text())
	if st.Kind == lower.Expr && !strings.HasSuffix(t, ";") {
		t += ";"
	}
	return t
}

// declarator is the text of a declaration from its name on, or from the brackets that the name stands in: (*rows)[3].
func declarator(r source.Range) string {
	t, all := r.Text(), string(r.File.Text)
	start := r.Start
	for n := strings.Count(t, ")") - strings.Count(t, "("); n > 0; n-- {
		at := strings.LastIndexByte(all[:start], '(')
		if at < 0 {
			break
		}
		start = at
	}
	return all[start:r.Start] + t
}

// where tells the place of the next statement.
func (s *inferior) where() string {
	st := s.stmt()
	if st == nil {
		return ""
	}
	p := st.Range.Position()
	text := Show(st)
	if st.Kind == lower.End {
		text = "Exiting function " + st.Func.Name + "..."
	}
	if s.stop.Inside {
		text += "  (being executed)"
	}
	return fmt.Sprintf("%s:%d: %s\n", p.File, p.Line, text)
}

// report prints where the program is and the picture.
func (s *Session) report() {
	s.flushProgram()
	s.reportScreen()
	s.reportThread()
	switch s.stop.Reason {
	case target.Exited:
		s.sayEnded()
		return
	case target.Crashed:
		s.printf("%s\n", s.crash())
		if st := s.stmt(); st != nil {
			p := st.Range.Position()
			s.printf("%s:%d: %s\n", p.File, p.Line, Show(st))
		}
		if s.postMortem() == "" {
			s.printf("%s\n", s.beforeCrash())
			s.sayParent()
		}
	case target.NeedInput:
		s.sayWaits()
		s.picture()
		return
	case target.Interrupted:
		s.printf("%s\n", cmp.Or(s.stop.Message, "interrupted"))
	case target.TimedOut:
		s.printf("stopped after %v; type continue to let the program run on\n", s.cfg.Limit)
		if line := s.loopAt(); line > 0 {
			s.printf("if the loop at line %d does not end: undo; until %d then stops at its next iteration, where you can draw\n", line, line)
		}
	}
	if s.stop.Reason != target.Crashed {
		s.printf("%s", s.where())
	}
	s.picture()
}

func (s *recorder) picture() {
	if s.graph == nil {
		return
	}
	s.out.WriteString(s.layout.Text(s.graph, s.drawOptions()))
}

// errQuit ends the session.
var errQuit = errors.New("quit")

// Exec executes a command line: commands separated by semicolons. It returns
// what to print, and whether the session goes on. Errors of type *Error are
// the user's to read; others end the session.
func (s *Session) Exec(ctx context.Context, line string) (text string, more bool, err error) {
	s.out.Reset()
	s.noticed = ""
	raw := line
	if i := comment(line); i >= 0 {
		line = line[:i]
	}
	cmds := splitCommands(line)
	if s.waiting && (len(cmds) == 0 && raw != "" || len(cmds) > 0 && !isCommand(cmds[0])) {
		cmds = []string{"input " + raw}
	}
	for i, c := range cmds {
		quiet := i+1 < len(cmds) && sameMove(c, cmds[i+1])
		if err = s.command(ctx, c, quiet); err != nil {
			break
		}
	}
	s.progress("") // clear what was said last
	text = s.out.String()
	if errors.Is(err, errQuit) {
		return text, false, nil
	}
	var ue *Error
	if err != nil && !errors.As(err, &ue) {
		return text, false, err
	}
	s.pass(line)
	return text, true, err
}
