package session

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"gulo/internal/ctype"
	"gulo/internal/draw"
	"gulo/internal/eval"
	"gulo/internal/heap"
	"gulo/internal/process"
)

// This file has the commands that choose what of the memory is drawn: state, focus and tidy.

// focused is something that pictures are drawn around until the user says otherwise.
type focused struct {
	text string // a node, a variable or an expression
	node int    // the last one that it led to
}

// nodeOf returns the number of the node that text names or, as an expression, points to.
func (s *drawing) nodeOf(text string) (int, error) {
	seq, _, err := s.placeOf(text)
	return seq, err
}

// placeOf is nodeOf with the offset of the pointer in the node.
func (s *drawing) placeOf(text string) (seq int, off int64, err error) {
	if n, ok := s.graph.Node(text); ok {
		return n.Seq, 0, nil
	}
	if s.wide != nil {
		if n, ok := s.wide.Node(text); ok {
			return n.Seq, 0, nil
		}
	}
	var w ctype.Word
	if c, err := s.entity(text); err == nil {
		var ok bool
		if w, ok = s.img.Load(c.Addr, c.Type); !ok || c.Type.Kind != ctype.Pointer {
			return 0, 0, errorf("%s is no pointer", text)
		}
	} else {
		x, n, xerr := s.expression(text)
		if xerr != nil {
			return 0, 0, err
		}
		if w, err = eval.Value(n, x); err != nil {
			return 0, 0, errorf("%s leads nowhere: %v", text, err)
		}
	}
	if o := s.img.Find(w); o != nil && o.Kind == heap.Node {
		return o.Seq, int64(w - o.Addr), nil
	}
	return 0, 0, errorf("%s leads to no node here", text)
}

// refocus evaluates the focus in the state that was just read, and returns its nodes.
func (s *drawing) refocus() []int {
	var out []int
	for i := range s.focus {
		f := &s.focus[i]
		if k, err := s.nodeOf(f.text); err == nil {
			f.node = k
		}
		out = append(out, f.node)
	}
	return out
}

// graphWith returns the graph of the picture. It adds the nodes given if the picture of a large program leaves them
// out.
func (s *drawing) graphWith(nodes ...int) *heap.Graph {
	if s.wide == nil || !slices.ContainsFunc(nodes, func(k int) bool { return s.graph.Typed(k) == nil }) {
		return s.graph
	}
	return s.wide.Part(s.img, s.mentioned(s.img), nodes...)
}

func (s *recorder) drawOptions() draw.Options {
	o := draw.Options{Width: s.cfg.Width, Height: s.cfg.Height, Color: s.cfg.Color, Changed: s.changed, Dotted: s.untracked()}
	for _, f := range s.focus {
		o.Around, o.Focus = append(o.Around, f.node), true
	}
	return o
}

func (s *recorder) focusCmd(ctx context.Context, args string) error {
	if s.graph == nil {
		return errorf("the program is not running; use start")
	}
	switch words := strings.Fields(args); {
	case len(words) == 0:
		if len(s.focus) == 0 {
			s.printf("pictures are drawn around the variables of the active functions\n")
			return nil
		}
		var names []string
		for _, f := range s.focus {
			names = append(names, f.text)
		}
		s.printf("pictures are drawn around %s; focus off ends that\n", strings.Join(names, ", "))
		return nil
	case len(words) == 1 && words[0] == "off":
		s.focus = nil
	default:
		var list []focused
		for _, w := range words {
			k, err := s.nodeOf(w)
			if err != nil {
				return err
			}
			list = append(list, focused{w, k})
		}
		s.focus = list
	}
	s.takePart()
	s.picture()
	return nil
}

// takePart reduces the graph to the part of the memory that the picture shows.
func (s *drawing) takePart() {
	if s.wide != nil {
		s.graph = s.wide.Part(s.img, s.mentioned(s.img))
	}
	if nodes := s.refocus(); len(nodes) > 0 {
		s.graph = s.graphWith(nodes...)
	}
}

// wholeHeight bounds the lines of a picture that the command state draws.
const wholeHeight = 400

func (s *recorder) stateCmd(ctx context.Context, args string) error {
	if s.graph == nil {
		return errorf("the program is not running; use start")
	}
	f := strings.Fields(args)
	o := s.drawOptions()
	switch {
	case len(f) == 0 || f[0] == "text" && len(f) == 1:
		o.Height = wholeHeight // whoever asks can scroll
		s.out.WriteString(s.layout.Text(s.graph, o))
		return nil
	case len(f) == 2 && (f[0] == "svg" || f[0] == "dot"):
		text := draw.DOT(s.graph, o)
		if f[0] == "svg" {
			text = s.layout.SVG(s.graph, o)
		}
		if err := process.WriteFile(f[1], []byte(text), 0o644); err != nil {
			return errorf("cannot write the picture: %v", err)
		}
		s.printf("wrote %s\n", f[1])
		return nil
	}
	o.Depth = 2
	if at := slices.Index(f, "depth"); at >= 0 {
		n := 0
		if at == len(f)-2 {
			n, _ = strconv.Atoi(f[at+1])
		}
		if n < 1 {
			return errorf("depth wants a number of links at the end, as in: state depth 2, or state n3 depth 1")
		}
		if o.Depth = n; at == 0 {
			o.MaxNodes = 500
		}
		f = f[:at]
	}
	for _, name := range f {
		k, err := s.nodeOf(name)
		if err != nil {
			return errorf("state takes nodes or pointers to them, depth N, text, svg FILE or dot FILE: %v", err)
		}
		o.Only = append(o.Only, k)
	}
	s.out.WriteString(s.layout.Text(s.graphWith(o.Only...), o))
	return nil
}

// tidy forgets where nodes were drawn.
func (s *recorder) tidy(context.Context, string) error {
	if s.graph == nil {
		return errorf("the program is not running; use start")
	}
	s.layout, s.moved = draw.Layout{}, nil
	s.picture()
	return nil
}
