package batch

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"gulo/internal/cfront"
	"gulo/internal/lower"
)

// This file holds patches against the real compiler.

const compileLimit = 20 * time.Second

// compiles reports whether gcc takes the patched sources.
func compiles(ctx context.Context, req *Request, p *lower.Program, texts map[string]string) (bool, error) {
	ctx, cancel := context.WithTimeout(ctx, compileLimit)
	defer cancel()
	dir, err := os.MkdirTemp("", "gulo-fix")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(dir)
	args := append([]string{"-fsyntax-only"}, req.Options.Flags...)
	for i, name := range req.Files {
		text, ok := texts[name]
		if !ok {
			args = append(args, name)
			continue
		}
		path := filepath.Join(dir, filepath.Base(name))
		if i > 0 {
			path = filepath.Join(dir, string(rune('a'+i))+filepath.Base(name))
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			return false, err
		}
		args = append(args, "-I"+filepath.Dir(name), path)
	}
	err = exec.CommandContext(ctx, "gcc", args...).Run()
	if _, refused := err.(*exec.ExitError); refused {
		return false, ctx.Err()
	}
	if err != nil {
		return false, &cfront.ToolError{Tool: "gcc", Err: err}
	}
	return true, nil
}

// Compile builds a program with gcc.
func Compile(ctx context.Context, bin string, files ...string) error {
	ctx, cancel := context.WithTimeout(ctx, compileLimit)
	defer cancel()
	return exec.CommandContext(ctx, "gcc", append([]string{"-g", "-o", bin}, files...)...).Run()
}
