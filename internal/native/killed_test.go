package native

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestKilledGCC: a compiler that is killed in the middle leaves no temporary files.
func TestKilledGCC(t *testing.T) {
	dir, bin, mark := t.TempDir(), t.TempDir(), filepath.Join(t.TempDir(), "mark")
	script := "#!/bin/sh\nPATH=$ITS_PATH\necho x > \"$TMPDIR/ccXyz.o\"\necho x > " + mark + "\nexec sleep 1000\n"
	if err := os.WriteFile(filepath.Join(bin, "gcc"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("ITS_PATH", os.Getenv("PATH"))
	t.Setenv("PATH", bin)
	t.Setenv("TMPDIR", dir)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() {
		for ctx.Err() == nil {
			if _, err := os.Stat(mark); err == nil {
				cancel()
			}
			time.Sleep(time.Millisecond)
		}
	}()
	if err := GCC(ctx, "", "-c", "a.c"); ctx.Err() == nil {
		t.Fatalf("it was not killed: %v", err)
	}
	if list, err := os.ReadDir(dir); err != nil || len(list) > 0 {
		t.Errorf("left: %v %v", list, err)
	}
}
