package session

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/aymanbagabas/go-udiff"

	"gulo/internal/budget"
	"gulo/internal/cfront"
	"gulo/internal/lower"
	"gulo/internal/oracle"
	"gulo/internal/patch"
	"gulo/internal/plural"
	"gulo/internal/repair"
	"gulo/internal/repair/natural"
	"gulo/internal/repair/woven"
	"gulo/internal/source"
	"gulo/internal/target"
)

// This file handles assertions about what the program prints. A picture of the memory does not show that, so the user
// says it of the run in hand, from its beginning to its end. The repairs are edits of the text, which Config.Whole
// looks for; they must also lead to what was drawn.

// WholeRun is a run from its beginning to its end, and what it should print.
type WholeRun struct {
	Args          []string
	Stdin, Stdout string
	Exit          int  // status that it ends with
	Blank         bool // white space at the ends of lines and of the output counts
	Exact         bool // the user wrote that white space as it should be
}

// prints reports whether an output is what the run should print.
func (r *WholeRun) prints(output string) bool {
	return output == r.Stdout || !r.Blank && source.Judged(output) == source.Judged(r.Stdout)
}

// exactly reports whether an output is what the run should print, to the last character if the user wrote that.
func (r *WholeRun) exactly(output string) bool {
	return output == r.Stdout || !r.Exact && r.prints(output)
}

// about reports whether two runs are given the same arguments and input.
func (r *WholeRun) about(x *WholeRun) bool {
	return r.Stdin == x.Stdin && slices.Equal(r.Args, x.Args)
}

// String names the run by what it is given.
func (r *WholeRun) String() string {
	var parts []string
	if len(r.Args) > 0 {
		parts = append(parts, "with the arguments "+strings.Join(r.Args, " "))
	}
	if r.Stdin != "" {
		parts = append(parts, "with the input "+brief(r.Stdin))
	}
	if len(parts) == 0 {
		return "the run"
	}
	return "the run " + strings.Join(parts, " and ")
}

// WholeRuns is the question which edits make a program print what it should.
type WholeRuns struct {
	Texts map[string]string // of the files that a repair in force changes, by their names
	Runs  []WholeRun        // all must print what they should
	Lock  []int             // lines of the program with these texts that may not change
	Limit time.Duration     // nominally, of the search
	Guard time.Duration     // by the clock

	// Also reports whether a repair meets what else is asserted. It gets the files that the repair changes in the
	// program with Texts. Several goroutines may call it.
	Also func(texts map[string]string) bool
	Say  func(text string) // called with what is being done
}

// WholeAnswer is the answer to a question of WholeRuns.
type WholeAnswer struct {
	Met     bool // every run prints what it should already
	Repairs []WholeRepair
	Why     string // why there is no repair
}

// WholeRepair is a repair: the files that it changes in the program that was asked about, and what it was checked with.
type WholeRepair struct {
	Texts    map[string]string
	Edits    int // number of edits in that program
	Evidence string
}

// Bounds of the search.
const (
	printedLimit = 20 * time.Second
	revisedShare = 6  // the program as it was before a repair gets one in so many parts of this first
	briefly      = 60 // bytes of a text in a message
)

// brief returns a text, quoted and shortened for a message.
func brief(text string) string {
	if len(text) > briefly {
		return strconv.Quote(strings.ToValidUTF8(text[:briefly-3], "")) + "..."
	}
	return strconv.Quote(text)
}

