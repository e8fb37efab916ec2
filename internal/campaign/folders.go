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

// This file tells what is one submission: a file, or what a grader's export keeps for
// each student, a folder with several files and perhaps a Makefile.

// unit is the files of one submission.
type unit struct {
	name  string   // as the class's folder has it, without an extension
	root  string   // the folder of a student; of a file alone, the folder that it is in
	files []string // the one with main first
}

// units sorts the .c files of a class into submissions, in the order of their names. A file directly in the
// class's folder is a submission. So is a folder below it whose files belong together, as together says; of any
// other folder each file is one.
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
		if len(own) == 0 && len(list) == 1 && student(top) != top { // whatever it holds is what was handed in
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
	// A definition begins a line; what does not is taken for none.
	definition = regexp.MustCompile(`(?m)^([A-Za-z_][\w \t*]*?[ \t*\n])([A-Za-z_]\w*)[ \t]*\([^;{}()]*\)\s*\{`)
	staticWord = regexp.MustCompile(`\bstatic\b`)
	isTest     = regexp.MustCompile(`(?i)^tests?$`)
)

// together returns the files of a folder that are one program, the one with main first; none
// where they are not. A student's own tests are no part of it.
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
					return nil, nil // the same thing by several
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

// makefile is the Makefile of a folder; empty: it has none.
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

// moodle is what Moodle's exports put behind a student's name and number.
var moodle = regexp.MustCompile(`_assignsubmission_(file|onlinetext)_?$`)

// flat is what Moodle calls files that are exported without folders.
var flat = regexp.MustCompile(`^(.+_[0-9]+)_assignsubmission_(?:file|onlinetext)_(.+)$`)

// flatMoodle takes such a name apart: the student with a number, and the name of the file.
func flatMoodle(file string) (who, name string, ok bool) {
	m := flat.FindStringSubmatch(file)
	if m == nil {
		return "", "", false
	}
	return m[1], m[2], true
}

// place is where a file of a class stands in the folder of a job: files exported without folders get
// one for each student, so that they find each other by their names.
func place(rel string) string {
	if who, name, ok := flatMoodle(filepath.ToSlash(rel)); ok && !strings.Contains(rel, "/") {
		rel = who + "/" + name
	}
	return clear(rel)
}

// student is the name of a student's folder without what the grader put behind it.
func student(folder string) string {
	if s := moodle.ReplaceAllString(folder, ""); s != "" {
		return s
	}
	return folder
}

var flagLine = regexp.MustCompile(`(?m)^[ \t]*(?:override[ \t]+)?(CFLAGS|CPPFLAGS)[ \t]*(?:\+|:{1,3}|\?)?=[ \t]*(.*)$`)

// flags are those of a Makefile that say what the program is: macros, folders of headers in
// the student's own, and the standard. The Makefile is not run.
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
