// Package gate measures gulo fix, gulo locate and sessions of gulo debug on programs that other people wrote.
//
// A corpus is a folder with a folder for each program, at any depth; docs/gate.md has the layout. A program is a wrong
// version, the version to which its author corrected it, if that is known, and whole runs as tests. Open reads a corpus
// and Draw takes a sample by hash. Each pair of a program and a mode is a Job. A job is done in a process of its own
// with limits (Do), and the queue of package campaign hands jobs out, so that several machines can work on one
// measurement. A Job's result is a Record. Records are written to a file as they come, and a second run of the same
// build with the same settings continues after them.
//
// gulo gets half of the tests. A session plays one of them, with a user.User who knows the corrected version. The first
// repair is run on all tests and, compared with the corrected version, on inputs made from the tests, each time also
// with sanitizers.
//
// Not supported: programs that read files or need a network.
package gate
