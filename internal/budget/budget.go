// Package budget limits work by steps, so that an answer depends neither on the speed of a machine nor on what else
// runs there.
//
// A step is one instruction of the abstract machine (package ir). Other work counts as a number of steps. Limits are
// written as nominal times, at PerSecond steps a second; steps have no other relation to a clock. A limit of real time
// (--limit) is only a guard.
package budget

import "time"

// The costs of work in steps. They were measured on programs of a page, on one processor with nothing else running. The
// machine executes 70 to 120 million instructions a second with every statement counted. It takes 50 to 70 µs to begin
// and end a run, as long to copy memory at a call, and 10 µs more for each object copied. A native run of a session
// takes 200 µs. One of many runs in a process takes 25 µs, and with edits woven in 35 to 52 ns for each round of a loop
// or call, measured on 4.5 million runs of 36 programs that students wrote.
const (
	PerSecond = 100_000_000
	Run       = 5_000
	Image     = 5_000
	Object    = 1_000
	Native    = 20_000
	Quick     = 2_500     // one of many native runs in a process
	Round     = 4         // of a loop, or a call, in a native run with edits
	Process   = 1_000_000 // a program is started
	Compile   = 8_000_000 // gcc is started, and links
	Byte      = 500       // one byte of the text that gcc compiles, or reads for the machine, without headers
	Load      = 5_000_000 // a changed program is checked by gcc and read for the machine, with the library's headers
)

// Of returns how many steps nominally take a time.
func Of(d time.Duration) int64 { return int64(d/time.Microsecond) * (PerSecond / 1_000_000) }

// Steps is the number of steps left. Its zero value has none left. Only one goroutine may use it at a time.
type Steps struct{ left int64 }

// For returns the steps that nominally take a time.
func For(d time.Duration) Steps { return Steps{Of(d)} }

// Spend takes steps away.
func (s *Steps) Spend(n int64) { s.left -= n }

// Over reports whether no step is left.
func (s *Steps) Over() bool { return s.left <= 0 }
