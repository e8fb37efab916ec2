package process

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
)

// This file is about our own bugs: a panic, in whichever goroutine, becomes a
// report.

// BugCode is the exit code of a bug in gulo.
const BugCode = 70

// Go runs f in a goroutine whose panic is reported. Every goroutine is started
// by it, or calls Recover; a test in package archtest sees to that.
func Go(f func()) { go Guard(f)() }

// Guard returns f with its panic reported.
func Guard(f func()) func() {
	return func() {
		defer Recover()
		f()
	}
}

// Recover ends the process with a report when the function that defers it
// panics.
func Recover() {
	if r := recover(); r != nil {
		Report(os.Stderr, r)
		Exit(BugCode)
	}
}

// Report writes about a panic to w, and the stack to a file, or to w when there is
// no place for one. Precondition: the caller is deferred by the goroutine that
// panics.
func Report(w io.Writer, r any) {
	var b strings.Builder
	fmt.Fprintf(&b, "gulo %s, %s %s/%s\ncommand: %q\npanic: %v\n\n%s\n", Version(), runtime.Version(), runtime.GOOS, runtime.GOARCH, os.Args, r, debug.Stack())
	fmt.Fprintf(w, "gulo: this is a bug in gulo %s: %v\n", Version(), r)
	name, err := save(b.String())
	if err != nil {
		fmt.Fprintf(w, "please report it with the program, the commands that led here, what gulo version prints, and this:\n%s", b.String())
		return
	}
	fmt.Fprintf(w, "please report it with the program, the commands that led here, what gulo version prints, and %s\n", name)
}

func save(text string) (string, error) {
	f, err := os.CreateTemp("", "gulo-bug-*.txt")
	if err != nil {
		return "", err
	}
	_, err = f.WriteString(text)
	if e := f.Close(); err == nil {
		err = e
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
	return f.Name(), err
}

// Version names the build: a release, or the commit that it was built from.
func Version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "(unknown version)"
	}
	v := info.Main.Version
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && (v == "" || v == "(devel)") {
			v = s.Value[:min(12, len(s.Value))]
		}
	}
	if v == "" {
		v = "(devel)"
	}
	return v
}
