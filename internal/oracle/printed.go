package oracle

import "gulo/internal/lower"

// This file finds the statement that printed a byte.

// mark says how much had been printed when a statement began.
type mark struct {
	at   int
	stmt int32
}

// Printer runs a case and returns the statement that printed the byte at an offset of the output. It is a statement of
// the program, not of the library. If the output is shorter, it is the last statement that printed anything; nil if
// none did.
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
			marks[len(marks)-1].stmt = s // the statement before printed nothing
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
