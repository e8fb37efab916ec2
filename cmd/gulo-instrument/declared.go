//go:build llvm19

package main

/*
unsigned LLVMGetDebugLocLine(void *);
const char *LLVMGetDebugLocFilename(void *, unsigned *);
const char *LLVMGetDebugLocDirectory(void *, unsigned *);
*/
import "C"

import (
	"path/filepath"
	"unsafe"

	"tinygo.org/x/go-llvm"
)

// declaration returns where a global variable is declared, as its debug information says; line 0 if it says nothing.
// The Go bindings of LLVM have no function for this.
func declaration(g llvm.Value) (file string, line uint) {
	v := unsafe.Pointer(g.C)
	if line = uint(C.LLVMGetDebugLocLine(v)); line == 0 {
		return "", 0
	}
	text := func(s *C.char, n C.unsigned) string {
		if s == nil {
			return ""
		}
		return C.GoStringN(s, C.int(n))
	}
	var n C.unsigned
	file = text(C.LLVMGetDebugLocFilename(v, &n), n)
	if dir := text(C.LLVMGetDebugLocDirectory(v, &n), n); file != "" && !filepath.IsAbs(file) {
		file = filepath.Join(dir, file)
	}
	return file, line
}
