package judges

import (
	"context"
	_ "embed"
	encoding "encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"gulo/internal/process"
	"gulo/internal/sandbox"
)

// This file runs programs natively to find a case on which they differ.

//go:embed native/harness.c
var harness string

// wholeDrive is the driver for whole programs: it makes and runs one case.
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

// compile builds a text with the program's driver. The error is a compileError if gcc rejects it.
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

// sanitizers are the compiler flags that turn undefined behaviour into a crash.
var sanitizers = []string{"-fsanitize=address,undefined", "-fno-sanitize=signed-integer-overflow,shift", "-fno-sanitize-recover=all"}

// run runs some cases and returns the output of each; with how "drawn" also the input that was drawn.
func (b *binary) run(ctx context.Context, first, n int64, how string) ([]string, error) {
	res, err := b.cases(ctx, first, n, how)
	if err != nil {
		return nil, err
	}
	list := strings.Split(res.Stdout, "\001")
	rest := list[len(list)-1]
	list = list[:len(list)-1]
	if int64(len(list)) < n && (len(list) == 0 || !faulty(strings.SplitN(list[len(list)-1], "\002", 2)[0]) && !faulty(list[len(list)-1])) || rest != "" {
		list = append(list, rest+"<crash>") // a sanitizer or the output limit ended it
	}
	return list, nil
}

// hashes holds two hashes for each case: of what was printed and of the input drawn.
type hashes []byte

func (h hashes) len() int           { return len(h) / 16 }
func (h hashes) text(i int) uint64  { return binary64(h[16*i:]) }
func (h hashes) drawn(i int) uint64 { return binary64(h[16*i+8:]) }

func binary64(b []byte) uint64 { return encoding.LittleEndian.Uint64(b) }

// hash runs some cases. There are fewer results if a sanitizer ended the program or, with cut set, if its time was up.
func (b *binary) hash(ctx context.Context, first, n int64) (h hashes, cut bool, err error) {
	res, err := b.cases(ctx, first, n, "hash")
	if err != nil {
		return nil, false, err
	}
	return hashes(res.Stdout[:len(res.Stdout)/16*16]), res.Stopped == "time", nil
}

func (b *binary) cases(ctx context.Context, first, n int64, how string) (*sandbox.Result, error) {
	args := []string{fmt.Sprint(first), fmt.Sprint(n)}
	if how != "" {
		args = append(args, how)
	}
	return sandbox.Run(ctx, sandbox.Limits{Time: 60 * time.Second, Memory: 1 << 46, Output: 64 << 20, Weak: true}, b.dir, "", b.path, args...)
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

// batch is the number of cases that one process runs.
const batch = 50_000

// search bounds a search for a difference.
type search struct {
	first, most int64
	limit       time.Duration
	flags       []string
}

// seen is a set of inputs by their hashes, in a table that rarely confuses two.
type seen []uint64

func newSeen() seen { return make(seen, 1<<21) }

// add adds an input and reports whether it is new.
func (s seen) add(h uint64) bool {
	i, bit := h>>32&(1<<21-1), uint64(1)<<(h&63)
	old := s[i]&bit == 0
	s[i] |= bit
	return old
}

// A driver's inputs count as exhausted if fewer than one in staleShare of staleCases consecutive cases is new.
const staleCases, staleShare = 200_000, 1000

// differ looks for a case on which a changed text and the program behave differently. w is nil if the time is up,
// enough cases were compared, or hardly any input is new. n is the number of cases on which both do the same. The two
// programs report only a hash of their output; if the hashes differ, the case is run again to see the outputs. The
// error is a *compileError if gcc rejects the text.
func (p *Program) differ(ctx context.Context, text string, s search) (w *Witness, n int64, err error) {
	ref, err := p.reference(ctx, s.flags)
	if err != nil {
		return nil, 0, fmt.Errorf("%s: %w", p.Name, err)
	}
	own, err := p.compile(ctx, text, s.flags...)
	if err != nil {
		return nil, 0, err
	}
	defer own.remove()
	end := time.Now().Add(s.limit)
	known := newSeen()
	fresh, asked := 0, 0
	size := int64(512)
	for at := s.first; at < s.first+s.most; at += size {
		if at > s.first {
			size = batch
		}
		size = min(size, s.first+s.most-at)
		want, slow, err := ref.hash(ctx, at, size)
		if err != nil {
			return nil, n, err
		}
		got, slower, err := own.hash(ctx, at, size)
		if err != nil {
			return nil, n, err
		}
		same := 0
		for same < min(want.len(), got.len()) && want.text(same) == got.text(same) {
			if known.add(want.drawn(same)) {
				fresh++
			}
			same++
		}
		n += int64(same)
		if int64(same) < size {
			w, err = p.witness(ctx, ref, own, at+int64(same))
			if w != nil || err != nil {
				return w, n, err
			}
			if !slow && !slower {
				return nil, n, fmt.Errorf("%s: case %d differs by hash and not by text", p.Name, at+int64(same))
			}
			break // on a busy machine one batch may take longer than the search is allowed
		}
		if asked += same; asked >= staleCases {
			if fresh*staleShare < asked {
				break
			}
			fresh, asked = 0, 0
		}
		if time.Now().After(end) {
			break
		}
	}
	return nil, n, nil
}

// kept is how many cases a program buffers before it reports them: so many may be missing if a sanitizer ended it.
const kept = 512

// witness finds the difference at case at, or soon after it.
func (p *Program) witness(ctx context.Context, ref, own *binary, at int64) (*Witness, error) {
	want, err := ref.run(ctx, at, kept, "")
	if err != nil {
		return nil, err
	}
	got, err := own.run(ctx, at, kept, "")
	if err != nil {
		return nil, err
	}
	if len(want) != kept || faulty(want[len(want)-1]) {
		return nil, fmt.Errorf("%s: the program itself fails on case %d", p.Name, at+int64(len(want))-1)
	}
	for i := range want {
		if i < len(got) && got[i] == want[i] {
			continue
		}
		w := &Witness{Case: at + int64(i), Want: want[i], Got: "nothing"}
		if i < len(got) {
			w.Got = got[i]
		}
		if with, err := ref.run(ctx, w.Case, 1, "drawn"); err == nil && len(with) > 0 {
			_, w.Drawn, _ = strings.Cut(with[0], "\002")
		}
		return w, nil
	}
	return nil, nil
}

func faulty(s string) bool {
	return strings.HasSuffix(s, "<crash>") || strings.HasSuffix(s, "<endless>")
}

// references caches the compiled programs by their flags: otherwise compiling them would dominate a short search.
var references = struct {
	sync.Mutex
	of map[string]*built
}{of: map[string]*built{}}

type built struct {
	once sync.Once
	b    *binary
	err  error
}

// reference compiles the program itself, once for each set of flags.
func (p *Program) reference(ctx context.Context, flags []string) (*binary, error) {
	k := p.Name + "\x00" + p.Text + strings.Join(flags, "\x00")
	references.Lock()
	x := references.of[k]
	if x == nil {
		x = &built{}
		references.of[k] = x
	}
	references.Unlock()
	x.once.Do(func() { x.b, x.err = p.compile(ctx, p.Text, flags...) })
	return x.b, x.err
}

// forget removes the programs that reference compiled.
func forget() {
	references.Lock()
	defer references.Unlock()
	for k, x := range references.of {
		if x.b != nil {
			x.b.remove()
		}
		delete(references.of, k)
	}
}
