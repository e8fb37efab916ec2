package sandbox

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestMain(m *testing.M) {
	Main()
	os.Exit(m.Run())
}

// TestLimits runs programs that misbehave.
func TestLimits(t *testing.T) {
	for _, x := range []struct {
		name, code string
		want       func(r *Result) bool
	}{
		{"well behaved", `#include <stdio.h>
int main(void) { char b[9]; puts(fgets(b, 9, stdin)); FILE *f = fopen("x", "w"); return f ? 3 : 4; }`,
			func(r *Result) bool { return r.Status == 3 && r.Stopped == "" && r.Stdout == "hello\n" }},
		{"sleeps", `#include <unistd.h>
int main(void) { for (;;) sleep(100); }`, func(r *Result) bool { return r.Stopped == "time" }},
		{"runs for ever", `int main(void) { for (volatile int i = 0;; i++); }`, func(r *Result) bool { return r.Stopped == "time" || strings.Contains(r.Stopped, "SIG") }},
		{"forks for ever", `#include <unistd.h>
int main(void) { for (;;) fork(); }`, func(r *Result) bool { return r.Stopped != "" }},
		{"eats memory", `#include <stdlib.h>
#include <string.h>
int main(void) { for (;;) { char *p = malloc(1 << 20); if (!p) return 7; memset(p, 1, 1 << 20); } }`, func(r *Result) bool { return r.Status == 7 || r.Stopped != "" }},
		{"fills the disk with one file", `#include <stdio.h>
int main(void) { FILE *f = fopen("big", "w"); char b[4096] = {1}; for (;;) if (fwrite(b, 1, sizeof b, f) < sizeof b) return 8; }`,
			func(r *Result) bool { return r.Status == 8 || strings.Contains(r.Stopped, "SIGXFSZ") }},
		{"fills the disk with many files", `#include <stdio.h>
int main(void) { for (int i = 0;; i++) { char n[32]; sprintf(n, "f%d", i); FILE *f = fopen(n, "w"); if (!f) return 9;
 char b[4096] = {1}; for (int k = 0; k < 200; k++) if (fwrite(b, 1, sizeof b, f) < sizeof b) return 10; if (fclose(f)) return 11; } }`,
			func(r *Result) bool { return r.Status >= 9 && r.Status <= 11 }},
		{"prints for ever", `#include <stdio.h>
int main(void) { for (;;) puts("again"); }`, func(r *Result) bool { return r.Stopped == "output" }},
		{"connects to the machine", `#include <arpa/inet.h>
#include <sys/socket.h>
int main(void) { struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(9)}; inet_pton(AF_INET, "127.0.0.1", &a.sin_addr);
 int s = socket(AF_INET, SOCK_STREAM, 0); if (s < 0) return 12; return connect(s, (struct sockaddr *)&a, sizeof a) < 0 ? 13 : 0; }`,
			func(r *Result) bool { return r.Status == 12 || r.Status == 13 }},
		{"kills the parent", `#include <signal.h>
#include <unistd.h>
int main(void) { kill(getppid(), 9); kill(-1, 9); return 5; }`, func(r *Result) bool { return r.Status == 5 || r.Stopped != "" }},
		{"writes elsewhere", `#include <stdio.h>
int main(void) { return fopen("/etc/gulo-was-here", "w") || fopen("/usr/gulo-was-here", "w") ? 1 : 6; }`, func(r *Result) bool { return r.Status == 6 }},
	} {
		t.Run(x.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			for d := dir; d != "/" && d != "."; d = filepath.Dir(d) {
				if d != os.TempDir() {
					_ = os.Chmod(d, 0o755)
				}
				if d == os.TempDir() {
					break
				}
			}
			src, bin := filepath.Join(dir, "p.c"), filepath.Join(dir, "p")
			if err := os.WriteFile(src, []byte(x.code), 0o644); err != nil {
				t.Fatal(err)
			}
			if out, err := exec.Command("gcc", "-o", bin, src).CombinedOutput(); err != nil {
				t.Fatalf("%s", out)
			}
			begin := time.Now()
			r, err := Run(context.Background(), Limits{Time: 2 * time.Second}, dir, "hello", bin)
			if errors.Is(err, ErrNoIsolation) {
				t.Skip(err)
			}
			if err != nil {
				t.Fatal(err)
			}
			if !x.want(r) {
				t.Errorf("status %d, stopped %q, stdout %.60q, stderr %.100q", r.Status, r.Stopped, r.Stdout, r.Stderr)
			}
			if d := time.Since(begin); d > 20*time.Second {
				t.Errorf("took %v", d)
			}
		})
	}
	if _, err := os.Stat("/etc/gulo-was-here"); err == nil {
		t.Error("a program wrote outside its directory")
	}
}

// TestProcessor: what a program may compute does not depend on how busy the machine is; what it waits is bounded by the clock.
func TestProcessor(t *testing.T) {
	dir := t.TempDir()
	for d := dir; d != os.TempDir() && d != "/"; d = filepath.Dir(d) {
		_ = os.Chmod(d, 0o755)
	}
	bin := filepath.Join(dir, "p")
	cmd := exec.Command("gcc", "-x", "c", "-o", bin, "-")
	cmd.Stdin = strings.NewReader("int main(void) { for (volatile int i = 0;; i++); }")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s", out)
	}
	r, err := Run(context.Background(), Limits{Time: 10 * time.Minute, Processor: time.Second}, dir, "", bin)
	if errors.Is(err, ErrNoIsolation) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	if r.Stopped != "time" || r.CPU < time.Second/2 || r.CPU > 3*time.Second {
		t.Errorf("stopped %q after %v of a processor", r.Stopped, r.CPU)
	}
}
