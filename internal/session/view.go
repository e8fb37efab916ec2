package session

import (
	"sort"
	"strconv"
	"strings"

	"gulo/internal/draw"
	"gulo/internal/lower"
	"gulo/internal/oracle"
	"gulo/internal/patch"
	"gulo/internal/repair"
	"gulo/internal/source"
	"gulo/internal/target"
)

// This file describes the session as data, for views that draw it themselves. It says the same as the printed answers
// and changes nothing. docs/json.md, "gulo web", describes the documents.

// View is the state of a session.
type View struct {
	Program string `json:"program"`
	State   string `json:"state"`   // ready, stopped, waiting (for input), interrupted, timeout, crashed, ended
	Message string `json:"message"` // why the program crashed, or how it ended

	Place       *Statement       `json:"place"` // the next statement; null when there is none
	Frames      []Frame          `json:"frames"`
	Picture     *draw.Picture    `json:"picture"` // null when the program does not run
	Changed     []string         `json:"changed"` // entities that the last command changed
	Breakpoints []Statement      `json:"breakpoints"`
	Locked      []Statement      `json:"locked"`
	Output      string           `json:"output"` // the last part of what the program wrote
	Checkpoints []CheckpointView `json:"checkpoints"`
	Suspects    []SuspectView    `json:"suspects"`        // of the last locate, while nothing was asserted since
	Repairs     []RepairView     `json:"repairs"`         // of the last repair, best first
	Patch       *RepairView      `json:"patch"`           // in force; null for none
	Apart       *SceneView       `json:"apart,omitempty"` // a call on which the first repair and another one differ
	Undo        []string         `json:"undo"`            // commands that undo takes back, the last one first
	Asserted    int              `json:"asserted"`        // number of asserted segments
	Fresh       []string         `json:"fresh"`           // entities changed since the last spec
	Result      string           `json:"result,omitempty"`
	Searching   bool             `json:"searching,omitempty"` // a better repair than the one in force is still searched for
	Freed       []FreedView      `json:"freed,omitempty"`     // blocks that the statement uses after they were freed
	Thread      int              `json:"thread,omitempty"`    // the one that is stepped; main's is 1
	Threads     []ThreadView     `json:"threads,omitempty"`   // where there are several
	Screen      *ScreenView      `json:"screen,omitempty"`    // of a program that has a terminal of its own
}

// ThreadView is a thread of the program.
type ThreadView struct {
	Number int     `json:"number"`
	Name   string  `json:"name"` // of the function that it began with; empty if none is active
	Frames []Frame `json:"frames"`
}

// Statement is a statement of the source as views show it.
type Statement struct {
	File      string `json:"file"`
	Line      int    `json:"line"`
	Column    int    `json:"column"`
	EndLine   int    `json:"endLine"`
	EndColumn int    `json:"endColumn"`
	Function  string `json:"function"`
	Text      string `json:"text"`
	Kind      string `json:"kind"`            // statement, condition, loop, end
	Says      *bool  `json:"says,omitempty"`  // of a condition that is next: what it evaluates to
	Macro     bool   `json:"macro,omitempty"` // it comes out of a macro
}

// Frame is an active function.
type Frame struct {
	Function string     `json:"function"`
	Place    *Statement `json:"place"`
}

// CheckpointView is an asserted state.
type CheckpointView struct {
	ID      int       `json:"id"`
	Parent  int       `json:"parent"` // -1 for none
	Place   Statement `json:"place"`
	Current bool      `json:"current"`
	Edits   int       `json:"edits"` // in force on its branch
	Same    int       `json:"same"`  // an earlier checkpoint with the same state; -1 for none
}

// SuspectView is a statement that may be wrong.
type SuspectView struct {
	Place  Statement `json:"place"`
	Score  float64   `json:"score"`
	Reason string    `json:"reason"`
}

// RepairView is a patch of the source with what is known of it.
type RepairView struct {
	Edits    []string   `json:"edits"`
	Diff     string     `json:"diff"`            // unified
	Rows     []DiffRow  `json:"rows"`            // the same, side by side
	Evidence string     `json:"evidence"`        // empty when it was not tried on generated inputs
	Examples []Example  `json:"examples"`        // inputs on which the program as written does something else
	Scene    *SceneView `json:"scene,omitempty"` // a call on which the program as written does something else
	InForce  bool       `json:"inForce"`
	Error    string     `json:"error,omitempty"` // why there is no diff
}

