// Package outside holds sixty programs as people write them, each with a mistake as its
// author would make it, and measures gulo fix and gulo locate on them, called as on the
// command line.
//
// The faults are not drawn from any space of edits. They are forgotten cases, a wrong order,
// a branch that was copied and not changed, a bound that is off by one, precedence, a stale pointer.
// programs/NAME holds
//
//	right.c     the program as it should be
//	faulty.c    the same with one fault or two; main is the same
//	fault.txt   "single" or "double"; "failing: NAME" of a run that shows it; then
//	            "line N: ...", "line N-M: ..." for lines of faulty.c that are wrong, "gap N-M: ..."
//	            for something missing between two lines, in the author's words
//	tests/      eight runs as gulo fix --tests reads them
//	inputs.txt  a grammar of more arguments and standard input (see Grammar)
//	contract.json, contract2.json
//	            the contract of a faulty function, for gulo fix --contract, as its author would write it
//	            who knows the function's purpose, but not the fault
//	asserts.txt assertions that the author puts into the program (see parseAsserts)
//
// The folders apart, held, later, kept, fresh and sealed have more programs, which are not part of the binary
// (Folder reads them). There main need not be the same, and each program also has
//
//	reference.c another program for the same task, written separately from right.c: it does the
//	            same on the inputs that the grammar makes
//
// A repair is right if it does what right.c does, in output and exit status and without a
// report of the sanitizers, on all hidden inputs: inputs from the grammar that gulo has never seen. A
// repair that does so, but loses memory when right.c loses none, is a class of its own. So is a
// repair that is wrong, but meets the contract or the assertions from which it was made.
package outside
