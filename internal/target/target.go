// Package target is "a running program": launch, step by statement, force
// control flow, read and write state, checkpoint. target/gdb implements it over
// gdb/MI, target/sim over the abstract machine; one session must look the same
// on both.
//
// A statement is an entry of lower's location map. A Target is used by one
// goroutine, except Interrupt, which may come from any.
package target

import (
	"context"
	"errors"
	"fmt"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/lower"
	"gulo/internal/screen"
)

// Target is a program under control, stopped between calls.
type Target interface {
	// Arguments sets what the program is started with from now on: its arguments and the
	// file that is its standard input ("": as it was).
	Arguments(args []string, stdin string) error
	// Start launches the program and stops it at main's first statement.
	Start(ctx context.Context) (Stop, error)
	// Resume lets the program go as far as mode says, or to a statement in
	// breaks, whichever comes first. A statement that breaks has as false counts
	// only in the thread that is let go, except for Continue, which lets all go.
	Resume(ctx context.Context, mode Mode, breaks map[int32]bool) (Stop, error)
	// Goto makes a statement of the innermost function the next to execute,
	// without executing anything.
	Goto(to lower.Edge) error
	// SetResult makes w what the innermost function returns; it stands at its
	// closing brace.
	SetResult(w ctype.Word) error
	// Result reads it; ok is false where it cannot.
	Result() (w ctype.Word, ok bool)

	Frames() ([]Frame, error) // innermost first
	Globals() []Variable      // those of the C library that the program names among them
	Blocks() ([]Block, error) // heap blocks of the program, by order of allocation
	Read(addr ctype.Word, buf []byte) bool
	Write(addr ctype.Word, data []byte) error
	// Undefined tells which of the bytes just read from addr were never
	// written, as far as the engine can tell; nil when all were.
	Undefined(addr ctype.Word, data []byte) []bool
	// Static returns the memory around an address that is no variable and no
	// heap block: a string literal, an argument of the program, a compound
	// literal, what a function of the C library returns. t is what a pointer there points to; nil when
	// nobody knows, which leaves out compound literals and what is the library's.
	Static(addr ctype.Word, t *ctype.Type) (Region, bool)
	// Literal tells where a string literal of the program is.
	Literal(s *cfront.String) (ctype.Word, bool)
	Alloc(size int64) (ctype.Word, error) // a fresh heap block
	Free(addr ctype.Word) error
	FuncAddr(f *cfront.Func) (ctype.Word, bool)
	LabelAddr(f *cfront.Func, label string) (ctype.Word, bool) // of a label whose address the function takes
	FuncName(addr ctype.Word) string                           // of a function's address, a label's (&&again) or an open stream's; "" for others

	Save() (Snapshot, error)
	Restore(Snapshot) error

	Output() string    // what the program wrote since the last call
	Input(text string) // give it text on standard input
	EndInput()
	Interrupt()
	Close()
}

// Stacked is a Target that knows the stack of the thread that is stepped.
type Stacked interface {
	// Stack lists the memory that its active functions have there: in one piece, or a region for each variable.
	Stack() []Region
}

// Threaded is a Target whose program can have several threads. One of them is the one that
// is stepped: Resume lets only that one go, and the others only while it waits for them.
type Threaded interface {
	Target
	// Threads lists those that are alive, in the order in which they were created.
	Threads() ([]Thread, error)
	// Switch makes another thread the one that is stepped. One that has not begun is let
	// go to the first statement of its function.
	Switch(ctx context.Context, number int) (Stop, error)
}

// Thread is a thread of the program.
type Thread struct {
	Number  int     // 1 is main's; a number is not used again
	Frames  []Frame // innermost first; none before its function is called and after that has returned
	Inside  bool    // the innermost function's statement is being executed
	Current bool    // it is the one that is stepped
}

