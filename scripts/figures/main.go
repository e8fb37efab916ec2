// Command figures prints what the structure of the code measures.
//
//	go run ./scripts/figures [-constants] [-upward PACKAGE]
//
// For each package: lines of code, of tests and of testdata (blank lines and comments included), and calls between its
// files that go upward. Files call each other downward if they can be put in an order in which each calls only later
// ones. Calls that no order of the files avoids go upward; the order is found by the heuristic of Eades, Lin and Smyth
// (A fast and effective heuristic for the feedback arc set problem, 1993), so there may be a better one. Then the types
// with the most methods, and the numbers that are declared as constants in internal/repair. -constants lists these, and
// -upward the upward calls of a package.
package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/tools/go/packages"
)

// mostMethods is how many methods a type may have.
const mostMethods = 120

func main() {
	constants := flag.Bool("constants", false, "list the constants")
	upward := flag.String("upward", "", "list the upward calls of `PACKAGE`, such as repair/runs")
	flag.Parse()
	list, err := packages.Load(&packages.Config{Mode: packages.NeedName | packages.NeedFiles | packages.NeedSyntax | packages.NeedTypes | packages.NeedTypesInfo}, "./internal/...", "./cmd/...")
	if err == nil && packages.PrintErrors(list) > 0 {
		os.Exit(1)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "figures:", err)
		os.Exit(1)
	}
	var all []*figures
	for _, p := range list {
		f, err := measure(p)
		if err != nil {
			fmt.Fprintln(os.Stderr, "figures:", err)
			os.Exit(1)
		}
		all = append(all, f)
	}
	switch {
	case *constants:
		for _, f := range all {
			for _, c := range f.constants {
				fmt.Println(c)
			}
		}
	case *upward != "":
		for _, f := range all {
			if f.name == *upward {
				for _, c := range f.upward {
					fmt.Println(c)
				}
			}
		}
	default:
		write(os.Stdout, all)
	}
}

// figures are those of a package.
type figures struct {
	name        string
	code, tests int            // lines
	data        int            // lines of testdata: programs and transcripts that tests play
	methods     map[string]int // by type
	constants   []string       // where, and the text
	calls       int            // between files
	upward      []string
}

// measure counts in a package.
func measure(p *packages.Package) (*figures, error) {
	f := &figures{name: strings.TrimPrefix(strings.TrimPrefix(p.PkgPath, "gulo/internal/"), "gulo/"), methods: map[string]int{}}
	dir := ""
	for _, path := range p.GoFiles {
		dir = filepath.Dir(path)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	for _, path := range files {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		if n := strings.Count(string(text), "\n"); strings.HasSuffix(path, "_test.go") {
			f.tests += n
		} else {
			f.code += n
		}
	}
	err = filepath.WalkDir(filepath.Join(dir, "testdata"), func(path string, e os.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil || e.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if utf8.Valid(text) {
			f.data += strings.Count(string(text), "\n")
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	for _, file := range p.Syntax {
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if t := receiver(d); t != "" {
					f.methods[t]++
				}
			case *ast.GenDecl:
				if d.Tok == token.CONST && strings.HasPrefix(f.name, "repair") {
					f.constants = append(f.constants, numbers(p.Fset, d)...)
				}
			}
		}
	}
	f.between(p)
	return f, nil
}

// receiver returns the type that a function is a method of; "" if it is none.
func receiver(d *ast.FuncDecl) string {
	if d.Recv == nil {
		return ""
	}
	t := d.Recv.List[0].Type
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		case *ast.Ident:
			return x.Name
		default:
			return ""
		}
	}
}

// numbers returns the constants of a declaration whose value is a number as written.
func numbers(set *token.FileSet, d *ast.GenDecl) (out []string) {
	for _, s := range d.Specs {
		s := s.(*ast.ValueSpec)
		for i, v := range s.Values {
			if x, ok := v.(*ast.BasicLit); ok && (x.Kind == token.INT || x.Kind == token.FLOAT) {
				at := set.Position(s.Pos())
				out = append(out, fmt.Sprintf("%s:%d: %s = %s", short(at.Filename), at.Line, s.Names[i].Name, x.Value))
			}
		}
	}
	return out
}

// short returns a path from internal or cmd on.
func short(path string) string {
	for _, root := range []string{"internal/", "cmd/"} {
		if i := strings.LastIndex(path, "/"+root); i >= 0 {
			return path[i+1:]
		}
	}
	return path
}

