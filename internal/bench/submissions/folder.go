package submissions

import "gulo/internal/cases"

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strings"

	"gulo/internal/oracle"
)

// This file finds assignments in a folder.

// Assignment is a task with its tests and submissions.
type Assignment struct {
	Name        string
	Reference   string        // a file; "": none
	Given, Held []oracle.Test // the tests that gulo gets, and the other ones
	Right       []string      // files of submissions known to be right
	Submissions []string      // files, in the order of the hashes of their paths
}

// kinds matches parts of paths that say what a folder holds.
var kinds = regexp.MustCompile(`^(tests?|references?|reference_implementations?|submissions?)$`)

// name removes the parts that match kinds from a path.
func name(rel string) string {
	var out []string
	for _, p := range strings.Split(filepath.ToSlash(rel), "/") {
		if !kinds.MatchString(p) && p != "." {
			out = append(out, p)
		}
	}
	return strings.Join(out, "/")
}

// leads reports whether a path, without its extension, contains the parts of a name in a row.
func leads(rel, name string) bool {
	rel = "/" + strings.TrimSuffix(filepath.ToSlash(rel), ".c") + "/"
	return strings.Contains(rel, "/"+name+"/") || name == ""
}

// begins reports whether a part of a path begins with one of the words.
func begins(rel string, words ...string) bool {
	for _, p := range strings.Split(filepath.ToSlash(rel), "/") {
		for _, w := range words {
			if strings.HasPrefix(p, w) {
				return true
			}
		}
	}
	return false
}

// Open finds the assignments of a folder. given is the share of the tests that gulo gets.
func Open(dir string, given float64) ([]*Assignment, error) {
	var files []string
	tests := map[string]string{} // folders, by name
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && strings.HasPrefix(d.Name(), ".") && path != dir:
			return filepath.SkipDir
		case d.IsDir():
			return nil
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		switch {
		case strings.HasSuffix(rel, ".c"):
			files = append(files, rel)
		case strings.HasSuffix(rel, ".out") && begins(rel, "test"):
			tests[name(filepath.Dir(rel))] = filepath.Dir(path)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if len(tests) == 0 {
		return nil, fmt.Errorf("%s holds no folder tests with NAME.in and NAME.out", dir)
	}
	var out []*Assignment
	for n, folder := range tests {
		a := &Assignment{Name: n}
		all, err := cases.LoadTests(folder)
		if err != nil {
			return nil, err
		}
		a.split(all, given)
		a.take(dir, files)
		out = append(out, a)
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Name < out[j].Name })
	return out, nil
}

func hash(s string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(s))) }

// split gives a share of the tests to gulo, at least one, and holds the others back.
func (a *Assignment) split(all []oracle.Test, given float64) {
	sort.SliceStable(all, func(i, j int) bool { return hash(a.Name+"/"+all[i].Name) < hash(a.Name+"/"+all[j].Name) })
	n := min(max(int(given*float64(len(all))+0.5), 1), len(all))
	a.Given, a.Held = all[:n], all[n:]
}

// take assigns the files that belong to the assignment to its fields.
func (a *Assignment) take(dir string, files []string) {
	for _, f := range files {
		if !leads(f, a.Name) {
			continue
		}
		path := filepath.Join(dir, f)
		switch {
		case begins(f, "reference"):
			a.Reference = path
		case begins(f, "correct", "right"):
			a.Right = append(a.Right, path)
		default:
			a.Submissions = append(a.Submissions, path)
		}
	}
	for _, list := range [][]string{a.Right, a.Submissions} {
		key := func(path string) string {
			rel, err := filepath.Rel(dir, path)
			if err != nil {
				rel = path
			}
			return hash(filepath.ToSlash(rel))
		}
		sort.Slice(list, func(i, j int) bool { return key(list[i]) < key(list[j]) })
	}
}

// mostOthers bounds the other submissions that gulo gets. Not all of them meet the tests.
const mostOthers = 40

// others returns other submissions as a class has them, right and wrong ones: nobody has checked whether they meet more
// than the given tests. The right ones that judge answers are left out.
func (a *Assignment) others(path string) []string {
	pool := slices.Clone(a.Submissions)
	pool = append(pool, a.Right[min(len(a.Right), mostJudges):]...)
	sort.Slice(pool, func(i, j int) bool { return hash(filepath.Base(pool[i])) < hash(filepath.Base(pool[j])) })
	pool = slices.DeleteFunc(pool, func(f string) bool { return f == path || strings.Contains(f, ",") })
	return pool[:min(len(pool), mostOthers)]
}

// write writes the given tests to a folder.
func (a *Assignment) write(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for _, t := range a.Given {
		files := map[string]string{".in": t.Stdin, ".out": t.Stdout}
		if len(t.Args) > 0 {
			files[".args"] = strings.Join(t.Args, " ")
		}
		if t.Exit != 0 {
			files[".exit"] = fmt.Sprint(t.Exit)
		}
		for ext, text := range files {
			if err := os.WriteFile(filepath.Join(dir, t.Name+ext), []byte(text), 0o644); err != nil {
				return err
			}
		}
	}
	return nil
}