// Forking is a Target whose program can fork. One process is in hand: the one that was started, or a child that was
// followed. The others run by themselves, without breakpoints.
type Forking interface {
	Target
	// Follow says which process is in hand after a fork from now on: the child, or the parent as at first. A child
	// that shares its parent's memory until it becomes another program (vfork, and with it posix_spawn, system and
	// popen) is never followed.
	Follow(child bool) error
	// Processes tells which one is in hand.
	Processes() Processes
	// News tells what has become of the others since it was asked last.
	News() ProcessNews
	// Children lists those that have been forked and have not ended.
	Children() []int
	// LetGo lets a child in hand that has ended go: until then its parent does not see that it has. It waits a moment
	// for the parent's end.
	LetGo(ctx context.Context) error
}

// Processes is what is known of the processes that a program consists of.
type Processes struct {
	Child  bool // the next fork leads into the child
	InHand int  // the number of the process in hand; 0 before the start
	Gone   bool // that is no more
	Forked int  // processes so far
	Parent int  // of the process that was left for it; 0: in hand is the one that was started
	Doing  Doing
}

// ProcessNews is what has become of the processes of a program.
type ProcessNews struct {
	Entered bool  // the process in hand is another one
	Forked  []int // children that run by themselves
	Killed  []int // by going back to before they were forked
	Reaped  []int // children that had not been waited for in the state gone back to, and have been since

	// By going back to before a fork the process By is in the state of its parent, Replaced, which was ended. 0 for none.
	Replaced, By int
}

// Doing is what a process does that is not in hand.
type Doing uint8

const (
	Over    Doing = iota // it has ended
	Waiting              // for something
	Running
)

// Watcher is a Target that halts where memory changes, while the program runs as fast as without.
type Watcher interface {
	Target
	// Watch makes the next Resume, and what it waits for, stop also at the statement after the one in which some
	// of this memory has changed, or its function has returned. ok is false, and nothing is watched, where the
	// target cannot do that.
	Watch(list []Watched) (ok bool)
}

// Watched is memory whose change halts the program.
type Watched struct {
	Addr  ctype.Word
	Size  int64
	Depth int // of the function whose variable it is, main's is 1; 0 for none
}

// Originator is a Target that knows where the program allocated the heap block at an address, and where it freed it:
// statements, 0 where nobody knows.
type Originator interface {
	Target
	Origin(addr ctype.Word) (made, freed int32)
}

// Printing is a Target whose debugger has printers of the user's for values of some types.
type Printing interface {
	Target
	// Source executes a script and names the printers that are in force then; the error is a *ScriptError where the
	// script ended before its end.
	Source(file string) (printers []string, err error)
	// Printed returns what printers say of values, "" where there is none for one.
	Printed(list []Printable) ([]string, error)
}

// ScriptError is what a script ended in.
type ScriptError struct {
	Line int // from 1
	Text string
}

func (e *ScriptError) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Text) }

// Printable is a value in memory, with its type as C writes it.
type Printable struct {
	Addr ctype.Word
	Type string
}

// Environed is a Target that says what environment the program is started with, as NAME=VALUE.
type Environed interface {
	Target
	Environment() []string
}

// Screened is a Target whose program may have a terminal with a screen of its own.
type Screened interface {
	Target
	// Screen is what that terminal shows, as a copy; nil where there is none.
	Screen() *screen.Screen
	// Resize gives the screen another size, which the system announces to the program. There is a screen.
	Resize(rows, cols int) error
	// Raw reports whether the program has asked its terminal for keys instead of lines.
	Raw() bool
}

// Snapshot is a saved state; only its own target knows what is in it.
type Snapshot interface{}

// Mode says how far Resume goes.
type Mode uint8

const (
	Next     Mode = iota // the next statement of this function or its caller
	Into                 // the next statement anywhere
	Out                  // until the innermost function has returned
	Continue             // breakpoints only
	Wait                 // go on with the resume that Reason NeedInput interrupted
)

