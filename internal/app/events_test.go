package app

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// This file tests what happens to a command from outside: signals, outputs that go away, tools that die, disks that
// are full. Every command is a process of its own. Whatever happens to it, it ends soon with the code that the manual
// has, leaves no process and no temporary folder, and shows no stack trace of gulo.

// loops never ends, natively and on the machine.
const loops = "#include <stdio.h>\nint main(void) { volatile int i = 0; puts(\"running\"); fflush(stdout); for (;;) i = !i; }\n"

// hard is wrong, and a search for its repair takes long.
const hard = `#include <assert.h>
int f(unsigned a, unsigned b) {
    unsigned r = 1;
    for (unsigned i = 0; i < b % 32; i++)
        r = r * a + (r >> 3) * b;
    r = r ^ (a * b * 7919u);
    assert(r * r != a * 48271u + b * b);
    return r;
}
int main(void) { return f(3, 4); }
`

// longJob is a command that has work for longer than a test.
type longJob struct {
	name   string
	args   []string      // PROGRAM and SCRIPT stand for files
	text   string        // of PROGRAM
	input  string        // of SCRIPT
	ready  string        // what it prints when it is in the middle; "" when it has a child
	later  time.Duration // and this much later
	silent bool          // neither prints nor starts anything
	stdin  bool          // has a standard input on which nothing comes
	native bool          // needs gulo-instrument
}

// other is hard without its assertion: right is what the reference does.
var (
	other     = strings.Replace(hard, "    assert(r * r != a * 48271u + b * b);\n", "", 1)
	reference = strings.Replace(other, "7919u", "7907u", 1)
)

func jobs() []longJob {
	looping := []longJob{
		{name: "run", args: []string{"run", "PROGRAM"}, ready: "running"},
		{name: "debug machine", args: []string{"debug", "--engine", "machine", "--script", "SCRIPT", "PROGRAM"}, input: "start\nnext\ncontinue\nstart\n", ready: ") continue"},
		{name: "debug gdb", args: []string{"debug", "--script", "SCRIPT", "PROGRAM"}, input: "start\nnext\nnext\ncontinue\nstart\n", ready: ") continue"},
		{name: "check machine", args: []string{"check", "--engine", "machine", "PROGRAM"}, ready: "running"},
		{name: "inject", args: []string{"inject", "-n", "100000", "-o", "OUT", "PROGRAM"}, text: strings.Replace(hard, "r * r", "r", 1)},
		{name: "bench", args: []string{"bench", "repair", "--variants", "40"}},
	}
	const long = "--limit=2m"
	looping = append(looping,
		longJob{name: "fix assert", args: []string{"fix", long, "--assert", "PROGRAM"}, text: hard, later: 500 * time.Millisecond},
		longJob{name: "fix reference", args: []string{"fix", long, "--reference", "REFERENCE", "PROGRAM"}, text: other, later: 500 * time.Millisecond},
		longJob{name: "fix template", args: []string{"fix", long, "--method", "template", "--reference", "REFERENCE", "PROGRAM"}, text: other, later: 500 * time.Millisecond},
		longJob{name: "fix runs", args: []string{"fix", long, "--method", "runs", "--reference", "REFERENCE", "PROGRAM"}},
		longJob{name: "locate", args: []string{"locate", long, "--assert", "PROGRAM"}, text: hard, later: 500 * time.Millisecond},
		longJob{name: "locate diagnosis", args: []string{"locate", long, "--method", "diagnosis", "--reference", "REFERENCE", "PROGRAM"}, text: other},
		longJob{name: "explore", args: []string{"explore", long, "PROGRAM"}, text: hard, later: 200 * time.Millisecond},
		longJob{name: "campaign", args: []string{"campaign", "run", long, "--reference", "REFERENCE", "--state", "OUT", "FOLDER"}, text: other, later: time.Second},
		longJob{name: "worker", args: []string{"worker", "--nats", "SERVER"}, silent: true, later: time.Second},
		longJob{name: "check native", args: []string{"check", "PROGRAM"}, ready: "running", native: true},
		longJob{name: "cc", args: []string{"cc", "-x", "c", "-c", "-o", "OUT", "-"}, native: true, stdin: true},
	)
	for i := range looping {
		if looping[i].text == "" {
			looping[i].text = loops
		}
	}
	return looping
}

// process is a gulo that was started.
type running struct {
	cmd  *exec.Cmd
	temp string
	mu   sync.Mutex
	out  bytes.Buffer
	errs bytes.Buffer
	saw  chan struct{}
	want string

	later  time.Duration
	silent bool
}

func (r *running) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	seen := strings.Contains(r.out.String(), r.want)
	r.out.Write(p)
	if !seen && strings.Contains(r.out.String(), r.want) {
		close(r.saw)
	}
	return len(p), nil
}

