package patch

import (
	"context"
	"errors"
	"os"

	"gulo/internal/cfront"
	"gulo/internal/native"
	"gulo/internal/process"
)

// This file writes patched programs to a folder, and compiles them with gcc.

// WriteTo writes a program with changed texts, given by name, to a folder that mirrors where its files were
// (native.Mirror). It returns the program's files there, and the options to compile them.
func WriteTo(dir string, files []string, opt cfront.Options, texts map[string]string) ([]string, cfront.Options, error) {
	m, err := native.NewMirror(dir, files, opt, texts)
	if err != nil {
		return nil, opt, err
	}
	return m.Files, m.Options, nil
}

// Compiles reports whether gcc compiles a program with changed texts. The error means that gcc is missing, the context
// ended, or a file could not be written.
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
