package campaign

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"gulo/internal/cases"
	"gulo/internal/repair/mistakes"
	"gulo/internal/repair/runs"
	"gulo/internal/source"
)

// This file makes jobs from a folder. A job's name in the queue is a hash of its content, so that the result of an
// older or of another file of the same name is never taken for it.

// Jobs reads the submissions of a class: every .c file in its folder and below, and every folder that forms one
// program. The reference, hidden folders and the tests are left out. The key is the job's ID.
func (c *Class) Jobs() (map[string]*Submission, error) {
	like, ref, err := c.pattern()
	if err != nil {
		return nil, err
	}
	var files []string
	heads := map[string][]string{} // by folder
	err = filepath.WalkDir(c.Folder, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != c.Folder && (strings.HasPrefix(d.Name(), ".") || d.Name() == "__MACOSX" || same(path, c.Tests) || same(path, c.Inputs)):
			return filepath.SkipDir
		case d.IsDir() || strings.HasPrefix(d.Name(), "."): // left by archives of other systems
		case filepath.Ext(path) == ".h":
			heads[filepath.Dir(path)] = append(heads[filepath.Dir(path)], path)
		case filepath.Ext(path) == ".c" && !same(path, ref) && regular(path): // not a folder with that name, nor a pipe
			files = append(files, path)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("cannot read the submissions: %w", err)
	}
	units, err := c.units(files)
	if err != nil {
		return nil, err
	}
	out := map[string]*Submission{}
	for _, u := range units {
		sub := *like
		if err := c.read(&sub, u); err != nil {
			return nil, err
		}
		if u.name == "reference" && string(sub.Text) == string(sub.Reference) {
			continue // a copy of a reference from another folder
		}
		if sub.Headers, err = c.headers(heads, u); err != nil {
			return nil, err
		}
		out[sub.ID()] = &sub
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%s holds no submissions: there is no .c file in it but the reference", shown(c.Folder))
	}
	return out, nil
}

// Taken says which files are used as reference, as tests and as submissions.
func (c *Class) Taken(jobs map[string]*Submission) string {
	n, several, names := 0, 0, []string{}
	var any *Submission
	for _, s := range jobs {
		n, any = n+1, s
		if names = append(names, s.Name); len(s.More) > 0 {
			several++
		}
	}
	slices.Sort(names)
	ref := c.Reference
	if ref == "" {
		ref = filepath.Join(c.Folder, "reference.c")
	}
	text := "no reference"
	if len(any.Reference) > 0 {
		text = "reference: " + ref
	}
	if runs := slices.DeleteFunc(slices.Collect(maps.Keys(any.Tests)), func(f string) bool { return filepath.Ext(f) != ".out" }); c.Tests != "" {
		text += fmt.Sprintf("; tests: %s (%d)", c.Tests, len(runs))
	}
	if c.Inputs != "" {
		text += fmt.Sprintf("; inputs that the reference answers: %s", c.Inputs)
	}
	text += fmt.Sprintf("; submissions: %s (%d", c.Folder, n)
	if several > 0 {
		text += fmt.Sprintf(", %d of several files", several)
	}
	if text += "): " + names[0]; n > 1 {
		text += ", " + names[1]
	}
	if n > 2 {
		text += " ... " + names[n-1]
	}
	return text
}

// read reads the files of a submission.
func (c *Class) read(sub *Submission, u unit) (err error) {
	sub.Name = shown(u.name)
	for i, f := range u.files {
		text, err := os.ReadFile(f)
		if err != nil {
			return fmt.Errorf("cannot read a submission: %w", err)
		}
		rel, err := filepath.Rel(c.Folder, f)
		if err != nil {
			return err
		}
		if i == 0 {
			sub.Text, sub.File = text, place(rel)
			continue
		}
		if sub.More == nil {
			sub.More = map[string][]byte{}
		}
		sub.More[place(rel)] = text
	}
	if u.root != c.Folder {
		sub.Flags, err = flags(u.root, c.Folder)
	}
	return err
}

