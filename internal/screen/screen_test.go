package screen

import (
	"strings"
	"testing"
)

// draws compares what a screen shows of a text with what a terminal would.
func TestDraws(t *testing.T) {
	for _, c := range []struct {
		name, in, want string
		row, col       int
	}{
		{"lines", "one\r\ntwo", "one|two", 1, 3},
		{"line feeds alone", "one\ntwo", "one|   two", 1, 6},
		{"a full line goes on", "abcdefghijklm", "abcdefghij|klm", 1, 3},
		{"the last column waits", "abcdefghij\r\nx", "abcdefghij|x", 1, 1},
		{"without going on", "\x1b[?7labcdefghijklm", "abcdefghim", 0, 9},
		{"scrolls", "1\r\n2\r\n3\r\n4\r\n5", "2|3|4|5", 3, 1},
		{"erases", "abcdef\x1b[1;3H\x1b[K\x1b[2;1Hx", "ab|x", 1, 1},
		{"erases before", "abcdef\x1b[1;3H\x1b[1K", "   def", 0, 2},
		{"all", "abc\x1b[2J", "", 0, 3},
		{"inserts and deletes", "abcdef\x1b[1;2H\x1b[2@XY\x1b[1;6H\x1b[P", "aXYbcef", 0, 5},
		{"inserts lines", "1\r\n2\r\n3\x1b[2;1H\x1b[L", "1||2|3", 1, 0},
		{"deletes lines", "1\r\n2\r\n3\x1b[1;1H\x1b[2M", "3", 0, 0},
		{"margins", "1\r\n2\r\n3\r\n4\x1b[2;3r\x1b[3;1H\n", "1|3||4", 2, 0},
		{"reverse line feed", "1\r\n2\x1b[1;1H\x1bM", "|1|2", 0, 0},
		{"line drawing", "\x1b(0lqk\x1b(B q", "┌─┐ q", 0, 5},
		{"repeats", "\x1b(0q\x1b[3b\x1b(Bq", "────q", 0, 5},
		{"the other screen", "old\x1b[?1049h\x1b[Hnew\x1b[?1049l", "old", 0, 3},
		{"saves the cursor", "ab\x1b7cd\x1b8X", "abXd", 0, 3},
		{"tabs", "a\tb\x1b[Zc", "a       c", 0, 9},
		{"characters of several bytes", "aé漢b", "aé漢b", 0, 5},
		{"half of a wide one", "漢\x1b[1;2Hx", " x", 0, 2},
		{"no character", "a\xffb", "a\ufffdb", 0, 3},
		{"titles are no text", "a\x1b]0;title\ab\x1b]2;t\x1b\\c", "abc", 0, 3},
		{"a sequence is given up", "a\x1b[3\x18b", "ab", 0, 2},
		{"parameters without end", "a\x1b[999999999999999999999Cb", "a        b", 0, 9},
	} {
		s := New(4, 10)
		for i := range len(c.in) { // byte by byte
			_, _ = s.Write([]byte(c.in[i : i+1]))
		}
		var lines []string
		for i := range 4 {
			lines = append(lines, s.Line(i))
		}
		if got := strings.TrimRight(strings.Join(lines, "|"), "|"); got != c.want {
			t.Errorf("%s: %q draws %q, not %q", c.name, c.in, got, c.want)
		}
		if row, col, _ := s.Cursor(); row != c.row || col != c.col {
			t.Errorf("%s: the cursor is at %d,%d, not %d,%d", c.name, row, col, c.row, c.col)
		}
		if n := s.Ignored(); n != 0 {
			t.Errorf("%s: %d ignored", c.name, n)
		}
	}
}

func TestStyles(t *testing.T) {
	s := New(4, 10)
	_, _ = s.Write([]byte("a\x1b[1;7mbc\x1b[27md\x1b[m \x1b[38;5;7;4me\x1b[0;31mf\x1b[1;1H"))
	if got, want := s.Text(true), "screen 4x10, the cursor at 1,1\n│\x1b[7ma\x1b[m\x1b[1;7mbc\x1b[m\x1b[1md\x1b[m \x1b[4me\x1b[mf\n└ 3 empty below\n"; got != want {
		t.Errorf("%q\n%q", got, want)
	}
	if s.Ignored() != 0 {
		t.Error("something is ignored")
	}
}

