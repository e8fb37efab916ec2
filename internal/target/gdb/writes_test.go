package gdb

import (
	"bytes"
	"context"
	"testing"

	"gulo/internal/target"
)

// written changes memory in the ways that there are: by stores, by the kernel, by giving pages
// back, by mapping others in their place, by growing the heap.
const written = `#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static char table[1 << 16];
static int fds[2];

int main(void)
{
    char *block = malloc(1 << 20), *map;
    int round = 0;
    memset(block, 1, 1 << 20);
    map = mmap(0, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memset(map, 2, 1 << 20);
    block[300000] = 3;
    if (pipe(fds) < 0 || fds[0] != 3 && fds[0] != 4)
        return 1;
    if (write(fds[1], "by the kernel", 13) != 13)
        return 2;
    if (read(fds[0], map + 70000, 13) != 13)
        return 3;
    madvise(map, 1 << 19, MADV_DONTNEED);
    table[5000] = 4;
    map[4096] = 5;
    munmap(map, 1 << 20);
    if (mmap(map, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != map)
        return 4;
    map[8192] = 6;
    if (mmap(map + (1 << 18), 1 << 18, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != map + (1 << 18))
        return 5;
    while (round < 20) {
        char *p = malloc(50000);
        memset(p, 7, 50000);
        round++;
    }
    map = mremap(map, 1 << 20, 1 << 21, MREMAP_MAYMOVE);
    map[1500000] = 8;
    if (fork() == 0)
        _exit(0);
    block[5] = 9;
    memmove(block + 100, block, 900000);
    return 0;
}
`

// TestWrites: the copy of the memory is what the process has after every step, also when what was
// written is the kernel's word, and after going back.
func TestWrites(t *testing.T) {
	ctx := context.Background()
	p, file := loaded(t, written)
	for _, told := range []bool{true, false} {
		tgt, err := New(ctx, p, Config{Files: []string{file}, Name: "w"})
		if err != nil {
			t.Fatal(err)
		}
		defer tgt.Close()
		if _, err := tgt.Start(ctx); err != nil {
			t.Fatal(err)
		}
		if !told {
			tgt.mirror.writes.close()
			tgt.mirror.writes = nil
		} else if tgt.mirror.writes == nil {
			t.Log("this kernel does not tell what was written")
		}
		steps := walk(t, tgt)
		if steps < 60 {
			t.Errorf("the program ended after %d steps", steps)
		}
	}
}

// walk steps to the end of the program, and goes back once: to where nothing but memory has changed.
func walk(t *testing.T, tgt *Target) (steps int) {
	t.Helper()
	var saved target.Snapshot
	ctx := context.Background()
	for ; ; steps++ {
		checkMirror(t, tgt, steps)
		if steps == 9 {
			s, err := tgt.Save()
			if err != nil {
				t.Fatal(err)
			}
			saved = s
		}
		if steps == 12 {
			if err := tgt.Restore(saved); err != nil {
				t.Fatal(err)
			}
			checkMirror(t, tgt, steps)
		}
		stop, err := tgt.Resume(ctx, target.Next, nil)
		if err != nil {
			t.Fatal(err)
		}
		if stop.Reason == target.Exited {
			if stop.Status != 0 {
				t.Errorf("status %d", stop.Status)
			}
			return steps
		}
		if stop.Reason != target.Stepped {
			t.Fatalf("step %d: %+v", steps, stop)
		}
	}
}

// checkMirror compares the copy with the memory.
func checkMirror(t *testing.T, tgt *Target, step int) {
	t.Helper()
	if err := tgt.look(); err != nil {
		t.Fatal(err)
	}
	buf := make([]byte, pageSize)
	for _, s := range tgt.mirror.segs {
		if len(s.pages) != int((s.hi-s.lo)/pageSize) {
			t.Fatalf("step %d: %d pages from %#x to %#x", step, len(s.pages), s.lo, s.hi)
		}
		for i, p := range s.pages {
			at := s.lo + uint64(i)*pageSize
			if !tgt.mem.read(at, buf) || !bytes.Equal(buf, p[:]) {
				t.Fatalf("step %d: the copy of the page at %#x is another one", step, at)
			}
		}
	}
}
