package draw

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"
)

// TestMarkup: whatever a picture's words are, it is one well-formed element without
// scripts.
func TestMarkup(t *testing.T) {
	evil := `"><script>alert(1)</script>'&`
	p := &Picture{View: [4]int{-20, -20, 300, 200},
		Vars:   []Box{{Name: evil, W: 140, H: 40, Cells: []Cell{{Key: "a", Label: evil, Kind: evil, Value: evil, Shown: evil, Type: evil, Y: 20}, {Key: "p", Label: "p", Kind: "node", Points: "struct node", Value: "n1", Shown: "n1", Y: 40, Changed: true}}}},
		Nodes:  []Box{{Name: "n1", Type: "struct node", X: 180, W: 124, H: 40, Freed: true, More: 3}},
		Arrows: []Arrow{{From: "p", To: "n1", Path: [8]int{140, 50, 160, 50, 160, 10, 180, 10}, Changed: true, Untracked: true}}}
	text := p.Markup(evil)
	d := xml.NewDecoder(strings.NewReader(text))
	roots, depth := 0, 0
	var names []string
	for {
		tok, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		switch x := tok.(type) {
		case xml.StartElement:
			if depth++; depth == 1 {
				roots++
			}
			names = append(names, x.Name.Local)
		case xml.EndElement:
			depth--
		}
	}
	if all := strings.Join(names, " "); roots != 1 || strings.Contains(all, "script") || strings.Count(all, "path") != 1 || strings.Count(all, "rect") != 2 {
		t.Errorf("%d elements: %s", roots, all)
	}
	for _, want := range []string{"n1 freed", "✱ p", "… 3 more", `class="arrow changed untracked"`} {
		if !strings.Contains(text, want) {
			t.Errorf("there is no %q in\n%s", want, text)
		}
	}
}
