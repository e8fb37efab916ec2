// Package judge checks candidates: whichever engine found a repair, it is shown only after
// it was compiled and run natively on the cases that it was found with.
//
// The ladder of trust: a candidate meets the cases on the machine (the engines see to that),
// and inputs that were held back; gcc compiles it; compiled with AddressSanitizer and
// UndefinedBehaviorSanitizer it does the same as on the machine, in calls of a function
// (Calls) and in whole runs; beside a reference of numbers a Comparer is asked whether all of that
// is so for every input, and what it names is tried in whole runs; the rest, proofs and counterexamples from specifications that
// its engine did not look at, is package pipeline's, which asks other engines for them.
// What could not be tried is said (Native.Missing), in the words of package trust.
//
// The machine is what C means here. A native run can refute a candidate only where a program
// that is right comes through the same run.
package judge