func TestIgnores(t *testing.T) {
	s := New(4, 10)
	_, _ = s.Write([]byte("a\x1b[?9999hb\x1b[5ic\x1b[3\"q"))
	if s.Line(0) != "abc" || s.Ignored() != 3 {
		t.Errorf("shows %q, and has ignored %d", s.Line(0), s.Ignored())
	}
}

func TestAnswers(t *testing.T) {
	s := New(4, 10)
	_, _ = s.Write([]byte("ab\r\nc\x1b[6n\x1b[c\x1b[5n"))
	if got := string(s.Answer()); got != "\x1b[2;2R\x1b[?6c\x1b[0n" {
		t.Errorf("answers %q", got)
	}
	if len(s.Answer()) > 0 {
		t.Error("answers twice")
	}
}

func TestResize(t *testing.T) {
	s := New(4, 10)
	_, _ = s.Write([]byte("1\r\n2\r\n3\r\n4 and more"))
	was := s.Clone()
	s.Resize(2, 5)
	if got := s.Line(0) + "|" + s.Line(1); got != "3|4 and" {
		t.Errorf("shows %q", got)
	}
	if row, col, _ := s.Cursor(); row != 1 || col != 4 {
		t.Errorf("the cursor is at %d,%d", row, col)
	}
	s.Resize(6, 20)
	_, _ = s.Write([]byte("\x1b[6;20Hx"))
	if r, _ := was.Size(); r != 4 || was.Line(3) != "4 and more" {
		t.Errorf("a copy shows %q", was.Text(false))
	}
}

func TestKeys(t *testing.T) {
	app := New(4, 10)
	_, _ = app.Write([]byte("\x1b[?1h"))
	for _, c := range []struct{ keys, want string }{
		{"abc", "abc"}, {"a b<Enter>", "a b\r"}, {"<Up>", "\x1b[A"}, {"<C-q>", "\x11"}, {"ctrl-q", "\x11"}, {"Ctrl-Q", "\x11"}, {"C-q", "\x11"},
		{"^Q", "\x11"}, {"<Esc>", "\x1b"}, {"<C-Left>", "\x1b[1;5D"}, {"<PageDown>", "\x1b[6~"}, {"<F1><F5><S-F5>", "\x1bOP\x1b[15~\x1b[15;2~"},
		{"<M-x>", "\x1bx"}, {"alt-x", "\x1bx"}, {"<S-Tab>", "\x1b[Z"}, {"a < b", "a < b"}, {"#include <lt>stdio.h>", "#include <stdio.h>"}, {"<BS>", "\x7f"},
		{`"a\x1b[A\n"`, "a\x1b[A\n"}, {"x-y", "x-y"}, {"<M-Enter>", "\x1b\r"}, {"<C-Space>", "\x00"}, {"C--", "C--"}, {"é", "é"}, {"<Char-35><Char-0x3b>", "#;"},
	} {
		if got, err := ParseKeys(c.keys, nil); err != nil || got != c.want {
			t.Errorf("%s: %q, %v, not %q", c.keys, got, err, c.want)
		}
	}
	if got, _ := ParseKeys("<Up><C-Up>", app); got != "\x1bOA\x1b[1;5A" {
		t.Errorf("where the program asks for application keys: %q", got)
	}
	for _, bad := range []string{"<Upp>", "<C-é>", `"a`, "<x>", "<Q-x>", "<Char-x>", "<Char-9999999999>"} {
		if got, err := ParseKeys(bad, nil); err == nil {
			t.Errorf("%s: %q", bad, got)
		}
	}
}

func FuzzWrite(f *testing.F) {
	f.Add([]byte("\x1b[2;3r\x1b[?6h\x1b[9;9H漢\x1b[2L\x1b[4hx\x1b[5T\x1b[?1049h\x1b[99b"), uint8(3), uint8(12))
	f.Fuzz(func(t *testing.T, in []byte, rows, cols uint8) {
		s := New(5, 10)
		_, _ = s.Write(in)
		s.Resize(minRows+int(rows)%50, minCols+int(cols)%50)
		_, _ = s.Write(in)
		r, c := s.Size()
		if row, col, _ := s.Cursor(); row < 0 || row >= r || col < 0 || col >= c {
			t.Errorf("the cursor is at %d,%d", row, col)
		}
		_ = s.Text(true)
	})
}
