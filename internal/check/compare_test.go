package check

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"
	"testing"
	"time"
)

var compare = flag.Bool("compare", false, "print what other debuggers catch of testdata/bugs.txtar")

// other is another memory debugger that the small programs are given to.
type other struct {
	name  string
	flags []string // clang's
	run   []string // what runs the program; nil: itself
	env   string
	said  string // what a report has in it
}

var others = []other{
	{"AddressSanitizer", []string{"-fsanitize=address", "-fsanitize-address-use-after-return=always"}, nil, "ASAN_OPTIONS=detect_leaks=1", "AddressSanitizer"},
	{"MemorySanitizer", []string{"-fsanitize=memory", "-fsanitize-memory-track-origins=2"}, nil, "", "Sanitizer"},
	{"Memcheck", nil, []string{"valgrind", "-q", "--leak-check=full", "--track-origins=yes", "--error-exitcode=9"}, "", "=="},
}

// TestCompare prints, for each small program with an error, which debugger says
// something, and whether it names the statement (make debuggers).
func TestCompare(t *testing.T) {
	if !*compare {
		t.Skip("-compare prints the table")
	}
	engines(t)
	all := programs(t, "testdata/bugs.txtar")
	names := make([]string, 0, len(all))
	for n, text := range all {
		if !strings.HasPrefix(text, onMachineOnly) {
			names = append(names, n)
		}
	}
	sort.Strings(names)
	type count struct{ caught, placed int }
	byRule := map[string]map[string]*count{}
	var rules []string
	add := func(rule, tool string, caught, placed bool) {
		if byRule[rule] == nil {
			byRule[rule] = map[string]*count{}
			rules = append(rules, rule)
		}
		c := byRule[rule][tool]
		if c == nil {
			c = &count{}
			byRule[rule][tool] = c
		}
		if caught {
			c.caught++
		}
		if placed {
			c.placed++
		}
	}
	total := map[string]int{}
	for _, n := range names {
		rule, line := wanted(all[n])
		total[rule]++
		dir := t.TempDir()
		file := filepath.Join(dir, n)
		if err := os.WriteFile(file, []byte(all[n]), 0o600); err != nil {
			t.Fatal(err)
		}
		rep, _, err := play(t, "native", file)
		if err != nil {
			t.Fatal(err)
		}
		add(rule, "gulo", len(rep.Findings) > 0, len(rep.Findings) > 0 && rep.Findings[0].Line == line)
		for _, o := range others {
			text := o.output(t, dir, file)
			add(rule, o.name, strings.Contains(text, o.said), strings.Contains(text, fmt.Sprintf("%s:%d", n, line)))
		}
	}
	sort.Strings(rules)
	tools := []string{"gulo", "AddressSanitizer", "MemorySanitizer", "Memcheck"}
	fmt.Printf("%-24s %8s", "rule", "programs")
	for _, x := range tools {
		fmt.Printf(" %18s", x)
	}
	fmt.Println("   (caught / at the statement)")
	sum := map[string]*count{}
	all2 := 0
	for _, r := range rules {
		fmt.Printf("%-24s %8d", r, total[r])
		all2 += total[r]
		for _, x := range tools {
			c := byRule[r][x]
			if sum[x] == nil {
				sum[x] = &count{}
			}
			sum[x].caught += c.caught
			sum[x].placed += c.placed
			fmt.Printf(" %18s", fmt.Sprintf("%d / %d", c.caught, c.placed))
		}
		fmt.Println()
	}
	fmt.Printf("%-24s %8d", "all", all2)
	for _, x := range tools {
		fmt.Printf(" %18s", fmt.Sprintf("%d / %d", sum[x].caught, sum[x].placed))
	}
	fmt.Println()
}

// output builds and runs a program under another debugger.
func (o *other) output(t *testing.T, dir, file string) string {
	t.Helper()
	bin := filepath.Join(dir, o.name)
	args := append([]string{"-O0", "-g", "-gdwarf-4", "-w", "-fno-omit-frame-pointer", "-o", bin, file}, o.flags...)
	if out, err := exec.Command(Clang, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s: %s", o.name, out)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	cmd := append(append([]string{}, o.run...), bin)
	c := exec.CommandContext(ctx, cmd[0], cmd[1:]...)
	c.Env = append(os.Environ(), o.env)
	out, _ := c.CombinedOutput()
	return string(out)
}
