package campaign

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strings"
	"unicode"
)

// This file finds students who handed in nothing: folders without a C file, and names on a list of students that match
// no submission.

// Absent is a student without a submission.
type Absent struct {
	Name string
	Why  string
}

// Absent lists students who handed in nothing that could be judged, by name: those whose folder has no C file, and
// those on the roster without a submission.
func (c *Class) Absent(jobs map[string]*Submission) ([]Absent, error) {
	empty, err := c.empty(jobs)
	if err != nil {
		return nil, err
	}
	out := empty
	if c.Roster != "" {
		list, err := readRoster(c.Roster)
		if err != nil {
			return nil, err
		}
		var there []string // folders or files, each student's once
		for _, s := range jobs {
			there = append(there, top(s.Name))
		}
		for _, a := range empty {
			there = append(there, a.Name)
		}
		slices.Sort(there)
		for _, p := range unmatched(list, slices.Compact(there)) {
			out = append(out, Absent{shown(p.name), "on the list of students, and no submission has this name"})
		}
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].Name < out[j].Name })
	return out, nil
}

// top returns the part of a submission's name that names the student: a folder or a file.
func top(name string) string {
	name, _, _ = strings.Cut(name, "/")
	return name
}

// empty lists the folders of a class of folders that hold no submission. Folders with only headers are shared, and left
// out.
func (c *Class) empty(jobs map[string]*Submission) (out []Absent, err error) {
	used, folders := map[string]bool{}, false
	for _, s := range jobs {
		if dir, _, below := strings.Cut(s.File, "/"); below {
			used[dir], folders = true, true
		}
	}
	if !folders {
		return nil, nil
	}
	list, err := os.ReadDir(c.Folder)
	if err != nil {
		return nil, fmt.Errorf("cannot read the submissions: %w", err)
	}
	for _, d := range list {
		path := filepath.Join(c.Folder, d.Name())
		if !d.IsDir() || strings.HasPrefix(d.Name(), ".") || d.Name() == "__MACOSX" || used[clear(d.Name())] || same(path, c.Tests) || same(path, c.Inputs) || c.Reference != "" && same(path, filepath.Dir(c.Reference)) {
			continue
		}
		var others []string
		heads := 0
		err := filepath.WalkDir(path, func(f string, e os.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case e.IsDir() && strings.HasPrefix(e.Name(), "."):
				return filepath.SkipDir
			case e.IsDir() || strings.HasPrefix(e.Name(), "."):
			case filepath.Ext(f) == ".h":
				heads++
			default:
				others = append(others, shown(e.Name()))
			}
			return nil
		})
		if err != nil {
			return nil, fmt.Errorf("cannot read the submissions: %w", err)
		}
		switch {
		case len(others) == 0 && heads > 0:
		case len(others) == 0:
			out = append(out, Absent{shown(student(d.Name())), "the folder is empty"})
		default:
			out = append(out, Absent{shown(student(d.Name())), "the folder holds no C file: " + some(others)})
		}
	}
	return out, nil
}

// some lists the first few names, and how many more there are.
func some(names []string) string {
	const most = 3
	if len(names) > most {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
	}
	return strings.Join(names, ", ")
}

// person is a student on the list.
type person struct {
	name string   // for display
	keys []string // normalized texts that may occur in the name of a submission
}

// Columns of lists of students: of Moodle's grading worksheets and participant lists, of GitHub Classroom's rosters,
// and as a teacher would name them.
var (
	nameColumn  = regexp.MustCompile(`^(full ?name|name|student|student ?name)$`)
	firstColumn = regexp.MustCompile(`^(first ?name|given ?name)$`)
	lastColumn  = regexp.MustCompile(`^(last ?name|surname|family ?name)$`)
	keyColumn   = regexp.MustCompile(`^(identifier|id|id ?number|student ?id|user ?name|login|github ?user ?name|email|email ?address)$`)
)

