// Package outside holds sixty programs as people write them, each with the mistake that
// its author would make, and measures how gulo fix and gulo locate, called as on the
// command line, do on them.
//
// The faults are not drawn from any space of edits: forgotten cases, a wrong order,
// a branch copied and not changed, a bound one off, precedence, a stale pointer.
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
//	            what the author of a function that is wrong says of it, as gulo fix --contract reads
//	            it: from what the function is for, not from the fault
//	asserts.txt assertions that the author puts into the program (see parseAsserts)
//
// apart, held, later, kept, fresh and sealed have more of them, which are not part of the binary (Folder reads them),
// each also with
//
//	reference.c another program for the same task, written apart from right.c: it does the
//	            same on the inputs that the grammar makes
//
// main need not be the same there.
//
// A repair is right when it does what right.c does, in output and exit status and
// without a report of the sanitizers, on all inputs that the grammar gives and that
// gulo has never seen. One that does, but loses memory where right.c loses none, is
// counted by itself. One that is wrong, but keeps the contract or the assertions that it was
// made by, is counted as one that what was said does not tell.
package outside
