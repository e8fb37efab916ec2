// Package judges holds gulo's judges to account: pairs of a right C program and
// a variant that a native search has told from it go through gulo fix with
// every method, and every answer is held against the compiled programs.
//
// An answer is false when it calls a variant right, or shows a repair as proved
// that a native search refutes; how many there are is what the package is for.
// The search knows nothing of gulo's engines: it compiles both texts with gcc,
// calls them on random and boundary inputs that each program's author described
// in C, and compares what they return, print and leave in globals.
//
// The programs were written for the purpose (programs/*.txt). Variants come
// from package fault, from mutations of the text (variants.go) and from
// mistakes as people make them, which stand beside each program.
package judges
