// Package judges checks gulo's judges. It makes pairs of a right C program and a variant that a native search has found
// to differ. gulo fix repairs each variant with every method, and every answer is checked against the compiled
// programs.
//
// An answer is false if it calls a variant right, or shows a repair as proved that a native search refutes. The package
// exists to count these. The search knows nothing of gulo's engines: it compiles both texts with gcc, calls them on
// random and boundary inputs that each program's author described in C, and compares what they return, print and leave
// in globals.
//
// The programs were written for the purpose (programs/*.txt). Variants come from package fault, from mutations of the
// text (variants.go), and from mistakes as people make them, which are listed with each program.
package judges
