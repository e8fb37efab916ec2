package draw

import (
	_ "embed"
	"fmt"
	"strings"
)

// This file writes a picture as an SVG element of an HTML page, with the classes that
// the page of gulo web has: one style sheet draws both.

// Markup writes the picture as an element; label is what a screen reader says of it. The
// page must have the arrow heads of Heads once.
func (p *Picture) Markup(label string) string {
	var b strings.Builder
	fmt.Fprintf(&b, `<svg class="heap still" role="img" aria-label="%s" viewBox="%d %d %d %d" width="%d" height="%d">`, escape(label), p.View[0], p.View[1], p.View[2], p.View[3], p.View[2], p.View[3])
	starts := map[string]int{} // where the arrows leave their boxes
	for i := range p.Arrows {
		starts[p.Arrows[i].From] = p.Arrows[i].Path[0]
	}
	for i := range p.Vars {
		p.Vars[i].markup(&b, "vars", starts)
	}
	for i := range p.Nodes {
		p.Nodes[i].markup(&b, "node", starts)
	}
	for i := range p.Arrows {
		p.Arrows[i].markup(&b)
	}
	b.WriteString("</svg>")
	return b.String()
}

// Heads is the definition of the arrow heads that Markup refers to.
const Heads = `<svg class="heap heads" width="0" height="0" aria-hidden="true"><defs>` +
	`<marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path class="head" d="M0 0L8 4L0 8z"/></marker>` +
	`<marker id="head-changed" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="6" markerHeight="6" orient="auto"><path class="head changed" d="M0 0L8 4L0 8z"/></marker>` +
	`</defs></svg>`

// Style is the style sheet for Markup on a page of its own, light and dark. The page of gulo
// web has its own one with the same classes.
//
//go:embed markup.css
var Style string

func (b *Box) markup(w *strings.Builder, kind string, starts map[string]int) {
	state := ""
	switch {
	case b.Freed:
		state = " freed"
	case b.Lost:
		state = " unreachable"
	}
	fmt.Fprintf(w, `<g class="box %s%s"><rect class="frame" x="%d" y="%d" width="%d" height="%d" rx="4"/><text class="title" x="%d" y="%d">%s</text>`,
		kind, state, b.X, b.Y, b.W, b.H, b.X+8, b.Y+14, escape(b.Name+state))
	for i := range b.Cells {
		c := &b.Cells[i]
		class, label := "cell "+escape(c.Kind), c.Label
		if c.Changed {
			class, label = class+" changed", "✱ "+label
		}
		fmt.Fprintf(w, `<g class="%s"><title>%s</title><text class="label" x="%d" y="%d">%s</text>`, class, escape(c.Key+" = "+c.Value+" ("+c.Type+")"), b.X+8, c.Y+14, escape(label))
		if x, ok := starts[c.Key]; ok {
			fmt.Fprintf(w, `<circle class="dot" cx="%d" cy="%d" r="4.5"/>`, x, c.Y+LineH/2)
		} else {
			fmt.Fprintf(w, `<text class="value" x="%d" y="%d">%s</text>`, b.X+b.W-8, c.Y+14, escape(c.Shown))
		}
		w.WriteString("</g>")
	}
	for i, line := range b.Blank {
		fmt.Fprintf(w, `<text class="more" x="%d" y="%d">%s</text>`, b.X+8, b.Y+(1+len(b.Cells)+i)*LineH+14, escape(line))
	}
	if b.More > 0 {
		fmt.Fprintf(w, `<text class="more" x="%d" y="%d">… %d more</text>`, b.X+8, b.Y+b.H-6, b.More)
	}
	w.WriteString("</g>")
}

func (a *Arrow) markup(w *strings.Builder) {
	class, head := "arrow", "head"
	if a.Changed {
		class, head = class+" changed", "head-changed"
	}
	if a.Untracked {
		class += " untracked"
	}
	p := a.Path
	fmt.Fprintf(w, `<path class="%s" d="M%d %dC%d %d %d %d %d %d" marker-end="url(#%s)"/>`, class, p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], head)
}