// prepare makes a command of this test's own executable, with a folder for
// temporary files that nobody else has.
func prepare(t *testing.T, j longJob) *running {
	t.Helper()
	dir := t.TempDir()
	r := &running{temp: filepath.Join(dir, "tmp"), saw: make(chan struct{}), want: j.ready}
	for name, text := range map[string]string{"p.c": j.text, "script": j.input, "reference.c": reference, "folder/a.c": j.text} {
		_ = os.Mkdir(filepath.Join(dir, "folder"), 0o700)
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(r.temp, 0o700); err != nil {
		t.Fatal(err)
	}
	server := ""
	if slices.Contains(j.args, "SERVER") {
		server = queue(t)
	}
	var args []string
	for _, a := range j.args {
		a = strings.NewReplacer("PROGRAM", filepath.Join(dir, "p.c"), "SCRIPT", filepath.Join(dir, "script"), "OUT", filepath.Join(dir, "out"),
			"REFERENCE", filepath.Join(dir, "reference.c"), "FOLDER", filepath.Join(dir, "folder"), "SERVER", server).Replace(a)
		args = append(args, a)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	r.cmd = exec.Command(self, args...)
	r.cmd.Env = append(os.Environ(), asCommand+"=1", "TMPDIR="+r.temp)
	if j.native {
		bin, err := filepath.Abs("../../bin")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(filepath.Join(bin, "gulo-instrument")); err != nil {
			t.Skip("native debuggers need bin/gulo-instrument: make instrument")
		}
		r.cmd.Env = append(r.cmd.Env, "PATH="+bin+":"+os.Getenv("PATH"))
	}
	if j.stdin {
		if _, err := r.cmd.StdinPipe(); err != nil {
			t.Fatal(err)
		}
	}
	r.later, r.silent = j.later, j.silent
	r.cmd.Stdout, r.cmd.Stderr = r, &r.errs
	return r
}

// queue starts a server without jobs.
func queue(t *testing.T) string {
	t.Helper()
	s, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: -1, JetStream: true, StoreDir: t.TempDir(), NoSigs: true, NoLog: true})
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	if !s.ReadyForConnections(10 * time.Second) {
		t.Fatal("the server does not start")
	}
	return s.ClientURL()
}

// end waits for the command, and checks that it leaves nothing behind.
func (r *running) end(t *testing.T, limit time.Duration) int {
	t.Helper()
	below := children(r.cmd.Process.Pid)
	timer := time.AfterFunc(limit, func() {
		t.Errorf("still there after %v", limit)
		_ = r.cmd.Process.Kill()
	})
	err := r.cmd.Wait()
	timer.Stop()
	var status *exec.ExitError
	if err != nil && !errors.As(err, &status) && !errors.Is(err, exec.ErrWaitDelay) {
		t.Fatal(err)
	}
	for end := time.Now().Add(5 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		var left []int
		for _, k := range below {
			if alive(k) {
				left = append(left, k)
			}
		}
		if len(left) == 0 {
			break
		}
		if time.Now().After(end) {
			t.Errorf("these processes live on: %v", left)
			break
		}
	}
	if list, _ := filepath.Glob(filepath.Join(r.temp, "*")); len(list) > 0 {
		t.Errorf("these files are left: %v", list)
	}
	for _, bad := range []string{"goroutine ", "panic", "SIGQUIT", "this is a bug"} {
		if strings.Contains(r.errs.String(), bad) {
			t.Errorf("stderr has %q:\n%s", bad, r.errs.String())
		}
	}
	return r.cmd.ProcessState.ExitCode()
}

// middle waits until the command is at work.
func (r *running) middle(t *testing.T) {
	t.Helper()
	defer func() { time.Sleep(r.later) }()
	if r.silent {
		return
	}
	if r.want != "" {
		select {
		case <-r.saw:
			time.Sleep(50 * time.Millisecond)
		case <-time.After(60 * time.Second):
			t.Fatalf("never printed %q:\n%s%s", r.want, r.out.String(), r.errs.String())
		}
		return
	}
	for end := time.Now().Add(60 * time.Second); len(children(r.cmd.Process.Pid)) == 0; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("never started a process:\n%s%s", r.out.String(), r.errs.String())
		}
	}
}

func TestSignals(t *testing.T) {
	signals := []syscall.Signal{syscall.SIGTERM, syscall.SIGHUP, syscall.SIGINT}
	if signal.Ignored(syscall.SIGHUP) { // as under nohup: what is started ignores it, too
		signals = slices.DeleteFunc(signals, func(s syscall.Signal) bool { return s == syscall.SIGHUP })
	}
	for i, j := range jobs() {
		for k, sig := range signals {
			if testing.Short() && k != i%len(signals) {
				continue
			}
			t.Run(fmt.Sprintf("%s/%v", j.name, sig), func(t *testing.T) {
				t.Parallel()
				r := prepare(t, j)
				if err := r.cmd.Start(); err != nil {
					t.Fatal(err)
				}
				r.middle(t)
				_ = r.cmd.Process.Signal(sig)
				if code := r.end(t, 20*time.Second); code != 128+int(sig) {
					t.Errorf("code %d, want %d; stderr:\n%s", code, 128+int(sig), r.errs.String())
				}
				if out := r.out.String(); strings.Contains(out, "unknown") || strings.Contains(out, "time") || strings.Contains(out, "no repair") {
					t.Errorf("what is no answer is printed as one: %q", out)
				}
				if j.name == "campaign" && !strings.Contains(r.errs.String(), "; the same command goes on\n") {
					t.Errorf("it does not say what is left: %q", r.errs.String())
				}
				if !strings.Contains(r.errs.String(), "gulo: stopped by SIG") {
					t.Errorf("it does not say why it ends: %q", r.errs.String())
				}
			})
		}
	}
}

