// Package workdir is the files that a program finds in its working folder when it is run many times:
// copies, read once from the user's folders. So every run begins from the same state, on the abstract
// machine (package machine) and natively, and nothing that a run writes stays.
//
// Taken are the regular files of folders, and files below them that are named; each of at most MaxFile
// bytes, MaxAll in all. What is there and not taken is known by name, so that a run that asks
// for it can say so instead of finding nothing.
package workdir

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Bounds of what is taken.
const (
	MaxFile  = 1 << 20
	MaxAll   = 4 << 20
	mostFile = 200 // files
)

// opens are calls that ask for a file by its name.
var opens = regexp.MustCompile(`\b(fopen|fopen64|freopen|open|open64|openat|creat|opendir|scandir|access|stat|lstat|remove|unlink|rename|mkdir|chdir|truncate)[ \t]*\(`)

// Opens reports whether a program's text asks for files by their names.
func Opens(text []byte) bool { return opens.Match(text) }

// File is one file; its name has the folders below the working folder in it.
type File struct {
	Name string
	Data []byte
}

// Files are the files of a working folder, sorted by name. Nobody changes them.
type Files struct {
	List []File

	left map[string]string // by the name of a file that was not taken: why
	sum  string
}

// Folder is one that files are taken from.
type Folder struct {
	Dir  string
	Skip func(name string) bool // which of its files are for something else; nil: none
}

// Read takes the files of folders; where two have one of the same name, the first one's counts. named are words
// that may be names of files below a folder: such files are taken first. Program texts and programs are taken
// only if they are named.
func Read(folders []Folder, named []string) *Files {
	r := reader{f: &Files{left: map[string]string{}}, seen: map[string]bool{}}
	for _, d := range folders {
		for _, name := range named {
			if filepath.IsLocal(name) && (d.Skip == nil || !d.Skip(name)) {
				r.take(d.Dir, filepath.Clean(name), true)
			}
		}
	}
	for _, d := range folders {
		list, err := os.ReadDir(d.Dir)
		if err != nil {
			continue
		}
		for _, e := range list {
			if name := e.Name(); !strings.HasPrefix(name, ".") && (d.Skip == nil || !d.Skip(name)) {
				r.take(d.Dir, name, false)
			}
		}
	}
	return r.done()
}

// Left says why a file is not among those taken although it is there; "" where it is not there.
func (f *Files) Left(name string) string { return f.left[name] }

// String returns a digest of the names and contents, which tells sets of files apart; "" for nil.
func (f *Files) String() string {
	if f == nil {
		return ""
	}
	return f.sum
}

// Folders are the folders that the files are in, those above first.
func (f *Files) Folders() (out []string) {
	seen := map[string]bool{".": true}
	for i := range f.List {
		var up []string
		for dir := filepath.Dir(f.List[i].Name); !seen[dir]; dir = filepath.Dir(dir) {
			seen[dir] = true
			up = append(up, dir)
		}
		slices.Reverse(up)
		out = append(out, up...)
	}
	return out
}

// Largest is the size of the largest file.
func (f *Files) Largest() (n int) {
	for i := range f.List {
		n = max(n, len(f.List[i].Data))
	}
	return n
}

type reader struct {
	f    *Files
	seen map[string]bool
	size int
}

// take takes a file where it is one and there is room.
func (r *reader) take(dir, name string, named bool) {
	if r.seen[name] {
		return
	}
	at := filepath.Join(dir, name)
	st, err := os.Stat(at)
	if err != nil || !st.Mode().IsRegular() {
		return
	}
	switch {
	case !named && slices.Contains([]string{".c", ".h", ".o", ".a", ".so"}, filepath.Ext(name)):
		r.f.left[name] = "program texts are given to runs only where the program names them" // it may be named further on
		return
	case r.full(name, int(min(st.Size(), math.MaxInt32))):
		return
	}
	data, err := os.ReadFile(at)
	switch {
	case err != nil:
		r.leave(name, "it cannot be read")
		return
	case r.full(name, len(data)): // it has grown
		return
	case !named && bytes.HasPrefix(data, []byte("\x7fELF")):
		r.f.left[name] = "programs are given to runs only where the program names them"
		return
	}
	r.add(name, data)
}

func (r *reader) add(name string, data []byte) {
	r.seen[name] = true
	r.size += len(data)
	r.f.List = append(r.f.List, File{name, data})
	delete(r.f.left, name)
}

// full reports whether there is no room for a file, and notes why.
func (r *reader) full(name string, size int) bool {
	switch {
	case size > MaxFile:
		r.leave(name, fmt.Sprintf("it has more than %d MiB", MaxFile>>20))
	case len(r.f.List) == mostFile:
		r.leave(name, fmt.Sprintf("there are %d others", mostFile))
	case r.size+size > MaxAll:
		r.leave(name, fmt.Sprintf("with the others it has more than %d MiB", MaxAll>>20))
	default:
		return false
	}
	return true
}

func (r *reader) leave(name, why string) { r.seen[name], r.f.left[name] = true, why }

func (r *reader) done() *Files {
	slices.SortFunc(r.f.List, func(a, b File) int { return cmp.Compare(a.Name, b.Name) })
	h := sha256.New()
	for _, f := range r.f.List {
		fmt.Fprintf(h, "%q %d\n", f.Name, len(f.Data))
		h.Write(f.Data)
	}
	r.f.sum = fmt.Sprintf("%x", h.Sum(nil)[:12])
	return r.f
}

// Of makes files of texts by name.
func Of(texts map[string][]byte) *Files {
	r := reader{f: &Files{left: map[string]string{}}, seen: map[string]bool{}}
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		if filepath.IsLocal(name) && !r.full(name, len(texts[name])) {
			r.add(filepath.Clean(name), texts[name])
		}
	}
	return r.done()
}