// DiffRow is a line of a side-by-side diff; a number is 0 where a side has no line.
type DiffRow struct {
	File  string `json:"file,omitempty"` // begins a file
	Left  int    `json:"left"`
	Old   string `json:"old"`
	Right int    `json:"right"`
	New   string `json:"new"`
}

// Example is what an input leads to before and after a repair.
type Example struct {
	Input  string `json:"input"`
	Before string `json:"before"`
	After  string `json:"after"`
}

// Look says which part of a large heap a view shows.
type Look struct {
	Nodes int `json:"nodes"` // at most; 0 for the usual bound of a page
	Focus int `json:"focus"` // the number of a node that is shown in any case; 0 for none
}

var states = map[target.Reason]string{
	target.Stepped: "stopped", target.Breakpoint: "stopped", target.Exited: "ended", target.Crashed: "crashed",
	target.Interrupted: "interrupted", target.NeedInput: "waiting", target.TimedOut: "timeout",
}

// View returns the state of the session. Only the goroutine that calls Exec may call it.
func (s *Session) View(look Look) *View {
	v := &View{
		Program: s.cfg.Name, State: "ready", Output: s.wrote, Asserted: len(s.segs), Frames: []Frame{}, Changed: keysOf(s.changed), Fresh: keysOf(s.fresh),
		Breakpoints: s.placesOf(s.breaks), Locked: s.placesOf(s.locked), Checkpoints: s.viewCheckpoints(), Suspects: s.viewSuspects(), Undo: []string{},
	}
	for i := len(s.history) - 1; i >= 0; i-- {
		v.Undo = append(v.Undo, s.history[i].command)
	}
	if s.dropped != nil {
		v.Undo = append(v.Undo, "start") // undo restores the assertions that it dropped
	}
	v.Screen = s.viewScreen()
	s.viewRepairs(v)
	v.Searching = s.chase != nil && !s.chase.over()
	if !s.started {
		return v
	}
	v.State = states[s.stop.Reason]
	if s.viewStop(v); s.stop.Reason == target.Exited {
		return v
	}
	s.viewPlace(v)
	if s.graph != nil {
		v.Picture = s.Picture(look)
	}
	if !s.waiting {
		v.Freed = s.freedUse()
	}
	if text, ok := s.Result(); ok {
		v.Result = text
	}
	return v
}

// viewStop says why the program crashed or how it ended.
func (s *drawing) viewStop(v *View) {
	switch s.stop.Reason {
	case target.Exited:
		v.Message = s.ended()
	case target.Crashed:
		v.Message = s.crash()
	}
}

// What a page shows of a large heap, unless its user asks for more: so many nodes, and lines in their boxes.
const (
	pageNodes = 400
	pageLines = 600
)

// Picture draws the memory; nil when the program does not run.
func (s *Session) Picture(look Look) *draw.Picture {
	if s.graph == nil {
		return nil
	}
	o := s.drawOptions()
	if o.MaxNodes = look.Nodes; o.MaxNodes == 0 {
		o.MaxNodes, o.Room = pageNodes, pageLines
	}
	if look.Focus > 0 {
		o.Around = append(o.Around, look.Focus)
	}
	for _, key := range keysOf(s.changed) {
		if node, field := fieldOf(key); field != "" {
			if k, err := strconv.Atoi(strings.TrimPrefix(node, "n")); err == nil {
				o.Around = append(o.Around, k)
			}
		}
	}
	return s.layout.Picture(s.graphWith(o.Around...), o)
}

func keysOf(m map[string]bool) []string {
	out := make([]string, 0, len(m))
	for k, on := range m {
		if on {
			out = append(out, k)
		}
	}
	sort.Strings(out)
	return out
}

