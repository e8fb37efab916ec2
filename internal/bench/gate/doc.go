// Package gate measures gulo fix, gulo locate and sessions of gulo debug on programs that others wrote.
//
// A corpus is a folder with a folder for each program, at any depth; docs/gate.md has the layout. A program is a wrong
// version, the version that its author corrected it to where that is known, and whole runs as tests. Open reads
// a corpus and Draw takes a sample by hash. Each pair of a program and a mode is a Job, done in a
// process of its own with limits (Do) and handed out by the queue of package campaign, so that several machines can
// work on one measurement. A Job's result is a Record; records are written to a file as they come, and a second
// run of the same build with the same settings goes on after them.
//
// gulo is given half of the tests; a session plays one of them, with a user.User who knows the corrected version. The
// first repair is run on all tests and, beside the corrected version, on inputs made from the tests, on both with
// sanitizers as well.
//
// Not supported: programs that read files or need a network.
package gate
