package oracle

import "gulo/internal/lower"

// This file finds the statement that printed a byte.

// mark says that a statement began when so much had been printed.
type mark struct {
	at   int
	stmt int32
}

// Printer runs a case and returns the statement of the program, not of the library, that
// printed the byte at an offset of the output, or the last that printed anything where the
// output ends before; nil where nothing was printed.
func (r *Runner) Printer(c *Case, offset int) (*lower.Stmt, error) {
	if err := r.Begin(c, nil); err != nil {
		return nil, err
	}
	defer r.End()
	var marks []mark
	r.M.RunUntil(func(s int32, lib bool) bool {
		if lib {
			return false
		}
		r.M.FlushOutput()
		if n := r.out.Len(); len(marks) > 0 && marks[len(marks)-1].at == n {
			marks[len(marks)-1].stmt = s // the one before printed nothing
		} else {
			marks = append(marks, mark{n, s})
		}
		return false
	})
	r.M.FlushOutput()
	end := r.out.Len()
	for i := len(marks) - 1; i >= 0; i-- {
		if m := marks[i]; m.at < end && m.at <= offset {
			return r.Suite.Prog.Stmts[m.stmt], nil
		}
	}
	return nil, nil
}
