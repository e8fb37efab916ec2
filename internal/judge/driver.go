package judge

import (
	"encoding/binary"
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

// This file writes states as C: the memory that a call finds, and the call.

// unwritable says why a state cannot be made natively.
type unwritable struct{ why string }

func (e *unwritable) Error() string { return e.why }

// driver writes the calls of a program's function. States are written as a table, which gcc compiles far faster than
// statements.
type driver struct {
	prog  *lower.Program
	entry *cfront.Func
	call  string   // name of the function to call; empty: entry
	shows *leaving // prints the state that calls leave; may be nil
	names []string // addresses that states use: variables, functions, literals
	steps strings.Builder
	count int // steps written
	most  int // most objects in one state
}

// The kinds of steps that make a state. Steps of kind makes and number have a size in bytes.
const (
	makes  = iota // allocates a block
	number        // stores a number
	leads         // stores an address
	bits          // stores some bits of a byte
)

// step writes one step: what is stored at which place and offset. A place below zero is that of a name (see name);
// places from zero are those of arguments, then of objects.
func (d *driver) step(what, place int, off, n int64, value uint64, from int) {
	fmt.Fprintf(&d.steps, "%d,%d,%d,%d,%#xULL,%d,\n", what, place, off, n, value, from)
	d.count++
}

// name returns the place of an address, a new one if it is not known yet.
func (d *driver) name(address string) int {
	i := slices.Index(d.names, address)
	if i < 0 {
		i, d.names = len(d.names), append(d.names, address)
	}
	return -1 - i
}

// object returns the place of object k of a state.
func (d *driver) object(k int) int { return len(d.entry.Params) + k }

// CallsText writes calls as C, to be appended to the text of the file that has the function: gulo_call(n) makes the
// n-th. call is the name of the function to call with the arguments. The caller defines the functions that the text
// declares: gulo_block, gulo_number, gulo_pointer and gulo_result. The error says which state cannot be written.
func CallsText(p *lower.Program, entry *cfront.Func, call string, cases []*oracle.Case) (string, error) {
	return (&driver{prog: p, entry: entry, call: call}).text(cases)
}

// text writes the calls of cases.
func (d *driver) text(cases []*oracle.Case) (string, error) {
	var first, freed strings.Builder
	for _, c := range cases {
		fmt.Fprintf(&first, "%d,", d.count)
		w := &stateText{driver: d, s: c.State, types: make([]*ctype.Type, len(c.State.Objects))}
		if err := w.write(); err != nil {
			return "", err
		}
		d.most = max(d.most, len(w.types))
		gone := 0
		for i := range d.entry.Params {
			if d.shows != nil && strings.Contains("\n"+c.Want.State, fmt.Sprintf("\nargument %d=freed\n", i+1)) {
				gone |= 1 << i
			}
		}
		fmt.Fprintf(&freed, "%d,", gone)
	}
	var out strings.Builder
	out.WriteString("#undef main\nvoid *gulo_block(unsigned long);\nvoid gulo_number(void *, unsigned long, unsigned long long);\n" +
		"void gulo_pointer(void *, const volatile void *);\nvoid gulo_result(long long);\n")
	if d.shows != nil {
		out.WriteString(d.shows.declare(d))
		fmt.Fprintf(&out, "static const int gulo_freed[] = {%s 0};\n", freed.String())
	}
	fmt.Fprintf(&out, "const int gulo_cases = %d;\nstatic const int gulo_begins[] = {%s %d};\nstatic const unsigned long long gulo_making[] = {\n%s0};\n",
		len(cases), first.String(), d.count, d.steps.String())
	fmt.Fprintf(&out, "static char *gulo_objects[%d], *gulo_names[%d];\n", len(d.entry.Params)+d.most+1, len(d.names)+1)
	out.WriteString(playSteps)
	d.write(&out)
	return out.String(), nil
}

// playSteps is C that makes a state from its steps.
const playSteps = `static char *gulo_place(long long n) { return n < 0 ? gulo_names[-1 - n] : gulo_objects[n]; }
static void gulo_state(int n)
{
    const unsigned long long *s = gulo_making + 6 * gulo_begins[n], *end = gulo_making + 6 * gulo_begins[n + 1];
    for (; s < end; s += 6) {
        char *to = gulo_place((long long)s[1]);
        if (s[0] == 0) {
            gulo_objects[s[1]] = gulo_block(s[3]);
            continue;
        }
        to += (long long)s[2];
        if (s[0] == 1)
            gulo_number(to, s[3], s[4]);
        else if (s[0] == 2)
            gulo_pointer(to, gulo_place((long long)s[5]) + (long long)s[4]);
        else
            *(unsigned char *)to = (unsigned char)((*(unsigned char *)to & ~s[3]) | s[4]);
    }
}
`

// write writes the C function that makes a call.
func (d *driver) write(out *strings.Builder) {
	var args []string
	out.WriteString("void gulo_call(int n)\n{\n")
	for i, p := range d.entry.Params {
		fmt.Fprintf(out, "    __typeof__(%s) gulo_a%d;\n", typeText(p.Type), i)
		args = append(args, fmt.Sprintf("gulo_a%d", i))
	}
	out.WriteString("    if (n < 0 || n >= gulo_cases)\n        return;\n")
	for i := range d.entry.Params {
		fmt.Fprintf(out, "    gulo_objects[%d] = (char *)&gulo_a%d;\n", i, i)
	}
	for i, name := range d.names {
		fmt.Fprintf(out, "    gulo_names[%d] = (char *)%s;\n", i, name)
	}
	out.WriteString("    gulo_state(n);\n")
	call := d.call
	if call == "" {
		call = d.entry.Name
	}
	call += "(" + strings.Join(args, ", ") + ")"
	switch r := d.entry.Type.Result; {
	case d.shows != nil:
		out.WriteString(d.shows.call(d, call))
	case r.IsInteger():
		fmt.Fprintf(out, "    gulo_result((long long)%s);\n", call)
	default:
		fmt.Fprintf(out, "    %s;\n", call)
	}
	out.WriteString("}\n")
}

// stateText writes one state.
type stateText struct {
	*driver
	s     *oracle.State
	types []*ctype.Type // element type of each object that was reached
	order []int         // objects, in the order in which they are reached
	fills []func()      // steps that store, to be written after all blocks are allocated
}

// write writes the steps for arguments, variables and objects. It fails with unwritable.
func (w *stateText) write() error {
	for i, p := range w.entry.Params {
		switch {
		case i >= len(w.s.Args) || !p.Type.IsScalar() && !w.s.Args[i].Whole:
			return &unwritable{fmt.Sprintf("%s takes %s", w.entry.Name, p.Type)}
		case !p.Type.IsScalar():
			o := &w.s.Objects[w.s.Args[i].Object-1]
			if err := w.fill(i, p.Type, 1, o.Cells); err != nil {
				return err
			}
			continue
		}
		if err := w.scalar(i, 0, p.Type, w.s.Args[i]); err != nil {
			return err
		}
	}
	for _, v := range w.prog.Tree.Globals {
		cells, ok := w.s.Globals[v.Name]
		if !ok || v.Func != nil || v.Const || !v.Range.Valid() || strings.HasPrefix(v.Range.File.Name, "@") {
			continue
		}
		if v.Range.File != w.entry.Range.File {
			return &unwritable{"the variable " + v.Name + " is in another file"}
		}
		if err := w.fill(w.name("&"+v.Name), v.Type, 1, cells); err != nil {
			return err
		}
	}
	for name := range w.s.Globals {
		if strings.Contains(name, "::") {
			return &unwritable{"calls find something in " + name}
		}
	}
	for i := 0; i < len(w.order); i++ {
		k := w.order[i]
		w.step(makes, w.object(k), 0, w.types[k].Size*w.s.Objects[k].Count, 0, 0)
	}
	for _, f := range w.fills {
		f()
	}
	return nil
}

// typeText returns a parameter's type as C. Every pointer is written void *.
func typeText(t *ctype.Type) string {
	if t.Kind == ctype.Pointer {
		return "void *"
	}
	return t.String()
}

// fill writes the steps that store cells in memory at a place.
func (w *stateText) fill(place int, t *ctype.Type, count int64, cells []oracle.Cell) error {
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
			if err := w.scalar(place, e*t.Size+offsets[i], types[i], v); err != nil {
				return err
			}
		}
	}
	return nil
}

