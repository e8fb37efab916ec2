package shell_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"gulo/internal/session"
	"gulo/internal/user"
)

// This file plays users who only draw what the right program would show: at the end of the call, at the heads of
// loops, once in the middle, or with a wrong drawing that is undone. The programs of testdata/users have one fault
// each: the line that ends in //! and what is right there.

// lesson is a program of testdata/users.
type lesson struct {
	name, fn string
	call     int
	line     int // of the fault
	head     int // line of the first loop of the function; 0 for none
	wrong    string
	right    string
}

var lessonHead = regexp.MustCompile(`^// (\w+) (\d+)\n`)

var allWays = flag.Bool("ways", false, "TestUsers plays every program in all four ways")

var lessonFiles = flag.String("lessons", "testdata/users/*.c testdata/shapes/*.c testdata/idioms/*.c", "the programs of TestUsers")

func lessons(t *testing.T) (out []*lesson) {
	for _, pattern := range strings.Fields(*lessonFiles) {
		out = append(out, lessonsIn(t, pattern)...)
	}
	return out
}

func lessonsIn(t *testing.T, pattern string) []*lesson {
	paths, err := filepath.Glob(pattern)
	if err != nil || len(paths) == 0 {
		t.Fatal("no programs", err)
	}
	var out []*lesson
	for _, p := range paths {
		b, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		l := &lesson{name: strings.TrimSuffix(filepath.Base(p), ".c")}
		m := lessonHead.FindSubmatch(b)
		l.fn = string(m[1])
		definition := regexp.MustCompile(`^(static .*[ *])?` + l.fn + ` ?\(`)
		fmt.Sscan(string(m[2]), &l.call)
		var wrong, right []string
		inside := false
		for i, text := range strings.Split(string(b), "\n") {
			before, after, fault := strings.Cut(text, "//!")
			if fault {
				l.line = i + 1
				indent := text[:len(text)-len(strings.TrimLeft(text, " \t"))]
				wrong, right = append(wrong, strings.TrimRight(before, " ")), append(right, indent+strings.TrimSpace(after))
			} else {
				wrong, right = append(wrong, text), append(right, text)
			}
			inside = inside && text != "}" || definition.MatchString(text)
			if word := strings.TrimSpace(text); inside && l.head == 0 && (strings.HasPrefix(word, "while") || strings.HasPrefix(word, "for")) {
				l.head = i + 1
			}
		}
		l.wrong, l.right = strings.Join(wrong, "\n"), strings.Join(right, "\n")
		out = append(out, l)
	}
	return out
}

// drawer is a user in a session, who looks at a session of the right program at the same moment of the run.
type drawer struct {
	user.User
	t        *testing.T
	right    *session.Session
	commands int
}

// do types a command; it returns what is printed.
func (d *drawer) do(command string) string {
	d.commands++
	text, err := d.Do(context.Background(), command)
	if err != nil {
		text += "error: " + err.Error()
	}
	return text
}

// both types a command here and in the session of the right program.
func (d *drawer) both(command string) (here, there string) {
	here = d.do(command)
	there, _, err := d.right.Exec(context.Background(), command)
	if err != nil {
		d.t.Fatalf("the right program: %s: %v\n%s", command, err, d.Log.String())
	}
	return here, there
}

// draw makes the picture that of the right program; undone draws something else first, and takes it back.
func (d *drawer) draw(undone bool) {
	want := user.Shown(d.right)
	if c := d.Difference(want); undone && c != nil {
		other := "null"
		if c.Now == "null" || c.Value == "null" {
			other = "n1"
		}
		if !strings.HasPrefix(c.Value, "n") {
			other = "77"
		}
		if out := d.do("change " + c.Key + " " + other); !strings.Contains(out, "error:") {
			d.do("undo")
		}
	}
	n, err := d.Draw(context.Background(), want, 12)
	d.commands += n
	if err != nil {
		d.t.Errorf("%v\n%s", err, d.Log.String())
	}
}

var stopLine = regexp.MustCompile(`(?m)^\w+\.c:(\d+):`)