// TestOutputGone: nobody reads what a command prints, or the disk is full.
func TestOutputGone(t *testing.T) {
	endless := "#include <stdio.h>\nint main(void) { for (;;) puts(\"line\"); }\n"
	short := "int main(void) { int x = 1; return x; }\n"
	list := []longJob{
		{name: "run", args: []string{"run", "PROGRAM"}, text: endless},
		{name: "debug machine", args: []string{"debug", "--engine", "machine", "--script", "SCRIPT", "PROGRAM"}, text: short, input: strings.Repeat("start\nnext\n", 3000)},
		{name: "debug gdb", args: []string{"debug", "--script", "SCRIPT", "PROGRAM"}, text: short, input: "start\n" + strings.Repeat("print x\n", 5000)},
		{name: "rules", args: []string{"rules", "gen", "memory"}},
		{name: "help", args: []string{"help", "fix"}},
		{name: "explore", args: []string{"explore", "PROGRAM"}, text: "int f(int x) { return x > 3 ? x : 3; }\nint main(void) { return f(1); }\n"},
	}
	for _, j := range list {
		t.Run(j.name+"/full disk", func(t *testing.T) {
			t.Parallel()
			full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
			if err != nil {
				t.Skip("no /dev/full here")
			}
			defer full.Close()
			r := prepare(t, j)
			r.cmd.Stdout = full
			if err := r.cmd.Start(); err != nil {
				t.Fatal(err)
			}
			if code := r.end(t, 60*time.Second); code != 3 || !strings.Contains(r.errs.String(), "gulo: cannot write to standard output: no space left on device") {
				t.Errorf("code %d, stderr %q", code, r.errs.String())
			}
		})
		if j.name == "help" || j.name == "explore" || j.name == "rules" { // all of it fits into the pipe
			continue
		}
		t.Run(j.name+"/closed pipe", func(t *testing.T) {
			t.Parallel()
			r := prepare(t, j)
			in, out, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			r.cmd.Stdout = out
			if err := r.cmd.Start(); err != nil {
				t.Fatal(err)
			}
			out.Close()
			_, _ = io.ReadFull(in, make([]byte, 1))
			in.Close()
			if code := r.end(t, 60*time.Second); code != 128+int(syscall.SIGPIPE) || r.errs.Len() > 0 {
				t.Errorf("code %d, stderr %q", code, r.errs.String())
			}
		})
	}
}

// TestToolKilled: the compiler or gdb is killed in the middle. Nobody knows what it would have said, so that nothing
// is said about the program, and no command calls it bad C.
func TestToolKilled(t *testing.T) {
	for _, tool := range []string{"cc1", "gcc", "gdb"} {
		for _, j := range []longJob{
			{name: "run", args: []string{"run", "PROGRAM"}, text: other},
			{name: "fix", args: []string{"fix", "--reference", "REFERENCE", "PROGRAM"}, text: other},
			{name: "fix assert", args: []string{"fix", "--limit", "4s", "--assert", "PROGRAM"}, text: hard},
			{name: "explore", args: []string{"explore", "--limit", "4s", "PROGRAM"}, text: hard},
			{name: "debug", args: []string{"debug", "--script", "SCRIPT", "PROGRAM"}, text: loops, input: "start\nnext\ncontinue\nnext\n"},
		} {
			if tool == "gdb" && j.name != "debug" {
				continue
			}
			t.Run(tool+"/"+j.name, func(t *testing.T) {
				r := prepare(t, j)
				if err := r.cmd.Start(); err != nil {
					t.Fatal(err)
				}
				done := make(chan struct{})
				killed := 0
				var wg sync.WaitGroup
				wg.Add(1)
				go func() { // every one of them, as a system without memory does
					defer wg.Done()
					for {
						select {
						case <-done:
							return
						case <-time.After(time.Millisecond):
						}
						for _, k := range children(r.cmd.Process.Pid) {
							if name, _ := os.ReadFile(fmt.Sprintf("/proc/%d/comm", k)); strings.TrimSpace(string(name)) == tool && alive(k) {
								if syscall.Kill(k, syscall.SIGKILL) == nil {
									killed++
								}
							}
						}
					}
				}()
				code := r.end(t, 120*time.Second)
				close(done)
				wg.Wait()
				if killed > 0 && code != 3 {
					t.Errorf("code %d; stdout:\n%s\nstderr:\n%s", code, r.out.String(), r.errs.String())
				}
				if killed > 0 && !strings.Contains(r.errs.String(), tool) && !strings.Contains(r.errs.String(), "gcc") && !strings.Contains(r.out.String(), tool) {
					t.Errorf("it does not say what ended: %q %q", r.out.String(), r.errs.String())
				}
			})
		}
	}
}
