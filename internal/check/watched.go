package check

import (
	"io"
	"strings"

	"gulo/internal/lower"
)

// This file runs a loaded program many times under the shipped memory rules.

// mostWatched bounds the instructions of such a run.
const mostWatched = 20_000_000

// Watched returns a function that runs a program on the machine under the shipped memory rules, with the given
// arguments and standard input. file is the program's name. Output is discarded.
func Watched(p *lower.Program, file string) (func(args []string, stdin string) (*Result, error), error) {
	r := &Request{Files: []string{file}}
	x, err := with(r, p)
	if err != nil {
		return nil, err
	}
	x.lax = true // a repair need not free what main leaves to the system, as in most small programs
	return func(args []string, stdin string) (*Result, error) {
		one := *r
		one.Args, one.Stdin, one.Stdout, one.Stderr, one.MaxSteps = args, strings.NewReader(stdin), io.Discard, io.Discard, mostWatched
		return x.run(&one)
	}, nil
}
