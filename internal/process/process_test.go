package process

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"
	"time"
)

const variable = "GULO_PROCESS_TEST"

// TestMain is also the processes that the tests start.
func TestMain(m *testing.M) {
	switch os.Getenv(variable) {
	case "":
		os.Exit(m.Run())
	case "panic":
		os.Exit(Main(func() int { panic("in the work") }))
	case "goroutine":
		os.Exit(Main(func() int {
			Go(func() { var p *int; *p = 1 })
			time.Sleep(time.Minute)
			return 0
		}))
	case "folder":
		os.Exit(Main(func() int {
			dir, err := TempDir("x")
			if err != nil {
				return 1
			}
			fmt.Println(dir)
			_, _ = io.ReadAll(os.Stdin)
			return 0
		}))
	case "daemon":
		os.Exit(Main(func() int {
			if _, err := TempDir("x"); err != nil {
				return 1
			}
			// The shell ends at once; what it leaves is in a session of its own.
			if exec.Command("sh", "-c", "setsid sleep 1000 & echo $!").Run() != nil {
				return 1
			}
			return 5
		}))
	case "stack":
		os.Exit(Main(func() int {
			if err := LimitMemory(); err != nil {
				return 2
			}
			var deep func(n int) int
			deep = func(n int) int {
				var frame [8192]int // few frames are adjusted fast when the stack grows
				frame[n%len(frame)] = deep(n + 1)
				return frame[n/2%len(frame)]
			}
			return deep(0)
		}))
	case "loading":
		os.Exit(Main(func() int {
			if err := LimitMemory(); err != nil {
				return 2
			}
			defer Loading()() // the watch of memory has hardly begun
			for range 100 {
				if debug.SetMemoryLimit(-1) == loadMemory {
					return 7
				}
				time.Sleep(memoryTick)
			}
			return 3
		}))
	case "memory":
		os.Exit(Main(func() int {
			if err := LimitMemory(); err != nil {
				return 2
			}
			var keep [][]byte
			for {
				b := make([]byte, 1<<20)
				for i := range b {
					b[i] = 1
				}
				keep = append(keep, b)
				_ = keep
			}
		}))
	}
}

func again(t *testing.T, what string, env ...string) (code int, stderr, temp string) {
	t.Helper()
	temp = t.TempDir()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(self)
	c.Env = append(append(os.Environ(), variable+"="+what, "TMPDIR="+temp), env...)
	var b strings.Builder
	c.Stderr = &b
	var status *exec.ExitError
	if err := c.Run(); err != nil && !errors.As(err, &status) {
		t.Fatal(err)
	}
	return c.ProcessState.ExitCode(), b.String(), temp
}

// TestPanic: a panic in any goroutine is a report with a file, not a raw trace.
func TestPanic(t *testing.T) {
	for what, text := range map[string]string{"panic": "in the work", "goroutine": "nil pointer dereference"} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			code, errs, temp := again(t, what)
			if code != BugCode || !strings.Contains(errs, "gulo: this is a bug in gulo") || !strings.Contains(errs, text) || strings.Contains(errs, "goroutine ") {
				t.Fatalf("code %d, stderr:\n%s", code, errs)
			}
			files, _ := filepath.Glob(filepath.Join(temp, "gulo-bug-*.txt"))
			if len(files) != 1 || !strings.Contains(errs, files[0]) {
				t.Fatalf("files %v, stderr %q", files, errs)
			}
			b, err := os.ReadFile(files[0])
			for _, want := range []string{text, "goroutine ", "process_test.go", "command: ", "go1."} {
				if err != nil || !strings.Contains(string(b), want) {
					t.Errorf("the report lacks %q (%v):\n%s", want, err, b)
				}
			}
		})
	}
	t.Run("no place for the report", func(t *testing.T) {
		code, errs, _ := again(t, "panic", "TMPDIR=/nowhere")
		if code != BugCode || !strings.Contains(errs, "process_test.go") {
			t.Errorf("code %d, stderr:\n%s", code, errs)
		}
	})
}

