package cases

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gulo/internal/job"
)

// TestNoRuns: where the reference has no end on any input, what it comes to on the run in hand is said.
func TestNoRuns(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "a.c")
	text := "#include <stdio.h>\nint main(void)\n{\n    FILE *f = fopen(\"data.txt\", \"r\");\n    return f == NULL;\n}\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := OfRuns(context.Background(), &job.Job{Files: []string{file}, Spec: job.Spec{Reference: []string{file}}}, nil)
	if err == nil || !strings.Contains(err.Error(), "a.c:4:") || !strings.Contains(err.Error(), "the program uses files") {
		t.Errorf("got %v, want the place and why", err)
	}
}
