package project

import (
	"cmp"
	"context"
	"debug/elf"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"gulo/internal/process"
)

// This file watches a build. A library that is loaded into all its processes records how compilers are called.
// Statically linked programs load no library. For those, scripts on the PATH record the call instead, and only for
// those: a configuration script keeps the path of the compiler that it finds, and the scripts are removed after the
// build.

// script records the number of words, the folder, the name and the arguments of a call. Each process writes to a file
// of its own, so that no two write to the same one.
const script = `#!/bin/sh
if [ -z "$GULO_SEEN" ]; then
	printf '%%s\0' "$(($# + 1))" "$PWD" %[1]s "$@" >> "$GULO_RECORD/$$"
	export GULO_SEEN=1
fi
exec %[1]s "$@"
`

//go:embed watch/note.c
var noteSource []byte

// preload compiles the library that is loaded into the processes of a build, and returns the environment variables for
// it; nil if gcc cannot make it here. A library that the user preloads is kept. The address sanitizer's check of the
// library order is switched off, because it would fail in programs that the build runs.
func preload(ctx context.Context, dir string) []string {
	source, lib := filepath.Join(dir, "note.c"), filepath.Join(dir, "note.so")
	if os.WriteFile(source, noteSource, 0o600) != nil || process.Command(ctx, "gcc", "-shared", "-fPIC", "-O1", "-w", "-o", lib, source).Run() != nil {
		return nil
	}
	join := func(more ...string) string {
		return strings.Join(slices.DeleteFunc(more, func(s string) bool { return s == "" }), ":")
	}
	return []string{"LD_PRELOAD=" + join(lib, os.Getenv("LD_PRELOAD")), "ASAN_OPTIONS=" + join(os.Getenv("ASAN_OPTIONS"), "verify_asan_link_order=0")}
}

// Record runs a build command in the current folder and returns what it compiled. The build's output goes to out. If
// the build itself fails, the error is an *exec.ExitError, and what it compiled before is returned, too.
func Record(ctx context.Context, args []string, out io.Writer) (*Database, error) {
	dir, err := process.TempDir("gulo-record-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	bin, log := filepath.Join(dir, "bin"), filepath.Join(dir, "log")
	if err := errors.Join(os.Mkdir(bin, 0o700), os.Mkdir(log, 0o700)); err != nil {
		return nil, err
	}
	loaded := preload(ctx, dir)
	if err := wrap(bin, loaded == nil); err != nil {
		return nil, err
	}
	name := args[0]
	if _, err := os.Stat(filepath.Join(bin, name)); err == nil && !strings.Contains(name, "/") {
		name = filepath.Join(bin, name) // a directly called compiler must be recorded, too
	}
	cmd := process.Program(ctx, name, args[1:]...)
	cmd.Env = append(append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"), "GULO_RECORD="+log), loaded...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, out, out
	ran := cmd.Run()
	var failed *exec.ExitError
	if ran != nil && (!errors.As(ran, &failed) || ctx.Err() != nil) {
		return nil, ran
	}
	db := &Database{Dir: mustGetwd()}
	list, err := os.ReadDir(log)
	if err != nil {
		return nil, err
	}
	began := map[string]time.Time{}
	for _, e := range list {
		if info, err := e.Info(); err == nil {
			began[e.Name()] = info.ModTime()
		}
	}
	slices.SortStableFunc(list, func(x, y os.DirEntry) int { return began[x.Name()].Compare(began[y.Name()]) })
	for _, e := range list {
		b, err := os.ReadFile(filepath.Join(log, e.Name()))
		if err != nil {
			return nil, err
		}
		if err := db.read(string(b)); err != nil {
			return nil, err
		}
	}
	for i := range db.Commands {
		c := &db.Commands[i]
		if st, err := os.Stat(join(c.Directory, cmp.Or(c.Output, objectName(c.File)))); err == nil && c.File != "" {
			c.Made = st.ModTime().UnixNano()
		}
	}
	if len(db.Commands) > 0 {
		if err := db.Save(); err != nil {
			return nil, err
		}
	}
	return db, ran
}

// static reports whether a program is linked statically, so that it loads no library.
func static(name string) bool {
	f, err := elf.Open(name)
	if err != nil {
		return false // a script: the programs that it calls are recorded
	}
	defer f.Close()
	return !slices.ContainsFunc(f.Progs, func(p *elf.Prog) bool { return p.Type == elf.PT_INTERP })
}

// wrap writes a script for every compiler and ar on the PATH that is linked statically, or with all set for every one.
func wrap(bin string, all bool) error {
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		list, _ := os.ReadDir(dir)
		for _, e := range list {
			to := filepath.Join(bin, e.Name())
			at := filepath.Join(dir, e.Name())
			if toolOf(e.Name()) == "" && !wrapsCompilers[e.Name()] || !filepath.IsAbs(dir) {
				continue
			}
			if st, err := os.Stat(at); err != nil || st.IsDir() || st.Mode()&0o111 == 0 || !all && !static(at) {
				continue
			}
			if _, err := os.Stat(to); err == nil {
				continue // an earlier folder of the PATH has precedence
			}
			quoted := "'" + strings.ReplaceAll(at, "'", `'\''`) + "'"
			if err := os.WriteFile(to, fmt.Appendf(nil, script, quoted), 0o700); err != nil {
				return err
			}
		}
	}
	return nil
}

// read parses the records of one process.
func (db *Database) read(text string) error {
	f := strings.Split(strings.TrimSuffix(text, "\x00"), "\x00")
	for len(f) >= 3 {
		n, err := strconv.Atoi(f[0])
		if err != nil || n < 1 || len(f) < 2+n {
			return errors.New("what a compiler was called with could not be noted")
		}
		db.note(f[1], f[2:2+n])
		f = f[2+n:]
	}
	return nil
}
