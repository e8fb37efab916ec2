// Package agreement compares the abstract machine with gcc on generated programs:
// csmith's, and those of small generators of its own for what csmith does not
// reach (layouts of structs, conversions of numbers, printf).
//
// It has tests only. They are short by default; `make csmith` runs them on
// thousands of programs and prints what became of each.
package agreement
