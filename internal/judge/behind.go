package judge

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/job"
	"gulo/internal/lower"
	"gulo/internal/report"
)

// This file appends a main to the text of a program, so that calls of one of its functions become whole runs.

// Behind is a program with another main appended to its text.
type Behind struct {
	Job *job.Job // the repair job; its specification is set by the caller

	name, to, own, behind string
}

// PutBehind writes to dir a copy of the file that has f, with text appended, which defines a main. The program's own
// main is renamed. The returned job is a copy of j that asks for repairs of f and locks the appended lines. It is a
// usage error if no file of the job has f.
func PutBehind(j *job.Job, f *cfront.Func, text, dir string) (*Behind, error) {
	at, ok := holder(j.Files, f)
	if !ok {
		return nil, job.Usage("%s is not in one of the program's files", f.Name)
	}
	b := &Behind{name: j.Files[at], behind: text, to: filepath.Join(dir, filepath.Base(j.Files[at]))}
	own, err := os.ReadFile(b.name)
	if err != nil {
		return nil, err
	}
	b.own = string(own)
	if err := os.WriteFile(b.to, append(own, text...), 0o600); err != nil {
		return nil, err
	}
	one := *j
	one.Entry = f.Name
	one.Files = append([]string(nil), one.Files...)
	one.Files[at] = b.to
	folder, err := filepath.Abs(filepath.Dir(b.name))
	if err != nil {
		return nil, err
	}
	one.Options = one.Options.As(b.to, b.name).With("-iquote", folder)
	if !slices.Contains(one.Options.Flags, renamed) {
		one.Options = one.Options.With(renamed)
	}
	one.Lock = append([]int(nil), one.Lock...)
	first := strings.Count(b.own, "\n") + 1
	for l := range strings.Count(text, "\n") {
		one.Lock = append(one.Lock, first+l)
	}
	one.Best = nil // repairs of this copy are not repairs of the program
	b.Job = &one
	return b, nil
}

// renamed is the flag that renames the program's own main.
const renamed = "-Dmain=gulo_main"

// OwnMain returns C to append to a program: the function gulo_whole(argc, argv), which calls the program's own main,
// renamed to gulo_main.
func OwnMain(p *lower.Program) string {
	f := p.Tree.Func("main")
	switch {
	case f == nil:
		return "static int gulo_whole(int argc, char **argv) { return argc == 0 && argv == 0; }\n"
	case len(f.Params) == 0:
		return "int gulo_main(void);\nstatic int gulo_whole(int argc, char **argv) { return argc ? gulo_main() : **argv; }\n"
	}
	return "int gulo_main(int, char **);\nstatic int gulo_whole(int argc, char **argv) { return gulo_main(argc, argv); }\n"
}

// prints matches calls that print.
var prints = regexp.MustCompile(`\b(printf|puts|putchar|fputs|fputc|putc)\s*\(`)

// Texts translates repaired texts of the copy with the appended main back to texts of the program. It returns nil if
// the appended text was changed, or if the repair adds a call that prints: only the appended main should print.
func (b *Behind) Texts(texts map[string]string) map[string]string {
	out := map[string]string{}
	for n, text := range texts {
		if n == b.to {
			own, ok := strings.CutSuffix(text, b.behind)
			if !ok || len(prints.FindAllString(own, -1)) > len(prints.FindAllString(b.own, -1)) {
				return nil
			}
			n, text = b.name, own
		}
		out[n] = text
	}
	return out
}

// With translates changed texts of the program to texts of the copy with the appended main. It is the inverse of Texts.
func (b *Behind) With(texts map[string]string) map[string]string {
	out := map[string]string{}
	for n, text := range texts {
		if n == b.name {
			n, text = b.to, text+b.behind
		}
		out[n] = text
	}
	return out
}

// Own returns the program's own name for a file of the copy.
func (b *Behind) Own(file string) string {
	if file == b.to {
		return b.name
	}
	return file
}

// Rename replaces file names of the copy by the program's own, in the edits and hints of a repair.
func (b *Behind) Rename(one *report.Repair) {
	for i := range one.Edits {
		one.Edits[i].File = b.Own(one.Edits[i].File)
	}
	for i := range one.Hints {
		one.Hints[i] = strings.ReplaceAll(one.Hints[i], b.to, b.name)
	}
}
