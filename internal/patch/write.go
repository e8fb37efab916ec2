package patch

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/native"
	"gulo/internal/process"
)

// This file holds patches against the real compiler.

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

// Compiles reports whether gcc compiles a program's texts. The error is gcc's absence, the
// end of the context, or a file's.
func Compiles(ctx context.Context, files []string, opt cfront.Options, texts map[string]string) (bool, error) {
	dir, err := process.TempDir("gulo-patch-")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(dir)
	at, opt, err := WriteTo(dir, files, opt, texts)
	if err != nil {
		return false, err
	}
	for i, name := range at {
		if !strings.HasSuffix(name, ".c") {
			continue
		}
		err := native.GCC(ctx, "", append([]string{"-c", "-o", filepath.Join(dir, fmt.Sprintf("%d.o", i)), name}, opt.Flags...)...)
		var no *native.CompileError
		if errors.As(err, &no) {
			return false, nil
		}
		if err != nil {
			return false, err
		}
	}
	return true, nil
}
