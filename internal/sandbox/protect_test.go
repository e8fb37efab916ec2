package sandbox

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"gulo/internal/sandbox/launch"
)

// compiled compiles a program in a folder that all users may enter.
func compiled(t *testing.T, code string) (dir, program string) {
	t.Helper()
	dir, err := os.MkdirTemp("", "gulo-sandbox")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	program = filepath.Join(dir, "program")
	if err := errors.Join(os.Chmod(dir, 0o755), os.WriteFile(program+".c", []byte(code), 0o600)); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("gcc", "-o", program, program+".c").CombinedOutput(); err != nil {
		t.Fatalf("%s", out)
	}
	return dir, program
}

// prying tells what it can do: to make a file here, to change and to make one elsewhere, to make a
// socket that leads somewhere, to unmount what hides files, to start a process, to write to a device.
const prying = `#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    char made[1000];
    snprintf(made, sizeof made, "%s-made", argv[1]);
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(9), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int s = socket(AF_INET, SOCK_DGRAM, 0), pid = fork();
    if (pid == 0) _exit(3);
    int status = 0;
    if (pid > 0) waitpid(pid, &status, 0);
    printf("here %d elsewhere %d %d network %d mounts %d", open("x", O_CREAT | O_WRONLY, 0600) >= 0, open(argv[1], O_WRONLY) >= 0,
        open(made, O_CREAT | O_WRONLY, 0600) >= 0, s >= 0 && connect(s, (void *)&to, sizeof to) == 0,
        mount("none", "/", 0, MS_REMOUNT | MS_BIND, 0) == 0 || unshare(0x20000000) == 0);
    printf(" processes %d devices %d\n", status == 3 << 8, open("/dev/null", O_WRONLY) >= 0);
    return 126;
}`

// TestProtections runs a program with each protection, those included that are for systems which
// allow little: it can do the same everywhere. Its exit status is one that the helper has, too.
func TestProtections(t *testing.T) {
	dir, program := compiled(t, prying)
	elsewhere := filepath.Join(dir, "elsewhere")
	if err := os.WriteFile(elsewhere, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, p := range strangers() {
		t.Run(fmt.Sprintf("%+v", p), func(t *testing.T) {
			l := Limits{}
			l.fill()
			r, err := p.run(context.Background(), l, launch.Order{Path: program, Args: []string{elsewhere}, Dir: dir}, "")
			if refused(err) {
				t.Skip(err)
			}
			if err != nil {
				t.Fatal(err)
			}
			const want = "here 1 elsewhere 0 0 network 0 mounts 0 processes 1 devices 1\n"
			if r.Stdout != want || r.Status != 126 {
				t.Errorf("status %d, %q, %q", r.Status, r.Stdout, r.Stderr)
			}
		})
	}
}

// TestLadder takes the next protection where the system refuses one, and keeps it.
func TestLadder(t *testing.T) {
	tried := 0
	l := ladder{make: func() []protection { return []protection{{spaces: true}, {mounts: true}, {become: true}} }}
	run := func(p protection) (*Result, error) {
		if tried++; p.spaces {
			return nil, &StartError{namespaces, syscall.EPERM}
		}
		if p.mounts {
			return nil, &StartError{launch.Scratch, syscall.EACCES}
		}
		return &Result{}, nil
	}
	for range 2 {
		if _, err := l.climb(run); err != nil {
			t.Fatal(err)
		}
	}
	if tried != 4 {
		t.Errorf("%d runs", tried)
	}
	all := ladder{make: func() []protection { return []protection{{spaces: true}} }}
	if _, err := all.climb(run); !errors.Is(err, ErrNoIsolation) {
		t.Error(err)
	}
}

// TestNotBegun runs what is no program: that is no result of it, and is not forgotten.
func TestNotBegun(t *testing.T) {
	dir, program := compiled(t, "int main(void) { return 0; }")
	if err := os.Chmod(program, 0o644); err != nil {
		t.Fatal(err)
	}
	r, err := Run(context.Background(), Limits{}, dir, "", program)
	var s *StartError
	if r != nil || !errors.As(err, &s) || s.Stage != launch.Execute || s.Err != syscall.EACCES || !strings.Contains(err.Error(), "TMPDIR") {
		t.Errorf("%+v %v", r, err)
	}
	if Broken() != s {
		t.Error(Broken())
	}
	note(func(m *missing) { m.broken = nil })
}

// TestNice runs programs from a process that is nicer than they are to be.
func TestNice(t *testing.T) {
	dir, program := compiled(t, "#include <sys/resource.h>\nint main(void) { return getpriority(PRIO_PROCESS, 0); }")
	for _, x := range []struct{ own, nice, want int }{{0, 10, 10}, {12, 10, 12}, {12, 15, 15}} {
		done := make(chan struct{})
		go func() { // its thread ends with it
			defer close(done)
			runtime.LockOSThread()
			if err := syscall.Setpriority(syscall.PRIO_PROCESS, 0, x.own); err != nil {
				t.Error(err)
				return
			}
			r, err := Run(context.Background(), Limits{Nice: x.nice}, dir, "", program)
			if err != nil || r.Status < x.want { // the tests may run at a lower priority than usual
				t.Errorf("%+v: %+v %v", x, r, err)
			}
		}()
		<-done
	}
}

// TestAddresses starts no program with less address space than it is to have.
func TestAddresses(t *testing.T) {
	l := Limits{Memory: 1 << 46}
	if err := l.given(mostAddresses()); err != nil && mostAddresses() > 1<<46 {
		t.Error(err)
	}
	if err := l.given(1 << 32); err == nil || refused(err) || !strings.Contains(err.Error(), "4096 MiB of 67108864; raise the limit (ulimit -v)") {
		t.Error(err)
	}
}
