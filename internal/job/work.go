package job

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"gulo/internal/process"
	"gulo/internal/workdir"
)

// This file finds the files that a program may open: files in the folder of tests, in the working folder and in the
// folders of the program's files, and files below these that the program or its input names.

// literal matches a string literal in a program's text.
var literal = regexp.MustCompile(`"((?:[^"\\\n]|\\.)*)"`)

// Work reads the files that runs of a program find; nil if nothing in the program opens files. tests is a folder of
// whole runs, or "".
func Work(files, args []string, stdin, tests string) *workdir.Files {
	named := append(slices.Clone(args), strings.Fields(stdin)...)
	folders := []workdir.Folder{{Dir: tests, Skip: IsTest}, {Dir: "."}}
	uses := false
	var texts []string
	for _, name := range files {
		texts = append(texts, name)
		dir := filepath.Dir(name)
		if slices.ContainsFunc(folders[1:], func(f workdir.Folder) bool { return f.Dir == dir }) {
			continue
		}
		folders = append(folders, workdir.Folder{Dir: dir})
	}
	for _, f := range folders[1:] { // a program may include files that are not in its list
		for _, ext := range []string{"*.h", "*.c"} {
			more, _ := filepath.Glob(filepath.Join(f.Dir, ext))
			texts = append(texts, more...)
		}
	}
	for i, name := range texts {
		if st, err := os.Stat(name); err != nil || !st.Mode().IsRegular() || st.Size() > workdir.MaxAll {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil || !workdir.Opens(text) && i >= len(files) {
			continue
		}
		uses = uses || workdir.Opens(text)
		for _, m := range literal.FindAllSubmatch(text, -1) {
			named = append(named, string(m[1]))
		}
	}
	if !uses {
		return nil
	}
	if tests == "" {
		folders = folders[1:]
	} else {
		named = append(named, inTests(tests)...)
	}
	return workdir.Read(folders, named)
}

// IsTest reports whether a file in a folder of tests belongs to a test, by its extension.
func IsTest(name string) bool {
	return slices.Contains([]string{".out", ".in", ".args", ".exit", ".any"}, filepath.Ext(name))
}

// inTests lists the words in the arguments and inputs of a folder of tests.
func inTests(dir string) (out []string) {
	list, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	for _, e := range list {
		ext := filepath.Ext(e.Name())
		if ext != ".args" && ext != ".in" {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			continue
		}
		words := strings.Fields(string(text))
		if split, err := process.Words(string(text)); err == nil && ext == ".args" {
			words = split
		}
		out = append(out, words...)
	}
	return out
}
