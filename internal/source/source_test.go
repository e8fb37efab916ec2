package source

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/quick"
)

// TestPositions holds every offset of random texts against counting line breaks.
func TestPositions(t *testing.T) {
	property := func(choice []byte) bool {
		text := make([]byte, len(choice))
		for i, c := range choice {
			text[i] = "ab\n\r\t{"[int(c)%6]
		}
		f := NewFile("a.c", text)
		for o := 0; o <= len(text); o++ {
			before := string(text[:o])
			line := strings.Count(before, "\n") + 1
			column := o - (strings.LastIndexByte(before, '\n') + 1) + 1
			p := f.Position(o)
			if p != (Position{"a.c", line, column}) {
				t.Logf("offset %d of %q: %v, not %d:%d", o, text, p, line, column)
				return false
			}
			if back, ok := f.Offset(p.Line, p.Column); !ok || back != o {
				t.Logf("%v of %q: offset %d, %v, not %d", p, text, back, ok, o)
				return false
			}
		}
		lines := strings.Split(string(text), "\n")
		for i, l := range lines {
			if f.Line(i+1) != strings.TrimSuffix(l, "\r") {
				return false
			}
		}
		return f.Lines() == len(lines) && f.Line(0) == "" && f.Line(len(lines)+1) == ""
	}
	if err := quick.Check(property, nil); err != nil {
		t.Error(err)
	}
}

// TestWritten: a text's lines end as those of the file it is written into.
func TestWritten(t *testing.T) {
	for _, x := range []struct{ file, text, want string }{
		{"a\nb\r\n", "x\ny", "x\ny"},
		{"a\r\nb\n", "x\ny\r\n", "x\r\ny\r\n"},
		{"\n\r\n", "\n", "\n"},
		{"\r\n", "\n", "\r\n"},
		{"a", "\n", "\n"},
		{"", "\n", "\n"},
	} {
		if got := NewFile("a.c", []byte(x.file)).Written(x.text); got != x.want {
			t.Errorf("%q in %q: %q, want %q", x.text, x.file, got, x.want)
		}
	}
}

func TestNoOffset(t *testing.T) {
	f := NewFile("a.c", []byte("int x;\n"))
	for _, x := range [][2]int{{0, 1}, {1, 0}, {3, 1}, {2, 2}} {
		if o, ok := f.Offset(x[0], x[1]); ok {
			t.Errorf("line %d, column %d is offset %d", x[0], x[1], o)
		}
	}
}

func TestRanges(t *testing.T) {
	f, g := NewFile("a.c", []byte("int x;\n\tint y;\n")), NewFile("b.c", nil)
	x, y := Range{f, 4, 5}, Range{f, 12, 13}
	both := x.Union(y)
	if x.Text() != "x" || both.Text() != "x;\n\tint y" || y.Union(x) != both || x.Union(Range{}) != x || (Range{}).Union(x) != x || x.Union(Range{g, 0, 0}) != x {
		t.Error(x, y, both)
	}
	if !both.Contains(f, 4) || both.Contains(f, 13) || both.Contains(g, 4) || (Range{}).Valid() || (Range{}).Text() != "" {
		t.Error("a range holds its first byte and not the one behind it")
	}
	if f.Indent(12) != "\t" || f.Indent(4) != "" || y.String() != "a.c:2:6" || (Range{}).String() != "-" {
		t.Error(f.Indent(12), y)
	}
}

func TestErrors(t *testing.T) {
	e := Errorf(Position{"a.c", 3, 7}, "no %s", "semicolon")
	e.List = append(e.List,
		Diagnostic{Pos: Position{File: "a.c", Line: 4}, Message: "twice", Note: "delete one"},
		Diagnostic{Pos: Position{File: "b.c"}, Message: "empty"},
		Diagnostic{Message: "cc1: out of memory", Raw: true})
	const want = "a.c:3:7: error: no semicolon\na.c:4: error: twice\n  note: delete one\nb.c: error: empty\ncc1: out of memory"
	if e.Error() != want {
		t.Errorf("%s\nnot\n%s", e, want)
	}
}

// TestReadFile refuses what cannot be read twice, without waiting for it.
func TestReadFile(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err)
	}
	for _, name := range []string{pipe, dir, filepath.Join(dir, "missing")} {
		if _, err := ReadFile(name); err == nil {
			t.Errorf("%s was read", name)
		}
	}
	name := filepath.Join(dir, "a.c")
	if err := os.WriteFile(name, []byte("int x;\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if f, err := ReadFile(name); err != nil || f.Lines() != 2 || f.Name != name {
		t.Error(f, err)
	}
}
