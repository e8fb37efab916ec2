package native

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"

	"gulo/internal/process"
)

// This file asks gcc what it can do, once for all programs: the answer is kept in the user's cache.

// patternFlag makes gcc fill variables that have no initial value; it came with gcc 12.
const patternFlag = "-ftrivial-auto-var-init=pattern"

// tools are what gcc can do.
type tools struct {
	pattern bool   // it knows patternFlag
	gold    string // path of the linker of that name; empty: there is none
}

var known struct {
	sync.Mutex
	*tools
}

// ask returns what gcc can do; nothing if the context has ended before that is known.
func ask(ctx context.Context) tools {
	known.Lock()
	defer known.Unlock()
	if known.tools != nil {
		return *known.tools
	}
	at := kept(".tools", patternFlag, goldName)
	t := readTools(at)
	if t == nil {
		t = &tools{}
		t.pattern = process.Command(ctx, "gcc", patternFlag, "-E", "-x", "c", os.DevNull).Run() == nil
		if out, err := process.Command(ctx, "gcc", "-print-prog-name="+goldName).Output(); err == nil {
			t.gold = found(strings.TrimSpace(string(out)))
		}
		if ctx.Err() != nil {
			return tools{}
		}
		keep(at, []byte(t.String()))
	}
	known.tools = t
	return *t
}

// goldName is a linker that comes with binutils. It takes half the time of the usual one, and a third with the
// sanitizers.
const goldName = "ld.gold"

// found returns the path of a program; "" if it is not there.
func found(name string) string {
	if name == "" {
		return ""
	}
	if !filepath.IsAbs(name) {
		at, err := exec.LookPath(name)
		if err != nil {
			return ""
		}
		return at
	}
	if _, err := os.Stat(name); err != nil {
		return ""
	}
	return name
}

// String is the text as which tools are kept.
func (t *tools) String() string {
	if t.pattern {
		return "pattern\n" + t.gold
	}
	return "\n" + t.gold
}

// readTools reads kept tools; nil where they are not kept or the linker has gone.
func readTools(at string) *tools {
	b := readKept(at)
	first, gold, ok := strings.Cut(string(b), "\n")
	if !ok || found(gold) != gold {
		return nil
	}
	return &tools{first == "pattern", gold}
}

// linker returns flags with which gcc links in less time; what it makes is run and thrown away.
func linker(ctx context.Context) []string {
	args := []string{"-fno-use-linker-plugin"}
	if ask(ctx).gold != "" {
		args = append(args, "-fuse-ld=gold")
	}
	return args
}
