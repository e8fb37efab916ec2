package agreement

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
	"sync"
	"testing"
	"time"

	"gulo/internal/lower"
	"gulo/internal/machine"
	"gulo/internal/source"
)

// This file runs programs of csmith (Yang, Chen, Eide and Regehr, "Finding and
// Understanding Bugs in C Compilers", PLDI 2011) with both judges. Its programs
// have no undefined behaviour by construction, print a checksum of their
// globals and, with an argument, one after each global.

var (
	count = flag.Int("programs", 8, "programs of csmith")
	first = flag.Int("seed", 1, "of the first of them")
	sets  = flag.String("sets", "all", "option sets of csmith, separated by commas, which seeds take in turn")
	keep  = flag.String("keep", "", "folder for the programs on which the judges differ")
	jobs  = flag.Int("jobs", 2, "programs at a time")
)

// features are those of C that csmith has beyond integers, structs and pointers.
const features = "--unions --bitfields --volatiles --volatile-pointers --longlong --float --math64 --consts --jumps"

// optionSet is a way to call csmith.
type optionSet struct {
	name, args string
	flags      []string // of the compiler
}

var optionSets = []optionSet{
	{"plain", "--no-packed-struct --max-funcs 4 --max-block-depth 3", nil},
	{"full", features + " --no-packed-struct --max-funcs 5 --max-block-depth 3", nil},
	{"packed", features + " --packed-struct --max-funcs 5 --max-block-depth 3", nil},
	{"builtins", features + " --no-packed-struct --builtins --disable-builtin-kinds x86 --builtin-function-prob 40 --max-funcs 5 --max-block-depth 3", nil},
	{"macros", strings.Replace(features, "--float", "--no-float", 1) + " --packed-struct --max-funcs 5 --max-block-depth 3", []string{"-DUSE_MATH_MACROS"}},
	{"large", features + " --packed-struct --max-funcs 8 --max-block-depth 5 --max-block-size 6", nil},
	{"deep", features + " --packed-struct --max-funcs 4 --max-block-depth 3 --max-expr-complexity 20 --max-pointer-depth 4 --max-struct-fields 20 --max-union-fields 8 --max-array-dim 4", nil},
	{"odd", features + " --packed-struct --inline-function --unary-plus-operator --random-random --max-funcs 5 --max-block-depth 3", nil},
}

const (
	headers  = "/usr/include/csmith"
	maxSteps = 150_000_000
)

func chosen(t *testing.T) []optionSet {
	if *sets == "all" {
		return optionSets
	}
	var out []optionSet
	for _, name := range strings.Split(*sets, ",") {
		n := len(out)
		for _, s := range optionSets {
			if s.name == name {
				out = append(out, s)
			}
		}
		if n == len(out) {
			t.Fatalf("no option set %q", name)
		}
	}
	return out
}

// kind is what became of a program.
type kind string

const (
	agree     kind = "agree"
	differ    kind = "differ"
	refused   kind = "refused"
	undefined kind = "undefined (by gcc -O2 or the sanitizers)"
	longRun   kind = "left out: the native run takes over 1 s"
	tooSlow   kind = "left out: over 1.5e8 instructions of the machine"
	broken    kind = "left out: csmith or gcc failed"
)

type outcome struct {
	kind   kind
	detail string
}

func TestCsmith(t *testing.T) {
	if _, err := exec.LookPath("csmith"); err != nil {
		t.Skip("csmith is not installed (apt-get install csmith libcsmith-dev)")
	}
	if _, err := os.Stat(headers); err != nil {
		t.Skip(headers + " is missing (apt-get install libcsmith-dev)")
	}
	which := chosen(t)
	begin := time.Now()
	total, constructs := map[kind]int{}, map[string]int{}
	var mu sync.Mutex
	var wg sync.WaitGroup
	seeds := make(chan int)
	for range *jobs {
		dir := t.TempDir()
		wg.Add(1)
		go func() {
			defer wg.Done()
			for seed := range seeds {
				s := which[seed%len(which)]
				o := try(dir, seed, s)
				mu.Lock()
				total[o.kind]++
				switch o.kind {
				case refused:
					constructs[o.detail]++
				case differ, undefined, broken:
					text := fmt.Sprintf("seed %d, %s: %s: %s", seed, s.name, o.kind, firstLines(o.detail))
					if o.kind == differ {
						t.Error(text)
					}
					fmt.Println(text)
				}
				if n := sum(total); n%100 == 0 {
					fmt.Printf("%d programs, %s: %s\n", n, time.Since(begin).Round(time.Second), table(total))
				}
				mu.Unlock()
			}
		}()
	}
	for i := range *count {
		seeds <- *first + i
	}
	close(seeds)
	wg.Wait()
	report(t, which, total, constructs, time.Since(begin))
}

func report(t *testing.T, which []optionSet, total map[kind]int, constructs map[string]int, d time.Duration) {
	names := make([]string, len(which))
	for i, s := range which {
		names[i] = s.name
	}
	t.Logf("csmith: seeds %d to %d, option sets %s: %s; %s", *first, *first+*count-1, strings.Join(names, ", "), table(total), d.Round(time.Second))
	for _, k := range sorted(constructs) {
		t.Logf("  refused %d: %s", constructs[k], k)
	}
	if done := total[agree] + total[differ]; done == 0 && *count > 0 {
		t.Error("no program was compared")
	}
}

// firstLines keeps a report readable.
func firstLines(s string) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	return strings.Join(lines[:min(len(lines), 3)], "; ")
}

func sum(m map[kind]int) (n int) {
	for _, k := range m {
		n += k
	}
	return n
}

