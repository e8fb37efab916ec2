package bench

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"gulo/internal/process"
)

// This file measures what memory debuggers cost, which is the question of Table 4 of Wang, Neamtiu and Gupta (ISMM
// 2013), for gulo and other tools on the same programs in one run. scripts/overhead builds the programs.

// Overhead measures the programs of a folder and prints a table. The file "list" in it has a line for each program: its
// name, its standard input or -, its arguments. The executables are NAME-native/program, and the same for NAME-gulo,
// NAME-asan and NAME-msan.
func Overhead(ctx context.Context, w io.Writer, dir string, runs int, progress func(string)) error {
	f, err := os.Open(filepath.Join(dir, "list"))
	if err != nil {
		return err
	}
	defer f.Close()
	var rows []*overheadRow
	for lines := bufio.NewScanner(f); lines.Scan(); {
		name, rest, _ := strings.Cut(lines.Text(), " ")
		in, args, _ := strings.Cut(rest, " ")
		r := &overheadRow{name: name, stdin: in, args: strings.Fields(args)}
		if err := r.measure(ctx, dir, runs, progress); err != nil {
			return err
		}
		rows = append(rows, r)
	}
	printOverhead(w, rows)
	return nil
}

// tools are the columns: the command put before the program, and which build of it is run.
var tools = []struct {
	name, build string
	before      []string
	env         []string
	once        bool
}{
	{"native -O1", "native", nil, nil, false},
	{"gulo", "gulo", nil, []string{"GULO_OFF=definite_leak"}, false},
	{"ASan", "asan", nil, []string{"ASAN_OPTIONS=detect_leaks=0"}, false},
	{"MSan origins", "msan", nil, nil, false},
	{"Memcheck", "native", []string{"valgrind", "-q", "--error-exitcode=0"}, nil, true},
	{"Memcheck origins", "native", []string{"valgrind", "-q", "--error-exitcode=0", "--track-origins=yes"}, nil, true},
}

// durations matches the times that some programs print, which differ between runs.
var durations = regexp.MustCompile(`[. ]*[0-9]+\.[0-9]+s\b`)

type overheadRow struct {
	name, stdin string
	args        []string
	cells       []overheadCell
}

type overheadCell struct {
	seconds float64
	mib     int64
	note    string // why there is no figure
}

func (r *overheadRow) measure(ctx context.Context, dir string, runs int, progress func(string)) error {
	var want [sha256.Size]byte
	for i, t := range tools {
		if progress != nil {
			progress(r.name + " under " + t.name)
		}
		c := overheadCell{seconds: -1}
		n := runs
		if t.once {
			n = 1
		}
		for range n {
			s, m, sum, err := r.run(ctx, dir, t.before, t.build, t.env)
			switch {
			case err != nil:
				c.note = err.Error()
			case i == 0:
				want = sum
			case sum != want:
				c.note = "prints something else"
			}
			if c.note != "" {
				break
			}
			if c.seconds < 0 || s < c.seconds {
				c.seconds, c.mib = s, m
			}
		}
		if i == 0 && c.note != "" {
			return fmt.Errorf("%s: %s", r.name, c.note)
		}
		r.cells = append(r.cells, c)
	}
	return nil
}

func (r *overheadRow) run(ctx context.Context, dir string, before []string, build string, env []string) (seconds float64, mib int64, sum [sha256.Size]byte, err error) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Minute)
	defer cancel()
	bin := filepath.Join(dir, r.name+"-"+build, "program")
	if _, err := os.Stat(bin); err != nil {
		return 0, 0, sum, errors.New("was not built")
	}
	args := append(slices.Clone(before), bin)
	args = append(args, r.args...)
	c := process.Program(ctx, args[0], args[1:]...)
	c.Dir = dir
	c.Env = append(os.Environ(), env...)
	var out bytes.Buffer
	c.Stdout = &out
	if r.stdin != "-" {
		f, err := os.Open(filepath.Join(dir, r.stdin))
		if err != nil {
			return 0, 0, sum, err
		}
		defer f.Close()
		c.Stdin = f
	}
	if err = c.Start(); err != nil {
		return 0, 0, sum, err
	}
	peak := make(chan int64)
	done := make(chan struct{})
	process.Go(func() { watchMemory(c.Process.Pid, done, peak) })
	err = c.Wait()
	close(done)
	mib = <-peak >> 10
	if ctx.Err() != nil {
		return 0, 0, sum, errors.New("does not run or not end")
	}
	if !c.ProcessState.Exited() || c.ProcessState.ExitCode() > 2 {
		return 0, 0, sum, fmt.Errorf("ends with %v", c.ProcessState)
	}
	sum = sha256.Sum256(durations.ReplaceAll(out.Bytes(), nil))
	return (c.ProcessState.UserTime() + c.ProcessState.SystemTime()).Seconds(), mib, sum, nil
}

// watchMemory follows the peak resident memory of a process, in KiB. The figure that the system gives after a process
// has ended includes the memory of the process that started it.
func watchMemory(pid int, done chan struct{}, peak chan<- int64) {
	var most int64
	for {
		if text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid)); err == nil {
			if _, rest, ok := strings.Cut(string(text), "VmHWM:"); ok {
				var n int64
				if _, err := fmt.Sscan(rest, &n); err == nil {
					most = max(most, n)
				}
			}
		}
		select {
		case <-done:
			peak <- most
			return
		case <-time.After(10 * time.Millisecond):
		}
	}
}

func printOverhead(w io.Writer, rows []*overheadRow) {
	fmt.Fprintf(w, "%-8s", "")
	for _, t := range tools {
		fmt.Fprintf(w, " %24s", t.name)
	}
	fmt.Fprintln(w)
	ratios := make([][]float64, len(tools))
	for _, r := range rows {
		fmt.Fprintf(w, "%-8s", r.name)
		for i, c := range r.cells {
			text := c.note
			if c.seconds >= 0 && c.note == "" {
				x := c.seconds / r.cells[0].seconds
				ratios[i] = append(ratios[i], x)
				text = fmt.Sprintf("%.2f s %5.1fx %5d MiB", c.seconds, x, c.mib)
			}
			fmt.Fprintf(w, " %24s", text)
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintf(w, "%-8s", "median")
	for _, l := range ratios {
		text := "-"
		if len(l) > 0 {
			slices.Sort(l)
			text = fmt.Sprintf("%.1fx of %d", (l[(len(l)-1)/2]+l[len(l)/2])/2, len(l))
		}
		fmt.Fprintf(w, " %24s", text)
	}
	fmt.Fprintln(w)
	fmt.Fprintln(w, "processor time and greatest resident memory; best of several runs, of one under Memcheck; standard output must be the native one's")
}