// between counts the calls between the package's files.
func (f *figures) between(p *packages.Package) {
	type call struct {
		at token.Position
		to string // file
		fn string
	}
	var calls []call
	weights := map[[2]string]int{}
	for _, file := range p.Syntax {
		from := p.Fset.Position(file.Pos()).Filename
		ast.Inspect(file, func(n ast.Node) bool {
			x, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			id, ok := ast.Unparen(x.Fun).(*ast.Ident)
			if s, sel := ast.Unparen(x.Fun).(*ast.SelectorExpr); sel {
				id, ok = s.Sel, true
			}
			if !ok {
				return true
			}
			fn, ok := p.TypesInfo.Uses[id].(*types.Func)
			if !ok || fn.Pkg() != p.Types {
				return true
			}
			to := p.Fset.Position(fn.Pos()).Filename
			if to == from {
				return true
			}
			calls = append(calls, call{p.Fset.Position(x.Pos()), to, fn.Name()})
			weights[[2]string{from, to}]++
			return true
		})
	}
	f.calls = len(calls)
	rank := map[string]int{}
	for i, file := range order(weights) {
		rank[file] = i
	}
	for _, c := range calls {
		if rank[c.to] < rank[c.at.Filename] {
			f.upward = append(f.upward, fmt.Sprintf("%s:%d: %s of %s", short(c.at.Filename), c.at.Line, c.fn, filepath.Base(c.to)))
		}
	}
}

// order returns the nodes of a graph with weights so that little weight goes to earlier ones.
func order(weights map[[2]string]int) []string {
	out, in := map[string]map[string]int{}, map[string]map[string]int{}
	left := map[string]bool{}
	for e, w := range weights {
		for i, m := range []map[string]map[string]int{out, in} {
			if m[e[i]] == nil {
				m[e[i]] = map[string]int{}
			}
			m[e[i]][e[1-i]] = w
			left[e[i]] = true
		}
	}
	sum := func(m map[string]int) (n int) {
		for to, w := range m {
			if left[to] {
				n += w
			}
		}
		return n
	}
	var first, last []string
	for len(left) > 0 {
		var sink, source, best string
		most := 0
		for _, v := range sorted(left) {
			o, i := sum(out[v]), sum(in[v])
			switch {
			case o == 0:
				sink = v
			case i == 0:
				source = v
			case best == "" || o-i > most:
				best, most = v, o-i
			}
		}
		v := cmp.Or(sink, source, best)
		if delete(left, v); v == sink {
			last = append(last, v)
		} else {
			first = append(first, v)
		}
	}
	slices.Reverse(last)
	return append(first, last...)
}

func sorted(m map[string]bool) []string {
	var out []string
	for v := range m {
		out = append(out, v)
	}
	slices.Sort(out)
	return out
}

// ratio returns lines of tests for each line of code.
func ratio(tests, code int) float64 { return float64(tests) / float64(max(code, 1)) }

// write prints the tables.
func write(w io.Writer, all []*figures) {
	slices.SortFunc(all, func(a, b *figures) int { return strings.Compare(a.name, b.name) })
	type typ struct {
		name string
		n    int
	}
	var sum figures
	var most []typ
	upward := 0
	fmt.Fprintf(w, "%-24s %8s %8s %8s %6s %10s %8s\n", "package", "code", "tests", "testdata", "ratio", "calls", "upward")
	for _, f := range all {
		fmt.Fprintf(w, "%-24s %8d %8d %8d %6.2f %10d %8d\n", f.name, f.code, f.tests, f.data, ratio(f.tests, f.code), f.calls, len(f.upward))
		sum.code, sum.tests, sum.data, sum.constants = sum.code+f.code, sum.tests+f.tests, sum.data+f.data, append(sum.constants, f.constants...)
		if strings.HasPrefix(f.name, "repair") {
			upward += len(f.upward)
		}
		for t, n := range f.methods {
			most = append(most, typ{f.name + "." + t, n})
		}
	}
	fmt.Fprintf(w, "%-24s %8d %8d %8d %6.2f (with testdata %.2f)\n", "together", sum.code, sum.tests, sum.data, ratio(sum.tests, sum.code), ratio(sum.tests+sum.data, sum.code))
	slices.SortFunc(most, func(a, b typ) int { return cmp.Or(b.n-a.n, strings.Compare(a.name, b.name)) })
	fmt.Fprintf(w, "\nupward calls inside repair's packages: %d\n", upward)
	fmt.Fprintf(w, "numbers declared as constants in internal/repair: %d\n", len(sum.constants))
	fmt.Fprintf(w, "types with more than %d methods:\n", mostMethods)
	for _, t := range most {
		if t.n > mostMethods {
			fmt.Fprintf(w, "%8d %s\n", t.n, t.name)
		}
	}
}
