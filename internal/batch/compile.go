package batch

import (
	"context"
	"time"

	"gulo/internal/process"
)

const compileLimit = 20 * time.Second

// Compile builds a program with gcc.
func Compile(ctx context.Context, bin string, files ...string) error {
	ctx, cancel := context.WithTimeout(ctx, compileLimit)
	defer cancel()
	return process.Command(ctx, "gcc", append([]string{"-g", "-o", bin}, files...)...).Run()
}
