package native

import (
	"bytes"
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"gulo/internal/process"
)

// This file compiles the harness, once for all programs: it is kept in the user's cache.

//go:embed harness/harness.c
var harness string

//go:embed harness/fast.c
var fast string

//go:embed harness/jobs.c
var jobs string

//go:embed harness/files.c
var files string

//go:embed harness/guard.c
var guard string

// guarded are the functions of the library that allocate and free.
var guarded = strings.Fields("malloc calloc realloc free strdup strndup")

var sanitizers = []string{"-fsanitize=address,undefined", "-fno-sanitize-recover=all"}

// wrapped are functions of the library that the harness replaces in the program: those that end it, and those whose
// effects it cannot undo.
var wrapped = strings.Fields("exit _exit _Exit atexit fork system popen signal sigaction setitimer alarm sleep usleep nanosleep pause pthread_create mmap dup2")

// Warm compiles the harness ahead of its use, in the background.
func Warm(ctx context.Context, sanitize bool) {
	process.Go(func() { _, _ = harnesses.get(ctx, sanitize) }) // who needs it sees the error
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
	at := kept(".o", harness, fast, jobs, files, fmt.Sprint(harnessFlags(sanitize)))
	if o.object = readKept(at); o.object != nil {
		return o.object, nil
	}
	object, err := compileHarness(ctx, sanitize)
	if err != nil {
		return nil, err
	}
	o.object = object
	keep(at, object)
	return object, nil
}

// kept returns the path of the file in which something that depends on this gcc and on some texts is kept; "" if it
// cannot be kept.
func kept(ext string, texts ...string) string {
	at, err := exec.LookPath("gcc")
	if err == nil {
		at, err = filepath.EvalSymlinks(at)
	}
	if err != nil {
		return ""
	}
	st, err := os.Stat(at)
	if err != nil {
		return ""
	}
	base, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	h := sha256.New()
	fmt.Fprintf(h, "%s %d %v", at, st.Size(), st.ModTime().UnixNano())
	for _, text := range texts {
		fmt.Fprintf(h, " %d %s", len(text), text)
	}
	return filepath.Join(base, "gulo", "harness", hex.EncodeToString(h.Sum(nil)[:20])+ext)
}

// readKept reads a kept object, behind which its checksum stands; nil if it is not there or damaged.
func readKept(at string) []byte {
	if at == "" {
		return nil
	}
	b, err := os.ReadFile(at)
	if err != nil || len(b) <= sha256.Size {
		return nil
	}
	object := b[:len(b)-sha256.Size]
	if sum := sha256.Sum256(object); !bytes.Equal(sum[:], b[len(object):]) {
		return nil
	}
	return object
}

// keep keeps an object. If that is not possible, it is compiled again next time.
func keep(at string, object []byte) {
	if at == "" || os.MkdirAll(filepath.Dir(at), 0o700) != nil {
		return
	}
	sum := sha256.Sum256(object)
	_ = process.WriteFile(at, append(slices.Clone(object), sum[:]...), 0o600)
}

// harnessFlags are the flags for gcc. The harness itself is compiled without the sanitizers.
func harnessFlags(sanitize bool) []string {
	args := []string{"-O0", "-w", "-c", "gulo_harness.c"}
	if sanitize {
		args = append(args, "-DGULO_SANITIZED")
	}
	return args
}

func compileHarness(ctx context.Context, sanitize bool) ([]byte, error) {
	dir, err := process.TempDir("gulo-harness")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	for name, text := range map[string]string{"gulo_harness.c": harness, "gulo_fast.c": fast, "gulo_jobs.c": jobs, "gulo_files.c": files} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			return nil, err
		}
	}
	if err := gcc(ctx, dir, harnessFlags(sanitize)...); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, fmt.Errorf("the harness cannot be compiled: %w", err)
	}
	return os.ReadFile(filepath.Join(dir, "gulo_harness.o"))
}
