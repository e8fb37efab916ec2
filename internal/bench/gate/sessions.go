package gate

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"gulo/internal/cfront"
	"gulo/internal/lower"
	"gulo/internal/native"
	"gulo/internal/oracle"
	"gulo/internal/plural"
	"gulo/internal/process"
	"gulo/internal/report"
	"gulo/internal/session"
	"gulo/internal/target/sim"
	"gulo/internal/user"
)

// This file plays sessions. The user knows what right.c shows at the same moment, stops where the picture is first
// wrong, draws what it should be, and asks for a repair. If nothing can be drawn, or there is no repair for the
// drawing, the user states what the run should print. This process finds out where to stop; then gulo debug executes
// what the user typed. As long as a given test fails, the user continues in the same session, in which earlier assertions
// still count. If the session says that the program in hand goes on without the repair, or that it cannot execute it, and
// there is something to draw in the next run, the user writes the repaired program and debugs that one.

// Bounds of a session.
const (
	playedTests = 3               // failing tests that are tried until there is something to draw
	mostStops   = 5000            // statements stepped through in one run
	mostDrawn   = 5               // places in one drawing
	mostRounds  = 5               // repairs, one after the other
	playTime    = 3 * time.Minute // a guard: the bounds above end it
)

// Causes why a session is not played or has no repair.
const (
	noDifference = "no difference visible"
	tooLong      = "too long to step through"
	tooMuch      = "too much to draw"
	undrawable   = "cannot be drawn"
	crashes      = "a crash before anything differs"
	noMachine    = "the machine does not run it"
	elsewhere    = "cannot get there"
	notApplied   = "not applied"
	searchLimit  = "search limit"
)

// Played is what the user did in one session.
type Played struct {
	Test   string   `json:"test"`
	Func   string   `json:"func"`
	Call   int      `json:"call"`             // number of the call of the function, from 1
	Steps  int      `json:"steps"`            // statements of the call before the stop
	Lead   string   `json:"lead,omitempty"`   // how the user changed the control flow there: enter or leave
	Typed  []string `json:"typed"`            // commands before repair
	Drawn  int      `json:"drawn"`            // places drawn
	Prints bool     `json:"prints,omitempty"` // the user states what the run should print
	None   bool     `json:"none,omitempty"`   // there was no repair
	Before float64  `json:"before"`           // processor time until repair, in milliseconds
	Repair float64  `json:"repair"`           // processor time of repair, in milliseconds
	Met    bool     `json:"met"`              // the first repair meets this test
}

// play finds a session for the version in hand, which fails tests, and appends its commands to the record.
func (t *trial) play(ctx context.Context, fails []bool) (*oracle.Test, error) {
	wrong, err := t.machine(ctx, "wrong", t.hand)
	if err != nil {
		return nil, &leave{noMachine, "wrong.c: " + firstLine(err.Error())}
	}
	right, err := t.machine(ctx, "right", t.Program.Right)
	if err != nil {
		return nil, &leave{noMachine, "right.c: " + firstLine(err.Error())}
	}
	var list []*oracle.Test
	for i := range t.tests[:t.given] {
		if fails[i] {
			list = append(list, &t.tests[i])
		}
	}
	slices.SortStableFunc(list, func(a, b *oracle.Test) int { return sizeOf(a) - sizeOf(b) })
	for _, x := range list[:min(len(list), playedTests)] {
		if err = t.draw(ctx, wrong, right, x); err == nil {
			return x, nil
		}
		if no := new(leave); !errors.As(err, &no) {
			break
		}
	}
	return nil, err
}

