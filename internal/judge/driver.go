package judge

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/lower"
	"gulo/internal/oracle"
)

// This file writes states as C: memory as a call finds it, and the call.

// unwritable says why a state cannot be made natively.
type unwritable struct{ why string }

func (e *unwritable) Error() string { return e.why }

// driver writes the calls of a program's function.
type driver struct {
	prog  *lower.Program
	entry *cfront.Func
	call  string   // what is called in its place; empty: the function
	shows *leaving // prints what calls leave; nil: nobody does
	out   strings.Builder
}

// CallsText writes calls as C that can stand behind the text of the file that has the
// function: gulo_call(n) makes the n-th. call is the name of the function that is called with the
// arguments. The caller defines what the text declares: gulo_block, gulo_number, gulo_pointer and
// gulo_result. An error says which state cannot be written.
func CallsText(p *lower.Program, entry *cfront.Func, call string, cases []*oracle.Case) (string, error) {
	d := &driver{prog: p, entry: entry, call: call}
	if err := d.cases(cases); err != nil {
		return "", err
	}
	return d.out.String(), nil
}

// text is the driver for cases around the file that has the entry.
func (d *driver) text(file string, cases []*oracle.Case) (string, error) {
	fmt.Fprintf(&d.out, "#include %q\n", file)
	if err := d.cases(cases); err != nil {
		return "", err
	}
	return d.out.String(), nil
}

// cases writes a function for each case, and one that chooses.
func (d *driver) cases(cases []*oracle.Case) error {
	d.out.WriteString("#undef main\nvoid *gulo_block(unsigned long);\nvoid gulo_number(void *, unsigned long, unsigned long long);\n" +
		"void gulo_pointer(void *, const volatile void *);\nvoid gulo_result(long long);\n")
	if d.shows != nil {
		d.out.WriteString(d.shows.declare(d))
	}
	fmt.Fprintf(&d.out, "const int gulo_cases = %d;\n", len(cases))
	for i, c := range cases {
		fmt.Fprintf(&d.out, "static void gulo_case%d(void)\n{\n", i)
		s := &stateText{driver: d, s: c.State, want: c.Want, types: make([]*ctype.Type, len(c.State.Objects))}
		if err := s.write(); err != nil {
			return err
		}
		d.out.WriteString("}\n")
	}
	d.out.WriteString("void gulo_call(int n)\n{\n    switch (n) {\n")
	for i := range cases {
		fmt.Fprintf(&d.out, "    case %d: gulo_case%d(); break;\n", i, i)
	}
	d.out.WriteString("    }\n}\n")
	return nil
}

// stateText writes one state.
type stateText struct {
	*driver
	s     *oracle.State
	want  *oracle.Run
	types []*ctype.Type // of one element, of the objects met
	order []int
	fills []string
}

// write writes the objects, the variables and the call.
func (w *stateText) write() error {
	var args []string
	for i, p := range w.entry.Params {
		to := fmt.Sprintf("&gulo_a%d", i)
		switch {
		case i >= len(w.s.Args) || !p.Type.IsScalar() && !w.s.Args[i].Whole:
			return &unwritable{fmt.Sprintf("%s takes %s", w.entry.Name, p.Type)}
		case !p.Type.IsScalar():
			o := &w.s.Objects[w.s.Args[i].Object-1]
			if err := w.object("(char *)"+to, p.Type, 1, o.Cells); err != nil {
				return err
			}
			args = append(args, fmt.Sprintf("gulo_a%d", i))
			continue
		}
		if err := w.scalar(to, p.Type, w.s.Args[i]); err != nil {
			return err
		}
		args = append(args, fmt.Sprintf("gulo_a%d", i))
	}
	for _, v := range w.prog.Tree.Globals {
		cells, ok := w.s.Globals[v.Name]
		if !ok || v.Func != nil || v.Const || !v.Range.Valid() || strings.HasPrefix(v.Range.File.Name, "@") {
			continue
		}
		if v.Range.File != w.entry.Range.File {
			return &unwritable{"the variable " + v.Name + " is in another file"}
		}
		if err := w.object("(char *)&"+v.Name, v.Type, 1, cells); err != nil {
			return err
		}
	}
	for name := range w.s.Globals {
		if strings.Contains(name, "::") {
			return &unwritable{"calls find something in " + name}
		}
	}
	for i, p := range w.entry.Params {
		fmt.Fprintf(&w.out, "    __typeof__(%s) gulo_a%d;\n", typeText(p.Type), i)
	}
	for i := 0; i < len(w.order); i++ {
		k := w.order[i]
		fmt.Fprintf(&w.out, "    char *gulo_o%d = gulo_block(%d);\n", k, w.types[k].Size*w.s.Objects[k].Count)
	}
	for _, f := range w.fills {
		w.out.WriteString(f)
	}
	name := w.call
	if name == "" {
		name = w.entry.Name
	}
	call := fmt.Sprintf("%s(%s)", name, strings.Join(args, ", "))
	if d := w.driver; d.shows != nil {
		d.out.WriteString(d.shows.call(w, call))
		return nil
	}
	if r := w.entry.Type.Result; r.IsInteger() {
		call = "gulo_result((long long)" + call + ")"
	}
	fmt.Fprintf(&w.out, "    %s;\n", call)
	return nil
}

