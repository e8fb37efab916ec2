package campaign

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strings"
)

// This file decides what one submission is: a file, or a folder for each student as graders' exports have it, with
// several files and perhaps a Makefile.

// unit is the files of one submission.
type unit struct {
	name  string   // its path in the class's folder, without extension
	root  string   // the student's folder; for a single file, the folder that holds it
	files []string // the one with main first
}

// units sorts the .c files of a class into submissions, in the order of their names. A file directly in the class's
// folder is a submission. A folder below it is one submission if its files form one program, as together decides;
// otherwise each of its files is one. Files that Moodle exported without folders are treated like a folder for each
// student.
func (c *Class) units(files []string) ([]unit, error) {
	folders, single := map[string][]string{}, map[string][]string{}
	var out []unit
	for _, f := range files {
		rel, err := filepath.Rel(c.Folder, f)
		if err != nil {
			return nil, err
		}
		top, _, below := strings.Cut(filepath.ToSlash(rel), "/")
		if who, _, flat := flatMoodle(top); !below && flat {
			single[who] = append(single[who], f)
			continue
		}
		if !below {
			out = append(out, unit{strings.TrimSuffix(rel, ".c"), c.Folder, []string{f}})
			continue
		}
		folders[top] = append(folders[top], f)
	}
	for who, list := range single {
		own, err := together(c.Folder, list)
		if err != nil {
			return nil, err
		}
		if len(own) == 0 && len(list) == 1 {
			own = list
		}
		if len(own) > 0 {
			out = append(out, unit{who, c.Folder, own})
			continue
		}
		for _, f := range list {
			_, name, _ := flatMoodle(filepath.Base(f))
			out = append(out, unit{who + "/" + strings.TrimSuffix(name, ".c"), c.Folder, []string{f}})
		}
	}
	for top, list := range folders {
		root := filepath.Join(c.Folder, top)
		own, err := together(root, list)
		if err != nil {
			return nil, err
		}
		if len(own) == 0 && len(list) == 1 && student(top) != top { // a student's folder with one file: that file was handed in
			own = list
		}
		if len(own) > 1 || len(own) == 1 && student(top) != top {
			out = append(out, unit{student(top), root, own})
			continue
		}
		for _, f := range list {
			rel, err := filepath.Rel(c.Folder, f)
			if err != nil {
				return nil, err
			}
			out = append(out, unit{strings.TrimSuffix(rel, ".c"), filepath.Dir(f), []string{f}})
		}
	}
	sort.Slice(out, func(i, j int) bool { return out[i].name < out[j].name })
	return out, nil
}

var (
	hasMain = regexp.MustCompile(`\bmain\s*\([^;{)]*\)\s*\{`)
	// A definition is recognized only at the beginning of a line.
	definition = regexp.MustCompile(`(?m)^([A-Za-z_][\w \t*]*?[ \t*\n])([A-Za-z_]\w*)[ \t]*\([^;{}()]*\)\s*\{`)
	staticWord = regexp.MustCompile(`\bstatic\b`)
	isTest     = regexp.MustCompile(`(?i)^tests?$`)
)

// together returns the files of a folder that form one program, the one with main first; none if they do not form one.
// A student's own tests are left out.
func together(root string, list []string) ([]string, error) {
	var mains, others []string
	defined := map[string]bool{}
	for _, f := range list {
		rel, err := filepath.Rel(root, f)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(strings.Split(filepath.ToSlash(filepath.Dir(rel)), "/"), isTest.MatchString) {
			continue
		}
		text, err := os.ReadFile(f)
		if err != nil {
			return nil, fmt.Errorf("cannot read a submission: %w", err)
		}
		text = comment.ReplaceAll(text, nil)
		for _, m := range definition.FindAllSubmatch(text, -1) {
			if name := string(m[2]); !staticWord.Match(m[1]) {
				if defined[name] && name != "main" {
					return nil, nil // several files define the same function
				}
				defined[name] = true
			}
		}
		if hasMain.Match(text) {
			mains = append(mains, f)
		} else {
			others = append(others, f)
		}
	}
	if len(mains) > 1 || len(mains) == 0 && makefile(root) == "" {
		return nil, nil
	}
	return append(mains, others...), nil
}

// makefile returns the Makefile of a folder; "" if it has none.
func makefile(root string) string {
	for _, name := range []string{"GNUmakefile", "makefile", "Makefile"} {
		if f := filepath.Join(root, name); regular(f) {
			return f
		}
	}
	return ""
}

func regular(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// moodle matches what Moodle's exports append to a student's name and number.
var moodle = regexp.MustCompile(`_assignsubmission_(file|onlinetext)_?$`)

// flat matches the names of files that Moodle exports without folders.
var flat = regexp.MustCompile(`^(.+_[0-9]+)_assignsubmission_(?:file|onlinetext)_(.+)$`)

// flatMoodle splits such a name into the student with a number, and the name of the file.
func flatMoodle(file string) (who, name string, ok bool) {
	m := flat.FindStringSubmatch(file)
	if m == nil {
		return "", "", false
	}
	return m[1], m[2], true
}

// place returns the path of a class's file in the folder of a job. Files exported without folders get a folder for each
// student, so that they find each other by name.
func place(rel string) string {
	if who, name, ok := flatMoodle(filepath.ToSlash(rel)); ok && !strings.Contains(rel, "/") {
		rel = who + "/" + name
	}
	return clear(rel)
}

// student returns the name of a student's folder without what the grader appended.
func student(folder string) string {
	if s := moodle.ReplaceAllString(folder, ""); s != "" {
		return s
	}
	return folder
}

var flagLine = regexp.MustCompile(`(?m)^[ \t]*(?:override[ \t]+)?(CFLAGS|CPPFLAGS)[ \t]*(?:\+|:{1,3}|\?)?=[ \t]*(.*)$`)

// flags returns those flags of a Makefile that determine the program: macros, header folders below the student's own
// folder, and the standard. The Makefile is not run.
func flags(root, base string) ([]string, error) {
	file := makefile(root)
	if file == "" {
		return nil, nil
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("cannot read a Makefile: %w", err)
	}
	rel, err := filepath.Rel(base, root)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, m := range flagLine.FindAllStringSubmatch(strings.ReplaceAll(string(text), "\\\n", " "), -1) {
		line, _, _ := strings.Cut(m[2], "#")
		for _, f := range strings.Fields(line) {
			switch dir, include := strings.CutPrefix(f, "-I"); {
			case strings.ContainsAny(f, "$`'\"\\"):
			case include && dir != "" && !path.IsAbs(dir) && filepath.IsLocal(dir):
				out = append(out, "-I"+clear(path.Join(filepath.ToSlash(rel), dir)))
			case strings.HasPrefix(f, "-std="), strings.HasPrefix(f, "-D") && len(f) > 2, strings.HasPrefix(f, "-U") && len(f) > 2:
				out = append(out, f)
			}
		}
	}
	return out, nil
}
