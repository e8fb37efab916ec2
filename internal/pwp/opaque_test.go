package pwp

import (
	"context"
	"gulo/internal/job"
	"strings"
	"testing"
	"time"
)

// TestOpaque: of a function that comes to what gulo has no model of it is not known
// whether it keeps its contract.
func TestOpaque(t *testing.T) {
	const text = "/* post: result == x + 1 */\nint f(int x) { int y = x; __asm__(\".set one, 1; addl $1, %0\" : \"+r\"(y)); return y; }\n"
	req := &job.Job{Files: []string{file(t, "p.c", text)}, Limit: time.Minute}
	rep, err := Fix(context.Background(), req)
	if err == nil || !strings.Contains(err.Error(), "whether f keeps its contract is not known") || !strings.Contains(err.Error(), "p.c:2:27") {
		t.Errorf("%+v, %v", rep, err)
	}
}
