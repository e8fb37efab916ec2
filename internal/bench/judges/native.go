package judges

import (
	"context"
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"gulo/internal/process"
	"gulo/internal/sandbox"
)

// This file tells programs apart natively.

//go:embed native/harness.c
var harness string

// wholeDrive makes a run of a whole program.
const wholeDrive = `
    static char text[8][32];
    char *args[10] = {"program"}, feed[400];
    int n = judge_quiet(0, %d), len = 0;
    for (int i = 0; i < n; i++) {
        judge_token(text[i], "%s");
        args[i + 1] = text[i];
        len += sprintf(feed + len, "%%s%%s", text[i], i + 1 < n || judge_quiet(0, 4) ? "%s" : "");
    }
    int argc = %d ? n + 1 : 1;
    args[argc] = NULL;
    stdin = fmemopen(len ? feed : "\n", len && !%d ? (size_t)len : 1, "r");
    int (*begin)() = (int (*)())program_main;
    show(begin(argc, args));
`

// binary is a compiled program with the harness around it.
type binary struct {
	dir, path string
}

func (b *binary) remove() { os.RemoveAll(b.dir) }

// compile builds a text with a program's driver; nil when gcc refuses it.
func (p *Program) compile(ctx context.Context, text string, flags ...string) (*binary, error) {
	dir, err := process.TempDir("gulo-judges-")
	if err != nil {
		return nil, err
	}
	b := &binary{dir, filepath.Join(dir, "program")}
	drive := p.drive
	if p.Entry == "main" {
		end := " "
		if p.Words == "lines" {
			end = `\n`
		}
		args, empty := 1, 1
		if p.Stdin {
			args, empty = 0, 0
		}
		drive = fmt.Sprintf(wholeDrive, 6, p.Words, end, args, empty)
	}
	src := strings.NewReplacer("PROGRAM", filepath.Join(dir, "program.c"), "/* HELPERS */", p.helpers, "/* DRIVE */", drive).Replace(harness)
	for name, text := range map[string]string{"program.c": text, "harness.c": src} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			b.remove()
			return nil, err
		}
	}
	args := append([]string{"-w", "-std=gnu11", "-O1", "-fwrapv", "-o", b.path, filepath.Join(dir, "harness.c")}, flags...)
	out, err := process.Command(ctx, "gcc", append(args, "-lm")...).CombinedOutput()
	if err != nil {
		b.remove()
		if _, refused := err.(*exec.ExitError); !refused || ctx.Err() != nil {
			return nil, err
		}
		return nil, &compileError{strings.SplitN(string(out), "\n", 2)[0]}
	}
	return b, os.Chmod(dir, 0o755)
}

type compileError struct{ text string }

func (e *compileError) Error() string { return "gcc: " + e.text }

// sanitizers make what C leaves undefined a crash.
var sanitizers = []string{"-fsanitize=address,undefined", "-fno-sanitize=signed-integer-overflow,shift", "-fno-sanitize-recover=all"}

// run makes some cases and returns what each gave.
func (b *binary) run(ctx context.Context, first, n int64, drawn bool) ([]string, error) {
	args := []string{fmt.Sprint(first), fmt.Sprint(n)}
	if drawn {
		args = append(args, "drawn")
	}
	res, err := sandbox.Run(ctx, sandbox.Limits{Time: 20 * time.Second, Memory: 1 << 46, Output: 64 << 20, Weak: true}, b.dir, "", b.path, args...)
	if err != nil {
		return nil, err
	}
	list := strings.Split(res.Stdout, "\001")
	rest := list[len(list)-1]
	list = list[:len(list)-1]
	if int64(len(list)) < n && (len(list) == 0 || !strings.HasSuffix(list[len(list)-1], ">")) || rest != "" {
		list = append(list, rest+"<crash>") // ended by a sanitizer, or by its output
	}
	return list, nil
}

// Witness is a case on which two programs differ.
type Witness struct {
	Case  int64
	Drawn string // what the driver drew
	Want  string
	Got   string
}

func (w *Witness) String() string {
	return fmt.Sprintf("case %d (%s): %q instead of %q", w.Case, strings.TrimSpace(w.Drawn), clip(w.Got), clip(w.Want))
}

func clip(s string) string {
	if len(s) > 80 {
		s = s[:77] + "..."
	}
	return s
}

// batch is how many cases one process makes.
const batch = 20_000

// differ looks for a case on which a text does something else than the program;
// nil after the time or so many cases. n is how many were compared.
func (p *Program) differ(ctx context.Context, text string, first, most int64, limit time.Duration, flags ...string) (w *Witness, n int64, err error) {
	ref, err := p.compile(ctx, p.Text, flags...)
	if err != nil {
		return nil, 0, fmt.Errorf("%s: %w", p.Name, err)
	}
	defer ref.remove()
	own, err := p.compile(ctx, text, flags...)
	if err != nil {
		return nil, 0, err
	}
	defer own.remove()
	end := time.Now().Add(limit)
	size := int64(500)
	for at := first; at < first+most; at += size {
		if at > first {
			size = batch
		}
		size = min(size, first+most-at)
		want, err := ref.run(ctx, at, size, false)
		if err != nil {
			return nil, n, err
		}
		got, err := own.run(ctx, at, size, false)
		if err != nil {
			return nil, n, err
		}
		if int64(len(want)) != size || faulty(want[len(want)-1]) {
			return nil, n, fmt.Errorf("%s: the program itself fails on case %d", p.Name, at+int64(len(want))-1)
		}
		for i := range want {
			if i >= len(got) || got[i] != want[i] {
				w := &Witness{Case: at + int64(i), Want: want[i], Got: "nothing"}
				if i < len(got) {
					w.Got = got[i]
				}
				if with, err := ref.run(ctx, w.Case, 1, true); err == nil && len(with) > 0 {
					_, w.Drawn, _ = strings.Cut(with[0], "\002")
				}
				return w, n, nil
			}
			n++
		}
		if time.Now().After(end) {
			break
		}
	}
	return nil, n, nil
}

func faulty(s string) bool {
	return strings.HasSuffix(s, "<crash>") || strings.HasSuffix(s, "<endless>")
}
