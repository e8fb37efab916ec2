package cfront

import (
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"gulo/internal/source"
)

// TestPieces: programs (every eighth of those of package machine) are the same however large the pieces
// are in which they are parsed.
func TestPieces(t *testing.T) {
	paths, err := filepath.Glob("../machine/testdata/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatal("no programs", err)
	}
	met, programs, split := 0, 0, 0
	for _, path := range paths {
		ar, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range ar.Files {
			if !strings.HasSuffix(f.Name, ".c") {
				continue
			}
			if met++; met%8 != 0 {
				continue
			}
			read := func(bytes int) (*Program, int) { return inPieces(source.NewFile(f.Name, f.Data), bytes, nil) }
			whole, _ := read(1 << 30)
			if whole == nil {
				continue
			}
			programs++
			for _, bytes := range []int{1, 300} {
				p, n := read(bytes)
				if n > 1 {
					split++
				}
				if p == nil {
					t.Errorf("%s of %s in %d pieces is not read", f.Name, path, n)
				} else if said := saidOfUnions(p); said != saidOfUnions(whole) {
					t.Errorf("%s of %s in %d pieces writes other unions: %s", f.Name, path, n, said)
				} else if a, b := withoutUnions(p), withoutUnions(whole); !reflect.DeepEqual(a, b) {
					t.Errorf("%s of %s in %d pieces is another program", f.Name, path, n)
				}
			}
		}
	}
	if programs < met/10 || split < programs {
		t.Errorf("%d programs, %d readings in several pieces", programs, split)
	}
}

// withoutUnions is a program without what is known by the addresses of its types.
func withoutUnions(p *Program) *Program {
	q := *p
	q.Unions = nil
	return &q
}

// saidOfUnions writes what is known of a program's unions by the names of types and functions.
func saidOfUnions(p *Program) string {
	w := p.Unions
	var out []string
	say := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	for t, i := range w.sole {
		say("sole %s %d", t, i)
	}
	for t, on := range w.exposed {
		say("exposed %s %v", t, on)
	}
	for t, on := range w.carried {
		say("carried %s %v", t, on)
	}
	for f, x := range w.funcs {
		say("%s calls any: %v", f.Name, x.any)
		for v, on := range x.fresh {
			say("%s fresh %s %v", f.Name, v.Name, on)
		}
		for t, on := range x.unions {
			say("%s writes %s %v", f.Name, t, on)
		}
	}
	slices.Sort(out)
	return fmt.Sprint(out, w.raw, w.blind)
}

// inPieces reads a file in pieces, and counts them; spoil is called with each when it is parsed. The
// program is nil where it cannot be read.
func inPieces(file *source.File, bytes int, spoil func(*piece)) (*Program, int) {
	c := newConverter()
	c.pieceBytes = bytes
	r := c.readText(file, Options{})
	if r.err != nil {
		return nil, 0
	}
	r.u.write(bytes)
	go func() {
		r.u.parse(func(p *piece) bool {
			if spoil != nil {
				spoil(p)
			}
			r.pieces <- p
			return p.err == nil
		})
		close(r.pieces)
	}()
	if err := c.convertUnit(r); err != nil {
		return nil, 0
	}
	p, err := c.finish()
	if err != nil {
		return nil, 0
	}
	return p, len(r.u.pieces)
}

// ledger writes a program of n functions that add to a list; the parser does not take the types in those
// that odd says, and in a prototype before every fourth of these. gcc takes them.
func ledger(n int, odd func(int) bool) string {
	var b strings.Builder
	b.WriteString("typedef unsigned long size_t;\nvoid *malloc(size_t);\ntypedef struct entry { long cents; struct entry *before; } entry_t;\n")
	for i := range n {
		if odd(i) {
			fmt.Fprintf(&b, "typedef long total%d_t;\n", i)
			if i%4 == 0 {
				fmt.Fprintf(&b, "long least%d(long (*pick)(long[const]), long cents);\n", i)
			}
			fmt.Fprintf(&b, "static total%d_t total%d(entry_t *last)\n{\n\tlong (*pick)(long[const]) = 0;\n\treturn last != 0 && pick == 0 ? last->cents : 0;\n}\n", i, i)
			continue
		}
		fmt.Fprintf(&b, "static entry_t *book%d(entry_t *last, long cents)\n{\n\tentry_t *e = malloc(sizeof *e);\n\te->cents = cents + %d;\n\te->before = last;\n\treturn e;\n}\n", i, i)
	}
	b.WriteString("int main(void)\n{\n\tentry_t *last = 0;\n\tlong sum = 0;\n")
	for i := range n {
		if odd(i) {
			fmt.Fprintf(&b, "\t{ total%d_t t = total%d(last); sum += t; }\n", i, i)
		} else {
			fmt.Fprintf(&b, "\tlast = book%d(last, %d);\n", i, i)
		}
	}
	b.WriteString("\treturn (int)sum;\n}\n")
	return b.String()
}

