// Command gulo is a debugger that repairs C programs.
package main

import (
	"os"
	"runtime/debug"

	"gulo/internal/app"
	"gulo/internal/sandbox"
)

// softMemory is from when on memory is looked after more than time.
const softMemory = 1500 << 20

func main() {
	sandbox.Main()
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(softMemory)
	}
	os.Exit(app.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