// next decides what the user does next, where text is the program as repaired so far. The user draws. If the repair for an earlier test did not meet it, the user
// also states what the run should print; if nothing can be drawn or a drawing had no repair, the user states only that.
func (t *trial) next(ctx context.Context, text []byte, fails []bool) (*oracle.Test, error) {
	unmet := slices.ContainsFunc(t.rec.Sessions, func(p *Played) bool { return !p.Met })
	if !slices.ContainsFunc(t.rec.Sessions, func(p *Played) bool { return p.None }) {
		was := version{t.hand, t.before, t.edits, t.met}
		apart := t.apart
		if apart {
			t.written(text, fails)
		}
		x, err := t.play(ctx, fails)
		no := new(leave)
		if errors.As(err, &no) && (no.cause == noMachine || no.cause == elsewhere) && len(t.rec.Sessions) > t.before {
			t.written(text, fails)
			x, err = t.play(ctx, fails)
		}
		if err == nil {
			t.rec.Sessions[len(t.rec.Sessions)-1].Prints = unmet
			return x, nil
		} else if !errors.As(err, &no) || no.cause == noMachine && len(t.rec.Sessions) == 0 {
			return nil, err
		}
		if apart { // what is only stated needs no process with the repair
			t.version, t.apart = was, true
		}
	}
	var x *oracle.Test
	for i := range t.tests[:t.given] {
		if y := &t.tests[i]; fails[i] && (x == nil || sizeOf(y) < sizeOf(x)) {
			x = y
		}
	}
	t.rec.Sessions = append(t.rec.Sessions, &Played{Test: x.Name, Typed: []string{"start"}, Prints: true})
	return x, nil
}

// sizeOf returns the length of a test's input.
func sizeOf(x *oracle.Test) int { return len(x.Stdin) + len(strings.Join(x.Args, " ")) }

// machine loads a version as gulo debug does.
func (t *trial) machine(ctx context.Context, version string, text []byte) (*lower.Program, error) {
	files, err := t.write(version, text)
	if err != nil {
		return nil, err
	}
	return lower.Open(ctx, files, cfront.Options{Nested: true}, lower.Options{Memory: true})
}

// open opens a session of a version on a test, as gulo debug does.
func (t *trial) open(p *lower.Program, x *oracle.Test) (s *session.Session, err error) {
	file := filepath.Join(t.dir, "input")
	if err := os.WriteFile(file, []byte(x.Stdin), 0o644); err != nil {
		return nil, err
	}
	m := sim.New(p, sim.Config{Name: "wrong.c", Args: x.Args, Env: os.Environ()})
	if err := m.Arguments(x.Args, file); err != nil {
		return nil, err
	}
	c := session.Config{Name: "wrong.c", Args: x.Args, Input: x.Stdin, Options: cfront.Options{Nested: true}}
	if t.whole != nil {
		c.Whole = t.whole(t.files("wrong"), c.Options)
	}
	return session.New(p, m, c), nil
}

// goOn returns a session in which the user has done all of the sessions so far with the version in hand, and the command
// that starts a test there.
func (t *trial) goOn(ctx context.Context, p *lower.Program, x *oracle.Test) (*user.User, string, error) {
	typed, err := t.commands(len(t.rec.Sessions))
	if err != nil {
		return nil, "", err
	}
	start := "start"
	if len(typed) > 0 {
		if start, err = t.start(len(t.rec.Sessions), x); err != nil {
			return nil, "", err
		}
	}
	s, err := t.open(p, t.first(x))
	if err != nil {
		return nil, "", err
	}
	u := &user.User{Session: s}
	for _, c := range typed {
		if _, err := u.Do(ctx, c); err != nil {
			s.Close()
			return nil, "", said(err, elsewhere)
		}
	}
	u.Typed = nil
	return u, start, nil
}

// record records a run of a version in a session.
func record(ctx context.Context, p *lower.Program, s *session.Session, start string) (*user.Trace, error) {
	ctx, cancel := context.WithTimeout(ctx, playTime)
	defer cancel()
	r, err := user.Record(ctx, p, s, start, mostStops)
	if err != nil && ctx.Err() != nil {
		return nil, &leave{tooLong, fmt.Sprintf("in %v", playTime)}
	}
	return r, said(err, noMachine)
}

