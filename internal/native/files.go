package native

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"gulo/internal/workdir"
)

// This file gives programs the files that they find in their working folder. The harness restores the folder before
// every run (harness/files.c); a run in a process of its own begins with copies.

// commands returns the commands that tell the harness about the files; "" if f is nil.
func commands(f *workdir.Files) string {
	if f == nil {
		return ""
	}
	var b strings.Builder
	b.WriteString("files\n")
	for _, dir := range f.Folders() {
		fmt.Fprintf(&b, "file %d -1\n%s", len(dir), dir)
	}
	for _, x := range f.List {
		fmt.Fprintf(&b, "file %d %d\n%s%s", len(x.Name), len(x.Data), x.Name, x.Data)
	}
	return b.String()
}

// Give has the program find files in its working folder, in every run from now on.
func (b *Binary) Give(f *workdir.Files) error {
	if f == nil {
		return nil
	}
	b.from = filepath.Join(b.dir, "given")
	if err := os.MkdirAll(b.from, 0o755); err != nil {
		return err
	}
	for _, dir := range f.Folders() {
		b.given = append(b.given, dir+"/")
		if err := os.MkdirAll(filepath.Join(b.from, dir), 0o755); err != nil {
			return err
		}
	}
	for _, x := range f.List {
		b.given = append(b.given, x.Name)
		if err := os.WriteFile(filepath.Join(b.from, x.Name), x.Data, 0o644); err != nil {
			return err
		}
	}
	return nil
}
