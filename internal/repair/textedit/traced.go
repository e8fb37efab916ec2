package textedit

import (
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
)

// This file finds the source file that lists an edit. Measurements of the space need it; searches do not.

// helpers are functions that add edits on behalf of others, besides those of listing.go.
var helpers = []string{"instead", "joined"}

// mostFrames bounds the depth of helpers and closures that a rule is looked for in.
const mostFrames = 24

var closure = regexp.MustCompile(`\.func\d`)

// listing returns the file of the function that lists an edit: the innermost one on the stack that is neither
// a helper nor a closure.
func listing() string {
	var pcs [mostFrames]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs[:])])
	for {
		f, more := frames.Next()
		name := f.Function[strings.LastIndexByte(f.Function, '.')+1:]
		file := filepath.Base(f.File)
		if strings.Contains(f.Function, "/textedit.") && file != "listing.go" && !closure.MatchString(f.Function) && !slices.Contains(helpers, name) {
			return strings.TrimSuffix(file, ".go")
		}
		if !more {
			return ""
		}
	}
}
