package draw

import (
	"encoding/xml"
	"fmt"
	"strings"

	"gulo/internal/heap"
)

const (
	cellW, lineH, colW, padY = 130, 18, 190, 40
)

// SVG draws the graph with the sticky layout.
func (l *Layout) SVG(g *heap.Graph, o Options) string {
	near := nearest(g, &Options{MaxNodes: maxDrawn})
	l.Update(g, near)
	rows := l.rows(g, func(n *heap.NodeInfo) bool { return near[n.Seq] })
	minCol, maxCol := 1<<30, -1<<30
	for _, r := range rows {
		for _, n := range r {
			minCol, maxCol = min(minCol, l.at[n.Seq].Col), max(maxCol, l.at[n.Seq].Col)
		}
	}
	type pos struct{ x, y, h int }
	at := map[int]pos{}
	y := padY
	for _, r := range rows {
		h := 0
		for _, n := range r {
			h = max(h, (len(n.Cells)+1)*lineH)
		}
		for _, n := range r {
			at[n.Seq] = pos{20 + (l.at[n.Seq].Col-minCol)*colW, y, (len(n.Cells) + 1) * lineH}
		}
		y += h + 2*padY
	}
	var b, arrows strings.Builder
	fill := func(changed bool) string {
		if changed {
			return "#c05000"
		}
		return "#202020"
	}
	text := func(x, y int, s, anchor, color string) {
		fmt.Fprintf(&b, `<text x="%d" y="%d" text-anchor="%s" fill="%s">%s</text>`+"\n", x, y, anchor, color, escape(s))
	}
	arrow := func(x1, y1, x2, y2 int, changed, dotted bool) {
		style := ""
		if dotted {
			style = ` stroke-dasharray="3 3"`
		}
		mx := (x1 + x2) / 2
		fmt.Fprintf(&arrows, `<path d="M%d %d C%d %d %d %d %d %d" fill="none" stroke="%s"%s marker-end="url(#a)"/>`+"\n",
			x1, y1, mx, y1, mx, y2, x2, y2, fill(changed), style)
	}
	for _, r := range rows {
		for _, n := range r {
			p := at[n.Seq]
			dash := ""
			if !n.Live {
				dash = ` stroke-dasharray="4 3"`
			}
			fmt.Fprintf(&b, `<rect x="%d" y="%d" width="%d" height="%d" rx="4" fill="#fff" stroke="#404040"%s/>`+"\n", p.x, p.y, cellW, p.h, dash)
			text(p.x+6, p.y+13, n.Name(), "start", "#808080")
			for i, c := range n.Cells {
				cy := p.y + (i+1)*lineH + 13
				ch := o.Changed[c.Key]
				text(p.x+6, cy, c.Field, "start", fill(ch))
				q, ok := at[c.Value.Node]
				if c.Value.Kind != heap.ToNode || !ok {
					text(p.x+cellW-6, cy, shortValue(c.Value), "end", fill(ch))
					continue
				}
				text(p.x+cellW-6, cy, "●", "end", fill(ch))
				if q.x > p.x {
					arrow(p.x+cellW-10, cy-4, q.x, q.y+9+i*3, ch, o.Dotted[c.Key])
				} else {
					arrow(p.x+cellW-10, cy-4, q.x+cellW, q.y+9+i*3, ch, o.Dotted[c.Key])
				}
			}
		}
	}
	shown := map[string]bool{}
	labels := map[int]int{}
	for _, v := range g.Vars {
		if len(v.Cells) == 1 && v.Cells[0].Value.Kind == heap.ToNode {
			if p, ok := at[v.Cells[0].Value.Node]; ok {
				k := labels[v.Cells[0].Value.Node]
				labels[v.Cells[0].Value.Node]++
				text(p.x+6+k*60, p.y-14, v.Name+" ↓", "start", fill(o.Changed[v.Cells[0].Key]))
				shown[v.Name] = true
			}
		}
	}
	for _, s := range strings.Split(strings.TrimRight(variables(g, Options{Width: 100}, shown), "\n"), "\n") {
		text(20, y, strings.TrimSpace(s), "start", "#202020")
		y += lineH
	}
	if folded := countTyped(g) + g.More - len(near); folded > 0 {
		text(20, y, fmt.Sprintf("(%d more nodes)", folded), "start", "#202020")
		y += lineH
	}
	w := 40
	if maxCol >= minCol {
		w = 60 + (maxCol-minCol+1)*colW
	}
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="monospace" font-size="12">
<defs><marker id="a" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z"/></marker></defs>
<rect width="100%%" height="100%%" fill="#fafafa"/>
%s%s</svg>
`, max(w, 700), y+20, b.String(), arrows.String())
}

func escape(s string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(s))
	return b.String()
}
