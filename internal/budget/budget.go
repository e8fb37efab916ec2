// Package budget bounds work by steps, so that an answer does not depend on how fast a machine is or what else it does.
//
// A step is an instruction of the abstract machine (ir); other work is counted as so many of them. What is allowed is
// written as the time that it nominally takes, at PerSecond: that is the only relation to a clock. Where a limit of time is
// given besides (--limit), it is a guard.
package budget

import "time"

// What work is counted as. Measured on programs of a page, one processor, nothing else on it: the machine executes 70 to
// 120 million instructions a second with every statement counted; to begin and end a run takes it 50 to 70 µs; a copy of
// memory at a call takes as long, and 10 µs for each object; a native run of a session takes 200 µs.
const (
	PerSecond = 100_000_000
	Run       = 5_000
	Image     = 5_000
	Object    = 1_000
	Native    = 20_000
	Quick     = 2_000     // one of many native runs in a process
	Process   = 1_000_000 // a program begins
	Compile   = 8_000_000 // gcc begins and links
	Byte      = 500       // of a text that it compiles, without headers
)

// Of is how many steps take so much time, nominally.
func Of(d time.Duration) int64 { return int64(d/time.Microsecond) * (PerSecond / 1_000_000) }

// Steps is what is left. The zero value is nothing; it is not for several goroutines at once.
type Steps struct{ left int64 }

// For is what nominally takes so much time.
func For(d time.Duration) Steps { return Steps{Of(d)} }

// Spend takes steps away.
func (s *Steps) Spend(n int64) { s.left -= n }

// Over reports whether nothing is left.
func (s *Steps) Over() bool { return s.left <= 0 }
