// Package submissions measures gulo fix on students' programs, in any folder that holds assignments with tests, a
// reference and submissions.
//
// An assignment is defined by a folder with tests (NAME.in, NAME.out). Its name is the folder's path without the parts
// that say what kind of file is in it (tests, reference, submissions): lab02/ex01 for both tests/lab02/ex01 and
// lab02/ex01/tests. C files whose paths contain the name of an assignment belong to it. A file is its reference if a
// part of the path begins with "reference", a right submission (for checking made-up inputs) if one begins with
// "correct" or "right", and a submission otherwise.
//
// gulo gets part of the tests of an assignment; the rest is held back. Tests are chosen by the hash of their names and
// submissions are drawn by the hash of their paths, so that a repeated measurement uses the same ones. A repair is run
// on all tests and on inputs made from them, for which the reference supplies the output.
//
// Not supported: assignments of functions without a main, and other languages.
package submissions
