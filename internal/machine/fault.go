package machine

import (
	"fmt"
	"iter"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/plural"
	"gulo/internal/source"
)

var sprintf = fmt.Sprintf

// FaultKind names an error state. The memory errors are those of Figure 8 of
// Wang, Neamtiu and Gupta (ISMM 2013), under the names of their rules in lower
// case, and our own beside them.
type FaultKind string

const (
	UnmatchedFree  FaultKind = "unmatched_free"
	DoubleFree     FaultKind = "double_free"
	DanglingDeref  FaultKind = "dangling_pointer_deref"
	NullDeref      FaultKind = "null_pointer_deref"
	HeapOverflow   FaultKind = "heap_buffer_overflow"
	Uninitialized  FaultKind = "uninitialized_read"
	StackOverflow  FaultKind = "stack_buffer_overflow"
	GlobalOverflow FaultKind = "global_buffer_overflow"
	WildDeref      FaultKind = "wild_pointer_deref"
	MissingReturn  FaultKind = "missing_return"
	ReadOnlyWrite  FaultKind = "read_only_write"
	ArrayBounds    FaultKind = "array_bounds"
	BadCall        FaultKind = "bad_call"
	NullValue      FaultKind = "null_value" // where the program declares that there is none
	DivideByZero   FaultKind = "division_by_zero"
	SignedOverflow FaultKind = "signed_overflow"
	BadShift       FaultKind = "bad_shift"
	FloatRange     FaultKind = "float_to_int_range"
	BadLibraryCall FaultKind = "bad_library_call"
	Overlap        FaultKind = "overlap" // of the source and the destination of a copy
	AssertFailed   FaultKind = "assertion_failed"
	Aborted        FaultKind = "abort"
	Signalled      FaultKind = "signal"
	Unreachable    FaultKind = "unreachable"
	Deadlock       FaultKind = "deadlock"
	DataRace       FaultKind = "data_race"
	Unsupported    FaultKind = "unsupported"
	LimitFault     FaultKind = "limit"
	StackExhausted FaultKind = "stack_exhausted"
	Interrupted    FaultKind = "interrupted" // Config.Context has ended
)

// Fault is an error state the machine was about to enter. It is also an error.
type Fault struct {
	Kind    FaultKind
	Stmt    int32 // in the location map
	Pos     source.Position
	Func    string
	Message string
	Pointer ctype.Word // the pointer or value at fault
	Number  int        // Signalled: the signal
	Size    int64      // Uninitialized: the bytes that are read, 0 for all of a variable
	Literal bool       // GlobalOverflow: a string literal was read beyond its end
	Freed   bool       // DanglingDeref: of a block that was freed
	Printed int64      // with Freed: the bytes on standard output when it was freed
	Sound   int64      // with Freed: the steps until then
	Steps   bool       // LimitFault: the limit is MaxSteps
	Chain   []Link     // where the value came from, newest first; with Config.Trace
}

func (f *Fault) Error() string {
	return fmt.Sprintf("%s: %s: %s", f.Pos, f.Kind, f.Message)
}

// OutsideArray returns the fault of an index that is outside an array of n elements, even if it is inside the variable
// or block that the array is part of.
func OutsideArray(index, n int64) *Fault {
	return &Fault{Kind: ArrayBounds, Message: fmt.Sprintf("index %d is outside an array of %s", index, plural.N(n, "element"))}
}

// Signal returns the signal that a native run would most likely die of, 0 when
// it would go on.
func (f *Fault) Signal() int {
	switch f.Kind {
	case DoubleFree, UnmatchedFree, AssertFailed, Aborted:
		return 6
	case DivideByZero:
		return 8
	case Signalled:
		return f.Number
	case NullDeref, WildDeref, BadCall, ReadOnlyWrite, StackExhausted:
		return 11
	}
	return 0
}

func (m *control) fault(kind FaultKind, p ctype.Word, format string, args ...any) *Fault {
	s := m.at()
	f := &Fault{Kind: kind, Stmt: s, Pos: m.position(s), Message: fmt.Sprintf(format, args...), Pointer: p}
	if len(m.frames) > 0 {
		f.Func = m.frames[len(m.frames)-1].fn.name
	}
	return f
}

// opaque returns the fault that ends a run at a statement whose meaning the machine does not know.
func (m *control) opaque(stmt int32) *Fault {
	f := m.fault(Unsupported, 0, "")
	if int(stmt) < len(m.prog.Stmts) && stmt > 0 {
		s := m.prog.Stmts[stmt]
		f.Stmt, f.Pos, f.Message = stmt, s.Range.Position(), m.prog.Reason(s)
		if o, ok := s.Node.(*cfront.Opaque); ok && o.At.Line > 0 {
			f.Pos = o.At
		}
	}
	return f
}

// at returns the statement being executed, the caller's for library code.
func (m *control) at() int32 {
	for s := range m.active() {
		return s
	}
	return 0
}

// active yields the statements being executed, the innermost call's first, without those of library code.
func (m *control) active() iter.Seq[int32] {
	return func(yield func(int32) bool) {
		if m.fn == nil {
			return
		}
		if m.pc < len(m.fn.code) {
			if s := m.fn.code[m.pc].stmt; s != 0 && !m.library(s) && !yield(s) {
				return
			}
		}
		for i := len(m.frames) - 2; i >= 0; i-- {
			fr := &m.frames[i]
			if pc := m.frames[i+1].retPC - 1; pc >= 0 && pc < len(fr.fn.code) {
				if s := fr.fn.code[pc].stmt; s != 0 && !m.library(s) && !yield(s) {
					return
				}
			}
		}
	}
}

func (m *loaded) position(stmt int32) source.Position {
	if stmt <= 0 || int(stmt) >= len(m.prog.Stmts) {
		return source.Position{}
	}
	return m.prog.Stmts[stmt].Range.Position()
}

func (m *loaded) where(stmt int32) string {
	if stmt == 0 {
		return "an unknown place"
	}
	return m.position(stmt).String()
}
