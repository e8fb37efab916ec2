// Command gulo is a debugger that repairs C programs.
package main

import (
	"os"

	"gulo/internal/app"
	"gulo/internal/sandbox"
)

func main() {
	sandbox.Main()
	os.Exit(app.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
