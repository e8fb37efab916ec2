package native

import (
	"bytes"
	"context"
	"os"
	"testing"
)

// TestKeptHarness compiles the harness once, and again where what is kept is damaged.
func TestKeptHarness(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	for _, sanitize := range []bool{false, true} {
		at := keptHarness(sanitize)
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
