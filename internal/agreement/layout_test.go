package agreement

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"
)

// This file makes programs that print how structs and unions lie in memory:
// sizes, alignments, offsets, the bytes of every bit-field, initializers, and
// what assignments to bit-fields leave behind.

// layoutField is a member of a random struct or union.
type layoutField struct {
	name string
	typ  string // with %s for the name
	bits int    // width of a bit-field, 0 for other members
	init string // of a static variable
}

// layouts writes the types and remembers what later ones may contain.
type layouts struct {
	r    *rand.Rand
	b    strings.Builder
	done []layoutType
	attr bool // packed, aligned and #pragma pack too
}

type layoutType struct {
	name   string
	union  bool
	fields []layoutField
}

func (l *layouts) field(k int) layoutField {
	r, f := l.r, layoutField{name: fmt.Sprintf("m%d", k)}
	constant := func() string { return fmt.Sprintf("%d", int32(bitPattern(r))) }
	switch r.Intn(10) {
	case 0, 1, 2, 3, 4:
		return l.bitField(f)
	case 5:
		t := l.r.Intn(len(intTypes))
		n := 1 + r.Intn(5)
		f.typ, f.init = fmt.Sprintf("%s %%s[%d]", intTypes[t].name, n), "{"+strings.Repeat(constant()+", ", 1+r.Intn(n))+"}"
	case 6:
		f.typ, f.init = one(r, "float %s", "double %s"), one(r, "1.5", "-0.25", "3", "1e10")
	case 7:
		f.typ, f.init = one(r, "char *%s", "int (*%s)(void)", "struct unknown *%s"), "0"
	case 8:
		if len(l.done) > 0 {
			d := l.done[r.Intn(len(l.done))]
			f.typ, f.init = d.name+" %s", l.initializer(d)
			return f
		}
		fallthrough
	default:
		f.typ, f.init = intTypes[r.Intn(len(intTypes))].name+" %s", constant()
	}
	return f
}

func (l *layouts) bitField(f layoutField) layoutField {
	r := l.r
	t := intTypes[r.Intn(len(intTypes))]
	f.bits = 1 + r.Intn(t.bits)
	if r.Intn(4) == 0 {
		f.bits = 1 + r.Intn(min(t.bits, 9))
	}
	f.typ, f.init = t.name+" %s", fmt.Sprint(int32(bitPattern(r)))
	if t.bits == 32 && r.Intn(6) == 0 {
		f.typ, f.bits = "enum e %s", 1+r.Intn(32)
	}
	// After "enum e :" the parser expects a type, as C23 has it, where no name is before.
	if r.Intn(6) == 0 && !strings.HasPrefix(f.typ, "enum") {
		f.name = "" // takes room, has no value
		if r.Intn(2) == 0 {
			f.bits = -1 // width 0: closes the unit
		}
	}
	return f
}

func (f *layoutField) declaration() string {
	s := strings.TrimRight(fmt.Sprintf(f.typ, f.name), " ")
	switch {
	case f.bits > 0:
		s += fmt.Sprintf(" : %d", f.bits)
	case f.bits < 0:
		s += " : 0"
	}
	return s
}

