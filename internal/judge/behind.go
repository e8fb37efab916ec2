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

// This file puts a main behind the text of a program, so that calls of one of its functions
// become whole runs.

// Behind is a program with a main behind its text.
type Behind struct {
	Job *job.Job // to repair it; who puts the main behind it says what is right

	name, to, own, behind string
}

// PutBehind writes into a folder the file that has a function, with a text behind it that has
// a main of its own. The text is locked in the job that is made of the given one, which asks
// for repairs of the function; the program's own main is renamed.
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
	one.Best = nil // its repairs are not the program's own
	b.Job = &one
	return b, nil
}

// renamed makes room for another main.
const renamed = "-Dmain=gulo_main"

// OwnMain is C that stands behind a program and calls its own main, which has another name there: as
// gulo_whole(argc, argv).
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

// prints are calls that print.
var prints = regexp.MustCompile(`\b(printf|puts|putchar|fputs|fputc|putc)\s*\(`)

// Texts are repaired texts of the program with a main as those of the program itself; nil
// where something else was changed than the program, or it prints what only the main should.
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

// With are changed texts of the program as those of the program with a main: Texts the other way round.
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

// Own is the program's own name of a file.
func (b *Behind) Own(file string) string {
	if file == b.to {
		return b.name
	}
	return file
}

// Rename gives the places of a repair the program's own names.
func (b *Behind) Rename(one *report.Repair) {
	for i := range one.Edits {
		one.Edits[i].File = b.Own(one.Edits[i].File)
	}
	for i := range one.Hints {
		one.Hints[i] = strings.ReplaceAll(one.Hints[i], b.to, b.name)
	}
}
