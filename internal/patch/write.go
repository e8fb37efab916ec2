package patch

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"gulo/internal/cfront"
	"gulo/internal/process"
)

// This file holds patches against the real compiler.

// compileLimit bounds one run of gcc.
const compileLimit = 20 * time.Second

// WriteTo writes a program with changed texts, by name, into a folder, and returns its
// files there with the options to read them; headers are found where they were.
func WriteTo(dir string, files []string, opt cfront.Options, texts map[string]string) ([]string, cfront.Options, error) {
	opt.Flags = append([]string(nil), opt.Flags...)
	var out []string
	for i, name := range files {
		opt.Flags = append(opt.Flags, "-I"+filepath.Dir(name))
		text, ok := texts[name]
		if !ok {
			text, ok = texts["./"+name] // where it is included from the current folder
		}
		if !ok {
			b, err := os.ReadFile(name)
			if err != nil {
				return nil, opt, err
			}
			text = string(b)
		}
		to := filepath.Join(dir, fmt.Sprintf("%d-%s", i, filepath.Base(name)))
		if err := os.WriteFile(to, []byte(text), 0o600); err != nil {
			return nil, opt, err
		}
		out = append(out, to)
	}
	return out, opt, nil
}

// Compiles reports whether gcc takes a program's texts. The error is gcc's absence, the
// end of the context, or a file's.
func Compiles(ctx context.Context, files []string, opt cfront.Options, texts map[string]string) (bool, error) {
	ctx, cancel := context.WithTimeout(ctx, compileLimit)
	defer cancel()
	dir, err := process.TempDir("gulo-patch-")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(dir)
	at, opt, err := WriteTo(dir, files, opt, texts)
	if err != nil {
		return false, err
	}
	args := append(append([]string{"-fsyntax-only"}, opt.Flags...), at...)
	cmd := process.Command(ctx, "gcc", args...)
	out, err := cmd.CombinedOutput()
	if died := process.Died("gcc", err, out); died != nil && ctx.Err() == nil {
		return false, died
	}
	if _, refused := err.(*exec.ExitError); refused {
		return false, ctx.Err()
	}
	if err != nil {
		return false, &cfront.ToolError{Tool: "gcc", Err: err, Hint: "install it with: apt-get install gcc"}
	}
	return true, nil
}
