package logic

import (
	"context"
	"strings"
	"testing"
	"time"

	"gulo/internal/job"
)

// TestVolatile: a store to a device that the reference makes twice is no difference of final
// values, and nothing is proved of a program that makes it once.
func TestVolatile(t *testing.T) {
	need(t)
	const once = "volatile int port;\nint f(int x) { port = x + 1; return x & 7; }\n"
	right := file(t, "right.c", strings.Replace(once, "port = x + 1", "port = x; port = x + 1", 1))
	rep, err := Fix(context.Background(), &job.Job{Files: []string{file(t, "own.c", once)}, Spec: job.Spec{Reference: []string{right}}, Entry: "f", Limit: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	if rep.Proof == "proved" || !strings.Contains(rep.Cause, "port is read and written (volatile)") {
		t.Errorf("%s: %s", rep.Proof, rep.Cause)
	}
}