// opaqueIn lists the functions of a program that are opaque as a whole, and the other notes.
func opaqueIn(p *Program) (funcs map[string]bool, others int) {
	funcs = map[string]bool{}
	for _, n := range p.Opaque {
		if n.Whole && n.Func != "" {
			funcs[n.Func] = true
		} else {
			others++
		}
	}
	return funcs, others
}

// TestManyNotTaken: however many bodies and prototypes in the middle of a file the parser does not take, the
// others are read, and what the same piece declares is known behind it.
func TestManyNotTaken(t *testing.T) {
	const n, from, to = 200, 40, 160
	text := ledger(n, func(i int) bool { return from <= i && i < to })
	for _, bytes := range []int{1 << 30, 12000} {
		p, pieces := inPieces(source.NewFile("ledger.c", []byte(text)), bytes, nil)
		if p == nil {
			t.Fatalf("not read in %d pieces", pieces)
		}
		if (pieces > 1) != (bytes < len(text)) {
			t.Errorf("%d pieces of %d bytes", pieces, len(text))
		}
		funcs, others := opaqueIn(p)
		if len(p.Funcs) != n+1 || others != (to-from)/4 {
			t.Errorf("%d functions and %d other notes in %d pieces", len(p.Funcs), others, pieces)
		}
		for i := range n {
			odd := from <= i && i < to
			if name := fmt.Sprintf("total%d", i); funcs[name] != odd {
				t.Errorf("%s in %d pieces: opaque %v", name, pieces, !odd)
			}
		}
		if len(funcs) != to-from {
			t.Errorf("%d functions are opaque in %d pieces", len(funcs), pieces)
		}
	}
}

// TestPieceNotRead: where a piece cannot be parsed at all, the functions before it are as they were, and those
// from there on are opaque, with all their statements.
func TestPieceNotRead(t *testing.T) {
	const n = 60
	text := ledger(n, func(int) bool { return false })
	whole, _ := inPieces(source.NewFile("ledger.c", []byte(text)), 1<<30, nil)
	count := 0
	p, pieces := inPieces(source.NewFile("ledger.c", []byte(text)), 1000, func(p *piece) {
		if count++; count == 4 {
			p.ast, p.err = nil, source.Errorf(source.Position{File: "ledger.c"}, "not supported: spoiled")
		}
	})
	if p == nil || whole == nil || pieces < 6 {
		t.Fatalf("%d pieces", pieces)
	}
	if len(p.Funcs) != n+1 || len(whole.Funcs) != n+1 {
		t.Fatalf("%d functions, %d in one piece", len(p.Funcs), len(whole.Funcs))
	}
	funcs, others := opaqueIn(p)
	first := slices.IndexFunc(p.Funcs, func(f *Func) bool { return funcs[f.Name] })
	if first < 6 || first > n/2 || len(funcs) != n+1-first || others != 0 {
		t.Fatalf("%d functions are opaque, the first is number %d; %d other notes", len(funcs), first, others)
	}
	for i, f := range p.Funcs {
		w := whole.Funcs[i]
		switch {
		case f.Name != w.Name || f.Range.Start != w.Range.Start:
			t.Errorf("%s for %s", f.Name, w.Name)
		case i < first && !reflect.DeepEqual(f, w):
			t.Errorf("%s is another function", f.Name)
		case i >= first && i < n && len(f.Body.List) != 4:
			t.Errorf("%s has %d statements", f.Name, len(f.Body.List))
		}
	}
}
