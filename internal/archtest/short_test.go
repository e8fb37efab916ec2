package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// shortRow is a test in the table of docs/testing.md, or a function that several tests call.
var shortRow = regexp.MustCompile("(?m)^\\| `([\\w/]+\\.\\w+)` \\|")

// TestShortListed: docs/testing.md has a row for every test of which make test, with go test's -short, runs a
// part, and for no other one.
func TestShortListed(t *testing.T) {
	page, err := os.ReadFile("../../docs/testing.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]bool{}
	for _, m := range shortRow.FindAllStringSubmatch(string(page), -1) {
		rows[m[1]] = true
	}
	there := map[string]bool{}
	for pkg, functions := range testFunctions(t) {
		for name := range functions {
			full := pkg + "." + name
			seen := map[string]bool{}
			for other := range functions { // what has a row speaks for those that call it
				seen[other] = rows[pkg+"."+other] && other != name && !strings.HasPrefix(other, "Test")
			}
			if (strings.HasPrefix(name, "Test") || rows[full]) && asksShort(functions, name, seen) {
				there[full] = true
			}
		}
	}
	if len(there) == 0 {
		t.Error("no test asks testing.Short")
	}
	for _, name := range slices.Sorted(maps.Keys(there)) {
		if !rows[name] {
			t.Errorf("docs/testing.md does not say what make test leaves of %s to make nightly", name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(rows)) {
		if !there[name] {
			t.Errorf("docs/testing.md has a row for %s, of which make test leaves nothing out", name)
		}
	}
}

// asksShort reports whether a function calls testing.Short, or calls one that does.
func asksShort(functions map[string]map[string]bool, name string, seen map[string]bool) bool {
	if seen[name] {
		return false
	}
	seen[name] = true
	for callee := range functions[name] {
		if callee == "testing.Short" || asksShort(functions, callee, seen) {
			return true
		}
	}
	return false
}

// testFunctions are the functions of the tests of all packages, each with the names of what it calls. Methods
// go by their names alone.
func testFunctions(t *testing.T) map[string]map[string]map[string]bool {
	t.Helper()
	all := map[string]map[string]map[string]bool{}
	err := filepath.WalkDir("..", func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir() && e.Name() == "testdata":
			return filepath.SkipDir
		case e.IsDir() || !strings.HasSuffix(path, "_test.go"):
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		pkg := strings.TrimPrefix(filepath.ToSlash(filepath.Dir(path)), "../")
		if all[pkg] == nil {
			all[pkg] = map[string]map[string]bool{}
		}
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil {
				all[pkg][fn.Name.Name] = calls(fn.Body)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func calls(body ast.Node) map[string]bool {
	out := map[string]bool{}
	ast.Inspect(body, func(n ast.Node) bool {
		c, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		switch f := c.Fun.(type) {
		case *ast.Ident:
			out[f.Name] = true
		case *ast.SelectorExpr:
			if x, ok := f.X.(*ast.Ident); ok && x.Name == "testing" {
				out["testing."+f.Sel.Name] = true
			} else {
				out[f.Sel.Name] = true
			}
		}
		return true
	})
	return out
}