// draw finds where to stop in a run, and draws the right picture there.
func (t *trial) draw(ctx context.Context, wrong, right *lower.Program, x *oracle.Test) error {
	var traces [2]*user.Trace
	u, start, err := t.goOn(ctx, wrong, x)
	if err != nil {
		return err
	}
	defer u.Session.Close()
	if traces[0], err = record(ctx, wrong, u.Session, start); err != nil {
		return err
	}
	s, err := t.open(right, x)
	if err != nil {
		return err
	}
	defer s.Close()
	if traces[1], err = record(ctx, right, s, "start"); err != nil {
		return err
	}
	found := user.Find(traces[0], traces[1])
	m := found.Moment
	if m == nil {
		return t.nothing(found, traces)
	}
	if u, start, err = t.goOn(ctx, wrong, x); err != nil {
		return err
	}
	defer u.Session.Close()
	if err := u.Go(ctx, start, m); err != nil {
		return said(err, elsewhere)
	}
	n, err := u.Draw(ctx, m.Want, mostDrawn)
	switch {
	case errors.Is(err, user.ErrTooMuch):
		return &leave{tooMuch, fmt.Sprintf("more than %d places in call %d of %s", mostDrawn, m.Call, m.Func)}
	case err != nil:
		return said(err, undrawable)
	case n == 0 && m.Lead == "":
		return &leave{elsewhere, fmt.Sprintf("the picture is right after %s of call %d of %s", plural.N(m.Steps, "statement"), m.Call, m.Func)}
	}
	if _, err := u.Do(ctx, "spec"); err != nil {
		return said(err, undrawable)
	}
	t.rec.Sessions = append(t.rec.Sessions, &Played{Test: x.Name, Func: m.Func, Call: m.Call, Steps: m.Steps, Lead: m.Lead, Typed: append([]string{"start"}, u.Typed[1:]...), Drawn: n})
	return nil
}

// said turns a session's error into a leave; it returns other errors unchanged.
func said(err error, cause string) error {
	var no *session.Error
	if errors.As(err, &no) {
		return &leave{cause, firstLine(no.Text)}
	}
	return err
}

// nothing returns the reason why there is nothing to draw.
func (t *trial) nothing(f *user.Finding, traces [2]*user.Trace) error {
	why := fmt.Sprintf("at %s that both runs have", plural.N(f.Common, "moment"))
	if f.Apart {
		why += "; they go different ways"
	}
	switch {
	case traces[0].End == user.Crashed:
		return &leave{crashes, why}
	case traces[0].End == user.Cut || traces[1].End == user.Cut:
		return &leave{tooLong, fmt.Sprintf("nothing differs in %s, %s", plural.N(max(traces[0].Len, traces[1].Len), "statement"), why)}
	}
	return &leave{noDifference, why}
}

