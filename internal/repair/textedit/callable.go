package textedit

import (
	"bytes"
	"regexp"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/source"
)

// This file says which functions can be called at a place. It is asked for every place and every function of the
// program, so what needs a walk over all functions is computed once.

// callable reports whether all functions that a fragment calls are declared at a place.
func (s *facts) callable(fr *fragment, f *source.File, at int) bool {
	for _, g := range fr.calls {
		if !s.declared(g, f, at) {
			return false
		}
	}
	return true
}

// declared reports whether a function of the program may be called at a place: its definition or a prototype stands
// before the place, or an earlier body in the same file names it.
func (s *facts) declared(g *cfront.Func, f *source.File, at int) bool {
	if !own(g) {
		return false
	}
	if g.Range.File == f && g.Range.Start < at || s.prototype(g, f, at) {
		return true
	}
	first, ok := s.firstNamed()[inFile{g, f}]
	return ok && first < at
}

// inFile is the key for what is known about a function in one file.
type inFile struct {
	fn *cfront.Func
	f  *source.File
}

// firstNamed returns, for each function and file, the offset where a body in the file first names the function.
func (s *facts) firstNamed() map[inFile]int {
	if s.named != nil {
		return s.named
	}
	s.named = map[inFile]int{}
	for _, h := range s.tree.Funcs {
		if h.Body == nil {
			continue
		}
		f := h.Body.Range().File
		cfront.WalkStmt(h.Body, nil, func(x cfront.Expr) {
			cfront.Walk(x, func(y cfront.Expr) bool {
				if r, ok := y.(*cfront.FuncRef); ok && r.Range().File == f {
					k := inFile{r.Func, f}
					if first, ok := s.named[k]; !ok || r.Range().Start < first {
						s.named[k] = r.Range().Start
					}
				}
				return true
			})
		})
	}
	return s.named
}

// prototype reports whether a declaration at file scope of f declares a function before a place.
func (s *facts) prototype(g *cfront.Func, f *source.File, at int) bool {
	k := inFile{g, f}
	first, ok := s.prototypes[k]
	if !ok {
		if first = s.firstPrototype(g.Name, f); s.prototypes == nil {
			s.prototypes = map[inFile]int{}
		}
		s.prototypes[k] = first
	}
	return first <= at
}

// firstPrototype returns the offset where the first declaration of name at file scope ends, or the file's length if
// there is none. A declaration contains no brace and no semicolon, so only the text between two of those is matched.
func (s *facts) firstPrototype(name string, f *source.File) int {
	var pattern *regexp.Regexp
	word := []byte(name)
	for from := 0; ; {
		i := bytes.Index(f.Text[from:], word)
		if i < 0 {
			return len(f.Text)
		}
		i += from
		start := bytes.LastIndexAny(f.Text[:i], ";{}") + 1
		stop := bytes.IndexAny(f.Text[i:], ";{}")
		if stop < 0 {
			return len(f.Text)
		}
		stop += i
		from = stop
		if f.Text[stop] != ';' {
			continue
		}
		if start > 0 {
			start-- // the pattern must not match right after a semicolon: that is no beginning of a line
		}
		if pattern == nil {
			pattern = regexp.MustCompile(`(?m)^[A-Za-z_][A-Za-z_0-9 \t*]*(\([^(){};]*\)\s*,\s*)?[A-Za-z_0-9 \t*(),]*\b` + name + `\s*\([^(){};]*\)[^{};]*;`)
		}
		if m := pattern.FindIndex(f.Text[start : stop+1]); m != nil && !s.inBody(f, start+m[0]) {
			return start + m[1]
		}
	}
}

// inBody reports whether a place is in the body of a function.
func (s *facts) inBody(f *source.File, at int) bool {
	for _, h := range s.tree.Funcs {
		if h.Body != nil && h.Body.Range().File == f && h.Body.Range().Start <= at && at < h.Body.Range().End {
			return true
		}
	}
	return false
}

// writes reports whether a function has side effects, as far as its text shows: it, or a function that it calls, stores
// through pointers or into globals, or calls the library to read, print, allocate, free or exit.
func (s *facts) writes(g *cfront.Func) bool {
	w, ok := s.writing[g]
	if !ok {
		if w = writes(g); s.writing == nil {
			s.writing = map[*cfront.Func]bool{}
		}
		s.writing[g] = w
	}
	return w
}

func writes(g *cfront.Func) bool {
	bad := false
	for f := range cfront.Callees(g) {
		cfront.WalkStmt(f.Body, nil, func(x cfront.Expr) {
			cfront.Walk(x, func(y cfront.Expr) bool {
				var to cfront.Expr
				switch y := y.(type) {
				case *cfront.Assign:
					to = y.L
				case *cfront.IncDec:
					to = y.X
				case *cfront.Call:
					if r, ok := y.Fun.(*cfront.FuncRef); ok && r.Func.Body == nil && strings.Contains(" printf puts putchar free malloc scanf exit fprintf ", " "+r.Func.Name+" ") {
						bad = true
					}
				}
				if r, ok := to.(*cfront.Ref); to != nil && (!ok || r.Var.Func == nil) {
					bad = true
				}
				return true
			})
		})
	}
	return bad
}
