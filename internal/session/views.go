package session

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/heap"
	"gulo/internal/plural"
)

// This file has the command view: it says which type the bytes of a block are read as. Assertions about a viewed block
// speak of its bytes, as of any other block.

func (s *recorder) viewCmd(ctx context.Context, args string) error {
	file, isFile := strings.CutPrefix(args, "file ")
	if s.graph == nil && !isFile {
		return errorf("the program is not running; use start")
	}
	what, as, found := strings.Cut(args, " as ")
	switch what, as = strings.TrimSpace(what), strings.TrimSpace(as); {
	case args == "":
		s.listViews()
		return nil
	case args == "off":
		s.views, s.visuals, s.scripts, s.lent = heap.Views{}, nil, nil, nil
	case isFile:
		text, err := s.LoadViews(ctx, strings.TrimSpace(file))
		if err != nil {
			return errorf("%v", err)
		}
		if s.printf("%s", text); s.graph == nil {
			return nil
		}
	case found:
		if err := s.viewAs(what, as); err != nil {
			return err
		}
	default:
		what, off := strings.CutSuffix(args, " off")
		if !off {
			return errorf("view takes a block or a type and what it is to be read as, as in: view n12 as struct node; view n12 off ends that")
		}
		if err := s.viewOff(strings.TrimSpace(what)); err != nil {
			return err
		}
	}
	return s.viewAgain()
}

// viewAgain draws the memory under the views in force. Memory has not changed, so the marks of changes stay.
func (s *recorder) viewAgain() error {
	changed := s.changed
	if err := s.refresh(); err != nil {
		return err
	}
	s.changed = changed
	s.picture()
	return nil
}

func (s *drawing) listViews() {
	blocks, kinds := s.views.Blocks(), s.views.Kinds()
	for _, v := range s.visuals {
		s.printf("%s as its view file says\n", v.t)
	}
	for _, x := range s.scripts {
		s.printf("%s: %s\n", x.file, plural.N(len(x.names), "printer"))
		for _, name := range x.names {
			s.printf("  %s\n", name)
		}
	}
	for _, x := range s.lent {
		s.printf("types of %s: %s\n", x.file, strings.Join(x.names, ", "))
	}
	if len(blocks)+len(kinds)+len(s.visuals)+len(s.scripts)+len(s.lent) == 0 {
		s.printf("every block is drawn as the program's pointers say\n")
	}
	for _, k := range kinds {
		s.printf("%s as %s\n", k.From, k.To)
	}
	for _, seq := range blocks {
		s.printf("n%d as %s\n", seq, s.views.Block(seq))
	}
}

// kindNamed returns the type that what names; nil if it names a block or a pointer to one.
func (s *drawing) kindNamed(what string) *ctype.Type {
	if _, ok := s.graph.Node(what); ok {
		return nil
	}
	if _, ok := s.graph.Cell(heap.ParseEntity(s.focused(what))); ok {
		return nil
	}
	return s.parseType(what)
}

func (s *drawing) viewAs(what, as string) error {
	t, err := s.typeNamed(as)
	if err != nil {
		return err
	}
	if from := s.kindNamed(what); from != nil {
		if from.Size == 0 || t.Size == 0 {
			return errorf("the size of %s is not known", sizeless(from, t))
		}
		s.views = s.views.WithKind(from, t)
		return nil
	}
	seq, name, err := s.blockOf(what)
	if err != nil {
		return err
	}
	if name != what && t.Kind == ctype.Pointer { // a pointer, read as a pointer of this type
		t = t.Elem
	}
	if t.Size == 0 || t.Kind == ctype.Void || t.Kind == ctype.Func {
		return errorf("the size of %s is not known", t)
	}
	if size := s.blockSize(seq); !heap.Holds(size, t) {
		return errorf("%s has %s, too few for %s (%s)", name, plural.N(size, "byte"), t, plural.N(t.Size, "byte"))
	}
	s.views = s.views.WithBlock(seq, t)
	return nil
}

func sizeless(from, to *ctype.Type) *ctype.Type {
	if from.Size == 0 {
		return from
	}
	return to
}

func (s *drawing) viewOff(what string) error {
	if from := s.kindNamed(what); from != nil {
		if !slices.ContainsFunc(s.views.Kinds(), func(k heap.KindView) bool { return ctype.Same(k.From, from) }) {
			return errorf("there is no view of %s; view lists them", from)
		}
		s.views = s.views.WithKind(from, nil)
		return nil
	}
	var seq int
	if _, err := fmt.Sscanf(what, "n%d", &seq); err != nil || s.views.Block(seq) == nil { // the block may be freed
		var name string
		if seq, name, err = s.blockOf(what); err != nil {
			return err
		}
		if s.views.Block(seq) == nil {
			return errorf("there is no view of %s; view lists them", name)
		}
	}
	s.views = s.views.WithBlock(seq, nil)
	return nil
}

// blockOf returns the block that a name or a pointer stands for. A literal and a pointer into a block are errors.
func (s *drawing) blockOf(text string) (seq int, name string, err error) {
	seq, off, err := s.placeOf(text)
	if err != nil {
		return 0, "", err
	}
	name = fmt.Sprintf("n%d", seq)
	switch {
	case seq < 0:
		return 0, "", errorf("%s is a literal, whose type the program says; view takes blocks of the heap", text)
	case off != 0:
		return 0, "", errorf("%s leads to %s+%d, and a view is of a whole block: view %s as TYPE", text, name, off, name)
	}
	return seq, name, nil
}

func (s *drawing) blockSize(seq int) int64 {
	for o := range s.img.Each {
		if o.Kind == heap.Node && o.Seq == seq {
			return int64(len(o.Data))
		}
	}
	return 0
}

// typeNamed returns the type of a name. The error for an unknown name suggests similar ones.
func (s *drawing) typeNamed(text string) (*ctype.Type, error) {
	if t := s.parseType(text); t != nil {
		return t, nil
	}
	return nil, errorf("no type %s in the program%s", text, nearTypes(s.prog.Tree, text))
}

// nearTypes returns a text that suggests types with similar names; "" for none.
func nearTypes(tree *cfront.Program, text string) string {
	bare := strings.TrimSpace(strings.TrimRight(text, "* "))
	tag := bare
	for _, w := range []string{"struct ", "union ", "enum "} {
		tag = strings.TrimPrefix(tag, w)
	}
	best, out := max(1, len(tag)/3)+1, []string(nil)
	for _, name := range tree.TypeNames() {
		_, own, ok := strings.Cut(name, " ")
		if !ok {
			own = name
		}
		switch d := editDistance(strings.ToLower(own), strings.ToLower(tag)); {
		case d < best:
			best, out = d, []string{name}
		case d == best && out != nil && len(out) < 4:
			out = append(out, name)
		}
	}
	if out == nil {
		return ""
	}
	return "; is it " + strings.Join(out, ", ") + "?"
}
