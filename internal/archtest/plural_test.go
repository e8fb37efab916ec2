package archtest

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// counted is a number in a format with a word in the plural behind it, with adjectives before that, and with what
// stands before the number.
var counted = regexp.MustCompile(`(\w*[ -])?%(?:\[\d+\])?\d*d ((?:[a-z][a-z'-]* ){0,3}?)([a-z]+[^ious\W]s)\b`)

// counts is the rest of a message behind a number that was made a text.
var counts = regexp.MustCompile(`^ ((?:[a-z][a-z'-]* ){0,3}?)([a-z]+[^ious\W]s)\b`)

var (
	// numbered are what a number names, not counts: "thread 2 holds the lock".
	numbered = strings.Fields("argument case checkpoint choose column line node process resume status thread until")
	// others end like nouns in the plural, or cannot stand before one.
	others = strings.Fields("and are as at by does ends fails for from has holds in is leads of on or takes than that then to was were which with")
)

// TestPlurals: numbers of things in messages are written by package plural, so that none says "1 runs". A constant
// may stand in the format: it is known to be another number than one.
func TestPlurals(t *testing.T) {
	files := map[string][]*ast.File{} // by folder
	set := token.NewFileSet()
	for _, root := range []string{"..", "../../cmd"} {
		err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if e.IsDir() && (e.Name() == "testdata" || e.Name() == "node_modules") {
				return filepath.SkipDir
			}
			if e.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return nil
			}
			f, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
			files[filepath.Dir(path)] = append(files[filepath.Dir(path)], f)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	known := map[string]bool{} // constants, as they are written in their package and elsewhere
	for dir, list := range files {
		for _, f := range list {
			for _, name := range constants(f) {
				known[dir+" "+name], known[f.Name.Name+"."+name] = true, true
			}
		}
	}
	for dir, list := range files {
		for _, f := range list {
			for pos, text := range uncounted(f, func(name string) bool { return known[name] || known[dir+" "+name] }) {
				t.Errorf("%s: %s: write it with plural.N", set.Position(pos), text)
			}
		}
	}
}

// TestUncounted: what TestPlurals looks for is found, and nothing else.
func TestUncounted(t *testing.T) {
	for call, want := range map[string]bool{
		`f("%d runs", n)`:                            true,
		`f("of %3d made-up runs", n)`:                true,
		`f("%s has %[2]d more nodes", s, n)`:         true,
		`f("a" + "all %d cases are met", n)`:         true,
		`f(strconv.Itoa(n) + " blocks")`:             true,
		`f("at most %d runs", most)`:                 false,
		`f("%s after %d runs", s, most/2)`:           false,
		`f("%d runs in %d steps", most, n)`:          true,
		`f("thread %d holds it", n)`:                 false,
		`f("%d is as many as %d has", n, n)`:         false,
		`f("exits with %d instead of %d", n, n)`:     false,
		`f("%d suspicious %s", n, s)`:                false,
		`f("%s", plural.N(n, "run"))`:                false,
		`f("lines %d-%d searches that", n, n)`:       false,
		`f("%-12s %d of %d answers", s, most, most)`: false,
	} {
		f, err := parser.ParseFile(token.NewFileSet(), "", "package p\n\nvar _ = "+call, 0)
		if err != nil {
			t.Fatal(err)
		}
		if got := len(uncounted(f, func(name string) bool { return name == "most" })) > 0; got != want {
			t.Errorf("%s: found: %v", call, got)
		}
	}
}

// constants are the names of those that a file declares for its package.
func constants(f *ast.File) (out []string) {
	for _, d := range f.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.CONST {
			continue
		}
		for _, s := range g.Specs {
			for _, n := range s.(*ast.ValueSpec).Names {
				out = append(out, n.Name)
			}
		}
	}
	return out
}

// uncounted are the places of a file where a number stands before a noun in the plural, whatever it is.
func uncounted(f *ast.File, constant func(name string) bool) map[token.Pos]string {
	out := map[token.Pos]string{}
	args := map[*ast.BasicLit][]ast.Expr{} // of formats: what is written
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			for i, a := range n.Args {
				if b, ok := a.(*ast.BasicLit); ok {
					args[b] = n.Args[i+1:]
				}
			}
		case *ast.BinaryExpr:
			if b, ok := n.Y.(*ast.BasicLit); ok && numeric(n.X) {
				if m := counts.FindStringSubmatch(text(b)); m != nil && nouns(m[1], m[2]) {
					out[b.Pos()] = b.Value
				}
			}
		case *ast.BasicLit:
			for _, m := range counted.FindAllStringSubmatchIndex(text(n), -1) {
				s := text(n)
				before := strings.TrimRight(s[max(m[2], 0):max(m[3], 0)], " ")
				if slices.Contains(numbered, before) || strings.HasSuffix(before, "-") || !nouns(s[m[4]:m[5]], s[m[6]:m[7]]) {
					continue
				}
				if at := strings.Count(strings.ReplaceAll(s[:m[4]], "%%", ""), "%") - 1; at < len(args[n]) && fixed(args[n][at], constant) {
					continue
				}
				out[n.Pos()] = fmt.Sprintf("%q", s)
			}
		}
		return true
	})
	return out
}

// nouns reports whether a word may be a noun in the plural, and those before it adjectives.
func nouns(before, last string) bool {
	return !slices.ContainsFunc(append(strings.Fields(before), last), func(w string) bool { return slices.Contains(others, w) })
}

// fixed reports whether a number is written in the program.
func fixed(x ast.Expr, constant func(name string) bool) bool {
	switch x := x.(type) {
	case *ast.BasicLit:
		return x.Value != "1"
	case *ast.BinaryExpr:
		return fixed(x.X, constant) && fixed(x.Y, constant)
	}
	return constant(name(x))
}

// text is what a literal says.
func text(b *ast.BasicLit) string {
	s, err := strconv.Unquote(b.Value)
	if b.Kind != token.STRING || err != nil {
		return ""
	}
	return s
}

// numeric reports whether a text ends with a number.
func numeric(x ast.Expr) bool {
	if b, ok := x.(*ast.BinaryExpr); ok {
		return numeric(b.Y)
	}
	c, ok := x.(*ast.CallExpr)
	return ok && slices.Contains([]string{"strconv.Itoa", "strconv.FormatInt", "fmt.Sprint"}, name(c.Fun))
}

// name is a name, or one of another package.
func name(x ast.Expr) string {
	switch x := x.(type) {
	case *ast.Ident:
		return x.Name
	case *ast.SelectorExpr:
		return name(x.X) + "." + x.Sel.Name
	}
	return ""
}
