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
	// Arguments sets what the program is given at later starts: its arguments, and the file
	// that is its standard input. An empty stdin leaves the standard input as it was.
	Arguments(args []string, stdin string) error
	// Start launches the program and stops it at main's first statement.
	Start(ctx context.Context) (Stop, error)
	// Resume lets the program go as far as mode says, or to a statement in
	// breaks, whichever comes first. A statement that breaks maps to false stops
	// only the thread that is let go; one that it maps to true stops any thread.
	// Continue lets all threads go.
	Resume(ctx context.Context, mode Mode, breaks map[int32]bool) (Stop, error)
	// Goto makes a statement of the innermost function the next to execute,
	// without executing anything.
	Goto(to lower.Edge) error
	// SetResult makes the innermost function return w.
	// Precondition: it stands at its closing brace.
	SetResult(w ctype.Word) error
	// Result returns what the innermost function, at its closing brace, will
	// return; ok is false where that cannot be read.
	Result() (w ctype.Word, ok bool)

	Frames() ([]Frame, error) // innermost first
	Globals() []Variable      // including those of the C library that the program names
	Blocks() ([]Block, error) // heap blocks of the program, by order of allocation
	Read(addr ctype.Word, buf []byte) bool
	Write(addr ctype.Word, data []byte) error
	// Undefined tells which of the bytes just read from addr were never
	// written, as far as the engine can tell; nil when all were.
	Undefined(addr ctype.Word, data []byte) []bool
	// Static returns the memory around an address that is no variable and no
	// heap block: a string literal, an argument of the program, a compound
	// literal, what a function of the C library returns. t is the type that a pointer there points to, or
	// nil if that is not known; without it compound literals and memory of the library are not found.
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

// Caller is a Target that can call functions of the C library where the program stands.
type Caller interface {
	// CallLibrary calls a function with arguments of scalar types. It returns its result, or 0 if that is no scalar. After
	// an error the program is as it was.
	CallLibrary(f *cfront.Func, types []*ctype.Type, args []ctype.Word) (ctype.Word, error)
	// Text returns the address of a string literal that the program does not have. It makes one that lasts as long as the
	// process, or until an earlier state of it is restored.
	Text(s *cfront.String) (ctype.Word, bool)
}

// Stacked is a Target that knows the stack of the thread that is stepped.
type Stacked interface {
	// Stack lists the stack memory of its active functions, in one piece or as a region for each variable.
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
	// Processes tells which process is in hand, and what its parent does.
	Processes() Processes
	// News tells what has become of the others since it was asked last.
	News() ProcessNews
	// Children lists those that have been forked and have not ended.
	Children() []int
	// LetGo releases the child in hand after it has ended; its parent does not see that end before. LetGo waits a
	// moment for the parent to end.
	LetGo(ctx context.Context) error
}

// Processes is what is known of the processes that a program consists of.
type Processes struct {
	Child  bool  // the next fork leads into the child
	InHand int   // the number of the process in hand; 0 before the start
	Gone   bool  // there is no process in hand (any more)
	Forked int   // processes so far
	Parent int   // the number of its parent, which was left for it; 0 if it is the process that was started
	Doing  Doing // what that parent does
}

// ProcessNews is what has become of the processes of a program.
type ProcessNews struct {
	Entered bool  // the process in hand is another one than at the last question
	Forked  []int // children that run by themselves
	Killed  []int // by going back to before they were forked
	Reaped  []int // children that the restored state has, but that have been waited for since and cannot come back

	// After going back to before a fork, the child By goes on in the state of its parent Replaced, which was ended. Both
	// are 0 if that did not happen.
	Replaced, By int
}

// Doing is what a process does that was left for its child.
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

// Printing is a Target whose debugger can have the user's pretty-printers for values of some types.
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
	Inside bool // Stmt is already being executed, not only the next
	Timed  bool // NeedInput: its reads end by themselves after a time, and it repeats them
	Ended  int  // the thread that was let go and has ended; 0 for none

	// Became is the file of another program that the process has become (exec); with it Reason is Exited, and Status
	// is that program's. Left says that it has not ended, but runs on by itself.
	Became string
	Left   bool

	// Returned is the scalar returned by the function that Resume with Out has left;
	// nil where that is not known.
	Returned *ctype.Word
	Whole    *Whole // what that function returned, if it is no scalar
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
	Type *ctype.Type // for a type whose sizes are computed in each call: it with this call's sizes; nil for others
}

// TypeOf returns the variable's type; sizes that are computed in each call are those of this one.
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

// Environment is the element type of the environment's vector; its name tells that vector from argv.
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