// TestNothingLeft: a program that made itself a daemon and temporary folders do not
// outlive the process.
func TestNothingLeft(t *testing.T) {
	code, errs, temp := again(t, "daemon")
	if code != 5 || errs != "" {
		t.Errorf("code %d, stderr %q", code, errs)
	}
	if l, _ := os.ReadDir(temp); len(l) > 0 {
		t.Errorf("left: %v", l)
	}
	all, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, f := range all {
		if b, err := os.ReadFile(f); err == nil && strings.Contains(string(b), "TMPDIR="+temp) {
			t.Errorf("%s lives on", f)
		}
	}
}

func TestMemory(t *testing.T) {
	code, errs, _ := again(t, "memory", "GULO_MEMORY=100")
	if code != 3 || !strings.HasPrefix(errs, "gulo: out of memory: it needs more than 100 MiB;") || strings.Contains(errs, "goroutine") {
		t.Errorf("code %d, stderr:\n%s", code, errs)
	}
}

// TestStack: Go itself would end with the stacks of all goroutines.
func TestStack(t *testing.T) {
	code, errs, _ := again(t, "stack")
	if code != 3 || !strings.HasPrefix(errs, "gulo: out of stack:") || strings.Contains(errs, "goroutine") {
		t.Errorf("code %d, stderr:\n%.2000s", code, errs)
	}
}

// TestWriteFile: a file is new or as it was.
func TestWriteFile(t *testing.T) {
	dir := t.TempDir()
	path, link := filepath.Join(dir, "a b"), filepath.Join(dir, "link")
	if err := os.WriteFile(path, []byte("old"), 0o754); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(path, link); err != nil {
		t.Fatal(err)
	}
	if err := WriteFile(link, []byte("new"), 0o644); err != nil {
		t.Fatal(err)
	}
	b, _ := os.ReadFile(path)
	info, err := os.Stat(path)
	if err != nil || string(b) != "new" || info.Mode().Perm() != 0o754 {
		t.Errorf("%q, %v, %v", b, info.Mode(), err)
	}
	if l, err := os.Lstat(link); err != nil || l.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is gone: %v", err)
	}
	if err := WriteFile("/dev/full", []byte("x"), 0o644); !Outside(err) {
		t.Errorf("a full disk gives %v", err)
	}
	if err := WriteFile(filepath.Join(dir, "no", "file"), nil, 0o644); err == nil || !strings.Contains(err.Error(), "no such file or directory") {
		t.Errorf("a folder that is not there gives %v", err)
	}
	if l, _ := os.ReadDir(dir); len(l) != 2 {
		t.Errorf("left: %v", l)
	}
}

// TestSoftLimit: the collector is told of more memory before what is in use has all of it.
func TestSoftLimit(t *testing.T) {
	const limit = 20 << 30
	for _, load := range []bool{false, true} {
		least := int64(softMemory)
		end := func() {}
		if load {
			end, least = Loading(), loadMemory
		}
		for live := uint64(100 << 20); live < 15<<30; live += live / 5 {
			if soft := softLimit(live, limit); soft < int64(live)/32*33 || soft > limit {
				t.Errorf("with %d MiB in use: %d MiB", live>>20, soft>>20)
			}
		}
		if got := softLimit(700<<20, limit); got != least {
			t.Errorf("with little in use: %d MiB", got>>20)
		}
		end()
	}
	if got := softLimit(1<<20, 1<<30); got != 768<<20 {
		t.Errorf("where there is little memory: %d MiB", got>>20)
	}
}

// TestLoadingEarly: what is loaded at once is held to its limit, too.
func TestLoadingEarly(t *testing.T) {
	if code, errs, _ := again(t, "loading", "GOMEMLIMIT=", MemoryVariable+"=8000"); code != 7 {
		t.Errorf("code %d, %s", code, errs)
	}
}

// TestGarbage: a small heap is collected when it has grown to five times what is in use, a large
// one sooner.
func TestGarbage(t *testing.T) {
	for _, x := range []struct {
		live uint64
		want int
	}{{0, 400}, {50 << 20, 400}, {96 << 20, 400}, {384 << 20, 100}, {768 << 20, 50}, {8 << 30, 30}} {
		if got := garbagePercent(x.live); got != x.want {
			t.Errorf("%d MiB: %d percent, not %d", x.live>>20, got, x.want)
		}
	}
	end := Loading()
	if got := garbagePercent(400 << 20); got != 200 {
		t.Errorf("while a program is loaded: %d percent", got)
	}
	end()
	if got := garbagePercent(400 << 20); got != 96 {
		t.Errorf("after that: %d percent", got)
	}
}
