// Package rules is the language in which memory debuggers are specified (Wang,
// Neamtiu and Gupta, "Generating Sound and Effective Memory Debuggers", ISMM
// 2013, https://doi.org/10.1145/2464157.2464159). A rule names the reductions
// that are checked (section 2.1, detection points), the condition that is a
// bug, and the pointers whose value propagation chains lead to its cause.
//
//	define Allocated(r) = exists event(_, malloc, _, bid) in Trace suchthat (bid == Bid(r))
//	define Freed(r, r1) = exists event(_, free, r1, bid) in Trace suchthat (bid == Bid(r))
//	[double_free] detect <Trace; free r>: Allocated(r) && Freed(r, r1): VPC(r), VPC(r1)
//
// Parse reads a file, Check finds what each name means, Print writes it in one
// form, and a Detector evaluates a rule over a State, which is the paper's
// abstract machine as far as rules can see it (Figure 8). docs/rules.md is the
// manual.
//
// Where we differ from the paper: an access of n bytes is n dereferences, one for
// each byte; a pointer made from NULL by adding an offset (p->next) equals NULL;
// free(NULL), which does nothing in C, is not a detection point; G, the blocks of
// global variables, is a set in addition to H, F and S; arithmetic on a block id
// (bid & 1) uses the block's first word, as Figure 6 needs it.
//
// The package depends on no program and no engine: the machine and the generator
// of native debuggers both use it.
package rules
