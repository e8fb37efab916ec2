package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// answerPackages are those whose reports gulo fix prints.
var answerPackages = []string{"pipeline", "repair/runs", "repair/states", "logic", "pwp"}

// verbs are what formats put in: the documentation has N and F there.
var verbs = regexp.MustCompile(`%[a-z]`)

// TestAnswersExplained: every reason for which gulo fix shows no repair is explained in
// docs/methods.md: the longest piece of each text that a report's Cause is set to stands there.
func TestAnswersExplained(t *testing.T) {
	doc, err := os.ReadFile("../../docs/methods.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, ok := strings.Cut(string(doc), "## When there is no repair")
	if !ok {
		t.Fatal("docs/methods.md has no such chapter")
	}
	table, _, _ = strings.Cut(table, "\n## ")
	found := 0
	for _, dir := range answerPackages {
		err := filepath.WalkDir("../"+dir, func(path string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			f, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
			if err != nil {
				return err
			}
			for _, text := range causes(f) {
				found++
				piece := longest(verbs.Split(text, -1))
				if !strings.Contains(table, piece) {
					t.Errorf("%s: %q is explained nowhere (looked for %q)", path, text, piece)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if found < 20 {
		t.Errorf("only %d reasons were found", found)
	}
}

// causes are the texts that are assigned to a field Cause, and what begins them where they are made.
func causes(f *ast.File) (out []string) {
	ast.Inspect(f, func(n ast.Node) bool {
		a, ok := n.(*ast.AssignStmt)
		if !ok || len(a.Lhs) != len(a.Rhs) {
			return true
		}
		for i, l := range a.Lhs {
			if s, ok := l.(*ast.SelectorExpr); !ok || s.Sel.Name != "Cause" {
				continue
			}
			ast.Inspect(a.Rhs[i], func(n ast.Node) bool {
				if c, ok := n.(*ast.CallExpr); ok && len(c.Args) > 0 { // the first one is the format
					ast.Inspect(c.Args[0], func(n ast.Node) bool { out = append(out, literal(n)...); return true })
					return false
				}
				out = append(out, literal(n)...)
				return true
			})
		}
		return true
	})
	return out
}

func literal(n ast.Node) []string {
	b, ok := n.(*ast.BasicLit)
	if !ok || b.Kind != token.STRING {
		return nil
	}
	s, err := strconv.Unquote(b.Value)
	if err != nil || s == "" {
		return nil
	}
	return []string{s}
}

func longest(list []string) string {
	best := ""
	for _, s := range list {
		if s = strings.Trim(s, " ,;:"); len(s) > len(best) {
			best = s
		}
	}
	return best
}
