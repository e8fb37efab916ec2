package archtest

import (
	"os/exec"
	"strings"
	"testing"
)

// ofRoot are the files and folders that stand in the repository's root.
var ofRoot = map[string]bool{
	".ci": true, ".gitignore": true, "CHANGELOG.md": true, "LICENSE": true, "Makefile": true, "README.md": true,
	"cmd": true, "Containerfile": true, "docs": true, "editors": true, "examples": true, "go.mod": true, "go.sum": true, "internal": true, "scripts": true,
}

// TestRoot: nothing is kept in the root but what belongs there; what a session wrote has come in with a commit before.
func TestRoot(t *testing.T) {
	out, err := exec.Command("git", "-C", "../..", "ls-files").Output()
	if err != nil {
		t.Skip("not a clone: ", err)
	}
	seen := map[string]bool{}
	for _, path := range strings.Fields(string(out)) {
		name, _, _ := strings.Cut(path, "/")
		if !ofRoot[name] && !seen[name] {
			seen[name] = true
			t.Errorf("%s is kept in the root: remove it, or name it here", name)
		}
	}
	if len(out) == 0 {
		t.Error("git lists no file")
	}
}
