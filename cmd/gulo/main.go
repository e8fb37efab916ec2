// Command gulo is a debugger that repairs C programs.
package main

import (
	"os"

	"gulo/internal/app"
	"gulo/internal/sandbox"
)

func main() {
	sandbox.Main()
	os.Exit(app.Process())
}