func (s *drawing) viewPlace(v *View) {
	if st := s.stmt(); st != nil {
		p := placeOf(st)
		if st.Kind == lower.Cond && !s.waiting {
			if d, err := s.decision(st); err == nil {
				says := d == 1
				p.Says = &says
			}
		}
		v.Place = &p
	}
	if s.stop.Reason == target.Exited {
		return
	}
	frames, err := s.tgt.Frames()
	if err != nil {
		return
	}
	v.Frames = s.viewFrames(frames)
	v.Thread = s.stop.Thread
	list := s.threads()
	for i := range list {
		if t := &list[i]; len(list) > 1 {
			v.Threads = append(v.Threads, ThreadView{Number: t.Number, Name: threadName(t), Frames: s.viewFrames(t.Frames)})
		}
	}
}

func (s *drawing) viewFrames(frames []target.Frame) []Frame {
	out := []Frame{}
	for _, f := range frames {
		x := Frame{Function: f.Func.Name}
		if f.Stmt > 0 && int(f.Stmt) < len(s.prog.Stmts) {
			p := placeOf(s.prog.Stmts[f.Stmt])
			x.Place = &p
		}
		out = append(out, x)
	}
	return out
}

// placeOf returns the place of a statement. The place of a condition is the condition alone, not the whole loop.
func placeOf(st *lower.Stmt) Statement {
	r := st.Range
	p := Statement{Function: st.Func.Name, Text: Show(st), Kind: "statement", Macro: st.Macro}
	switch {
	case st.Kind == lower.End:
		p.Kind = "end"
	case st.Kind == lower.Cond:
		p.Kind = "condition"
		if st.Loop {
			p.Kind = "loop"
		}
		if st.X != nil && st.X.Range().File == r.File && !st.Macro {
			r = st.X.Range()
		}
	}
	a, b := r.Position(), r.File.Position(r.End)
	p.File, p.Line, p.Column, p.EndLine, p.EndColumn = a.File, a.Line, a.Column, b.Line, b.Column
	return p
}

func (s *inferior) placesOf(ids map[int32]bool) []Statement {
	out := []Statement{}
	for id, on := range ids {
		if on {
			out = append(out, placeOf(s.prog.Stmts[id]))
		}
	}
	sort.Slice(out, func(i, j int) bool {
		a, b := out[i], out[j]
		if a.File != b.File {
			return a.File < b.File
		}
		return a.Line < b.Line || a.Line == b.Line && a.Column < b.Column
	})
	return out
}

func (s *recorder) viewCheckpoints() []CheckpointView {
	out := []CheckpointView{}
	for i := range s.checks {
		c := &s.checks[i]
		patch := c.patch
		if c.id == s.current {
			patch = s.patch
		}
		out = append(out, CheckpointView{ID: c.id, Parent: c.parent, Place: placeOf(s.stmtOf(c)), Current: c.id == s.current, Edits: len(patch.Edits()), Same: c.same})
	}
	return out
}

func (s *searcher) viewSuspects() []SuspectView {
	out := []SuspectView{}
	if l := s.located; l != nil && l.segs == len(s.segs) && l.patch == s.patch {
		for _, x := range l.result.Suspects {
			out = append(out, SuspectView{Place: placeOf(x.Stmt), Score: x.Score, Reason: x.Reason})
		}
	}
	return out
}

func (s *searcher) viewRepairs(v *View) {
	v.Repairs = []RepairView{}
	for i := range s.found {
		c := &s.found[i]
		r := s.viewRepair(c.patch)
		if w := c.verdict; w != nil && w.Unknown == "" {
			r.Evidence = "Tried on " + tally(w, s.asWritten, "") + "."
			r.Examples = s.examples(w)
		}
		if c.text != nil {
			r = s.viewText(c.text)
		}
		r.InForce = c.text == nil && c.patch == s.patch || c.text != nil && c.text == s.retold
		v.Repairs = append(v.Repairs, r)
		if r.InForce {
			v.Patch = &r
		}
	}
	s.viewScenes(v)
	if v.Patch == nil && !s.patch.Empty() {
		r := s.viewRepair(s.patch)
		r.InForce = true
		v.Patch = &r
	}
}

