package archtest

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Bounds of what somebody reads at once, in lines.
const (
	mostOfFunction = 100
	mostOfFile     = 800
)

// long are functions, as "package.name", and files that may be longer, each with the reason. A
// function's own comment says it, too.
var long = map[string]string{
	"machine.interpret": "the interpreter loop: one switch over opcodes, whose cases are a few lines each",
	"machine.quick":     "the interpreter loop of merged code: a call for each instruction would cost as much as the instruction",
}

// TestSizes: no function has more than 100 lines and no file more than 800, but for those with a reason.
func TestSizes(t *testing.T) {
	needed := map[string]bool{}
	check := func(name string, n, most int) {
		if n <= most {
			return
		}
		if needed[name] = true; long[name] == "" {
			t.Errorf("%s has %d lines, more than %d: split it, or say why it is long", name, n, most)
		}
	}
	for _, root := range []string{"../../internal", "../../cmd"} {
		err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case e.IsDir() && e.Name() == "testdata":
				return filepath.SkipDir
			case e.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
				return nil
			}
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			rel, _ := filepath.Rel("../..", path)
			check(strings.TrimPrefix(filepath.ToSlash(rel), "internal/"), bytes.Count(text, []byte("\n")), mostOfFile)
			pkg := strings.TrimPrefix(filepath.ToSlash(filepath.Dir(rel)), "internal/")
			set := token.NewFileSet()
			f, err := parser.ParseFile(set, path, text, 0)
			if err != nil {
				return err
			}
			for _, d := range f.Decls {
				if fn, ok := d.(*ast.FuncDecl); ok {
					check(pkg+"."+fn.Name.Name, set.Position(fn.End()).Line-set.Position(fn.Pos()).Line+1, mostOfFunction)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for name := range long {
		if !needed[name] {
			t.Errorf("%s is not long: it needs no reason", name)
		}
	}
}
