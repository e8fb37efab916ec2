package randc

import (
	"fmt"
	"math/rand"
	"strings"
)

// Passing writes functions that pass structs and unions in all ways of a calling convention: in registers and in
// memory, as results, after other arguments, through function pointers, as variable arguments, copied, and from
// globals. Most of them have one error: an access outside the block to which a pointer in the struct leads, an access
// after the block was freed, or a use of an uninitialized member. main calls the function that its argument selects.
func Passing(rnd *rand.Rand, n int) string {
	var b strings.Builder
	b.WriteString("#include <stdarg.h>\n#include <stdlib.h>\nunion word { long number; int *at; };\n")
	for i := range n {
		p := passing{b: &b, rnd: rnd, k: i}
		p.write()
	}
	chosen(&b, n, func() string { return "argc" })
	return b.String()
}

// passing writes one such function.
type passing struct {
	b   *strings.Builder
	rnd *rand.Rand
	k   int // its number

	members []member
	open    int // index of the member that is not written; -1: none
}

type member struct{ typ, name, pointer string } // pointer: the expression of a pointer in it

func (p *passing) one(xs ...string) string { return xs[p.rnd.Intn(len(xs))] }

func (p *passing) line(format string, args ...any) { fmt.Fprintf(p.b, format+"\n", args...) }

func (p *passing) write() {
	p.open = -1
	pointer := -1
	for i := range 1 + p.rnd.Intn(4) {
		m := member{p.one("char", "short", "int", "int", "long", "float", "double", "unsigned char"), fmt.Sprintf("m%d", i), ""}
		switch {
		case pointer < 0 && p.rnd.Intn(3) == 0:
			m = member{"int *", m.name, m.name}
		case pointer < 0 && p.rnd.Intn(6) == 0:
			m = member{"union word ", m.name, m.name + ".at"}
		}
		if m.pointer != "" {
			pointer = i
		}
		p.members = append(p.members, m)
	}
	if pointer < 0 {
		p.members = append(p.members, member{"int *", "end", "end"})
		pointer = len(p.members) - 1
	}
	index, freed := p.one("0", "1", "2", "2"), false // index into the pointer's block of three
	switch p.rnd.Intn(6) {
	case 0, 1:
		index = p.one("3", "3", "4", "-1")
	case 2:
		freed = true
	case 3, 4:
		if i := p.rnd.Intn(len(p.members)); i != pointer {
			p.open = i
		}
	}
	k := p.k
	p.line("struct s%d {", k)
	for _, m := range p.members {
		p.line("    %s %s;", m.typ, m.name)
	}
	p.line("};")
	p.maker()
	// The function that uses the struct; the struct may follow other arguments.
	before := ""
	given := ""
	for i := range p.rnd.Intn(8) {
		t := p.one("int", "long", "double", "int *")
		before += fmt.Sprintf("%s a%d, ", t, i)
		given += map[string]string{"int": "1, ", "long": "2L, ", "double": "3.0, ", "int *": "q, "}[t]
	}
	p.line("static int use%d(%sstruct s%d s)\n{\n    int r = 1;", k, before, k)
	p.reads("s", index)
	p.line("    return r;\n}")
	p.line("static int list%d(int n, ...)\n{\n    va_list l;\n    int r = 0;\n    va_start(l, n);", k)
	p.line("    for (int i = 0; i < n; i++) {\n        struct s%d s = va_arg(l, struct s%d);", k, k)
	p.reads("s", index)
	p.line("    }\n    va_end(l);\n    return r;\n}")
	p.line("static struct s%d through%d(struct s%d s)\n{\n    struct s%d t = s;\n    return t;\n}", k, k, k, k)
	p.line("static struct s%d kept%d;", k, k)
	p.line("static int f%d(int n)\n{\n    int *q = malloc(3 * sizeof *q), r = 0;\n    for (int i = 0; i < 3; i++)\n        q[i] = i;", k)
	p.line("    struct s%d s = make%d(q);", k, k)
	if freed {
		p.line("    free(q);")
		given = strings.ReplaceAll(given, "q, ", "NULL, ") // a freed pointer must not be read
	}
	for range p.rnd.Intn(3) {
		p.line("    %s", p.one(
			fmt.Sprintf("s = through%d(s);", k),
			fmt.Sprintf("{\n        struct s%d (*g)(struct s%d) = n ? through%d : NULL;\n        s = g(s);\n    }", k, k, k),
			fmt.Sprintf("kept%d = s;\n    s = kept%d;", k, k),
			fmt.Sprintf("{\n        struct s%d two[2];\n        two[1] = s;\n        s = two[n > 0];\n    }", k),
		))
	}
	// Variable arguments count only if the machine and the ABI read the same bytes: uninitialized bytes are not
	// reported there.
	switch how := p.rnd.Intn(4); {
	case how == 0 && p.open < 0:
		n := 1 + p.rnd.Intn(9)
		p.line("    r += list%d(%d%s);", k, n, strings.Repeat(", s", n))
	case how == 1:
		p.line("    int (*g)(%sstruct s%d) = n ? use%d : NULL;\n    r += g(%ss);", before, k, k, given)
	case how == 2:
		p.reads("s", index)
	default:
		p.line("    r += use%d(%ss);", k, given)
	}
	p.line("    return r;\n}")
}

// maker writes the function that makes the struct.
func (p *passing) maker() {
	p.line("static struct s%d make%d(int *q)\n{\n    struct s%d s;", p.k, p.k, p.k)
	for i, m := range p.members {
		switch {
		case i == p.open:
		case m.pointer != "":
			p.line("    s.%s = q;", m.pointer)
		default:
			p.line("    s.%s = %d;", m.name, i+1)
		}
	}
	p.line("    return s;\n}")
}

// reads writes code that reads every member.
func (p *passing) reads(s, index string) {
	for _, m := range p.members {
		if m.pointer != "" {
			p.line("    r += %s.%s[%s];", s, m.pointer, index)
		} else {
			p.line("    if (%s.%s > 0)\n        r++;", s, m.name)
		}
	}
}
