package native

import (
	"context"
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"gulo/internal/process"
)

// This file compiles the harness, once for all programs of a process.

//go:embed harness/harness.c
var harness string

//go:embed harness/fast.c
var fast string

//go:embed harness/jobs.c
var jobs string

var sanitizers = []string{"-fsanitize=address,undefined", "-fno-sanitize-recover=all"}

// wrapped are functions of the library whose calls by the program the harness takes:
// those that end it, and those whose effects it cannot undo.
var wrapped = strings.Fields("exit _exit _Exit atexit fork system popen signal sigaction setitimer alarm sleep usleep nanosleep pause pthread_create mmap dup2")

// Warm compiles the harness ahead of its use, in the background.
func Warm(ctx context.Context, sanitize bool) {
	process.Go(func() { _, _ = harnesses.get(ctx, sanitize) }) // who needs it sees the error
}

// patternFlag makes gcc fill variables that have no initial value; it came with gcc 12.
const patternFlag = "-ftrivial-auto-var-init=pattern"

var pattern struct {
	sync.Mutex
	asked, known bool
}

// patterns reports whether gcc knows the flag.
func patterns(ctx context.Context) bool {
	pattern.Lock()
	defer pattern.Unlock()
	if !pattern.asked {
		err := process.Command(ctx, "gcc", patternFlag, "-E", "-x", "c", os.DevNull).Run()
		pattern.asked, pattern.known = ctx.Err() == nil, err == nil
	}
	return pattern.known
}

var harnesses cache

// cache holds the harness as compiled without and with the sanitizers.
type cache struct {
	plain, sanitized once
}

type once struct {
	sync.Mutex
	object []byte
}

func (c *cache) get(ctx context.Context, sanitize bool) ([]byte, error) {
	o := &c.plain
	if sanitize {
		o = &c.sanitized
	}
	o.Lock()
	defer o.Unlock()
	if o.object != nil {
		return o.object, nil
	}
	var err error
	o.object, err = compileHarness(ctx, sanitize)
	return o.object, err
}

func compileHarness(ctx context.Context, sanitize bool) ([]byte, error) {
	dir, err := process.TempDir("gulo-harness")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	for name, text := range map[string]string{"gulo_harness.c": harness, "gulo_fast.c": fast, "gulo_jobs.c": jobs} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			return nil, err
		}
	}
	args := []string{"-O0", "-w", "-Dmain=gulo_main", "-c", "gulo_harness.c"}
	if sanitize {
		args = append(append(args, "-DGULO_SANITIZED"), sanitizers...)
	}
	if err := gcc(ctx, dir, args...); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, fmt.Errorf("the harness cannot be compiled: %w", err)
	}
	return os.ReadFile(filepath.Join(dir, "gulo_harness.o"))
}
