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
// Of the tests of an assignment a part is given to gulo and the rest held back, chosen by
// the hash of their names, as submissions are drawn by the hash of their paths: who repeats
// the measurement gets the same ones. What gulo shows is run on all tests and on inputs
// made up from them in front of the reference.
//
// Not supported: assignments of functions without a main, and other languages.
package submissions
