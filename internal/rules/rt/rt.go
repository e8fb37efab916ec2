// Package rt holds the C runtime of generated memory debuggers, which keeps the state that rules read while a native
// program runs. gulo.h is shared. inline.c is linked as bitcode into every instrumented file, and runtime.c once into
// the program, together with the detectors that rules/gen writes.
package rt

import "embed"

// Files are the sources.
//
//go:embed src
var Files embed.FS
