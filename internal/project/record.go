package project

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"gulo/internal/process"
)

// This file watches a build: in front of the compilers on the path stand scripts that note
// how they are called and call them.

// script notes the folder, the name and the arguments in a file of the process's own: no
// two write to one at a time.
const script = `#!/bin/sh
printf '%%s\0' "$#" "$PWD" %[1]s "$@" >> "$GULO_RECORD/$$"
exec %[1]s "$@"
`

// Record runs a build command in the current folder and returns what it compiled. The
// build's output goes to out. An error of the build's own is an *exec.ExitError; then what
// it compiled before is returned, too.
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
	if err := wrap(bin); err != nil {
		return nil, err
	}
	name := args[0]
	if _, err := os.Stat(filepath.Join(bin, name)); err == nil && !strings.Contains(name, "/") {
		name = filepath.Join(bin, name) // a compiler that is called by itself is to be noted, too
	}
	cmd := process.Program(ctx, name, args[1:]...)
	cmd.Env = append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"), "GULO_RECORD="+log)
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
	for _, e := range list {
		b, err := os.ReadFile(filepath.Join(log, e.Name()))
		if err != nil {
			return nil, err
		}
		if err := db.read(string(b)); err != nil {
			return nil, err
		}
	}
	if len(db.Commands) > 0 {
		if err := db.Save(); err != nil {
			return nil, err
		}
	}
	return db, ran
}

// wrap writes a script for every compiler and every ar on the path.
func wrap(bin string) error {
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		list, _ := os.ReadDir(dir)
		for _, e := range list {
			to := filepath.Join(bin, e.Name())
			at := filepath.Join(dir, e.Name())
			if toolOf(e.Name()) == "" || !filepath.IsAbs(dir) {
				continue
			}
			if st, err := os.Stat(at); err != nil || st.IsDir() || st.Mode()&0o111 == 0 {
				continue
			}
			if _, err := os.Stat(to); err == nil {
				continue // an earlier folder has it
			}
			quoted := "'" + strings.ReplaceAll(at, "'", `'\''`) + "'"
			if err := os.WriteFile(to, fmt.Appendf(nil, script, quoted), 0o700); err != nil {
				return err
			}
		}
	}
	return nil
}

// read takes the notes of one process.
func (db *Database) read(text string) error {
	f := strings.Split(strings.TrimSuffix(text, "\x00"), "\x00")
	for len(f) >= 3 {
		n, err := strconv.Atoi(f[0])
		if err != nil || n < 0 || len(f) < 3+n {
			return errors.New("what a compiler was called with could not be noted")
		}
		c := Command{Directory: f[1], Arguments: f[2 : 3+n]}
		f = f[3+n:]
		r := parse(&c)
		if r.tool == "" {
			continue
		}
		if r.stop == 'c' && len(r.sources) > 0 {
			c.File = r.sources[0]
		}
		c.Output = r.output
		db.Commands = append(db.Commands, c)
	}
	return nil
}
