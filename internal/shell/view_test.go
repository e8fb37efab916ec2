package shell_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"gulo/internal/draw"
	"gulo/internal/session"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

// TestView plays the session of Wolverine2, section 2.1, on both engines: views get the same after every command, and
// no node ever moves.
func TestView(t *testing.T) {
	script, err := os.ReadFile("../../examples/reverse.gulo")
	if err != nil {
		t.Fatal(err)
	}
	var kept []string
	fixed := filepath.Join(t.TempDir(), "fixed.c")
	for _, engine := range engines {
		s := newSession(t, engine, nil, "../../examples/reverse.c")
		at := map[string][2]int{}
		var docs []string
		for _, line := range strings.Split(string(script), "\n") {
			line = strings.Replace(line, "reverse-fixed.c", fixed, 1)
			if _, _, err := s.Exec(context.Background(), line); err != nil {
				t.Fatal(line, err)
			}
			v := s.View(session.Look{})
			text, err := json.Marshal(v)
			if err != nil {
				t.Fatal(err)
			}
			docs = append(docs, line+"\n"+string(text))
			if v.Picture != nil {
				stay(t, line, v.Picture, at)
			}
		}
		if len(at) != 4 {
			t.Errorf("%s: %d nodes were drawn, not 4", engine, len(at))
		}
		if kept != nil {
			if d := cmp.Diff(kept, docs); d != "" {
				t.Errorf("the engines differ:\n%s", d)
			}
		}
		kept = docs
		last := s.View(session.Look{})
		if last.State != "ended" || last.Output != "2 4 8 10 \n" || last.Patch == nil || len(last.Patch.Edits) != 3 || len(last.Checkpoints) != 4 {
			t.Errorf("%s: at the end the view is %+v", engine, last)
		}
	}
}

// stay fails if a node is no longer where it was.
func stay(t *testing.T, line string, p *draw.Picture, at map[string][2]int) {
	t.Helper()
	for _, b := range p.Nodes {
		now := [2]int{b.X, b.Y}
		if was, ok := at[b.Name]; ok && was != now {
			t.Errorf("%s: %s moved from %v to %v", line, b.Name, was, now)
		}
		at[b.Name] = now
	}
}

// TestLost: a node that nothing leads to any more keeps its place and can be pointed to.
func TestLost(t *testing.T) {
	s := newSession(t, "machine", nil, "../../examples/reverse.c")
	exec := func(line string) *session.View {
		t.Helper()
		if _, _, err := s.Exec(context.Background(), line); err != nil {
			t.Fatal(line, err)
		}
		return s.View(session.Look{})
	}
	exec("start")
	exec("next 4")
	v := exec("change head null")
	for _, b := range v.Picture.Nodes {
		if !b.Lost || len(b.Cells) != 3 {
			t.Errorf("%s: lost is %v, with %d fields", b.Name, b.Lost, len(b.Cells))
		}
	}
	if len(v.Picture.Nodes) != 4 || len(v.Picture.Arrows) != 6 {
		t.Errorf("%d nodes and %d arrows are drawn, not 4 and 6", len(v.Picture.Nodes), len(v.Picture.Arrows))
	}
	exec("change n2->data 5")
	v = exec("change head n2")
	for _, b := range v.Picture.Nodes {
		if b.Lost {
			t.Errorf("%s is still lost", b.Name)
		}
		if b.Name == "n2" && b.Cells[0].Value != "5" {
			t.Errorf("n2->data is %s", b.Cells[0].Value)
		}
	}
}

// TestViewDocumented: docs/json.md names every field that views get.
func TestViewDocumented(t *testing.T) {
	text, err := os.ReadFile("../../docs/json.md")
	if err != nil {
		t.Fatal(err)
	}
	_, part, _ := strings.Cut(string(text), "## gulo web")
	seen := map[reflect.Type]bool{}
	var walk func(reflect.Type)
	walk = func(x reflect.Type) {
		for x.Kind() == reflect.Pointer || x.Kind() == reflect.Slice || x.Kind() == reflect.Array {
			x = x.Elem()
		}
		if x.Kind() != reflect.Struct || seen[x] {
			return
		}
		seen[x] = true
		for f := range x.Fields() {
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			if name != "" && !strings.Contains(part, "`"+name+"`") && !strings.Contains(part, "`"+name+"[]`") {
				t.Errorf("docs/json.md does not name %s of %s", name, x)
			}
			walk(f.Type)
		}
	}
	walk(reflect.TypeFor[session.View]())
	walk(reflect.TypeFor[session.Look]())
}

// TestViewAs: a page gets a block with the type that the user gave it, and with members that can be changed.
func TestViewAs(t *testing.T) {
	ar, err := txtar.ParseFile("testdata/view_as.txtar")
	if err != nil {
		t.Fatal(err)
	}
	prog := filepath.Join(t.TempDir(), "prog.c")
	if err := os.WriteFile(prog, section(ar, "prog.c").Data, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, engine := range engines {
		s := newSession(t, engine, nil, prog)
		for _, line := range []string{"start", "break put", "continue", "next 5", "view n1 as struct point", "change n1->y 2"} {
			if _, _, err := s.Exec(context.Background(), line); err != nil {
				t.Fatal(engine, line, err)
			}
		}
		v := s.View(session.Look{})
		if v.Picture == nil || len(v.Picture.Nodes) != 1 {
			t.Fatalf("%s: no node is drawn: %+v", engine, v.Picture)
		}
		n := v.Picture.Nodes[0]
		if n.Type != "struct point" || len(n.Cells) != 2 || n.Cells[1].Key != "n1->y" || n.Cells[1].Value != "2" || !n.Cells[1].Changed {
			t.Errorf("%s: n1 is %+v", engine, n)
		}
	}
}