func table(total map[kind]int) string {
	var parts []string
	for _, k := range []kind{agree, differ, refused, undefined, longRun, tooSlow, broken} {
		if total[k] > 0 || k == agree || k == differ || k == refused {
			parts = append(parts, fmt.Sprintf("%d %s", total[k], k))
		}
	}
	return strings.Join(parts, ", ")
}

func sorted(m map[string]int) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Slice(keys, func(i, j int) bool {
		return m[keys[i]] > m[keys[j]] || m[keys[i]] == m[keys[j]] && keys[i] < keys[j]
	})
	return keys
}

// try makes the program of a seed and holds both judges against each other.
func try(dir string, seed int, s optionSet) outcome {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	defer cancel()
	src, bin := filepath.Join(dir, "p.c"), filepath.Join(dir, "p")
	// At times it does not end; processor time counts, whatever else runs beside.
	args := append([]string{"-c", "ulimit -c 0; ulimit -t 3; exec csmith \"$@\"", "csmith", "--concise", "--seed", fmt.Sprint(seed), "--output", src}, strings.Fields(s.args)...)
	gen := exec.CommandContext(ctx, "sh", args...)
	gen.Dir = dir // it leaves platform.info where it runs
	if msg, err := gen.CombinedOutput(); err != nil {
		return outcome{kind: broken, detail: fmt.Sprintf("%v: %.200s", err, msg)}
	}
	flags := append([]string{"-I" + headers}, s.flags...)
	if err := compile(ctx, src, bin, flags...); err != nil {
		return outcome{kind: broken, detail: err.Error()}
	}
	want, err := native(ctx, bin, 1)
	if errors.Is(err, errTime) {
		return outcome{kind: longRun}
	}
	if err != nil {
		return outcome{kind: broken, detail: err.Error()}
	}
	o := judge(src, flags, want)
	if o.kind == differ {
		if why := suspect(ctx, dir, flags, want); why != "" {
			o.kind, o.detail = undefined, why+"; "+o.detail
		}
		preserve(src, seed, s, o)
	}
	return o
}

// judge runs the program on the machine, with variables in registers and in memory.
func judge(src string, flags []string, want result) outcome {
	tree, err := parse(src, flags...)
	if err != nil {
		return failure(err)
	}
	for _, opt := range []lower.Options{{}, {Memory: true}} {
		got, err := onMachine(tree, opt, maxSteps)
		switch {
		case err != nil:
			return failure(err)
		case got.fault != nil && got.fault.Kind == machine.LimitFault:
			return outcome{kind: tooSlow}
		case got.fault != nil && got.fault.Kind == machine.Unsupported:
			return outcome{kind: refused, detail: construct(got.fault.Message)}
		case got.fault != nil:
			return outcome{kind: differ, detail: fmt.Sprintf("memory %v: %v", opt.Memory, got.fault)}
		case got.status != want.status || got.out != want.out:
			return outcome{kind: differ, detail: fmt.Sprintf("memory %v: status %d, native %d; output %.60q, native %.60q", opt.Memory, got.status, want.status, got.out, want.out)}
		}
	}
	return outcome{kind: agree}
}

// failure tells what gulo refuses from what it fails at.
func failure(err error) outcome {
	var e *source.Error
	if errors.As(err, &e) && len(e.List) > 0 {
		return outcome{kind: refused, detail: construct(e.List[0].Message)}
	}
	return outcome{kind: differ, detail: err.Error()}
}

var (
	names   = regexp.MustCompile(`\b[a-zA-Z]+_[0-9]+\b`)
	numbers = regexp.MustCompile(`\b[0-9]+\b`)
)

// construct is a refusal without what stands for one program only.
func construct(msg string) string {
	return numbers.ReplaceAllString(names.ReplaceAllString(msg, "NAME"), "N")
}

// suspect looks for undefined behaviour: gcc's optimizer and its sanitizers must
// find the same result. It returns what they find. Alignment is not looked at,
// because packed structs have misaligned members on purpose. csmith does not
// keep reals in the range of the integers that they are assigned to.
func suspect(ctx context.Context, dir string, flags []string, want result) string {
	src, bin := filepath.Join(dir, "p.c"), filepath.Join(dir, "other")
	for _, more := range [][]string{
		{"-O2"},
		{"-O1", "-fsanitize=address,undefined,float-cast-overflow", "-fno-sanitize=alignment", "-fsanitize-address-use-after-scope"},
	} {
		if err := compile(ctx, src, bin, append(more, flags...)...); err != nil {
			return err.Error()
		}
		got, err := native(ctx, bin, 60)
		if err != nil {
			return fmt.Sprintf("with %s: %v", strings.Join(more, " "), err)
		}
		if got.out != want.out || got.status != want.status {
			return fmt.Sprintf("with %s: status %d, output %.60q", strings.Join(more, " "), got.status, got.out)
		}
	}
	return ""
}

// preserve keeps a program with what is needed to run it again.
func preserve(src string, seed int, s optionSet, o outcome) {
	if *keep == "" {
		return
	}
	text, err := os.ReadFile(src)
	if err == nil {
		err = os.MkdirAll(*keep, 0o755)
	}
	name := filepath.Join(*keep, fmt.Sprintf("%s-%d", s.name, seed))
	if err == nil {
		err = os.WriteFile(name+".c", text, 0o644)
	}
	if err == nil {
		note := fmt.Sprintf("csmith --concise --seed %d %s\ngcc %s\n%s: %s\n", seed, s.args, strings.Join(s.flags, " "), o.kind, o.detail)
		err = os.WriteFile(name+".txt", []byte(note), 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
}