// dotted returns a path as it stands after an index.
func dotted(path string) string {
	if path == "" || path[0] == '[' || path[0] == '.' {
		return path
	}
	return "." + path
}

// scalar writes the steps that store value v of type t at a place and offset. An object that v points to is filled,
// too.
func (w *stateText) scalar(place int, off int64, t *ctype.Type, v oracle.Value) error {
	leadsTo := func(from int) {
		w.fills = append(w.fills, func() { w.step(leads, place, off, 0, uint64(v.Off), from) })
	}
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
		leadsTo(w.name(`"` + lit.String() + `"`))
	case v.Name != "":
		if w.prog.Tree.Func(v.Name) == nil && !slices.ContainsFunc(w.prog.Tree.Globals, func(g *cfront.Var) bool { return g.Name == v.Name && g.Func == nil }) {
			return &unwritable{"a pointer leads to " + v.Name}
		}
		leadsTo(w.name("&" + v.Name))
	case v.Object == 0:
		return w.word(place, off, t, v.Word)
	case t.Kind != ctype.Pointer:
		return &unwritable{"a pointer is kept as " + t.String()}
	default:
		k := v.Object - 1
		leadsTo(w.object(k))
		if w.types[k] == nil {
			o := &w.s.Objects[k]
			w.types[k] = t.Elem
			if t.Elem.Kind == ctype.Void || t.Elem.Size == 0 || o.Typed {
				w.types[k] = o.Type
			}
			w.order = append(w.order, k)
			return w.fill(w.object(k), w.types[k], o.Count, o.Cells)
		}
	}
	return nil
}

// word writes the steps that store a number. Those of a bit-field store its bits only.
func (w *stateText) word(place int, off int64, t *ctype.Type, v ctype.Word) error {
	buf := make([]byte, 8)
	ctype.Store(t, buf, v)
	if t.Place > 0 {
		mask := (uint64(1)<<t.Bits - 1) << (t.Place - 1)
		for k := range int(t.Size) {
			some, value := byte(mask>>(8*k)), buf[k]
			w.fills = append(w.fills, func() { w.step(bits, place, off+int64(k), int64(some), uint64(value), 0) })
		}
		return nil
	}
	if t.Size > 8 {
		return &unwritable{"a number of type " + t.String()}
	}
	value := binary.LittleEndian.Uint64(buf)
	w.fills = append(w.fills, func() { w.step(number, place, off, t.Size, value, 0) })
	return nil
}

// holder returns the index of the file that has a function, of those that the program was loaded from.
func holder(files []string, f *cfront.Func) (int, bool) {
	for i, name := range files {
		if filepath.Clean(name) == filepath.Clean(f.Range.File.Name) {
			return i, true
		}
	}
	return 0, false
}
