package shell_test

import (
	"context"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"gulo/internal/draw"
	"gulo/internal/session"
)

// drawnSteps is the number of steps after which pictures are compared.
const drawnSteps = 60

var nodeName = regexp.MustCompile(`\bn[0-9]+\b`)

// memberName is the last name of a label: elements of arrays have none in the text.
var memberName = regexp.MustCompile(`[A-Za-z_]\w*$`)

// TestDrawnAlike: the terminal shows the nodes, arrows and values that the SVG file, the page and editors draw.
func TestDrawnAlike(t *testing.T) {
	var files []string
	for _, dir := range []string{"users", "shapes", "idioms"} {
		list, err := filepath.Glob("testdata/" + dir + "/*.c")
		if err != nil || len(list) == 0 {
			t.Fatal(dir, err)
		}
		files = append(files, list...)
	}
	pictures := 0
	for i, f := range files {
		if testing.Short() && i%8 != 0 {
			continue
		}
		s := newSession(t, "machine", nil, f)
		for n := range drawnSteps {
			line := "step"
			if n == 0 {
				line = "start"
			}
			if _, _, err := s.Exec(context.Background(), line); err != nil {
				break // the program has ended, or waits for input
			}
			text, _, err := s.Exec(context.Background(), "state")
			v := s.View(session.Look{})
			if err != nil || v.Picture == nil {
				break
			}
			pictures++
			if missing := unlike(text, v.Picture); missing != "" {
				t.Errorf("%s, step %d: %s in\n%s", filepath.Base(f), n, missing, text)
				break
			}
		}
	}
	t.Logf("%d pictures of %d programs", pictures, len(files))
}

// unlike says what one of two drawings of a state shows and the other does not; "" if they show the same.
func unlike(text string, p *draw.Picture) string {
	named := map[string]bool{}
	for _, n := range nodeName.FindAllString(text, -1) {
		named[n] = true
	}
	drawn := map[string]bool{}
	for _, n := range append(append([]string{}, p.Unreachable...), p.Untyped...) {
		drawn[n] = true
	}
	for _, b := range p.Nodes {
		drawn[b.Name] = true
		if !named[b.Name] && p.Folded == 0 && !b.Freed {
			return "the text has no " + b.Name
		}
	}
	for _, a := range p.Arrows {
		if !named[a.To] && p.Folded == 0 {
			return "the text has no " + a.To + ", to which " + a.From + " leads"
		}
	}
	for n := range named {
		if !drawn[n] && p.Folded == 0 {
			return "the picture has no " + n
		}
	}
	words := strings.Join(strings.Fields(text), " ")
	for _, b := range append(append([]draw.Box{}, p.Vars...), p.Nodes...) {
		for _, c := range b.Cells {
			if strings.Contains(words, " blank") {
				continue // elements that hold nothing are counted
			}
			if m := memberName.FindString(c.Label); m != "" && c.Points == "" && !strings.Contains(words, m) { // trees have branches for links
				return "the text has no " + c.Key
			}
			if c.Kind == "number" && !strings.Contains(words, strings.Join(strings.Fields(c.Shown), " ")) {
				return "the text has no value " + c.Shown + " of " + c.Key
			}
		}
	}
	return ""
}
