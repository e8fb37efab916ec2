// Package judge checks candidates. Whichever engine found a repair, it is shown only after it was compiled and run
// natively on the cases that it was found with.
//
// A candidate climbs a ladder of trust. It meets the cases on the machine (the engines see to that), and inputs that
// were held back. gcc compiles it. Compiled with AddressSanitizer and UndefinedBehaviorSanitizer it does the same as on
// the machine, in calls of a function (Calls) and in whole runs. If there is a reference, a Comparer is asked whether
// the two agree on every input, and any counterexample is tried in whole runs. Other proofs and counterexamples, from
// specifications that its engine did not look at, are the matter of package pipeline, which asks other engines for
// them. What could not be tried is said (Native.Missing), in the words of package trust.
//
// The machine defines what C means here. A native run can refute a candidate only if a program that is right passes the
// same run.
package judge
