// Package user is a user of a debug session who knows what the right program shows at the same moment, and nothing
// else: not where the fault is, nor what was corrected.
//
// A User types commands and draws: Draw makes the picture that of the right program. Where to stop is known to the
// caller, as in tests whose right program has the same lines, or Find says it for two programs that differ anywhere:
// it records a run of each (Record), aligns what they have in common and returns the first Moment at which variables
// of the same name differ, else the first condition that goes another way.
//
// Not supported: threads.
package user