// Reason says why a program stopped.
type Reason uint8

const (
	Stepped Reason = iota
	Breakpoint
	Exited
	Crashed
	Interrupted
	NeedInput
	TimedOut
)

// Stop is where and why a program stopped.
type Stop struct {
	Reason  Reason
	Stmt    int32 // the statement to be executed next; 0 when the program has ended or is in no known place
	Depth   int   // number of active functions of the program
	Status  int   // Exited
	Message string

	Thread int  // the thread that stopped; main's is 1
	Inside bool // Stmt is not to be executed but being executed
	Timed  bool // NeedInput: it waits for a while only, again and again
	Ended  int  // the thread that was let go and has ended; 0 for none

	// Became is the file of another program that the process has become (exec); with it Reason is Exited, and Status
	// is that program's. Left says that it has not ended, but runs on by itself.
	Became string
	Left   bool

	// Returned is the scalar that the function returned which Resume with Out has left;
	// nil where that is not known.
	Returned *ctype.Word
	Whole    *Whole // what it returned that is no scalar
}

// Whole is a value that is no scalar, as it is in memory.
type Whole struct {
	Data  []byte
	Undef []bool // bytes never written, as far as the engine can tell; nil when all were
}

// Frame is an active function.
type Frame struct {
	Func *cfront.Func
	Stmt int32
	ID   uint64     // the same as long as the frame is active
	Vars []Variable // all of the function's, in scope or not; see Visible
}

// Variable is a variable and where it is.
type Variable struct {
	Var  *cfront.Var
	Addr ctype.Word
	Type *ctype.Type // where sizes are computed in each call, with those of this one; nil for others
}

// TypeOf is what is there.
func (v *Variable) TypeOf() *ctype.Type {
	if v.Type != nil {
		return v.Type
	}
	return v.Var.Type
}

// Region is memory without a name.
type Region struct {
	Addr     ctype.Word
	Size     int64
	ReadOnly bool
	Type     *ctype.Type // nil for characters
}

// Block is a heap block.
type Block struct {
	Addr ctype.Word
	Size int64
	Live bool
	Seq  int // n1, n2, ... in order of allocation

	Round bool // the program may have asked for less: Size is what glibc's malloc makes of it
}

// Errors a caller branches on.
var (
	ErrEnded = errors.New("the program has ended")
)

// Visible reports whether a variable is in scope at a statement: declared
// before it, in a block around it.
func Visible(v *cfront.Var, s *lower.Stmt) bool {
	if v.Name == "" || !v.Range.Valid() {
		return false
	}
	if v.Storage == cfront.Param {
		return true
	}
	if s == nil || v.Scope.File != s.Range.File {
		return false
	}
	at := s.Range.Start
	return v.Range.Start < at && at < v.Scope.End
}

// Environment is the type of what the environment's vector holds; its name tells it from argv.
var Environment = &ctype.Type{Kind: ctype.Pointer, Size: 8, Align: 8, Elem: ctype.CharT, Name: "environ"}

// Cells builds the answer of Undefined from a question about every four bytes;
// nil when none is undefined.
func Cells(data []byte, undefined func(off, n int) bool) []bool {
	var out []bool
	for off := 0; off < len(data); off += 4 {
		n := min(4, len(data)-off)
		if !undefined(off, n) {
			continue
		}
		if out == nil {
			out = make([]bool, len(data))
		}
		for k := off; k < off+n; k++ {
			out[k] = true
		}
	}
	return out
}

// LoadScalar reads a scalar of type t.
func LoadScalar(r interface {
	Read(ctype.Word, []byte) bool
}, addr ctype.Word, t *ctype.Type) (ctype.Word, error) {
	var buf [8]byte
	b := buf[:t.Size]
	if !r.Read(addr, b) {
		return 0, fmt.Errorf("cannot read memory at address %#x", addr)
	}
	return ctype.Load(t, b), nil
}
