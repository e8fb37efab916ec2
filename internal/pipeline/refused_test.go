package pipeline

import (
	"context"
	"strings"
	"testing"
)

// TestRefusedAssertions: if logic cannot follow a program, the answer says that no runs were searched, and what that
// would need.
func TestRefusedAssertions(t *testing.T) {
	f := write(t, t.TempDir(), "p.c", "#include <assert.h>\n#include <stdlib.h>\nint main(void)\n{\n    double d = rand() / 3.0;\n    assert(d < 1);\n    return 0;\n}\n")
	_, err := Fix(context.Background(), &Job{Files: []string{f}, Spec: Spec{Assert: true}})
	if err == nil || !strings.Contains(err.Error(), "floating-point") || !strings.Contains(err.Error(), "no runs were searched: assertions are checked in whole runs only if a run is given (ARG, --stdin)") {
		t.Error(err)
	}
}
