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

// This file reads what CMake and Meson generate in a build folder: Ninja files, which ninja itself parses, and CMake's
// makefiles. They say how every file is compiled and what every program is linked from, whether or not it has been
// built.

// generated returns the build that the generated files of a folder describe; nil if there are none. dir is the folder
// of the database.
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

// ninjaLimit bounds how long ninja may take to list the commands of a build.
const ninjaLimit = 30 * time.Second

// ninja adds the commands in a folder's Ninja files. If there are several configurations, it adds those of all.
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

// written updates db.since with the time when a file of the description was written.
func (db *Database) written(name string) {
	if st, err := os.Stat(name); err == nil {
		db.since = max(db.since, st.ModTime().UnixNano())
	}
}

// shell adds the calls of compilers, linkers and ar in a shell command line.
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

// note adds a command if it calls a compiler, a linker or ar. For make and ninja it records the folder.
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
		return // nothing is compiled: the command lists headers or asks for the version
	}
	if r.stop == 'c' && len(r.sources) > 0 {
		c.File = r.sources[0]
	}
	c.Output = r.output
	db.Commands = append(db.Commands, c)
}

// makefiles adds the commands in CMake's makefiles. Each target has a folder: flags.make defines variables, build.make
// uses them to compile, and link.txt links.
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
			continue // the target compiles nothing
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

// described returns the generated build to which a compile_commands.json belongs; nil if there is none. The file may be
// a link from the source folder to that of the build.
func (db *Database) described() *Database {
	var asked []string
	for _, c := range db.Commands {
		if slices.Contains(asked, c.Directory) {
			continue
		}
		if asked = append(asked, c.Directory); len(asked) > 16 { // a build has one folder; many folders mean that no generator wrote it
			return nil
		}
		if g := generated(c.Directory, db.Dir); g != nil {
			return g
		}
	}
	return nil
}

// Known returns the recorded build for a command that found everything up to date. It looks in the folder that the
// command names, as ninja -C DIR does, in the folders where it started make and ninja, and in the current one. db is
// the result of Record.
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

// open reads the description of the build in a folder: generated files, a recorded build, or compile_commands.json.
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