// initializer is a braced list for a type, at times shorter than its members.
func (l *layouts) initializer(t layoutType) string {
	var parts []string
	for _, f := range t.fields {
		if f.name == "" {
			continue
		}
		if l.r.Intn(12) == 0 {
			break
		}
		designator := ""
		if l.r.Intn(3) == 0 {
			designator = "." + f.name + " = "
		}
		parts = append(parts, designator+f.init)
		if t.union {
			break
		}
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

func (l *layouts) declare(k int) {
	r, b := l.r, &l.b
	t := layoutType{name: fmt.Sprintf("struct t%d", k), union: r.Intn(5) == 0}
	if t.union {
		t.name = fmt.Sprintf("union t%d", k)
	}
	named := 0
	for i := range 1 + r.Intn(9) {
		f := l.field(i)
		if f.name != "" {
			named++
		}
		t.fields = append(t.fields, f)
	}
	if named == 0 {
		t.fields = append(t.fields, layoutField{name: "last", typ: "int %s", init: "7"})
	}
	pack := l.attr && r.Intn(4) == 0
	if pack {
		fmt.Fprintf(b, "#pragma pack(push, %d)\n", 1<<r.Intn(4))
	}
	fmt.Fprintf(b, "%s {\n", t.name)
	for _, f := range t.fields {
		attr := ""
		if l.attr && r.Intn(8) == 0 && f.bits >= 0 && f.name != "" {
			attr = one(r, " __attribute__((packed))", fmt.Sprintf(" __attribute__((aligned(%d)))", 1<<r.Intn(5)))
		}
		fmt.Fprintf(b, "\t%s%s;\n", f.declaration(), attr)
	}
	b.WriteString("}")
	if l.attr {
		b.WriteString(one(r, "", "", " __attribute__((packed))", fmt.Sprintf(" __attribute__((aligned(%d)))", 1<<r.Intn(6)), " __attribute__((packed, aligned(2)))"))
	}
	b.WriteString(";\n")
	if pack {
		b.WriteString("#pragma pack(pop)\n")
	}
	l.show(k, t)
	l.done = append(l.done, t)
}

// show writes the function that prints a type.
func (l *layouts) show(k int, t layoutType) {
	b := &l.b
	fmt.Fprintf(b, "static %s a%d, c%d = %s;\nstatic %s row%d[3];\n", t.name, k, k, l.initializer(t), t.name, k)
	fmt.Fprintf(b, "static void f%d(void)\n{\n\tprintf(\"t%d %%zu %%zu\", sizeof(%s), __alignof__(%s));\n", k, k, t.name, t.name)
	for _, f := range t.fields {
		if f.name != "" && f.bits == 0 {
			fmt.Fprintf(b, "\tprintf(\" %%zu\", offsetof(%s, %s));\n", t.name, f.name)
		}
	}
	fmt.Fprintf(b, "\tprintf(\" %%d\\n\", (int)((char *)&row%d[2] - (char *)row%d));\n\tdump(&c%d, sizeof c%d);\n", k, k, k, k)
	for _, f := range t.fields {
		if f.name == "" || f.bits == 0 {
			continue
		}
		m := fmt.Sprintf("a%d.%s", k, f.name)
		fmt.Fprintf(b, "\tmemset(&a%d, 0, sizeof a%d); %s = -1; dump(&a%d, sizeof a%d);\n", k, k, m, k, k)
		fmt.Fprintf(b, "\tmemset(&a%d, -1, sizeof a%d); %s = 0; dump(&a%d, sizeof a%d);\n", k, k, m, k, k)
		for range 2 {
			op := one(l.r, "=", "+=", "-=", "^=", "|=", "*=")
			fmt.Fprintf(b, "\tprintf(\"%%lx\", (unsigned long)(%s %s %#xul)); printf(\" %%lx\\n\", (unsigned long)%s);\n", m, op, bitPattern(l.r), m)
		}
		if !strings.HasPrefix(f.typ, "_Bool") {
			fmt.Fprintf(b, "\tprintf(\"%%lx\", (unsigned long)%s++); printf(\" %%lx\\n\", (unsigned long)--%s);\n", m, m)
		}
		fmt.Fprintf(b, "\tprintf(\"%%d %%d\\n\", %s - 1 < 0, %s > -1);\n\tdump(&a%d, sizeof a%d);\n", m, m, k, k)
	}
	fmt.Fprintf(b, "\trow%d[1] = a%d; dump(row%d, sizeof row%d);\n}\n", k, k, k, k)
}

func structs(r *rand.Rand, attr bool) string {
	l := &layouts{r: r, attr: attr}
	l.b.WriteString(`#include <stdio.h>
#include <stddef.h>
#include <string.h>
enum e { E0, E1, E2 = 1000000000 };
static void dump(void *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		printf("%02x", ((unsigned char *)p)[i]);
	printf("\n");
}
`)
	const types = 40
	for k := range types {
		l.declare(k)
	}
	l.b.WriteString("int main(void)\n{\n")
	for k := range types {
		fmt.Fprintf(&l.b, "\tf%d();\n", k)
	}
	l.b.WriteString("\treturn 0;\n}\n")
	return l.b.String()
}

func TestLayouts(t *testing.T) {
	generated(t, func(r *rand.Rand) string { return structs(r, false) })
}

func TestAttributes(t *testing.T) {
	generated(t, func(r *rand.Rand) string { return structs(r, true) })
}
