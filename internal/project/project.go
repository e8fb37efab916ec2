// Package project says how a program of many files is built: which commands compiled its
// files, with which flags and in which directory, and what was linked into which program. It reads
// compile_commands.json (Clang, "JSON Compilation Database Format Specification"; CMake, Meson, Bear and compiledb write it),
// the files of Ninja and the makefiles of CMake, and what Record has seen a build do. A program that was built by other
// means is known by its debug information.
package project

import (
	"encoding/json"
	"errors"
	"fmt"
	"gulo/internal/process"
	"gulo/internal/source"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Command is one run of a compiler, a linker or ar, as it was given.
type Command struct {
	Directory string   `json:"directory"`
	File      string   `json:"file,omitempty"`
	Output    string   `json:"output,omitempty"`
	Arguments []string `json:"arguments,omitempty"`
	Command   string   `json:"command,omitempty"` // instead of Arguments, as a shell takes it
	Made      int64    `json:"made,omitempty"`    // when the object was written that this made, in nanoseconds of the epoch; of what Record has seen
}

// Database is what is known of a build.
type Database struct {
	Dir      string // the folder that it was looked for in
	Commands []Command
	before   int      // how many of them an earlier build has left
	since    int64    // when a generator wrote the description: what is newer was made as it says; 0: it says nothing of what there is
	folders  []string // that make and ninja were started in while the build was watched
}

// Recorded is where Record keeps what it has seen, below the folder that was built in.
const Recorded = ".gulo/commands.json"

// Open reads the database of a build folder, or the file that holds it.
func Open(path string) (*Database, error) {
	st, err := os.Stat(path)
	if err != nil {
		return nil, errors.New(source.Refused("--build", path, err, "the folder with compile_commands.json, or that file"))
	}
	if st.IsDir() {
		return open(path)
	}
	db, err := read(path, filepath.Dir(path))
	if err == nil {
		if g := db.described(); g != nil {
			return g, nil
		}
	}
	return db, err
}

func read(name, dir string) (*Database, error) {
	file, err := source.ReadFile(name)
	if err != nil {
		return nil, err
	}
	b := file.Text
	db := &Database{Dir: dir}
	if err := json.Unmarshal(b, &db.Commands); err != nil {
		return nil, fmt.Errorf("%s: %s", at(name, b, err), err)
	}
	for i := range db.Commands {
		c := &db.Commands[i]
		if len(c.Arguments) == 0 {
			if c.Arguments, err = process.Words(c.Command); err != nil {
				return nil, fmt.Errorf("%s: the command of %s: %v", name, c.File, err)
			}
		}
		if !filepath.IsAbs(c.Directory) {
			c.Directory = filepath.Join(dir, c.Directory)
		}
	}
	return db, nil
}

// at adds to a file's name the line and column of an error in its JSON.
func at(name string, text []byte, err error) string {
	var off int64 = -1
	var syntax *json.SyntaxError
	var typed *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		off = syntax.Offset
	case errors.As(err, &typed):
		off = typed.Offset
	}
	if off < 0 || off > int64(len(text)) {
		return name
	}
	before := string(text[:off])
	return fmt.Sprintf("%s:%d:%d", name, strings.Count(before, "\n")+1, max(len(before)-strings.LastIndexByte(before, '\n')-1, 1))
}

// Save writes the database to where Record keeps it; what an earlier one has of other
// files stays.
func (db *Database) Save() error {
	name := filepath.Join(db.Dir, Recorded)
	if old, err := read(name, db.Dir); err == nil {
		key := func(c Command) string {
			return c.Directory + "\x00" + c.File + "\x00" + c.Output
		}
		var kept []Command
		for _, c := range old.Commands {
			if !slices.ContainsFunc(db.Commands, func(d Command) bool { return key(c) == key(d) }) {
				kept = append(kept, c)
			}
		}
		db.Commands, db.before = append(kept, db.Commands...), len(kept)
	}
	b, err := json.MarshalIndent(db.Commands, "", " ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return os.WriteFile(name, append(b, '\n'), 0o644)
}
