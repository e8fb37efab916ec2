package logic

import (
	"debug/dwarf"
	"debug/elf"
	"encoding/binary"
	"fmt"
	"path/filepath"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/contract"
	"gulo/internal/ctype"
	"gulo/internal/smt"
)

// This file writes the part of the native harness that depends on the program. It finds static variables of functions,
// which no C code outside can name, by the compiler's debug information.

// statics lists the static variables of functions, in the order of the harness's array gulo_static.
func (t *task) statics() (out []*storage) {
	for _, s := range t.storage {
		if s.either().Func != nil {
			out = append(out, s)
		}
	}
	return out
}

// address returns the address of a variable as C, for the harness.
func (t *task) address(s *storage) string {
	if s.either().Func == nil {
		return "(char *)&" + s.name
	}
	for i, x := range t.statics() {
		if x == s {
			return fmt.Sprintf("gulo_static[%d]", i)
		}
	}
	return ""
}

// has reports whether a program has a variable. If several files in one text have statics of the same name, only the
// first counts, as they cannot be distinguished.
func (s *storage) has(ref bool) bool {
	if s.nth > 0 && s.either().Func == nil {
		return false
	}
	if ref {
		return s.ref != nil
	}
	return s.own != nil
}

// driver writes the harness for an entry. ref says whether it is for the reference.
func (t *task) driver(files []string, f *failure, ref bool) string {
	var decl, read, call, show strings.Builder
	args := make([]string, len(t.entry.Params))
	k := 0
	for _, in := range t.inputs.list {
		switch {
		case in.store != nil:
			for i, c := range in.store.cells {
				if in.store.has(ref) {
					fmt.Fprintf(&read, "    *(%s *)(%s + %d) = (%s)gulo_in[%d];\n", c.typ, t.address(in.store), c.off, c.typ, k+i)
				}
			}
			k += len(in.terms)
		case in.shape != nil:
			decl.WriteString(declareStructure(in))
			read.WriteString(driveStructure(in, k))
			args[in.param] = fmt.Sprintf("(gulo_at_%s ? gulo_%s[0] : 0)", in.name, in.name)
			fmt.Fprintf(&decl, "static int gulo_at_%s;\n", in.name)
			fmt.Fprintf(&read, "    gulo_at_%s = gulo_in[%d] != 0;\n", in.name, k)
			k += len(in.terms)
		case in.array:
			fmt.Fprintf(&decl, "static %s;\n", ctype.ArrayOf(in.typ, int64(len(in.terms))).Decl("gulo_"+in.name))
			for i, s := range in.terms {
				if s.Term.Op == smt.OpVar {
					fmt.Fprintf(&read, "    gulo_%s[%d] = (%s)gulo_in[%d];\n", in.name, i, in.typ, k)
					k++
				}
			}
			args[in.param] = "gulo_" + in.name
			fmt.Fprintf(&show, "    for (int gulo_i = 0; gulo_i < %d; gulo_i++)\n        gulo_put((long)gulo_%s[gulo_i]);\n", len(in.terms), in.name)
		default:
			fmt.Fprintf(&decl, "static %s;\n", in.typ.Decl("gulo_"+in.name))
			fmt.Fprintf(&read, "    gulo_%s = (%s)gulo_in[%d];\n", in.name, in.typ, k)
			args[in.param] = "gulo_" + in.name
			k++
		}
	}
	name := t.entry.Name
	if name == "main" {
		name = "gulo_program_main"
		if len(args) == 2 {
			args = []string{"0", "(char **)0"}
		}
	}
	if t.of != nil { // the output starts with whether the input meets the precondition
		fmt.Fprintf(&call, "    gulo_put(%s(%s) != 0);\n", contract.Met, strings.Join(args, ", "))
	}
	c := fmt.Sprintf("%s(%s)", name, strings.Join(args, ", "))
	t.showResult(c, &decl, &call, &show)
	if t.ref != nil && t.entry.Name != "main" {
		for _, s := range t.storage {
			if s.own != nil && s.ref != nil && !s.constant && s.has(false) {
				t.showCells(&show, s.cells, t.address(s))
				t.showCells(&show, s.rest, t.address(s))
			}
		}
	}
	return t.driverText(files, decl.String(), read.String(), call.String(), show.String(), f, k, ref)
}

// showResult writes the call of the entry, and the code that shows its result.
func (t *task) showResult(c string, decl, call, show *strings.Builder) {
	r := t.entry.Type.Result
	switch {
	case r.Kind == ctype.Void:
		fmt.Fprintf(call, "    %s;\n", c)
		return
	case t.entry.Name == "main":
		fmt.Fprintf(call, "    gulo_put((long)(%s) & 255);\n", c)
		return
	}
	fmt.Fprintf(decl, "static __typeof__(%s) gulo_result;\n", c)
	fmt.Fprintf(call, "    gulo_result = %s;\n", c)
	var cells []scalar
	parts(r, 0, "", func(s scalar) { cells = append(cells, s) })
	t.showCells(show, cells, "(char *)&gulo_result")
}

// showCells writes the code that shows the values at some offsets.
func (t *task) showCells(b *strings.Builder, cells []scalar, at string) {
	for _, s := range cells {
		switch s.typ.Kind {
		case ctype.Pointer:
			text := 0
			if s.typ.Elem.Size == 1 && s.typ.Elem.Kind == ctype.Int {
				text = 1
			}
			fmt.Fprintf(b, "    gulo_pointer(*(char **)(%s + %d), %d);\n", at, s.off, text)
		case ctype.Float:
			integer := ctype.LongT
			if s.typ.Size == 4 {
				integer = ctype.IntT
			}
			fmt.Fprintf(b, "    gulo_put((long)*(%s *)(%s + %d));\n", integer, at, s.off)
		default:
			fmt.Fprintf(b, "    gulo_put((long)*(%s *)(%s + %d));\n", s.typ, at, s.off)
		}
	}
}

