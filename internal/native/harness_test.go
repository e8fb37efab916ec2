package native

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"testing"
)

// TestKeptHarness compiles the harness once, and again where what is kept is damaged.
func TestKeptHarness(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	for _, sanitize := range []bool{false, true} {
		at := kept(".o", harness, fast, jobs, files, fmt.Sprint(harnessFlags(sanitize)))
		if at == "" {
			t.Fatal("the harness is kept nowhere")
		}
		get := func() []byte {
			t.Helper()
			object, err := new(cache).get(context.Background(), sanitize)
			if err != nil {
				t.Fatal(err)
			}
			return object
		}
		first := get()
		if kept := readKept(at); !bytes.Equal(kept, first) {
			t.Fatalf("%d bytes are kept of %d", len(kept), len(first))
		}
		mark := append(bytes.Clone(first), "kept"...)
		keep(at, mark)
		if again := get(); !bytes.Equal(again, mark) {
			t.Error("it was compiled again")
		}
		if err := os.WriteFile(at, []byte("damaged, and longer than a checksum alone"), 0o600); err != nil {
			t.Fatal(err)
		}
		if again := get(); !bytes.Equal(again, first) {
			t.Error("what is damaged was taken")
		}
	}
}

// TestKeptTools asks gcc once, and again where the linker that is kept has gone.
func TestKeptTools(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	fresh := func() tools {
		known.Lock()
		defer known.Unlock()
		known.tools = nil
		return tools{}
	}
	defer fresh()
	fresh()
	first := ask(context.Background())
	at := kept(".tools", patternFlag, goldName)
	if again := readTools(at); again == nil || *again != first {
		t.Fatalf("kept: %v, not %v", again, first)
	}
	keep(at, []byte("pattern\n/nowhere/ld.gold"))
	if fresh(); ask(context.Background()) != first {
		t.Error("a linker that has gone was taken")
	}
	keep(at, []byte("pattern\n"))
	if fresh(); ask(context.Background()) != (tools{pattern: true}) {
		t.Error("gcc was asked again")
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	fresh()
	os.Remove(at)
	if got := ask(ended); got != (tools{}) || readTools(at) != nil {
		t.Errorf("of a context that has ended %v is kept", got)
	}
	keep(at, []byte("\n"))
	build(t, "int main(void) { return 0; }", Config{}) // with the usual linker
}
