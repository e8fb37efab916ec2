package draw

import (
	"encoding/xml"
	"fmt"
	"strings"

	"gulo/internal/heap"
	"gulo/internal/plural"
)

// SVG draws the graph with the sticky layout: the boxes and arrows of Picture.
func (l *Layout) SVG(g *heap.Graph, o Options) string {
	o.MaxNodes = maxDrawn
	p := l.Picture(g, o)
	w := &svg{}
	for _, a := range p.Arrows {
		w.arrow(&a)
	}
	for i := range p.Vars {
		w.box(&p.Vars[i], "#f0f0f4")
	}
	for i := range p.Nodes {
		w.box(&p.Nodes[i], "#fff")
	}
	y := p.View[1] + p.View[3]
	note := func(s string) {
		w.text(p.View[0]+margin, y, s, "start", "#202020")
		y += LineH
	}
	if p.Folded > 0 {
		note(fmt.Sprintf("(%s)", plural.N(p.Folded, "more node")))
	}
	if s := strings.ReplaceAll(strings.TrimSpace(unreachable(g)), "\n", ";"); s != "" {
		note(s)
	}
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="%d %d %d %d" width="%d" height="%d" font-family="monospace" font-size="12">
<defs><marker id="a" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z"/></marker></defs>
<rect x="%d" y="%d" width="100%%" height="100%%" fill="#fafafa"/>
%s</svg>
`, p.View[0], p.View[1], p.View[2], y-p.View[1], p.View[2], y-p.View[1], p.View[0], p.View[1], w.b.String())
}

// svg is an SVG document being written.
type svg struct{ b strings.Builder }

func (w *svg) text(x, y int, s, anchor, color string) {
	fmt.Fprintf(&w.b, `<text x="%d" y="%d" text-anchor="%s" fill="%s">%s</text>`+"\n", x, y, anchor, color, escape(s))
}

func (w *svg) arrow(a *Arrow) {
	style := ""
	if a.Untracked {
		style = ` stroke-dasharray="3 3"`
	}
	p := a.Path
	fmt.Fprintf(&w.b, `<path d="M%d %d C%d %d %d %d %d %d" fill="none" stroke="%s"%s marker-end="url(#a)"/>`+"\n",
		p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], ink(a.Changed), style)
}

func (w *svg) box(b *Box, fill string) {
	dash, title := "", b.Name
	switch {
	case b.Freed:
		dash, title = ` stroke-dasharray="4 3"`, title+" freed"
	case b.Lost:
		dash, title = ` stroke-dasharray="1 4"`, title+" unreachable"
	}
	fmt.Fprintf(&w.b, `<rect x="%d" y="%d" width="%d" height="%d" rx="4" fill="%s" stroke="#404040"%s/>`+"\n", b.X, b.Y, b.W, b.H, fill, dash)
	w.text(b.X+8, b.Y+14, title, "start", "#606060")
	for i := range b.Cells {
		c := &b.Cells[i]
		w.text(b.X+8, c.Y+14, c.Label, "start", ink(c.Changed))
		w.text(b.X+b.W-8, c.Y+14, c.Shown, "end", ink(c.Changed))
	}
	for i, line := range b.Blank {
		w.text(b.X+8, b.Y+(1+len(b.Cells)+i)*LineH+14, line, "start", "#606060")
	}
	if b.More > 0 {
		w.text(b.X+8, b.Y+b.H-6, fmt.Sprintf("… %d more", b.More), "start", "#606060")
	}
}

// ink is the colour of what changed, or did not.
func ink(changed bool) string {
	if changed {
		return "#c05000"
	}
	return "#202020"
}

func escape(s string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(s))
	return b.String()
}
