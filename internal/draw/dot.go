package draw

import (
	"fmt"
	"strings"

	"gulo/internal/heap"
	"gulo/internal/plural"
)

// DOT returns the graph in Graphviz's language.
func DOT(g *heap.Graph, o Options) string {
	loose := func(key string) string {
		if o.Dotted[key] {
			return " [style=dotted]"
		}
		return ""
	}
	var b strings.Builder
	b.WriteString("digraph heap {\n  rankdir=LR;\n  node [shape=record, fontname=\"monospace\"];\n")
	esc := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "{", `\{`, "}", `\}`, "|", `\|`, "<", `\<`, ">", `\>`)
	g = inUse(g)
	near := setOf(inHand(g, o, maxDrawn, -1))
	lost, folded := 0, 0
	for _, n := range g.Nodes {
		if n.Type == nil && lost < maxDrawn {
			near[n.Seq] = true
			lost++
		}
		if !near[n.Seq] {
			folded++
			continue
		}
		label := n.Name()
		if !n.Live {
			label += " freed"
		}
		if n.Type == nil {
			what := "unreachable"
			if n.Met {
				what = "of no known type"
			}
			label += fmt.Sprintf(" | %s, %s", plural.N(n.Size, "byte"), what)
		}
		for i, c := range n.Cells {
			v := shortValue(c.Value)
			if c.Value.Kind == heap.ToNode && near[c.Value.Node] {
				v = "•"
			}
			label += fmt.Sprintf("|<f%d> %s %s", i, esc.Replace(c.Field), esc.Replace(v))
		}
		style := ""
		if !n.Live {
			style = ", style=dashed"
		}
		fmt.Fprintf(&b, "  %s [label=\"%s\"%s];\n", n.Name(), label, style)
	}
	if folded += g.More; folded > 0 {
		fmt.Fprintf(&b, "  more [shape=plaintext, label=\"(%s)\"];\n", plural.N(folded, "more node"))
	}
	for i, v := range g.Vars {
		for _, c := range v.Cells {
			if c.Value.Kind == heap.ToNode && near[c.Value.Node] {
				fmt.Fprintf(&b, "  v%d [shape=plaintext, label=\"%s\"];\n  v%d -> n%d%s;\n", i, esc.Replace(c.Key), i, c.Value.Node, loose(c.Key))
			} else if len(v.Cells) == 1 {
				fmt.Fprintf(&b, "  v%d [shape=plaintext, label=\"%s = %s\"];\n", i, esc.Replace(c.Key), esc.Replace(shortValue(c.Value)))
			}
		}
	}
	for _, n := range g.Nodes {
		for i, c := range n.Cells {
			if near[n.Seq] && c.Value.Kind == heap.ToNode && near[c.Value.Node] {
				fmt.Fprintf(&b, "  %s:f%d -> n%d%s;\n", n.Name(), i, c.Value.Node, loose(c.Key))
			}
		}
	}
	b.WriteString("}\n")
	return b.String()
}
