package process

import (
	"context"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// This file is about the processes below this one.

// Command prepares a tool: it is killed with all it has started when ctx ends,
// and by the kernel when gulo dies. Its temporary files are in our folder.
//
// It is in a process group of its own and so cannot read from a terminal: for a
// program that may, see Program.
func Command(ctx context.Context, name string, args ...string) *exec.Cmd {
	c := exec.CommandContext(ctx, name, args...)
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	c.Cancel = func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
	c.WaitDelay = waitDelay
	c.Env = os.Environ()
	if dir, err := folder(); err == nil && dir != "" {
		c.Env = append(c.Env, "TMPDIR="+dir)
	}
	return c
}

// waitDelay is how long a stream is read that a killed process has left open
// in others.
const waitDelay = 2 * time.Second

// Program prepares a program of the user's that has gulo's own terminal: it is
// in gulo's process group, with the environment as it is.
func Program(ctx context.Context, name string, args ...string) *exec.Cmd {
	c := exec.CommandContext(ctx, name, args...)
	c.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	c.WaitDelay = waitDelay
	return c
}

// killAll kills every process below this one, also those that have joined
// another group or session, and waits until they are gone.
func killAll() {
	for round := 0; round < 100; round++ {
		for {
			pid, err := unix.Wait4(-1, nil, unix.WNOHANG, nil)
			if err == unix.ECHILD {
				return
			}
			if err != nil || pid <= 0 {
				break
			}
		}
		left := below(os.Getpid())
		if len(left) == 0 {
			return
		}
		for _, pid := range left {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
		time.Sleep(time.Duration(min(round+1, 20)) * time.Millisecond)
	}
}

// Info is what the system says of a process.
type Info struct {
	Parent, Session int
	Started         uint64 // in clock ticks since the system's start: with its number it tells a process from all others
	Dead            bool   // it has ended, and nobody has waited for it
}

// Look returns what the system says of a process; ok is false where there is none.
func Look(pid int) (i Info, ok bool) {
	b, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return i, false
	}
	text := string(b)
	f := strings.Fields(text[strings.LastIndexByte(text, ')')+1:])
	if len(f) < 20 {
		return i, false
	}
	i.Parent, _ = strconv.Atoi(f[1])
	i.Session, _ = strconv.Atoi(f[3])
	i.Started, _ = strconv.ParseUint(f[19], 10, 64)
	i.Dead = f[0] == "Z" || f[0] == "X"
	return i, true
}

// AwaitEnd waits for the end of a process that was killed, two seconds at most: on a loaded machine it is there for a
// while.
func AwaitEnd(pid int) {
	for round := range 100 {
		if i, there := Look(pid); pid == 0 || !there || i.Dead {
			return
		}
		time.Sleep(time.Duration(min(round+1, 20)) * time.Millisecond)
	}
}

// List returns all processes by their numbers.
func List() map[int]Info {
	out := map[int]Info{}
	dir, err := os.ReadDir("/proc")
	if err != nil {
		return nil
	}
	for _, e := range dir {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		if i, ok := Look(pid); ok {
			out[pid] = i
		}
	}
	return out
}

// below lists the living processes below a process.
func below(root int) []int {
	all := List()
	kids := map[int][]int{}
	for pid, i := range all {
		kids[i.Parent] = append(kids[i.Parent], pid)
	}
	var out []int
	todo := []int{root}
	for len(todo) > 0 {
		p := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, k := range kids[p] {
			todo = append(todo, k)
			if !all[k].Dead {
				out = append(out, k)
			}
		}
	}
	return out
}