// driverText assembles the harness from its parts.
func (t *task) driverText(files []string, decl, read, call, show string, f *failure, given int, ref bool) string {
	var b strings.Builder
	b.WriteString("#define main gulo_program_main\n#define exit gulo_exit\n")
	r := f.run
	if ref {
		r = t.refRun
	}
	there := 0
	if r != nil && r.engine.AllThere() {
		there = 1
	}
	if r != nil && r.engine.Reads() != "" { // included first, for the macros and inline functions of the header
		b.WriteString("#include <stdio.h>\nint gulo_scanf(const char *, ...), gulo_getchar(void);\n#undef getchar\n#undef getc\n")
		b.WriteString("#define scanf gulo_scanf\n#define getchar gulo_getchar\n#define getchar_unlocked gulo_getchar\n#define getc(gulo_from) gulo_getchar()\n#define fgetc(gulo_from) gulo_getchar()\n")
	}
	for _, n := range files {
		if abs, err := filepath.Abs(n); err == nil {
			n = abs
		}
		fmt.Fprintf(&b, "#include \"%s\"\n", n)
	}
	b.WriteString("#undef main\n#undef exit\n")
	b.WriteString("void gulo_put(long), gulo_say(const char *, long), gulo_elsewhere(const char *, int);\nextern char **gulo_static;\n")
	fmt.Fprintf(&b, "const int gulo_inputs = %d;\n%s", len(f.all), decl)
	b.WriteString("const struct { const char *stream; int index; } gulo_taken[] = {")
	for _, s := range f.all[given:] {
		fmt.Fprintf(&b, "{\"%s\", %d}, ", s.Stream, s.Index)
	}
	fmt.Fprintf(&b, "{0, 0}};\nconst int gulo_given = %d, gulo_all_there = %d;\n", given, there)
	b.WriteString("__attribute__((unused)) static void gulo_pointer(const char *gulo_p, int gulo_text)\n{\n    if (!gulo_p) {\n        gulo_say(\"NULL \", 0);\n        return;\n    }\n")
	inside := func(name, at string, size int64) {
		fmt.Fprintf(&b, "    if (gulo_p >= %s && gulo_p <= %s + %d) {\n        gulo_say(\"%s+\", gulo_p - (%s));\n        return;\n    }\n", at, at, size, name, at)
	}
	for _, in := range t.inputs.list {
		if in.array {
			inside(in.name, "(char *)gulo_"+in.name, in.typ.Size*int64(len(in.terms)))
		}
	}
	for _, s := range t.storage {
		if s.own != nil && s.ref != nil && !s.constant && s.has(false) {
			inside(s.name, t.address(s), s.own.Type.Size-1)
		}
	}
	b.WriteString("    gulo_elsewhere(gulo_p, gulo_text);\n}\n")
	fmt.Fprintf(&b, "void gulo_read(const long *gulo_in)\n{\n%s}\nvoid gulo_call(void)\n{\n%s}\nvoid gulo_show(void)\n{\n%s}\n", read, call, show)
	return b.String()
}

// staticOffsets returns where a compiled harness has the static variables of functions, relative to gulo_anchor. The
// offset of a variable that the program lacks is 0.
func (t *task) staticOffsets(bin string, ref bool) ([]int64, error) {
	list := t.statics()
	out := make([]int64, len(list))
	if len(list) == 0 {
		return out, nil
	}
	f, err := elf.Open(bin)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	symbols, err := f.Symbols()
	if err != nil {
		return nil, err
	}
	anchor := uint64(0)
	for _, s := range symbols {
		if s.Name == "gulo_anchor" {
			anchor = s.Value
		}
	}
	data, err := f.DWARF()
	if err != nil {
		return nil, err
	}
	found, err := staticVariables(data, f.ByteOrder)
	if err != nil {
		return nil, err
	}
	for i, s := range list {
		if !s.has(ref) {
			continue
		}
		v := s.either()
		at := found[nativeName(v)]
		if s.nth >= len(at) {
			return nil, fmt.Errorf("the compiler does not say where %s is", s.name)
		}
		out[i] = int64(at[s.nth] - anchor)
	}
	return out, nil
}

func nativeName(v *cfront.Var) string {
	if v.Func.Name == "main" {
		return "gulo_program_main::" + v.Name
	}
	return v.Func.Name + "::" + v.Name
}

// opAddr is the first byte of a DWARF location that is an address.
const opAddr = 0x03

// staticVariables returns the addresses of the variables of functions that have a fixed one, by function::name.
func staticVariables(d *dwarf.Data, order binary.ByteOrder) (map[string][]uint64, error) {
	out := map[string][]uint64{}
	r := d.Reader()
	var stack []string // names of the enclosing functions
	for {
		e, err := r.Next()
		if err != nil {
			return nil, err
		}
		if e == nil {
			return out, nil
		}
		fn := ""
		if len(stack) > 0 {
			fn = stack[len(stack)-1]
		}
		name, _ := e.Val(dwarf.AttrName).(string)
		switch e.Tag {
		case 0:
			if len(stack) > 0 {
				stack = stack[:len(stack)-1]
			}
			continue
		case dwarf.TagSubprogram:
			fn = name
		case dwarf.TagVariable:
			if loc, ok := e.Val(dwarf.AttrLocation).([]byte); ok && fn != "" && len(loc) == 9 && loc[0] == opAddr {
				k := fn + "::" + name
				out[k] = append(out[k], order.Uint64(loc[1:]))
			}
		}
		if e.Children {
			stack = append(stack, fn)
		}
	}
}
