package cases

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

func formatsOf(list []Command) (out []string) {
	for _, c := range list {
		out = append(out, c.format)
	}
	return out
}

// TestShapes: a format of scanf whose signs the other program knows is one, and words are made of the signs that programs ask for.
func TestShapes(t *testing.T) {
	own := &Language{Words: []string{"5", "tree:"}, Lines: []string{"%d:%d", "%d", "%d ; %d", "%f:%f"}}
	ref := &Language{Signs: []string{":"}}
	if got := formatsOf(Shapes(nil, own, ref)); got[0] != "%d:%d" || slices.Contains(got, "%d ; %d") || slices.Contains(got, "%f:%f") || slices.Contains(got, "%d") {
		t.Errorf("%q", got)
	}
	for _, in := range []Input{{Args: []string{"5", "3:8"}}, {Stdin: "7\n4:-1 2\n"}} {
		if got := formatsOf(Shapes([]Input{in}, own, ref)); slices.Contains(got, "%d:%d") || !slices.Contains(got, ":%s") {
			t.Errorf("%v has it: %q", in, got)
		}
	}
	own, ref = &Language{Words: []string{"name", "-"}, Signs: []string{"$", "{", "}", ":"}}, &Language{Signs: []string{"{", "}", "$", ":"}}
	got := formatsOf(Shapes(nil, own, ref))
	for _, want := range []string{"{%s}", "${%s}", "${%s:%s}", "$%s", "%s:%s", "%d:%d"} {
		if !slices.Contains(got, want) {
			t.Errorf("no %s in %q", want, got)
		}
	}
	if got := formatsOf(Shapes(nil, &Language{Signs: []string{"+"}}, &Language{Words: []string{"a"}})); !slices.Contains(got, "+%s") {
		t.Errorf("a sign that one of them asks for: %q", got)
	}
	if slices.Contains(got, "-%s") {
		t.Errorf("what is only printed: %q", got)
	}
	if got := Shapes(nil, &Language{Words: []string{"put"}}, &Language{Words: []string{"put"}}); got != nil {
		t.Errorf("%+v", got)
	}
}

// TestShaped: what a shape says stands for an argument or beside one, or in a line, made of numbers, words and what is printed.
func TestShaped(t *testing.T) {
	pair := regexp.MustCompile(`^-?\d+:-?\d+$`)
	made := WithCommands(1, []Input{{Args: []string{"5", "30", "-8"}}}, []Command{{format: "%d:%d"}}, nil, 60)
	if len(made) < 40 {
		t.Errorf("%d inputs", len(made))
	}
	more := 0
	for _, in := range made {
		n := 0
		for _, a := range in.Args {
			if pair.MatchString(a) {
				n++
			} else if !slices.Contains([]string{"5", "30", "-8"}, a) {
				t.Errorf("%q", in.Args)
			}
		}
		if n < 1 || n > 3 {
			t.Errorf("%d in %q", n, in.Args)
		}
		if n > 1 {
			more++
		}
	}
	if more == 0 {
		t.Error("there are never two")
	}
	printed := 0
	for _, in := range WithCommands(1, []Input{{Args: []string{"+hi"}}}, []Command{{format: "-%s"}}, []string{"aGk=", "no-word"}, 60) {
		for _, a := range in.Args {
			if a == "-aGk=" {
				printed++
			} else if strings.Contains(a, "no-word") {
				t.Errorf("%q has the sign twice", a)
			}
		}
	}
	if printed == 0 {
		t.Error("what is printed is never read")
	}
	own := &Language{Signs: []string{":", "@"}}
	idle := Idle(Command{format: "%d:%d"}, own, &Language{Signs: []string{"#"}})
	for i, in := range WithCommands(1, []Input{{Args: []string{"5", "30", "-8"}}}, []Command{idle}, nil, 60) {
		if want := strings.ReplaceAll(strings.Join(made[i].Args, " "), ":", "~"); strings.Join(in.Args, " ") != want {
			t.Errorf("%q, want %q", in.Args, want)
		}
	}
	for _, in := range WithCommands(1, []Input{{Stdin: "2\nann ben\ncid\n"}}, []Command{{format: "${%s}"}}, nil, 30) {
		lines := strings.Split(strings.TrimSuffix(in.Stdin, "\n"), "\n")
		if n := len(lines) - 1; lines[0] != string(rune('0'+n)) || !strings.Contains(in.Stdin, "${") {
			t.Errorf("%q", in.Stdin)
		}
	}
}
