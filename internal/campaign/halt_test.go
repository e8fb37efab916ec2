package campaign

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gulo/internal/sandbox"
)

// TestHalt has jobs that cannot be done where they are: nothing is stored, and who can does them
// at once.
func TestHalt(t *testing.T) {
	ctx := context.Background()
	t.Setenv("CAMPAIGN_LOG", filepath.Join(t.TempDir(), "log"))
	q, err := Open(ctx, "", t.TempDir(), "h")
	if err != nil {
		t.Fatal(err)
	}
	defer q.Close()
	if err := q.Add(ctx, "j", []byte("x")); err != nil {
		t.Fatal(err)
	}
	cannot := func(context.Context, string, []byte) ([]byte, error) { return nil, &HaltError{"no sandbox"} }
	var halt *HaltError
	if err := q.Work(ctx, cannot, testFailed, true); !errors.As(err, &halt) || !halt.Outside() {
		t.Fatal(err)
	}
	if r, done, err := q.Result(ctx, "j"); done || err != nil {
		t.Fatalf("%q is kept, %v", r, err)
	}
	if err := q.Work(ctx, testHandler, testFailed, true); err != nil {
		t.Fatal(err)
	}
	if r, _, err := q.Result(ctx, "j"); string(r) != "did x" || err != nil {
		t.Errorf("%q %v", r, err)
	}
}

// TestNobodyRuns judges where no program can be begun, neither a submission nor the reference: that is
// nobody's mistake.
func TestNobodyRuns(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("programs run as the user, who may enter her own folders")
	}
	closed := filepath.Join(t.TempDir(), "closed")
	if err := os.Mkdir(closed, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("TMPDIR", closed)
	right := []byte("#include <stdio.h>\nint main(void)\n{\n    puts(\"yes\");\n    return 126;\n}\n")
	sub := &Submission{Name: "ann", File: "ann.c", Text: right, Limit: time.Minute, Tests: map[string][]byte{"a.out": []byte("yes\n"), "a.exit": []byte("126")}}
	ctx := context.Background()
	var s *sandbox.StartError
	if out, err := Judge(ctx, sub); out != nil || !errors.As(err, &s) {
		t.Errorf("%+v %v", out, err)
	}
	job, err := json.Marshal(sub)
	if err != nil {
		t.Fatal(err)
	}
	if result, err := Do(ctx, job); err != nil || !strings.Contains(halted(string(result)), "sandbox") {
		t.Errorf("%s %v", result, err)
	}
	sub.Reference, sub.Tests = right, nil
	if err := Check(ctx, sub); !errors.As(err, &s) {
		t.Error(err)
	}
}

// TestAlone says of what was judged without native runs that it is to be judged again.
func TestAlone(t *testing.T) {
	for text, want := range map[string]bool{`{"category":"right"}`: false, `{"category":"right","alone":true}`: true, `{"category":"not judged"}`: true} {
		if got := Failed([]byte(text)); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}
