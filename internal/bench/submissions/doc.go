// Package submissions measures gulo fix on students' programs: any folder that holds
// assignments with tests, a reference and submissions.
//
// An assignment is what a folder with tests (NAME.in, NAME.out) is for. It is named by
// the folder's path without the parts that say what kind of file is in it (tests,
// reference, submissions): lab02/ex01 for tests/lab02/ex01 as for lab02/ex01/tests. C files
// whose paths lead through the name of an assignment belong to it: its reference where a
// part of the path begins with "reference", right submissions (what made-up inputs are
// held against) where one begins with "correct" or "right", and submissions otherwise.
//
// Part of the tests of an assignment is given to gulo and the rest held back. Tests are
// chosen by the hash of their names and submissions drawn by the hash of their paths, so a
// repeated measurement uses the same ones. What gulo shows is run on all tests and on inputs
// made from them, for which the reference supplies the output.
//
// Not supported: assignments of functions without a main, and other languages.
package submissions
