package check

import (
	"fmt"
	"html"
	"strings"
)

// This file draws value propagation chains as pictures.

const (
	stepHeight = 46
	stepWidth  = 450
	stepGap    = 22
)

// SVG draws the findings: at the top where a rule fired, and below it, for every pointer, the steps that its value
// took, back to where it was made.
func (r *Result) SVG() string {
	var b strings.Builder
	width, y := stepWidth+40, 20
	for i := range r.Findings {
		f := &r.Findings[i]
		head := Step{File: f.File, Line: f.Line, Function: f.Function, Text: f.Text, What: f.Rule}
		columns := [][]Step{f.Chain}
		names := []string{""}
		for _, c := range f.Others {
			columns, names = append(columns, c.Links), append(names, c.Of)
		}
		width = max(width, 20+len(columns)*(stepWidth+20))
		box(&b, 20, y, head, "#b3261e", 2)
		top, deepest := y+stepHeight, y+stepHeight
		for k, links := range columns {
			x, from := 20+k*(stepWidth+20), top
			if k > 0 && len(links) > 0 {
				fmt.Fprintf(&b, `<text x="%d" y="%d" class="what">%s</text>`+"\n", x, top-4, html.EscapeString(names[k]))
			}
			for n, l := range links {
				at := top + stepGap + n*(stepHeight+stepGap)
				fmt.Fprintf(&b, `<line x1="%d" y1="%d" x2="%d" y2="%d" stroke="currentColor" marker-end="url(#end)"/>`+"\n", x+30, at, x+30, from+3)
				colour := "currentColor"
				if n == len(links)-1 {
					colour = "#1f7a4d"
				}
				box(&b, x, at, l, colour, 1)
				from = at + stepHeight
			}
			deepest = max(deepest, from)
		}
		y = deepest + 40
	}
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" color="#333">
<style>text{font:13px monospace;fill:currentColor}.what{font-weight:bold}</style>
<defs><marker id="end" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path d="M0 0L8 4L0 8z" fill="currentColor"/></marker></defs>
`, width, y, width, y) + b.String() + "</svg>\n"
}

func box(b *strings.Builder, x, y int, p Step, colour string, stroke int) {
	fmt.Fprintf(b, `<rect x="%d" y="%d" width="%d" height="%d" rx="4" fill="none" stroke="%s" stroke-width="%d"/>`+"\n", x, y, stepWidth, stepHeight, colour, stroke)
	when := ""
	if p.Time > 0 {
		when = fmt.Sprintf(" at %d", p.Time)
	}
	fmt.Fprintf(b, `<text x="%d" y="%d"><tspan class="what">%s</tspan>%s %s</text>`+"\n", x+8, y+18, html.EscapeString(p.What), when, html.EscapeString(clip(fmt.Sprintf("%s:%d %s", p.File, p.Line, p.Function), 54-len(p.What)-len(when))))
	fmt.Fprintf(b, `<text x="%d" y="%d">%s</text>`+"\n", x+8, y+37, html.EscapeString(clip(p.Text, 54)))
}

// clip shortens a text and keeps its end, because that is where names differ.
func clip(s string, n int) string {
	r := []rune(s)
	if len(r) <= n || n < 4 {
		return s
	}
	return "..." + string(r[len(r)-n+3:])
}