// expect asserts what the run in hand should print, from its beginning to its end.
func (s *searcher) expect(ctx context.Context, args string) error {
	switch {
	case args == "":
		return s.sayExpected(ctx)
	case args == "-":
		s.printing = nil
		s.printf("nothing is asserted of what the program prints\n")
		return nil
	case s.cfg.Whole == nil:
		return errorf("what the program prints cannot be asserted here")
	case !s.started:
		return errorf("the program is not running; use start, and say then what this run should print")
	case s.postMortem() != "":
		return s.running()
	case s.attachedTo():
		return errorf("a process that was attached to cannot be run from its beginning: assert a picture")
	case s.waiting:
		return errorf("the program waits for input: give it all that it reads (input TEXT, and input --end), and say then what the run should print")
	}
	want, exact, err := wanted(args)
	if err != nil {
		return err
	}
	r := s.inHandWhole(want)
	r.Exact = exact
	now, known := s.byPrinted(ctx).now(&r)
	if s.stop.Reason == target.Exited {
		r.Exit = s.stop.Status
	}
	if known && now.Fault == nil { // the user does not say the status
		r.Exit = now.Status
		if !exact && strings.HasSuffix(now.Output, "\n") { // a typed text does not have its last end of line
			r.Stdout = strings.TrimSuffix(want, "\n") + "\n"
		}
		r.Blank = exact && now.Output != want && source.Judged(now.Output) == source.Judged(want) // then white space is all that can be wrong
	}
	printing := slices.Clone(s.printing)
	if i := slices.IndexFunc(printing, func(x WholeRun) bool { return x.about(&r) }); i >= 0 {
		printing[i] = r
	} else {
		printing = append(printing, r)
	}
	s.printing = printing
	s.printf("asserted: %s prints %s, and nothing else\n", r.String(), brief(want))
	it := "it"
	if s.retold != nil { // the run in hand goes on without the repair
		it = "with the repair it"
	}
	switch {
	case !known:
	case now.Fault != nil:
		s.printf("%s prints %s, and ends in an error: %v\n", it, brief(now.Output), now.Fault)
	case r.exactly(now.Output):
		s.printf("that is what %s prints\n", it)
	case r.Blank:
		s.printf("%s prints %s: they differ in white space at the ends of lines or of the output alone, so that counts\n", it, brief(now.Output))
	default:
		s.printf("%s prints %s\n", it, brief(now.Output))
	}
	return nil
}

// attachedTo reports whether the process was there before the session.
func (s *inferior) attachedTo() bool {
	x, ok := s.tgt.(interface{ Attached() int })
	return ok && x.Attached() != 0
}

// inHandWhole is the run in hand from its beginning to its end, which should print want.
func (s *recorder) inHandWhole(want string) WholeRun {
	b := s.begins()
	return WholeRun{Args: slices.Clone(b.Args), Stdin: b.Stdin, Stdout: want}
}

// sayExpected says what the run in hand prints, and what is asserted.
func (s *searcher) sayExpected(ctx context.Context) error {
	if s.started && s.postMortem() == "" && !s.waiting && !s.attachedTo() {
		r := s.inHandWhole("")
		if now, ok := s.byPrinted(ctx).now(&r); ok {
			s.printf("%s prints %s\n", r.String(), strconv.Quote(now.Output))
		}
	}
	for i := range s.printing {
		r := &s.printing[i]
		s.printf("asserted: %s prints %s\n", r.String(), strconv.Quote(r.Stdout))
	}
	if len(s.printing) == 0 {
		s.printf("nothing is asserted of what the program prints; expect TEXT says what this run should print\n")
	}
	return nil
}