// stepToFault types next N: to the place where the picture is first wrong, or to the end of the call. It returns
// false if the two programs come to different statements before that.
func (d *drawer) stepToFault() bool {
	before, depth := d.commands, d.Session.Depth()
	defer func() { d.commands = before + 1 }() // next N
	for d.Session.Depth() >= depth {
		here, there := d.both("next")
		if a, b := stopLine.FindStringSubmatch(here), stopLine.FindStringSubmatch(there); a == nil || b == nil || a[1] != b[1] {
			return false
		}
		if d.Difference(user.Shown(d.right)) != nil {
			return true
		}
	}
	return true
}

// outcome is what became of a session.
type outcome struct {
	right, located bool
	commands       int
	repair         time.Duration // that repair took
	text           string
}

var halted = regexp.MustCompile(`break -(\d+) removes it`)

func play(t *testing.T, l *lesson, mode, engine string) *outcome {
	t.Helper()
	key := played{l.wrong, mode, engine}
	if o := outcomes[key]; o != nil {
		return o
	}
	o := playNow(t, l, mode, engine)
	outcomes[key] = o
	return o
}

// played names a session, so that several tests can use what one has played.
type played struct{ program, mode, engine string }

var outcomes = map[played]*outcome{}

func playNow(t *testing.T, l *lesson, mode, engine string) *outcome {
	t.Helper()
	dir := t.TempDir()
	t.Chdir(dir)
	for name, text := range map[string]string{"prog.c": l.wrong, "right.c": l.right} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	d := &drawer{User: user.User{Session: newSession(t, engine, nil, "prog.c")}, t: t, right: newSession(t, "machine", nil, "right.c")}
	d.both("start")
	d.both("break " + l.fn)
	for range l.call {
		d.both("continue")
	}
	if mode == "heads" {
		for depth := d.Session.Depth(); ; {
			d.both(fmt.Sprintf("until %d", l.head))
			if d.Session.Depth() != depth || d.right.Depth() != depth { // there was no other round
				d.both("undo")
				break
			}
			if d.commands > 3+l.call {
				break
			}
		}
		d.draw(false)
		d.do("spec")
	}
	if mode != "middle" || !d.stepToFault() {
		if here, _ := d.both("finish"); strings.Contains(here, "halted at a breakpoint before the call returned") {
			d.both("undo") // the function calls itself
			d.both("break -" + halted.FindStringSubmatch(here)[1])
			d.both("finish")
		}
	}
	d.draw(mode == "undone")
	d.do("spec")
	found := d.do("locate")
	begin := time.Now()
	d.do("repair")
	took := time.Since(begin)
	d.do("rewrite fixed.c")
	o := &outcome{commands: d.commands, text: d.Log.String(), repair: took}
	for i, line := range strings.Split(found, "\n") {
		for k := -1; k <= 1 && i < 3; k++ {
			o.located = o.located || strings.Contains(line, fmt.Sprintf("prog.c:%d:", l.line+k))
		}
	}
	o.right = held(t, "fixed.c") == held(t, "right.c")
	return o
}

// held runs a program on the inputs that the session did not see.
func held(t *testing.T, file string) string {
	if _, err := os.Stat(file); err != nil {
		return "no " + file
	}
	if msg, err := exec.Command("gcc", "-w", "-DHELD", "-o", file+".run", file).CombinedOutput(); err != nil {
		t.Errorf("gcc: %v\n%s", err, msg)
		return ""
	}
	out, err := exec.Command("timeout", "10", "./"+file+".run").Output()
	return fmt.Sprint(string(out), err)
}

