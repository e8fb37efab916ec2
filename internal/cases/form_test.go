package cases

import (
	"fmt"
	"strings"
	"testing"
)

func TestForm(t *testing.T) {
	for _, x := range []struct {
		like    []string
		in, out []string
	}{
		{[]string{"4 2", "20 7"}, []string{"9 3", "5 123"}, []string{"9", "1 2 3", "9 0", "-9 3", "a b", "9 3\n", "9  3"}},
		{[]string{"9 - 3 + 2 - 5\n", "1 + 10 + 100\n"}, []string{"1 - 2\n", "3\n", "10 + 20 - 30\n"}, []string{"1 - - 2\n", "+ 1\n", "1 -2\n", "a + 1\n", "1 + \n", "1 + 2"}},
		{[]string{"3 2 6 8", "9 5 4 3 2 1 2 3 4 5"}, []string{"1 7", "2 5 5"}, []string{"3 1 2", "0 1", "2 1 2 3"}},
		{[]string{`"foo bar"`, `"foo" "bar" "baz zap"`}, []string{`"x"`, `"a b" "c"`}, []string{`"a`, `a"`, `"a" "b`, `"a1"`, `""`}},
		{[]string{"ddd\nd", "abdddba\nh"}, []string{"xyz\nq"}, []string{"xyz\nqq", "xyz", "xyz\nq\n", "\nx"}},
		{[]string{"1.2.2020 1.3.2020\n"}, []string{"31.12.1999 1.1.2000\n", "0.0.7 1.3.2020\n"}, []string{"1.2.2020\n", "1.2 1.3.2020\n", "1,2,2020 1.3.2020\n", "1.2.2020 x\n"}},
		{[]string{"hello world\n", "a b\n", "one\n"}, []string{"word\n", "several words in one line\n"}, []string{"Hello\n", strings.Repeat("word ", 10) + "word\n"}},
		{[]string{"a B\n", "C\n"}, []string{"d E\n"}, nil},
	} {
		var list []Input
		for _, s := range x.like {
			list = append(list, Input{Stdin: s})
		}
		f := FormOf(list)
		for _, s := range append(x.in, x.like...) {
			if !f.Has(&Input{Stdin: s}) {
				t.Errorf("%q has not the form of %q", s, x.like)
			}
		}
		for _, s := range x.out {
			if f.Has(&Input{Stdin: s}) {
				t.Errorf("%q has the form of %q", s, x.like)
			}
		}
	}
	if FormOf(nil) != nil {
		t.Error("no inputs have a form")
	}
}

func TestSpeak(t *testing.T) {
	seeds := []Input{{Stdin: "put 3\nget\nquit\n"}, {Stdin: "quit\n"}}
	f := FormOf(seeds)
	f.Speak([]string{"put", "get", "quit", "all"}, seeds)
	if !f.Has(&Input{Stdin: "get\nput 4\nquit\n"}) || f.Has(&Input{Stdin: "got\nput 4\nquit\n"}) {
		t.Error("a command that does not exist is a command, or one that exists is none")
	}
	f = FormOf(seeds)
	if f.Speak([]string{"put", "quit"}, seeds); !f.Has(&Input{Stdin: "got\nput 4\nquit\n"}) {
		t.Error("one of the words is known to nobody, and yet all are commands")
	}
}

// TestFormLimits: many inputs show the limits of a task, few do not.
func TestFormLimits(t *testing.T) {
	var list []Input
	for i := range 7 {
		list = append(list, Input{Stdin: fmt.Sprintf("%d\n%s\n", 2+i, strings.TrimSpace(strings.Repeat("7 ", 2+i)))})
	}
	long := Input{Stdin: "9\n7 7 7 7 7 7 7 7 7\n"}
	if FormOf(list).Has(&long) || !FormOf(list[:3]).Has(&long) || !FormOf(list).Has(&list[6]) {
		t.Error("the longest of many inputs is a limit, that of few is none")
	}
	if big := (Input{Stdin: "2\n7 9\n"}); FormOf(list).Has(&big) || !FormOf(list[:3]).Has(&big) {
		t.Error("the largest number of many inputs is a limit, that of few is none")
	}
}
