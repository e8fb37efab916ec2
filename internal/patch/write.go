package patch

import (
	"context"
	"errors"
	"os"

	"gulo/internal/cfront"
	"gulo/internal/native"
	"gulo/internal/process"
)

// This file holds patches against the real compiler.

// WriteTo writes a program with changed texts, by name, into a folder, where each file stands as it did (native.Mirror).
// It returns the program's files there, and how they are compiled.
func WriteTo(dir string, files []string, opt cfront.Options, texts map[string]string) ([]string, cfront.Options, error) {
	m, err := native.NewMirror(dir, files, opt, texts)
	if err != nil {
		return nil, opt, err
	}
	return m.Files, m.Options, nil
}

// Compiles reports whether gcc compiles a program's texts. The error is gcc's absence, the
// end of the context, or a file's.
func Compiles(ctx context.Context, files []string, opt cfront.Options, texts map[string]string) (bool, error) {
	dir, err := process.TempDir("gulo-patch-")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(dir)
	err = native.Compile(ctx, dir, files, opt, texts, "-c")
	var no *native.CompileError
	if errors.As(err, &no) {
		return false, nil
	}
	return err == nil, err
}
