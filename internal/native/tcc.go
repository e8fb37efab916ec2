package native

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"gulo/internal/process"
	"gulo/internal/timing"
)

// This file has tcc (Bellard's Tiny C Compiler) compile programs that are only screened. It reads a schema of ten
// thousand edits in a thirtieth of the time of gcc -O0. gcc links what tcc makes, with the same harness. Where tcc
// refuses a text, or is not installed, gcc compiles it.
//
// tcc's programs differ from gcc's where C leaves it open: in the order in which arguments are computed, and in what
// is read where nothing was written. So whoever screens compares what the program does without edits with what gcc's
// does, and what is shown is compiled by gcc. Variables without an initial value are filled by a function that a
// schema's text calls where a function begins (gulo_fill, see package schema).

// tinyCompiler is the path of tcc; "" where it is not installed.
var tinyCompiler = sync.OnceValue(func() string {
	at, err := exec.LookPath("tcc")
	if err != nil {
		return ""
	}
	return at
})

// undeclared is what tcc says of calls of functions that are not declared. It does not know the types of those of the
// library, as gcc does.
const (
	undeclaredFlag = "-Wimplicit-function-declaration"
	undeclared     = "implicit declaration of function"
)

// other are words by which a text asks what compiler reads it, or that the headers of the C library remove for
// compilers other than gcc (sys/cdefs.h defines __attribute__ as nothing).
var other = strings.Fields("__attribute __GNUC __VERSION__ __STDC_VERSION__ __clang")

// portable reports whether a program's texts mean to tcc what they mean to gcc.
func (m *Mirror) portable() bool {
	for _, text := range m.texts {
		if slices.ContainsFunc(other, func(w string) bool { return strings.Contains(text, w) }) {
			return false
		}
	}
	return true
}

// Screening reports whether tcc is installed.
func Screening() bool { return tinyCompiler() != "" }

// screened compiles the units with tcc and returns the objects; nil if tcc is not there or does not take them.
func (c *compilation) screened(ctx context.Context) (objects []string) {
	tcc := tinyCompiler()
	if tcc == "" {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, compileLimit)
	defer cancel()
	defer timing.Begin(ctx, "tcc").End("")
	for i, u := range c.units() {
		flags, ok := tinyFlags(u.Flags)
		if !ok {
			return nil
		}
		object := filepath.Join(c.objects, fmt.Sprintf("unit%d.o", i))
		cmd := process.Command(ctx, tcc, slices.Concat(flags, c.names, []string{undeclaredFlag, "-c", u.Name, "-o", object})...)
		cmd.Dir = u.Dir
		if said, err := cmd.CombinedOutput(); err != nil || bytes.Contains(said, []byte(undeclared)) {
			return nil
		}
		objects = append(objects, object)
	}
	return objects
}

// tinyFlags returns those of a user's flags that tcc needs; ok is false if some flag may change what a program means
// and tcc does not know it.
func tinyFlags(flags []string) (out []string, ok bool) {
	for i := 0; i < len(flags); i++ {
		f := flags[i]
		switch {
		case f == "-I" || f == "-isystem" || f == "-D" || f == "-U" || f == "-include":
			if i++; i == len(flags) {
				return nil, false
			}
			out = append(out, f, flags[i])
		case strings.HasPrefix(f, "-I") || strings.HasPrefix(f, "-D") || strings.HasPrefix(f, "-U"):
			out = append(out, f)
		case f == "-funsigned-char" || f == "-fsigned-char":
			out = append(out, f)
		case strings.HasPrefix(f, "-std=") || strings.HasPrefix(f, "-O") || strings.HasPrefix(f, "-g") || strings.HasPrefix(f, "-W") ||
			strings.HasPrefix(f, "-l") || f == "-pthread" || f == "-w" || f == "-pedantic" || f == "-fwrapv" || f == "-fno-strict-aliasing":
		case filepath.Ext(f) == ".o" || filepath.Ext(f) == ".a": // gcc links them
		default:
			return nil, false
		}
	}
	return out, true
}