// pattern returns what all submissions of a class have in common, and the path of the reference.
func (c *Class) pattern() (sub *Submission, ref string, err error) {
	sub = &Submission{Entry: c.Entry, Limit: c.Limit, Space: c.Space}
	if sub.Limit == 0 {
		sub.Limit = 20 * time.Second
	}
	if sub.Gulo, err = Self(); err != nil {
		return nil, "", err
	}
	if ref = c.Reference; ref == "" {
		ref = filepath.Join(c.Folder, "reference.c")
	}
	sub.Reference, err = os.ReadFile(ref)
	switch {
	case errors.Is(err, fs.ErrNotExist) && c.Reference == "" && c.Tests != "":
		ref, err = "", nil
	case errors.Is(err, fs.ErrNotExist) && c.Reference == "":
		return nil, "", fmt.Errorf("there is no %s; name a correct version with --reference, or tests with --tests", ref)
	case err != nil:
		return nil, "", errors.New(source.Refused("--reference", ref, err, "a correct version"))
	default:
		own, err := filepath.Glob(quoteGlob(filepath.Dir(ref)) + "/*.h")
		if err != nil {
			return nil, "", err
		}
		if sub.RefHeads, err = readAll(own, filepath.Dir(ref)); err != nil {
			return nil, "", err
		}
	}
	if c.Mistakes != "" {
		b, err := os.ReadFile(c.Mistakes)
		if err == nil {
			_, err = known(c.Mistakes, string(b))
		}
		if err != nil {
			return nil, "", fmt.Errorf("cannot read the mistakes: %w", err)
		}
		sub.Mistakes = string(b)
	}
	if c.Inputs != "" && ref == "" {
		return nil, "", errors.New("--inputs alone does not say what is right: give --reference")
	}
	if c.Inputs != "" {
		if sub.Inputs, err = filesOf(c.Inputs); err == nil && !slices.ContainsFunc(slices.Collect(maps.Keys(sub.Inputs)), isInput) {
			err = errors.New("there is no NAME.in and no NAME.args in it")
		}
		if err != nil {
			return nil, "", errors.New(source.Refused("--inputs", c.Inputs, err, "a folder of NAME.in and NAME.args"))
		}
	}
	if c.Tests != "" {
		if _, err = cases.LoadTests(c.Tests); err == nil {
			sub.Tests, err = filesOf(c.Tests)
		}
		if err != nil {
			return nil, "", err
		}
	}
	return sub, ref, nil
}

// filesOf reads the files directly in a folder.
func filesOf(dir string) (map[string][]byte, error) {
	list, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	out := map[string][]byte{}
	for _, f := range list {
		if f.IsDir() {
			continue
		}
		if out[f.Name()], err = os.ReadFile(filepath.Join(dir, f.Name())); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// isInput reports whether a file is an input: standard input or arguments.
func isInput(file string) bool { return filepath.Ext(file) == ".in" || filepath.Ext(file) == ".args" }

// headers reads the header files that a submission may include: those in the folders above its own, up to the class's,
// those next to it, and, if it has a folder of its own, those below. Of files exported without folders it takes the
// same student's.
func (c *Class) headers(heads map[string][]string, u unit) (map[string][]byte, error) {
	var list []string
	dir := u.root
	other := func(h string) bool {
		who, _, flat := flatMoodle(filepath.Base(h))
		own, _, _ := flatMoodle(filepath.Base(u.files[0]))
		return flat && who != own
	}
	for at, names := range heads {
		above := at == dir || at == c.Folder || strings.HasPrefix(dir, at+string(filepath.Separator))
		below := dir != c.Folder && strings.HasPrefix(at, dir+string(filepath.Separator))
		if above || below {
			list = append(list, names...)
		}
	}
	return readAll(slices.DeleteFunc(list, other), c.Folder)
}

func readAll(list []string, base string) (map[string][]byte, error) {
	if len(list) == 0 {
		return nil, nil
	}
	out := map[string][]byte{}
	for _, h := range list {
		b, err := os.ReadFile(h)
		if err != nil {
			return nil, fmt.Errorf("cannot read a header: %w", err)
		}
		rel, err := filepath.Rel(base, h)
		if err != nil {
			return nil, err
		}
		out[place(rel)] = b
	}
	return out, nil
}

// quoteGlob escapes a path so that it matches only itself.
func quoteGlob(path string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}

func same(a, b string) bool {
	x, err1 := os.Stat(a)
	y, err2 := os.Stat(b)
	return err1 == nil && err2 == nil && os.SameFile(x, y)
}

// shown returns a file's name for reports: the name, or a quoted form if it has characters that cannot be seen or are
// not text. Different names are shown differently.
func shown(name string) string {
	plain := utf8.ValidString(name) && strings.TrimSpace(name) == name && !strings.ContainsAny(name, "\"\\")
	for _, r := range name {
		plain = plain && unicode.IsPrint(r)
	}
	if plain {
		return name
	}
	return strconv.Quote(name)
}

// clear makes a path of a class safe for the folder of a job: characters that tools could misread are replaced. A job
// holds one submission, so that names may become equal.
func clear(path string) string {
	return strings.Map(func(r rune) rune {
		if r == utf8.RuneError || !unicode.IsPrint(r) || strings.ContainsRune("\"'\\ ", r) {
			return '_'
		}
		return r
	}, path)
}

func folderName(folder string) string {
	if abs, err := filepath.Abs(folder); err == nil {
		folder = abs
	}
	return filepath.Base(folder)
}

// Self identifies the program that judges by a hash of its executable, because a version number does not distinguish
// all builds.
var Self = sync.OnceValues(func() (string, error) {
	path, err := os.Executable()
	if err != nil {
		return "", err
	}
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return fmt.Sprintf("%x", h.Sum(nil)), nil
})

// known reads mistakes and registers their names in addition to gulo's own.
func known(name, text string) ([]mistakes.Mistake, error) {
	ms, err := mistakes.Parse(name, text)
	if err == nil {
		runs.Learn(ms)
	}
	return ms, err
}