// wanted parses the argument of expect: a file, a C string in quotation marks, or plain text in which \n and \t are
// escapes. exact says that white space at the ends is meant as it stands.
func wanted(args string) (text string, exact bool, err error) {
	if file, ok := strings.CutPrefix(args, "<"); ok {
		text, err := os.ReadFile(strings.TrimSpace(file))
		if err != nil {
			return "", false, errorf("%v", err)
		}
		return string(text), true, nil
	}
	if strings.HasPrefix(args, `"`) {
		text, err := strconv.Unquote(args)
		if err != nil {
			return "", false, errorf("%s is no text in quotation marks; as in C, \\n ends a line and \\\" is a quotation mark", args)
		}
		return text, true, nil
	}
	return strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\t`, "\t").Replace(args), false, nil
}

// byPrinted is a search for repairs with which runs print what they should.
type byPrinted struct {
	s   *searcher
	ctx context.Context
	f   repairFlags

	pictures *oracle.Suite   // the pictures drawn, as whole runs
	untried  int             // pictures that no run from the beginning comes to
	mu       sync.Mutex      // guards met
	met      map[string]bool // by texts: whether the runs with them come to the pictures
}

func (s *searcher) byPrinted(ctx context.Context) *byPrinted {
	return &byPrinted{s: s, ctx: ctx, met: map[string]bool{}}
}

// repairPrinted searches for repairs with which runs print what they should. What is drawn and not met is repaired
// first. The output is repaired on top of that or, if nothing is found, instead of it.
func (s *Session) repairPrinted(ctx context.Context, f repairFlags) error {
	var none error // why what is drawn has no repair
	b := s.byPrinted(ctx)
	if b.look(); len(s.segs) > 0 && !b.drawn() {
		drawn := f
		drawn.wait = true // the search for the output starts from its result
		if none = s.repairDrawn(ctx, drawn); none != nil && !isNegative(none) {
			return none
		}
		b.look()
	}
	ctx, done := s.searching(ctx, f.limit)
	defer done()
	defer s.inHand(ctx)()
	defer s.progress("")
	b.ctx, b.f = ctx, f
	if c := b.another(); c != nil {
		s.printf("another of the repairs found leads to what you asserted:\n")
		s.take(c)
		s.printf("with the repair, the program shows what you drew, and prints what you asserted in %s\n", b.runs(c))
		return nil
	}
	base, err := b.base()
	if err != nil {
		return err
	}
	var why string
	type try struct {
		texts map[string]string
		limit time.Duration
	}
	tries := []try{{nil, printedLimit}}
	if len(base) > 0 {
		if len(s.locked) == 0 && f.scope == "" { // locks and scopes number the lines of the program as it is written
			tries = slices.Insert(tries, 0, try{base, printedLimit})
		}
		if !b.meets() { // one edit that does all is better than another one on top
			tries = slices.Insert(tries, 0, try{nil, printedLimit / revisedShare})
		}
	}
	for _, t := range tries {
		done, cause, err := b.on(t.texts, t.limit)
		if err != nil || done {
			return err
		}
		if t.limit == printedLimit {
			why = cmp.Or(why, cause)
		}
	}
	if none != nil {
		return none
	}
	return negative("no repair found: %s; assert what other runs print, or draw a picture where this one goes wrong", why)
}

// on searches for repairs of the program with the texts given, or as it is written without any, and puts the best in
// force. done says that it did so, or that nothing is to be repaired; otherwise why says why not.
func (b *byPrinted) on(texts map[string]string, limit time.Duration) (done bool, why string, err error) {
	s := b.s
	a, found, evidence, err := b.ask(texts, limit)
	switch {
	case b.ctx.Err() != nil && len(found) == 0:
		return false, "", errStopped("repair")
	case err != nil:
		return false, "", err
	case a.Met && len(texts) == 0 && (s.retold != nil || !s.patch.Empty()):
		return false, "the program as it is written prints what you asserted; unpatch goes back to it", nil
	case a.Met && len(s.segs) > 0 && !b.drawn():
		return false, "the program prints what you asserted, but does not show what you drew", nil
	case a.Met:
		s.printf("nothing to repair: the program prints what you asserted in %s, and no other run was looked at\n", b.runs(b.inForce()))
		return true, "", nil
	case len(found) == 0:
		return false, a.Why, nil
	}
	switch {
	case len(texts) == 0 && (s.retold != nil || !s.patch.Empty()):
		s.printf("the earlier patches do not achieve that and are revised\n")
	case s.retold != nil:
		found[0].add(s.retold.edits)
	default:
		found[0].add(len(s.patch.Edits()))
	}
	b.settle(found, evidence)
	if b.ctx.Err() != nil {
		s.printf("the search was stopped: there may be a better repair, and this one was not tried on everything\n")
	}
	return true, "", nil
}

// add counts edits that the text of a repair has besides those just found.
func (c *choice) add(edits int) {
	if c.text != nil {
		c.text.edits += edits
	}
}

// isNegative reports whether an error says that there is no repair.
func isNegative(err error) bool {
	e, ok := err.(*Error)
	return ok && e.Negative
}

// now returns how a run ends with the repair in force; ok is false if the machine cannot tell.
func (b *byPrinted) now(r *WholeRun) (x *oracle.Run, ok bool) {
	defer b.s.inHand(b.ctx)()
	return b.with(b.inForce(), r)
}

// meets reports whether the program prints what is asserted with the repair in force, as far as the machine can tell.
func (b *byPrinted) meets() bool {
	return !slices.ContainsFunc(b.s.printing, func(r WholeRun) bool {
		now, ok := b.now(&r)
		return !ok || now.Fault != nil || !r.prints(now.Output)
	})
}

// inForce returns the repair in force.
func (b *byPrinted) inForce() *choice { return &choice{patch: b.s.patch, text: b.s.retold} }

// with returns how a run ends with a repair; ok is false if the machine cannot tell.
func (b *byPrinted) with(c *choice, r *WholeRun) (x *oracle.Run, ok bool) {
	if c.text != nil {
		return b.run(b.s.program(c.text), repair.NewPatch(), r)
	}
	return b.run(b.s.prog, c.patch, r)
}

// inexact returns how many runs print what is asserted with a repair only if white space at the ends does not count, or
// may do so.
func (b *byPrinted) inexact(c *choice) (n int) {
	for i := range b.s.printing {
		r := &b.s.printing[i]
		if now, ok := b.with(c, r); !ok || !r.exactly(now.Output) {
			n++
		}
	}
	return n
}

// runs says in how many runs a repair prints what is asserted.
func (b *byPrinted) runs(c *choice) string {
	text := plural.N(len(b.s.printing), "run")
	n := b.inexact(c)
	switch {
	case n == 0:
		return text
	case n < len(b.s.printing):
		text += fmt.Sprintf(", in %d of them", n)
	}
	return text + " apart from white space at the ends of lines or of the output (assert it again if that counts)"
}

// run returns how a run of program p with a patch ends; ok is false if the machine cannot tell.
func (b *byPrinted) run(p *lower.Program, with *repair.Patch, r *WholeRun) (x *oracle.Run, ok bool) {
	if p == nil {
		return nil, false
	}
	edits, err := natural.Overlays(p, with)
	if err != nil {
		return nil, false
	}
	run, err := b.s.runner(&oracle.Suite{Prog: p, Env: b.s.environment()})
	if err != nil {
		return nil, false
	}
	x, err = run.Run(&oracle.Case{Args: r.Args, Stdin: r.Stdin}, edits)
	return x, err == nil && x.Unmodelled() == "" && !x.Endless()
}

// look finds out which pictures runs from the beginning come to.
func (b *byPrinted) look() {
	suite, met := b.s.fromStart(b.ctx)
	b.pictures, b.untried = suite, 0
	for _, seg := range b.s.segments() {
		if !met(seg) {
			b.untried++
		}
	}
}

// drawn reports whether the program with the repair in force gives what is drawn.
func (b *byPrinted) drawn() bool {
	s := b.s
	switch {
	case s.retold != nil:
		return b.comes(s.retold.texts)
	case s.misses(s.segments(), s.patch) < 0:
		return true
	}
	return b.untried == 0 && len(b.pictures.Cases) > 0 && s.comes(b.pictures, s.patch)
}

// comes reports whether the program with other texts leads to what is drawn, as far as runs from the beginning show it.
func (b *byPrinted) comes(texts map[string]string) bool {
	if len(b.pictures.Cases) == 0 {
		return true
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	key := fmt.Sprintf("%q", texts) // fmt sorts the names
	if met, known := b.met[key]; known {
		return met
	}
	b.met[key] = false
	if p := b.s.program(&rewritten{texts: texts}); p != nil {
		met, known, err := woven.Comes(b.s.prog, p, b.pictures, func(n int64) { budget.Spend(b.ctx, n) })
		b.met[key] = met && known && err == nil
	}
	return b.met[key]
}

// base returns the files that the repair in force changes, with their texts.
func (b *byPrinted) base() (map[string]string, error) {
	switch s := b.s; {
	case s.retold != nil:
		return s.retold.texts, nil
	case !s.patch.Empty():
		return patch.Rewrite(s.prog, s.patch)
	}
	return nil, nil
}

// another returns one of the repairs found for what is drawn that also prints what it should; nil if none does.
func (b *byPrinted) another() *choice {
	s := b.s
	if s.patch.Empty() || len(s.segs) == 0 {
		return nil
	}
	wrong := func(p *repair.Patch) bool {
		return slices.ContainsFunc(s.printing, func(r WholeRun) bool {
			now, ok := b.run(s.prog, p, &r)
			return !ok || now.Fault != nil || !r.prints(now.Output)
		})
	}
	for i := range s.found {
		if c := &s.found[i]; c.text == nil && c.patch != s.patch && s.misses(s.segments(), c.patch) < 0 && !wrong(c.patch) && wrong(s.patch) {
			return c
		}
	}
	return nil
}

// ask asks Config.Whole for edits of the program with the texts given. evidence is what the first repair was checked
// with.
func (b *byPrinted) ask(texts map[string]string, limit time.Duration) (a *WholeAnswer, found []choice, evidence string, err error) {
	s := b.s
	limit = b.f.within(b.ctx, limit)
	q := &WholeRuns{
		Texts: texts, Runs: s.printing, Limit: limit, Guard: s.patient(limit),
		Also: func(more map[string]string) bool { return b.comes(over(texts, more)) },
		Say:  func(text string) { s.progress("%s", text) },
	}
	if q.Lock, err = b.locked(); err != nil {
		return nil, nil, "", err
	}
	if a, err = s.cfg.Whole(b.ctx, q); err != nil {
		return nil, nil, "", err
	}
	fewest := len(s.printing) + 1
	for _, r := range a.Repairs {
		if !q.Also(r.Texts) { // the search may have been stopped before it asked
			continue
		}
		c := b.choice(over(texts, r.Texts), r.Edits)
		if n := b.inexact(&c); n < fewest { // the first of those that print most runs to the last character
			fewest, evidence = n, r.Evidence
			found = slices.Insert(found, 0, c)
			continue
		}
		found = append(found, c)
	}
	return a, found, evidence, nil
}

// choice turns texts into one of the session's repairs. If a patch of statements makes the same texts it uses that, so
// that the run in hand goes on with it.
func (b *byPrinted) choice(texts map[string]string, edits int) choice {
	s, x := b.s, b.shown(texts)
	x.edits = edits
	if p := s.program(x); p != nil {
		if as := woven.AsPatch(s.prog, p); as != nil && !as.Empty() {
			if c := (choice{patch: as}); s.textOf(&c) == s.textOf(&choice{text: x}) {
				return c
			}
		}
	}
	return choice{patch: repair.NewPatch(), text: x}
}

// over returns texts, with those in more in the place of theirs.
func over(texts, more map[string]string) map[string]string {
	out := maps.Clone(texts)
	if out == nil {
		out = map[string]string{}
	}
	maps.Copy(out, more)
	return out
}

// settle puts the first of the repairs in force.
func (b *byPrinted) settle(found []choice, evidence string) {
	s := b.s
	s.found, s.asWritten = found, nil
	s.result = &lastSearch{count: len(found), cost: found[0].edits(1), where: "edits of the text"}
	s.printf("Found a repair:\n")
	s.take(&s.found[0])
	s.printf("The repaired program prints what you asserted in %s", b.runs(&s.found[0]))
	if n := len(s.segments()) - b.untried; n > 0 {
		s.printf(", and comes to %s that you drew", plural.N(n, "picture"))
	}
	s.printf("\n")
	if n := b.untried; n > 0 {
		s.printf("note: it was not tried on %s that you drew: no run from the beginning reaches the place where %s\n", plural.N(n, "picture"), map[bool]string{true: "it begins", false: "they begin"}[n == 1])
	}
	if evidence != "" {
		s.printf("%s\n", evidence)
	}
	if s.retold != nil {
		s.printf("note: %s; rewrite FILE writes the repaired one\n", AsWritten)
	}
}

// locked returns the lines that may not change: the locked ones and, with --scope, all outside of the scope.
func (b *byPrinted) locked() (lines []int, err error) {
	s, every := b.s, map[*cfront.Func]bool{}
	for _, f := range s.prog.Tree.Funcs {
		every[f] = true
	}
	free, _, err := s.inScope(repairFlags{scope: b.f.scope}, every)
	if err != nil {
		return nil, err
	}
	for _, st := range s.prog.Stmts {
		if st != nil && st.Range.Valid() && !free(st.ID) && (s.locked[st.ID] || b.f.scope != "") {
			lines = append(lines, st.Range.Position().Line)
		}
	}
	slices.Sort(lines)
	return slices.Compact(lines), nil
}

// shown describes a repair that is given as texts, by the lines that change.
func (b *byPrinted) shown(texts map[string]string) *rewritten {
	x := &rewritten{texts: texts}
	var lines []string
	for _, f := range b.s.prog.Tree.Files {
		after, ok := texts[f.Name]
		if !ok {
			continue
		}
		for _, e := range udiff.Lines(string(f.Text), after) {
			at := f.Position(e.Start)
			if len(lines) == 0 {
				x.at, x.line = at, strings.TrimSpace(f.Line(at.Line))
			}
			lines = append(lines, fmt.Sprintf("%s:%d: %s", at.File, at.Line, changeOf(string(f.Text[e.Start:e.End]), e.New)))
		}
	}
	x.shown = strings.Join(lines, "\n")
	return x
}

// changeOf says what lines become.
func changeOf(before, after string) string {
	was, is := source.OneLine(before), source.OneLine(after)
	switch {
	case was == "":
		return "insert " + is
	case is == "":
		return "delete " + was
	}
	return was + "  =>  " + is
}

// maxOutput bounds what one command shows of the program's output.
const maxOutput = 8 << 10

// maxWrote bounds what is kept of the program's output.
const maxWrote = 256 << 10

// flushProgram shows what the program wrote.
func (s *Session) flushProgram() {
	if o := s.tgt.Output(); o != "" {
		s.written += int64(len(o))
		s.showOutput(o)
	}
	s.tellProcesses()
}

// showOutput shows what the program wrote, unless its screen shows it.
func (s *Session) showOutput(o string) {
	if s.screen() != nil {
		return
	}
	if s.wrote += o; len(s.wrote) > maxWrote {
		s.wrote = s.wrote[len(s.wrote)-maxWrote:]
	}
	if n := len(o) - maxOutput; n > 0 {
		o = o[:maxOutput] + fmt.Sprintf("\n... %s of output\n", plural.N(n, "more byte"))
	}
	s.out.WriteString(o)
	if !strings.HasSuffix(o, "\n") {
		s.out.WriteByte('\n')
	}
}

// Wrote returns the last part of what the program wrote, and the length of all.
func (s *Session) Wrote() (tail string, total int64) { return s.wrote, s.written }
