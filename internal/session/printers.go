package session

import (
	"errors"
	"fmt"
	"os"

	"gulo/internal/ctype"
	"gulo/internal/heap"
	"gulo/internal/source"
	"gulo/internal/target"
)

// This file handles gdb's pretty-printers in Python. What a script that the user names says of values is shown in boxes
// and by print, like the texts of files of views.

// script is a script of printers that was executed.
type script struct {
	file  string
	names []string // of the printers that it registered
}

// mostPrinted bounds the values of one picture that printers are asked about.
const mostPrinted = 200

// loadScript has the target execute a script. If the script fails, the text says where and why.
func (s *drawing) loadScript(file string) (text string, err error) {
	if _, err := os.Stat(file); err != nil {
		return "", errors.New(source.Refused("the file of printers", file, err, "a Python script for gdb"))
	}
	p, ok := s.tgt.(target.Printing)
	if !ok {
		return "", fmt.Errorf("%s: printers in Python are gdb's, and this engine is not gdb: use --engine gdb, or a .natvis file", file)
	}
	names, err := p.Source(file)
	var bad *target.ScriptError
	switch {
	case errors.As(err, &bad):
		text = fmt.Sprintf("%s:%d: %s\n", file, bad.Line, bad.Text)
	case err != nil:
		return "", fmt.Errorf("%s: %w", file, err)
	case len(names) == 0:
		text = fmt.Sprintf("%s registers no printer\n", file)
	}
	s.scripts = append(s.scripts, script{file, names})
	return text, nil
}

// printedNotes adds what printers say to the nodes of a graph, for the nodes and for their members that are structs.
func (s *drawing) printedNotes(g *heap.Graph) {
	p, ok := s.tgt.(target.Printing)
	if !ok || len(s.scripts) == 0 {
		return
	}
	var list []target.Printable
	type spot struct {
		node  int
		label string
	}
	var spots []spot
	add := func(node int, label string, a ctype.Word, t *ctype.Type) {
		if t.IsAggregate() && len(list) < mostPrinted {
			list, spots = append(list, target.Printable{Addr: a, Type: t.String()}), append(spots, spot{node, label})
		}
	}
	for i, n := range g.Nodes {
		if n.Type == nil || !n.Live || n.Size < n.Type.Size {
			continue
		}
		if count := n.Elements(); count > 1 {
			for k := range min(count, mostElements) {
				add(i, fmt.Sprintf("[%d] ≡", k), n.Addr+ctype.Word(k*n.Type.Size), n.Type)
			}
			continue
		}
		add(i, "≡", n.Addr, n.Type)
		for k := range n.Type.Fields {
			if f := &n.Type.Fields[k]; n.Type.IsAggregate() && f.Name != "" && f.BitLen == 0 {
				add(i, f.Name+" ≡", n.Addr+ctype.Word(f.Offset), f.Type)
			}
		}
	}
	if len(list) == 0 {
		return
	}
	texts, err := p.Printed(list)
	if err != nil {
		s.printf("note: the pretty-printers cannot be used: %v\n", err)
		return
	}
	for i, text := range texts {
		if text != "" {
			own := *g.Nodes[spots[i].node]
			own.Notes = append(own.Notes[:len(own.Notes):len(own.Notes)], heap.Note{Label: spots[i].label, Text: text})
			g.Nodes[spots[i].node] = &own
		}
	}
}

// printedOf returns what printers say of a value; "" for nothing.
func (s *drawing) printedOf(a ctype.Word, t *ctype.Type) string {
	p, ok := s.tgt.(target.Printing)
	if !ok || len(s.scripts) == 0 || !t.IsAggregate() {
		return ""
	}
	texts, err := p.Printed([]target.Printable{{Addr: a, Type: t.String()}})
	if err != nil {
		return ""
	}
	return texts[0]
}
