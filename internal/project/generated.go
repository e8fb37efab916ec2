package project

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"gulo/internal/process"
)

// This file reads what CMake and Meson leave in the folder of a build: the files of Ninja, which ninja itself takes
// apart, and CMake's makefiles. They tell how every file is compiled and what is linked into every program, whether
// or not it has been built, and whoever has built it.

// generated returns the build that a folder's files describe, for dir, from which it was asked for; nil where there are none.
func generated(folder, dir string) *Database {
	db := &Database{Dir: dir}
	folder = join(mustGetwd(), folder)
	db.ninja(folder)
	if len(db.Commands) == 0 {
		db.makefiles(folder)
	}
	if len(db.Commands) == 0 {
		return nil
	}
	return db
}

// ninjaLimit is how long ninja may take to list the commands of a build.
const ninjaLimit = 30 * time.Second

// ninja adds the commands of a folder's files of Ninja; of a build of several configurations those of all of them.
func (db *Database) ninja(folder string) {
	if _, err := os.Stat(filepath.Join(folder, "build.ninja")); err != nil {
		return
	}
	files, _ := filepath.Glob(filepath.Join(folder, "build-*.ninja"))
	if len(files) == 0 {
		files = []string{"build.ninja"}
	}
	ctx, cancel := context.WithTimeout(context.Background(), ninjaLimit)
	defer cancel()
	for _, f := range files {
		db.written(filepath.Join(folder, filepath.Base(f)))
		cmd := process.Command(ctx, "ninja", "-f", filepath.Base(f), "-t", "compdb", "-x")
		cmd.Dir = folder
		text, err := cmd.Output()
		var list []Command
		if err != nil || json.Unmarshal(text, &list) != nil {
			continue
		}
		for _, c := range list {
			db.shell(folder, c.Command)
		}
	}
}

// written notes when a file of a description was written.
func (db *Database) written(name string) {
	if st, err := os.Stat(name); err == nil {
		db.since = max(db.since, st.ModTime().UnixNano())
	}
}

// shell adds the compilers, linkers and ar that a line of a shell calls in a folder.
func (db *Database) shell(dir, line string) {
	words, err := process.Words(line)
	if err != nil {
		return
	}
	for len(words) > 0 {
		end := slices.IndexFunc(words, func(w string) bool { return w == "&&" || w == ";" || w == "||" })
		one, rest := words, []string(nil)
		if end >= 0 {
			one, rest = words[:end], words[end+1:]
		}
		words = rest
		switch {
		case len(one) == 2 && one[0] == "cd":
			dir = join(dir, one[1])
		case len(one) > 0 && (toolOf(one[0]) != "" || wrapsCompilers[filepath.Base(one[0])]):
			db.note(dir, one)
		}
	}
}

// note adds a command, if it is one of a compiler, a linker or ar; where it is make or ninja, its folder.
func (db *Database) note(dir string, args []string) {
	if slices.Contains([]string{"make", "gmake", "ninja", "samu"}, filepath.Base(args[0])) {
		db.folders = append(db.folders, dir)
		return
	}
	c := Command{Directory: dir, Arguments: args}
	r := parse(&c)
	if r.tool == "" {
		return
	}
	if r.tool != "ar" && (r.stop == 'E' || len(r.link) == 0) {
		return // nothing is compiled: it lists headers, or was asked for its version
	}
	if r.stop == 'c' && len(r.sources) > 0 {
		c.File = r.sources[0]
	}
	c.Output = r.output
	db.Commands = append(db.Commands, c)
}

// makefiles adds the commands of CMake's makefiles. Each target has a folder: flags.make has variables, build.make uses them
// where it compiles, link.txt links.
func (db *Database) makefiles(folder string) {
	text, err := os.ReadFile(filepath.Join(folder, "CMakeFiles", "TargetDirectories.txt"))
	if err != nil {
		return
	}
	for target := range strings.Lines(string(text)) {
		target = strings.TrimSpace(target)
		if !filepath.IsAbs(target) {
			target = filepath.Join(folder, target)
		}
		flags, err := os.ReadFile(filepath.Join(target, "flags.make"))
		if err != nil {
			continue // it compiles nothing
		}
		db.written(filepath.Join(target, "flags.make"))
		db.written(filepath.Join(target, "build.make"))
		var variables []string
		for line := range strings.Lines(string(flags)) {
			if name, value, ok := strings.Cut(strings.TrimSpace(line), " ="); ok && !strings.HasPrefix(name, "#") {
				variables = append(variables, "$("+name+")", strings.TrimSpace(value))
			}
		}
		named := strings.NewReplacer(variables...)
		rules, _ := os.ReadFile(filepath.Join(target, "build.make"))
		for line := range strings.Lines(string(rules)) {
			if recipe, ok := strings.CutPrefix(line, "\t"); ok && strings.Contains(recipe, " -c ") {
				db.shell(folder, named.Replace(strings.TrimPrefix(recipe, "@")))
			}
		}
		links, _ := os.ReadFile(filepath.Join(target, "link.txt"))
		for line := range strings.Lines(string(links)) {
			db.shell(filepath.Dir(filepath.Dir(target)), line)
		}
	}
}

// described returns the build that belongs to a compile_commands.json: the folder that it describes may be another one, as
// where it is linked to from beside the sources. nil where it is nothing but that file.
func (db *Database) described() *Database {
	var asked []string
	for _, c := range db.Commands {
		if slices.Contains(asked, c.Directory) {
			continue
		}
		if asked = append(asked, c.Directory); len(asked) > 16 { // a build has one folder; these are of a build without
			return nil
		}
		if g := generated(c.Directory, db.Dir); g != nil {
			return g
		}
	}
	return nil
}

// Known returns what is known of the build that a command has found done: in the folder that it names, as ninja -C DIR
// does, where the makes and ninjas that it called were started, or in the current one. db is what Record has returned.
func (db *Database) Known(command []string) (*Database, error) {
	var folders []string
	for i, w := range command {
		name := ""
		switch {
		case (w == "-C" || w == "--build" || w == "--directory") && i+1 < len(command):
			name = command[i+1]
		case strings.HasPrefix(w, "-C"):
			name = w[2:]
		case strings.HasPrefix(w, "--directory="):
			_, name, _ = strings.Cut(w, "=")
		}
		if st, err := os.Stat(name); name != "" && err == nil && st.IsDir() {
			folders = append(folders, name)
		}
	}
	for _, f := range slices.Concat(folders, db.folders) {
		if db, err := Open(f); err == nil {
			return db, nil
		}
	}
	return Open(".")
}

// open reads what a folder has of a build: what its own files describe, what was recorded, or compile_commands.json.
func open(dir string) (*Database, error) {
	if db := generated(dir, dir); db != nil {
		return db, nil
	}
	for _, name := range []string{Recorded, "compile_commands.json"} {
		db, err := read(filepath.Join(dir, name), dir)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if db != nil && name != Recorded {
			if g := db.described(); g != nil {
				return g, nil
			}
		}
		return db, err
	}
	return nil, fmt.Errorf("%s has no compile_commands.json; cmake -DCMAKE_EXPORT_COMPILE_COMMANDS=ON or bear -- make writes one, and a build command after --, such as -- make, needs none", dir)
}
