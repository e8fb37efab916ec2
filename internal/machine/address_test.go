package machine_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gulo/internal/ctype"
	"gulo/internal/lower"
	"gulo/internal/machine"
)

// crowded makes more objects than there are wide cells of addresses. Then it does WHAT with a large object, a small
// one, and one of a function that has returned.
const crowded = `#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int *gone(void) { int x[4] = {1, 2, 3, 4}; int *p = x; return p; }
int main(void)
{
    for (int i = 0; i < 9000; i++)
        free(malloc(i % 50));
    int n = 100000;
    int *large = malloc(n * sizeof *large), *small = malloc(10 * sizeof *small), *next = calloc(3, sizeof *next), *old = gone();
    for (int i = 0; i < n; i++)
        large[i] = i;
    for (int i = 0; i < 10; i++)
        small[i] = i;
    long sum = 0;
    WHAT;
    printf("%ld\n", sum);
    return 0;
}
`

// TestCrowded: errors are found after the first thousands of objects, too, when cells are narrow and a large object
// takes several of them.
func TestCrowded(t *testing.T) {
	for what, want := range map[string]string{
		"for (int i = 0; i < n; i++) sum += large[i]":                                                "4999950000",
		"int *end = large + n; while (end > large) sum += *--end":                                    "4999950000",
		"sum = memchr(large, 99, 4 * n) == (char *)large + 396":                                      "1",
		"memmove(large, large + 50000, 200000); sum = large[49999]":                                  "99999",
		"large = realloc(large, 8 * n); large[2 * n - 1] = 7; sum = large[99999] + large[2 * n - 1]": "100006",
		"int *far = small + 1000000; far -= 1000000; sum = far[3]":                                   "3",
		"large[n] = 1":                        "heap_buffer_overflow at offset 400000 of heap block n9001",
		"sum = large[-1]":                     "heap_buffer_overflow at offset -4 of heap block n9001",
		"sum = small[10]":                     "heap_buffer_overflow at offset 40 of heap block n9002",
		"sum = small[-3]":                     "heap_buffer_overflow at offset -12 of heap block n9002",
		"sum = next[5000]":                    "heap_buffer_overflow at offset 20000 of heap block n9003",
		"free(large); sum = large[90000]":     "dangling_pointer_deref read of heap block n9001",
		"free(large + 50000)":                 "unmatched_free free of a pointer to offset 200000 of heap block n9001",
		"free(large); free(large)":            "double_free free of heap block n9001",
		"sum = *old":                          "dangling_pointer_deref read of a local variable after the end of its block or function",
		"memcpy(large + 1, large, 4 * n - 8)": "overlap overlapping",
		"sum = *(int *)((unsigned long)small | 1ul << 62)": "wild_pointer_deref what is no object",
		"sum = *(int *)((unsigned long)&n ^ 1ul << 46)":    "what is no object",
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "a.c")
			if err := os.WriteFile(file, []byte(strings.Replace(crowded, "WHAT", what, 1)), 0o600); err != nil {
				t.Fatal(err)
			}
			for _, debug := range []bool{false, true} {
				var out bytes.Buffer
				m, err := machine.New(load(t, lower.Options{}, file), machine.Config{Stdout: &out, Debug: debug})
				if err != nil {
					t.Fatal(err)
				}
				_, err = m.Run()
				var f *machine.Fault
				if errors.As(err, &f) {
					for _, w := range strings.SplitN(want, " ", 2) {
						if !strings.Contains(string(f.Kind)+" "+f.Message, w) {
							t.Errorf("debug %v: %v, not %q", debug, f, want)
						}
					}
				} else if strings.TrimSpace(out.String()) != want {
					t.Errorf("debug %v: %s, not %q", debug, out.String(), want)
				}
			}
		})
	}
}

// TestSaveCrowded saves and restores states of a program whose large blocks take several cells.
func TestSaveCrowded(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.c")
	what := `for (int i = 0; i < 400; i++) {
        large[i * 241] = -i;
        if (i % 50 == 7) {
            free(large);
            large = calloc(n, sizeof *large);
        }
        sum += large[n - 1 - i * 17] + small[i % 10];
    }`
	if err := os.WriteFile(file, []byte(strings.Replace(crowded, "WHAT", what, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	m, err := machine.New(load(t, lower.Options{}, file), machine.Config{Debug: true, KeepFreed: true, Stdout: &bytes.Buffer{}})
	if err != nil {
		t.Fatal(err)
	}
	large := func() *machine.Block { b := m.HeapBlocks(); return b[len(b)-1] }
	m.RunUntil(func(int32, bool) bool { return len(m.HeapBlocks()) > 9004 })
	b := large()
	if b.Size != 400_000 {
		t.Fatalf("the block has %d bytes", b.Size)
	}
	s := m.Save()
	at := b.Addr + 399_996
	m.Write(at, []byte{1, 2, 3, 4})
	if _, ok := s.Peek(at, ctype.UIntT); !ok {
		t.Error("a state does not have the end of a large block")
	}
	if w, _ := m.Peek(at, ctype.UIntT); w != 0x04030201 {
		t.Errorf("what was written is %#x", w)
	}
	if w, _ := s.Peek(at, ctype.UIntT); w != 0 {
		t.Errorf("the state has %#x", w)
	}
	m.Restore(s)
	if w, _ := m.Peek(at, ctype.UIntT); w != 0 {
		t.Errorf("restored, there is %#x", w)
	}
	if x, off := m.Find(at); x != large() || off != 399_996 {
		t.Errorf("restored, the address is in %v at %d", x, off)
	}
}
