package session

import (
	"fmt"
	"slices"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/eval"
	"gulo/internal/heap"
	"gulo/internal/lower"
	"gulo/internal/source"
	"gulo/internal/target"
)

// This file says of a crash what the picture shows: which of the pointers that the statement follows lead to no object.
// It does not say which one is the cause: a statement may follow several.

// crash describes the crash. A null pointer that was followed is described in the same words for all engines.
func (s *drawing) crash() string {
	what, bad := s.stop.Message, s.astray()
	freed := s.freedUse()
	if len(freed) > 0 && strings.Contains(what, "freed at ") { // the machine says so, but not where it was allocated
		return "the program crashed: " + saidFreed(freed)
	}
	pointer := strings.Contains(what, "null pointer") || strings.Contains(what, "(SIGSEGV)")
	if pointer && s.postMortem() == "" && slices.ContainsFunc(bad, func(b string) bool { return strings.HasSuffix(b, " is null") }) {
		what = "null pointer dereference"
	}
	text := "the program crashed: " + what
	if len(bad) > 0 {
		text += ": " + strings.Join(bad, ", ")
	}
	if len(freed) > 0 {
		text += "; " + saidFreed(freed)
	}
	return text
}

// beforeCrash says how to come to just before the statement that crashed.
func (s *recorder) beforeCrash() string {
	st := s.stmt()
	if s.processesNow().Gone {
		return "the process is gone; start runs the program again"
	}
	if st == nil || len(s.history) == 0 {
		return "use undo to go back before the crash"
	}
	i := len(s.history) - 1
	for i > 0 && s.history[i].state.stop.Reason == target.Crashed { // the command in hand
		i--
	}
	was, how := s.history[i].state.stop, "skip passes over it"
	if st.Kind == lower.Cond || st.Kind == lower.Switch { // it cannot be skipped
		how = "enter or leave says where to go on"
	}
	if was.Stmt == st.ID && was.Depth == s.stop.Depth && was.Reason != target.Crashed || s.replayable(&s.history[i]) {
		return "undo goes back to before this statement, and " + how
	}
	return fmt.Sprintf("undo goes back; until %d then stops before this statement (in a loop, repeat it); %s", st.Range.Position().Line, how)
}

// astray describes the pointers that the statement being executed follows, or passes to a function, and that lead to no
// object, innermost first.
func (s *drawing) astray() []string {
	var out []string
	s.eachFollowed(func(text string, v heap.Value, _ *cfront.Call) {
		what := ""
		switch v.Kind {
		case heap.Null:
			what = " is null"
		case heap.Unknown:
			what = " was never written"
		case heap.Wild:
			if v.Number() {
				what = " is " + v.Text + ", which is no address"
			} else if v.Text == "wild" {
				what = " points to nothing known"
			}
		}
		if what != "" {
			out = append([]string{text + what}, out...)
		}
	})
	return out
}

// eachFollowed calls found for each pointer that the statement being executed follows, or passes to a function in the
// call by, with where it leads, outermost first.
func (s *drawing) eachFollowed(found func(text string, v heap.Value, by *cfront.Call)) {
	st := s.stmt()
	if st == nil || s.img == nil {
		return
	}
	seen := map[string]bool{}
	look := func(p cfront.Expr, by *cfront.Call) {
		t := p.Type()
		if t == nil || t.Elem == nil || !t.IsScalar() || !cfront.Pure(p) {
			return
		}
		if _, ok := cfront.Constant(p); ok {
			return // a null constant can be seen in the statement
		}
		text := source.OneLine(p.Range().Text())
		w, err := eval.Value(memory{s: s}, p)
		if err != nil || seen[text] || text == "" || strings.HasPrefix(text, "\"") {
			return
		}
		seen[text] = true
		found(text, s.img.Symbol(w, t), by)
	}
	walk := func(x cfront.Expr) {
		cfront.Walk(x, func(e cfront.Expr) bool {
			switch e := e.(type) {
			case *cfront.Deref:
				look(e.X, nil)
			case *cfront.Index:
				look(e.X, nil)
			case *cfront.Member:
				if e.Arrow {
					look(e.X, nil)
				}
			case *cfront.Call:
				for _, a := range e.Args {
					look(a, e)
				}
			}
			return true
		})
	}
	for _, x := range st.Exprs() {
		walk(x)
	}
}