// viewRepair describes a patch. Patches are never changed, so descriptions are kept.
func (s *searcher) viewRepair(p *repair.Patch) RepairView {
	if r, ok := s.described[p]; ok {
		return r
	}
	r := RepairView{Edits: []string{}, Rows: []DiffRow{}, Examples: []Example{}}
	for _, e := range p.Edits() {
		r.Edits = append(r.Edits, e.Describe(s.prog))
	}
	d, err := patch.Diff(s.prog, p)
	if err != nil {
		r.Error = err.Error()
	}
	r.Diff, r.Rows = d, s.rows(d)
	if s.described == nil || len(s.described) > 200 {
		s.described = map[*repair.Patch]RepairView{}
	}
	s.described[p] = r
	return r
}

// viewText describes an edit of the text.
func (s *inferior) viewText(t *rewritten) RepairView {
	r := RepairView{Edits: strings.Split(t.shown, "\n"), Rows: []DiffRow{}, Examples: []Example{}}
	d, err := patch.DiffTexts(s.prog, t.texts)
	if err != nil {
		r.Error = err.Error()
	}
	r.Diff, r.Rows = d, s.rows(d)
	return r
}

// examples lists the first three inputs on which a repair does something else than the program as written.
func (s *searcher) examples(v *oracle.Tally) []Example {
	out := []Example{}
	if s.asWritten == nil || len(s.inputs) != len(v.Outcomes) || len(s.inputs) != len(s.asWritten.Outcomes) {
		return out
	}
	said := func(o *oracle.Outcome) string {
		if o.Error != "" {
			return o.Error
		}
		return o.Text
	}
	for i := range v.Outcomes {
		a, b := &s.asWritten.Outcomes[i], &v.Outcomes[i]
		if said(a) == said(b) && a.State == b.State {
			continue
		}
		if out = append(out, Example{s.inputs[i], said(a), said(b)}); len(out) == 3 {
			break
		}
	}
	return out
}

// rows puts a diff of the program side by side, with the names of files as the program has them; those in a diff may
// differ (patch.DiffName).
func (s *inferior) rows(diff string) []DiffRow {
	out := Rows(diff)
	for i, r := range out {
		for _, f := range s.prog.Tree.Files {
			if r.File != "" && patch.DiffName(f.Name) == r.File {
				out[i].File = f.Name
			}
		}
	}
	return out
}

// Rows puts a unified diff side by side.
func Rows(diff string) []DiffRow {
	rows := []DiffRow{}
	left, right, file := 0, 0, ""
	var old []DiffRow // removed lines that may still get an added line beside them
	flush := func() {
		rows = append(rows, old...)
		old = nil
	}
	for _, line := range strings.Split(strings.TrimSuffix(diff, "\n"), "\n") {
		switch {
		case strings.HasPrefix(line, "--- a/"):
			flush()
			file = strings.TrimPrefix(line, "--- a/")
		case strings.HasPrefix(line, "+++ "), strings.HasPrefix(line, `\`), line == "":
		case strings.HasPrefix(line, "@@"):
			flush()
			left, right = hunk(line)
			rows = append(rows, DiffRow{File: file})
		case line[0] == '-':
			old = append(old, DiffRow{Left: left, Old: line[1:]})
			left++
		case line[0] == '+' && len(old) > 0:
			r := old[0]
			old = old[1:]
			r.Right, r.New = right, line[1:]
			rows = append(rows, r)
			right++
		case line[0] == '+':
			rows = append(rows, DiffRow{Right: right, New: line[1:]})
			right++
		default:
			flush()
			rows = append(rows, DiffRow{Left: left, Old: line[1:], Right: right, New: line[1:]})
			left++
			right++
		}
	}
	flush()
	return rows
}

// hunk returns the lines at which the two sides of a hunk begin: 3 and 5 of
// @@ -3,7 +5,9 @@.
func hunk(head string) (left, right int) {
	for _, f := range strings.Fields(head) {
		n, _, _ := strings.Cut(f[1:], ",")
		k, _ := strconv.Atoi(n)
		switch f[0] {
		case '-':
			left = k
		case '+':
			right = k
		}
	}
	return left, right
}

// Sources returns the program's own files by name.
func (s *Session) Sources() []*source.File { return s.prog.Tree.Files }

// Stops returns the statements at which a breakpoint can be, in the order of the
// source.
func (s *Session) Stops() []Statement {
	ids := map[int32]bool{}
	for _, st := range s.prog.Stmts {
		if st != nil && st.Stop {
			ids[st.ID] = true
		}
	}
	return s.placesOf(ids)
}