// debug runs gulo debug with the commands of a session.
func (t *trial) debug(ctx context.Context, x *oracle.Test, commands ...string) (*process.Usage, error) {
	script := filepath.Join(t.dir, "session.gulo")
	if err := os.WriteFile(script, []byte(strings.Join(commands, "\n")+"\n"), 0o644); err != nil {
		return nil, err
	}
	args := t.named([]string{"debug", "--engine", "machine", "--script", script})
	if len(x.Args) > 0 {
		args = append(append(args, "--"), x.Args...)
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	return process.Measure(ctx, killAfter(t.Limit), func(c *exec.Cmd) error {
		c.Dir, c.Stdin = filepath.Join(t.dir, "wrong"), strings.NewReader(x.Stdin)
		return c.Start()
	}, self, args...)
}

// session plays sessions until the given tests are met, and judges all repairs together.
func (t *trial) session(ctx context.Context) error {
	if t.right == nil {
		return &leave{"no right.c", "nobody says what is to be drawn"}
	}
	text, fails := t.Program.Wrong, t.fails
	t.hand = text
	for range mostRounds {
		x, err := t.next(ctx, text, fails)
		if err != nil {
			return err
		}
		answer, diff, err := t.repair(ctx)
		if err != nil {
			return err
		}
		if played := t.rec.Sessions; diff == "" && played[len(played)-1].Func == "" {
			break // nothing is drawn, and nothing else can be stated
		} else if diff == "" {
			played[len(played)-1].None = true
			continue
		}
		t.shown = append(slices.Clip(t.edits), repairOf(diff).Edits...)
		if text, err = os.ReadFile(filepath.Join(t.dir, "fixed.c")); err != nil {
			return err
		}
		if fails, err = t.failing(ctx, text); err != nil {
			return err
		}
		if t.rec.Sessions[len(t.rec.Sessions)-1].Met = !fails[t.number(x.Name)]; !slices.Contains(fails, true) {
			break
		}
		t.apart = strings.Contains(answer, session.AsWritten)
	}
	if len(t.shown) == 0 {
		return nil
	}
	t.rec.Class, t.rec.Cause, t.rec.Why = "", "", ""
	if err := os.WriteFile(filepath.Join(t.dir, "fixed.c"), text, 0o644); err != nil {
		return err
	}
	return t.repaired(ctx, &document{Result: report.Repaired, Repairs: []repairShown{{t.shown}}})
}

// written makes a repaired program, which fails tests, the version in hand.
func (t *trial) written(text []byte, fails []bool) {
	t.hand, t.before, t.edits, t.apart = text, len(t.rec.Sessions), t.shown, false
	t.met = nil
	for i, failed := range fails {
		if !failed && slices.ContainsFunc(t.rec.Sessions, func(p *Played) bool { return p.Test == t.tests[i].Name }) {
			t.met = append(t.met, i)
		}
	}
}

// failing reports which given tests a version fails: all if it does not compile.
func (t *trial) failing(ctx context.Context, text []byte) ([]bool, error) {
	fails := make([]bool, t.given)
	b, err := t.build(ctx, "fixed", text)
	ce := new(native.CompileError)
	if err != nil && !errors.As(err, &ce) {
		return nil, err
	}
	for i := range fails {
		if fails[i] = true; err != nil {
			continue
		}
		p, err := run(ctx, b, t.tests[i].Args, t.tests[i].Stdin)
		if err != nil {
			return nil, err
		}
		fails[i] = t.differs(p, &t.tests[i]) != ""
	}
	return fails, nil
}

// commands returns what the user types, with the version in hand, up to the beginning of session n. In the session of a
// program that was written after a repair, the user first states what earlier runs print that are right by now.
func (t *trial) commands(n int) (typed []string, err error) {
	for _, i := range t.met {
		start, err1 := t.start(i, &t.tests[i])
		stated, err2 := t.states(i, &t.tests[i])
		typed, err = append(typed, start, stated), errors.Join(err, err1, err2)
	}
	for i := t.before; i < n; i++ {
		now, err1 := t.typed(i, len(typed) > 0)
		typed, err = append(typed, now...), errors.Join(err, err1)
		if !t.rec.Sessions[i].None {
			typed = append(typed, "repair --limit "+t.Limit.String())
		}
	}
	return typed, err
}

// typed returns what the user types in session i before repair; again says that the program ran before.
func (t *trial) typed(i int, again bool) (typed []string, err error) {
	s := t.rec.Sessions[i]
	typed = slices.Clone(s.Typed)
	if again {
		typed[0], err = t.start(i, t.test(s.Test))
	}
	if s.Prints {
		stated, err2 := t.states(i, t.test(s.Test))
		typed, err = append(typed, stated), errors.Join(err, err2)
	}
	return typed, err
}

// start returns the command that starts a test; name distinguishes the file with its input.
func (t *trial) start(name int, x *oracle.Test) (string, error) {
	file := filepath.Join(t.dir, fmt.Sprintf("input%d", name))
	return strings.Join(slices.Concat([]string{"start"}, x.Args, []string{"< " + file}), " "), os.WriteFile(file, []byte(x.Stdin), 0o644)
}

// states returns the command that states what a test prints; name distinguishes the file with that.
func (t *trial) states(name int, x *oracle.Test) (string, error) {
	file := filepath.Join(t.dir, fmt.Sprintf("expect%d", name))
	return "expect < " + file, os.WriteFile(file, []byte(x.Stdout), 0o644)
}

// number returns the index of the test with a name, and test the test itself.
func (t *trial) number(name string) int {
	return slices.IndexFunc(t.tests, func(o oracle.Test) bool { return o.Name == name })
}

// first returns the test with which the version in hand is started first: that of its first session, else the next one.
func (t *trial) first(next *oracle.Test) *oracle.Test {
	if t.before < len(t.rec.Sessions) {
		return t.test(t.rec.Sessions[t.before].Test)
	}
	return next
}

func (t *trial) test(name string) *oracle.Test { return &t.tests[t.number(name)] }

// repair types repair in the last session and returns what gulo says and the diff, or "" if there is none; the record
// says why.
func (t *trial) repair(ctx context.Context) (answer, diff string, err error) {
	n := len(t.rec.Sessions) - 1
	s := t.rec.Sessions[n]
	typed, err := t.commands(n)
	if err != nil {
		return "", "", err
	}
	now, err := t.typed(n, len(typed) > 0)
	if err != nil {
		return "", "", err
	}
	typed = append(typed, now...)
	x := t.first(nil)
	if err := os.WriteFile(t.file("wrong"), t.hand, 0o644); err != nil {
		return "", "", err
	}
	u, err := t.debug(ctx, x, typed...)
	if err != nil {
		return "", "", err
	}
	if t.measured(u); t.rec.Cause != "" {
		return "", "", nil
	}
	if u.Exit != 0 {
		return "", "", fmt.Errorf("gulo debug does not do what a session does: %s", last(string(u.Out), "error: "))
	}
	s.Before = u.CPU
	fixed := filepath.Join(t.dir, "fixed.c")
	if err := os.Remove(fixed); err != nil && !errors.Is(err, os.ErrNotExist) {
		return "", "", err
	}
	if u, err = t.debug(ctx, x, append(typed, "repair --limit "+t.Limit.String(), "diff", "rewrite ../fixed.c")...); err != nil {
		return "", "", err
	}
	t.measured(u)
	s.Repair = max(u.CPU-s.Before, 0)
	t.rec.CPU = t.rec.Sessions[0].Repair
	t.rec.Steps += int64(len(s.Typed))
	if t.rec.Cause != "" {
		return "", "", nil
	}
	at := strings.LastIndex(string(u.Out), "(gulo) repair")
	if at < 0 {
		return "", "", errors.New("gulo debug: no repair in the transcript")
	}
	answer, diff, _ = strings.Cut(string(u.Out)[at:], "(gulo) diff\n")
	diff, _, _ = strings.Cut(diff, "(gulo) ")
	if strings.Contains(answer, "error: ") {
		t.refused(answer)
		return "", "", nil
	}
	if _, err := os.Stat(fixed); err == nil {
		return answer, diff, nil
	}
	t.refused(answer)
	return "", "", nil
}

// refused records why a session has no repair.
func (t *trial) refused(answer string) {
	t.rec.Class, t.rec.Why = None, last(answer, "error: ")
	switch {
	case strings.Contains(answer, "nothing to repair"):
		t.rec.Class, t.rec.Why = Wrong, "gulo says that nothing is wrong"
	case strings.Contains(answer, report.TimeLimit):
		t.rec.Cause = timeLimit
	case strings.Contains(answer, "search limit"):
		t.rec.Cause = searchLimit
	case t.rec.Why == "":
		_, why, _ := strings.Cut(answer, "\n")
		t.rec.Cause, t.rec.Why = notApplied, firstLine(why)
	default:
		t.rec.Cause = notInSpace
	}
}

// last returns the rest of the last line that begins with word.
func last(text, word string) (what string) {
	for line := range strings.Lines(text) {
		if rest, ok := strings.CutPrefix(line, word); ok {
			what = strings.TrimSpace(rest)
		}
	}
	return what
}

// repairOf reads the edits from a unified diff.
func repairOf(diff string) (r repairShown) {
	file, line := "", 0
	for text := range strings.Lines(diff) {
		text = strings.TrimRight(text, "\n")
		switch {
		case strings.HasPrefix(text, "--- "):
			file = filepath.Base(strings.Fields(text)[1])
		case strings.HasPrefix(text, "+++ "):
		case strings.HasPrefix(text, "@@ -"):
			at, _, _ := strings.Cut(text[len("@@ -"):], ",")
			line, _ = strconv.Atoi(strings.Fields(at)[0])
		case strings.HasPrefix(text, "-"):
			r.Edits = append(r.Edits, editShown{File: file, Line: line, Before: text[1:]})
			line++
		case strings.HasPrefix(text, "+"):
			if n := len(r.Edits); n > 0 && r.Edits[n-1].After == "" && r.Edits[n-1].Line == line-1 {
				r.Edits[n-1].After = text[1:]
				continue
			}
			r.Edits = append(r.Edits, editShown{File: file, Line: line, After: text[1:]})
		default:
			line++
		}
	}
	return r
}