// readRoster reads a list of students: one name on each line, or a table with a heading whose columns are separated by
// commas, semicolons or tabs.
func readRoster(file string) ([]person, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("cannot read the list of students: %w", err)
	}
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	head, _, _ := strings.Cut(string(text), "\n")
	for _, comma := range ",;\t" {
		if out, ok, err := table(text, comma, head); ok || err != nil {
			return out, err
		}
	}
	var out []person
	for _, l := range strings.Split(string(text), "\n") {
		if l = strings.TrimSpace(l); l != "" && !strings.HasPrefix(l, "#") {
			out = append(out, person{l, namesOf(l)})
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("the list of students %s is empty", file)
	}
	return out, nil
}

// table reads a list with a heading; ok is false if the first line is not a heading.
func table(text []byte, comma rune, head string) (out []person, ok bool, err error) {
	r := csv.NewReader(bytes.NewReader(text))
	r.Comma, r.FieldsPerRecord, r.LazyQuotes = comma, -1, true
	heads, err := r.Read()
	if err != nil {
		return nil, false, nil
	}
	var names, firsts, lasts, keys []int
	for i, h := range heads {
		h = strings.ReplaceAll(strings.ToLower(strings.TrimSpace(h)), "_", " ")
		switch {
		case nameColumn.MatchString(h):
			names = append(names, i)
		case firstColumn.MatchString(h):
			firsts = append(firsts, i)
		case lastColumn.MatchString(h):
			lasts = append(lasts, i)
		case keyColumn.MatchString(h):
			keys = append(keys, i)
		}
	}
	if len(names)+len(firsts)+len(lasts)+len(keys) == 0 || len(heads) == 1 && strings.ContainsAny(head, ",;\t") {
		return nil, false, nil
	}
	for {
		row, err := r.Read()
		if errors.Is(err, io.EOF) {
			return out, true, nil
		}
		if err != nil {
			return nil, true, fmt.Errorf("cannot read the list of students: %w", err)
		}
		cell := func(at []int) string {
			for _, i := range at {
				if i < len(row) && strings.TrimSpace(row[i]) != "" {
					return strings.TrimSpace(row[i])
				}
			}
			return ""
		}
		p := person{name: cell(names)}
		if p.name == "" {
			p.name = strings.TrimSpace(cell(firsts) + " " + cell(lasts))
		}
		p.keys = namesOf(p.name)
		for _, i := range keys {
			if i < len(row) && strings.TrimSpace(row[i]) != "" {
				if p.name == "" {
					p.name = strings.TrimSpace(row[i])
				}
				before, _, _ := strings.Cut(row[i], "@")
				p.keys = append(p.keys, plain(row[i]), plain(before))
			}
		}
		if p.name != "" {
			out = append(out, p)
		}
	}
}

// namesOf returns the forms in which a name may occur: "Lovelace, Ada" is also Ada Lovelace.
func namesOf(name string) []string {
	out := []string{plain(name)}
	if last, first, ok := strings.Cut(name, ","); ok {
		return append(out, plain(first+" "+last))
	}
	if w := strings.Fields(name); len(w) > 1 {
		out = append(out, plain(w[len(w)-1]+" "+strings.Join(w[:len(w)-1], " ")))
	}
	return out
}

// plain returns a name in lower case, with one blank for every run of characters that are neither letters nor digits.
func plain(s string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }), " ")
}

var exported = regexp.MustCompile(`_[0-9]+$`)

// unmatched returns the persons to whom no submission belongs, judged by names. A name that is the whole name of a
// submission is matched first, then one that follows the exercise's name, as in GitHub Classroom's repositories. Each
// submission belongs to at most one person.
func unmatched(list []person, there []string) (out []person) {
	taken := map[string]bool{}
	claim := func(p *person, fits func(name, key string) bool) bool {
		for _, t := range there {
			for _, key := range p.keys {
				if !taken[t] && key != "" && (fits(plain(t), key) || fits(plain(exported.ReplaceAllString(t, "")), key)) {
					taken[t] = true
					return true
				}
			}
		}
		return false
	}
	whole := func(name, key string) bool { return name == key }
	behind := func(name, key string) bool { return strings.HasSuffix(name, " "+key) }
	for i := range list {
		if !claim(&list[i], whole) {
			out = append(out, list[i])
		}
	}
	return slices.DeleteFunc(out, func(p person) bool { return claim(&p, behind) })
}
