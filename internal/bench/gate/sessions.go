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
// what the user typed. As long as a given test fails, the user continues with the program as repaired so far.

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

// play finds a session for a version that fails tests, and appends its commands to the record.
func (t *trial) play(ctx context.Context, text []byte, fails []bool) (*oracle.Test, error) {
	ctx, cancel := context.WithTimeout(ctx, playTime)
	defer cancel()
	wrong, err := t.machine(ctx, "wrong", text)
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
	if ctx.Err() != nil {
		err = &leave{tooLong, fmt.Sprintf("in %v", playTime)}
	}
	return nil, err
}

// next decides what the user does next. The user draws. If the repair for an earlier test did not meet it, the user
// also states what the run should print; if nothing can be drawn or a drawing had no repair, the user states only that.
func (t *trial) next(ctx context.Context, text []byte, fails []bool) (*oracle.Test, error) {
	unmet := slices.ContainsFunc(t.rec.Sessions, func(p *Played) bool { return !p.Met })
	if !t.stuck && !slices.ContainsFunc(t.rec.Sessions, func(p *Played) bool { return p.None }) {
		x, err := t.play(ctx, text, fails)
		if no := new(leave); err == nil {
			t.rec.Sessions[len(t.rec.Sessions)-1].Prints = unmet
			return x, nil
		} else if !errors.As(err, &no) || no.cause == noMachine {
			return nil, err
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

// open opens a session of a version on a test.
func (t *trial) open(p *lower.Program, x *oracle.Test) (s *session.Session, err error) {
	file := filepath.Join(t.dir, "input")
	if err := os.WriteFile(file, []byte(x.Stdin), 0o644); err != nil {
		return nil, err
	}
	m := sim.New(p, sim.Config{Name: "wrong.c", Args: x.Args, Env: os.Environ()})
	if err := m.Arguments(x.Args, file); err != nil {
		return nil, err
	}
	return session.New(p, m, session.Config{Name: "wrong.c", Args: x.Args, Input: x.Stdin}), nil
}

// record records a run of a version.
func (t *trial) record(ctx context.Context, p *lower.Program, x *oracle.Test) (*user.Trace, error) {
	s, err := t.open(p, x)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	return user.Record(ctx, p, s, mostStops)
}

// draw finds where to stop in a run, and draws the right picture there.
func (t *trial) draw(ctx context.Context, wrong, right *lower.Program, x *oracle.Test) error {
	var traces [2]*user.Trace
	for i, p := range []*lower.Program{wrong, right} {
		var err error
		if traces[i], err = t.record(ctx, p, x); err != nil {
			return said(err, noMachine)
		}
	}
	found := user.Find(traces[0], traces[1])
	m := found.Moment
	if m == nil {
		return t.nothing(found, traces)
	}
	s, err := t.open(wrong, x)
	if err != nil {
		return err
	}
	defer s.Close()
	u := &user.User{Session: s}
	if err := u.Go(ctx, m); err != nil {
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
	t.rec.Sessions = append(t.rec.Sessions, &Played{Test: x.Name, Func: m.Func, Call: m.Call, Steps: m.Steps, Lead: m.Lead, Typed: u.Typed, Drawn: n})
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
	d := &document{Result: report.Repaired}
	for range mostRounds {
		x, err := t.next(ctx, text, fails)
		if err != nil {
			return err
		}
		diff, err := t.repair(ctx)
		if err != nil {
			return err
		}
		if played := t.rec.Sessions; diff == "" && len(played) > 0 && played[len(played)-1].Func == "" {
			break // nothing is drawn, and nothing else can be stated
		} else if diff == "" && !t.stuck {
			played[len(played)-1].None = true
		}
		if diff == "" {
			continue
		}
		d.Repairs = []repairShown{repairOf(diff)}
		if text, err = os.ReadFile(filepath.Join(t.dir, "fixed.c")); err != nil {
			return err
		}
		if fails, err = t.failing(ctx, text); err != nil {
			return err
		}
		i := slices.IndexFunc(t.tests, func(o oracle.Test) bool { return o.Name == x.Name })
		if t.rec.Sessions[len(t.rec.Sessions)-1].Met = !fails[i]; !slices.Contains(fails, true) {
			break
		}
	}
	if len(d.Repairs) == 0 {
		return nil
	}
	t.rec.Class, t.rec.Cause, t.rec.Why = "", "", ""
	if err := os.WriteFile(filepath.Join(t.dir, "fixed.c"), text, 0o644); err != nil {
		return err
	}
	return t.repaired(ctx, d)
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

// commands returns what the user types up to the last repair. A further session continues in the same process, in which
// earlier assertions still count after the program is started with other input.
func (t *trial) commands() (typed []string, err error) {
	for i, s := range t.rec.Sessions {
		x := t.tests[slices.IndexFunc(t.tests, func(o oracle.Test) bool { return o.Name == s.Test })]
		if i > 0 && !t.rec.Sessions[i-1].None {
			typed = append(typed, "repair --limit "+t.Limit.String())
		}
		if i > 0 {
			name := fmt.Sprintf("input%d", i)
			if err := os.WriteFile(filepath.Join(t.dir, name), []byte(x.Stdin), 0o644); err != nil {
				return nil, err
			}
			typed = append(typed, strings.Join(slices.Concat([]string{s.Typed[0]}, x.Args, []string{"< ../" + name}), " "))
			typed = append(typed, s.Typed[1:]...)
		} else {
			typed = append(typed, s.Typed...)
		}
		if s.Prints {
			name := fmt.Sprintf("expect%d", i)
			if err := os.WriteFile(filepath.Join(t.dir, name), []byte(x.Stdout), 0o644); err != nil {
				return nil, err
			}
			typed = append(typed, "expect < ../"+name)
		}
	}
	return typed, nil
}

// repair types repair in the last session and returns the diff, or "" if there is none; the record says why.
func (t *trial) repair(ctx context.Context) (string, error) {
	s := t.rec.Sessions[len(t.rec.Sessions)-1]
	x := t.tests[slices.IndexFunc(t.tests, func(o oracle.Test) bool { return o.Name == t.rec.Sessions[0].Test })]
	typed, err := t.commands()
	if err != nil {
		return "", err
	}
	if err := os.WriteFile(t.file("wrong"), t.Program.Wrong, 0o644); err != nil {
		return "", err
	}
	u, err := t.debug(ctx, &x, typed...)
	if err != nil {
		return "", err
	}
	if t.measured(u); t.rec.Cause != "" {
		return "", nil
	}
	if n := len(t.rec.Sessions); u.Exit != 0 && n > 1 { // the assertions lead the run another way than it was recorded
		t.refused(string(u.Out))
		t.stuck, t.rec.Sessions = true, t.rec.Sessions[:n-1]
		return "", nil
	}
	if u.Exit != 0 {
		return "", fmt.Errorf("gulo debug does not do what a session does: %s", last(string(u.Out), "error: "))
	}
	s.Before = u.CPU
	fixed := filepath.Join(t.dir, "fixed.c")
	if err := os.Remove(fixed); err != nil && !errors.Is(err, os.ErrNotExist) {
		return "", err
	}
	if u, err = t.debug(ctx, &x, append(typed, "repair --limit "+t.Limit.String(), "diff", "rewrite ../fixed.c")...); err != nil {
		return "", err
	}
	t.measured(u)
	s.Repair = max(u.CPU-s.Before, 0)
	t.rec.CPU = t.rec.Sessions[0].Repair
	t.rec.Steps += int64(len(s.Typed))
	if t.rec.Cause != "" {
		return "", nil
	}
	at := strings.LastIndex(string(u.Out), "(gulo) repair")
	if at < 0 {
		return "", errors.New("gulo debug: no repair in the transcript")
	}
	answer, diff, _ := strings.Cut(string(u.Out)[at:], "(gulo) diff\n")
	diff, _, _ = strings.Cut(diff, "(gulo) ")
	if strings.Contains(answer, "error: ") {
		t.refused(answer)
		return "", nil
	}
	if _, err := os.Stat(fixed); err == nil {
		return diff, nil
	}
	t.refused(answer)
	return "", nil
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