// TestUsers plays fifty sessions. What it asks of all of them together leaves room for drawings that more than one
// program explains.
func TestUsers(t *testing.T) {
	all, right, known, located, most := 0, 0, 0, 0, 0
	var times []time.Duration
	for i, l := range lessons(t) {
		if testing.Short() && i%8 != 0 { // all ways of drawing are among these
			continue
		}
		for _, mode := range []string{"end", "undone", "heads", "middle"} {
			if !*allWays && (mode == "undone" && i%3 != 0 || mode == "heads" && i%3 == 0 || mode == "middle" && i%3 != 1) || mode == "heads" && l.head == 0 {
				continue
			}
			o := play(t, l, mode, "machine")
			all++
			most = max(most, o.commands)
			times = append(times, o.repair)
			if o.right {
				right++
			} else if l.name == "trie_find" { // what is drawn allows return t->end, which the user would have to reject
				known++
			}
			if o.located {
				located++
			}
			if !o.right || !o.located || testing.Verbose() {
				t.Logf("%s, %s: right %v, located %v, %d commands\n%s", l.name, mode, o.right, o.located, o.commands, o.text)
			}
		}
	}
	slices.Sort(times)
	t.Logf("%d sessions: %d right on other inputs, the fault among the first three of locate in %d, at most %d commands; repair took %v at the median, %v at most",
		all, right, located, most, times[len(times)/2].Round(time.Millisecond), times[len(times)-1].Round(time.Millisecond))
	if right+known < all*28/30 || located < all*27/30 || most > 20 {
		t.Errorf("%d of %d right, %d located, up to %d commands", right, all, located, most)
	}
}

// TestNumbers plays users who draw a number, or a place in a table: many expressions have the value that is drawn,
// and the first repair has to be the one that people mean.
func TestNumbers(t *testing.T) {
	for i, l := range lessonsIn(t, "testdata/numbers/*.c") {
		if testing.Short() && i%3 != 0 {
			continue
		}
		if o := play(t, l, "end", "machine"); !o.right {
			t.Errorf("%s: the repair is not right on other inputs\n%s", l.name, o.text)
		}
	}
}

// TestUsersAlike plays some of the sessions under gdb: they print what they print on the machine.
func TestUsersAlike(t *testing.T) {
	if testing.Short() {
		t.Skip("TestOthers, TestWholeRuns and TestTwoFaults compare some programs under both engines")
	}
	under := strings.Fields("arena strings bst_delete trie_find hash_put intrusive lamp join_words intern threaded strtab rehash stretchy")
	for _, l := range lessons(t) {
		if slices.Contains(under, l.name) {
			if a, b := play(t, l, "end", "machine"), play(t, l, "end", "gdb"); a.text != b.text {
				t.Errorf("%s: machine\n%s\ngdb\n%s", l.name, a.text, b.text)
			}
		}
	}
}

// alike plays a lesson under gdb, too, and compares what it prints. With -short it does so for every eighth.
func alike(t *testing.T, l *lesson, a *outcome, i int) {
	t.Helper()
	if len(enginesFor(i)) < 2 {
		return
	}
	if b := play(t, l, "end", "gdb"); a.text != b.text {
		t.Errorf("%s: machine\n%s\ngdb\n%s", l.name, a.text, b.text)
	}
}

// TestWholeRuns plays users who draw what the right program would show, where the picture is already wrong before the
// call in hand, or where the fault is in a function that it calls. Both engines print the same.
func TestWholeRuns(t *testing.T) {
	for i, l := range lessonsIn(t, "testdata/whole/*.c") {
		if testing.Short() && i%4 != 0 {
			continue
		}
		a := play(t, l, "end", "machine")
		if !a.right {
			t.Errorf("%s: the repair is not right on other inputs\n%s", l.name, a.text)
		}
		alike(t, l, a, i)
	}
}

// TestOthers plays users of programs in other people's style, on both engines: the fault is among the first three
// places of locate, the repair is right on other inputs, and both engines print the same.
func TestOthers(t *testing.T) {
	for i, l := range lessonsIn(t, "testdata/others/*.c") {
		if testing.Short() && i%6 != 0 {
			continue
		}
		a := play(t, l, "end", "machine")
		if !a.right || !a.located || a.commands > 20 {
			t.Errorf("%s: right %v, located %v, %d commands\n%s", l.name, a.right, a.located, a.commands, a.text)
		}
		alike(t, l, a, i)
	}
}