// typeText is a type as a parameter needs it: pointers lead to anything.
func typeText(t *ctype.Type) string {
	if t.Kind == ctype.Pointer {
		return "void *"
	}
	return t.String()
}

// object fills memory, of which to is the address.
func (w *stateText) object(to string, t *ctype.Type, count int64, cells []oracle.Cell) error {
	by := make(map[string]oracle.Value, len(cells))
	for _, c := range cells {
		by[c.Path] = c.Value
	}
	paths, offsets, types := oracle.Scalars(t)
	for e := int64(0); e < count; e++ {
		for i, path := range paths {
			if count > 1 {
				path = fmt.Sprintf("[%d]", e) + dotted(path)
			}
			v, ok := by[path]
			if !ok || v.Unset || v.Gone {
				continue
			}
			if err := w.scalar(fmt.Sprintf("%s + %d", to, e*t.Size+offsets[i]), types[i], v); err != nil {
				return err
			}
		}
	}
	return nil
}

// dotted is a path behind an index.
func dotted(path string) string {
	if path == "" || path[0] == '[' || path[0] == '.' {
		return path
	}
	return "." + path
}

// scalar writes a value to an address.
func (w *stateText) scalar(to string, t *ctype.Type, v oracle.Value) error {
	add := func(format string, args ...any) { w.fills = append(w.fills, fmt.Sprintf(format, args...)) }
	switch {
	case v.Unset || v.Gone:
	case strings.HasPrefix(v.Name, `"`): // a string literal; long ones have names that are cut
		text, err := strconv.Unquote(v.Name)
		if err != nil || len(text) >= lower.LiteralNameBytes {
			return &unwritable{"a pointer leads to " + v.Name}
		}
		var lit strings.Builder
		for i := range len(text) {
			fmt.Fprintf(&lit, "\\%03o", text[i])
		}
		add("    gulo_pointer(%s, \"%s\" + %d);\n", to, lit.String(), v.Off)
	case v.Name != "":
		if w.prog.Tree.Func(v.Name) == nil && !slices.ContainsFunc(w.prog.Tree.Globals, func(g *cfront.Var) bool { return g.Name == v.Name && g.Func == nil }) {
			return &unwritable{"a pointer leads to " + v.Name}
		}
		add("    gulo_pointer(%s, (char *)&%s + %d);\n", to, v.Name, v.Off)
	case v.Object == 0:
		buf := make([]byte, 8)
		ctype.Store(t, buf, v.Word)
		bits := uint64(0)
		for i := range buf {
			bits |= uint64(buf[i]) << (8 * i)
		}
		if t.Place > 0 {
			for k, mask := 0, (uint64(1)<<t.Bits-1)<<(t.Place-1); k < int(t.Size); k++ {
				add("    ((unsigned char *)(%s))[%d] = (((unsigned char *)(%[1]s))[%[2]d] & ~%#x) | %#x;\n", to, k, byte(mask>>(8*k)), buf[k])
			}
			return nil
		}
		if t.Size > 8 {
			return &unwritable{"a number of type " + t.String()}
		}
		add("    gulo_number(%s, %d, %#xULL);\n", to, t.Size, bits)
	case t.Kind != ctype.Pointer:
		return &unwritable{"a pointer is kept as " + t.String()}
	default:
		k := v.Object - 1
		add("    gulo_pointer(%s, gulo_o%d + %d);\n", to, k, v.Off)
		if w.types[k] == nil {
			o := &w.s.Objects[k]
			w.types[k] = t.Elem
			if t.Elem.Kind == ctype.Void || t.Elem.Size == 0 || o.Typed {
				w.types[k] = o.Type
			}
			w.order = append(w.order, k)
			return w.object(fmt.Sprintf("gulo_o%d", k), w.types[k], o.Count, o.Cells)
		}
	}
	return nil
}

// holder is which of the files a program was loaded from has a function.
func holder(files []string, f *cfront.Func) (int, bool) {
	for i, name := range files {
		if filepath.Clean(name) == filepath.Clean(f.Range.File.Name) {
			return i, true
		}
	}
	return 0, false
}
