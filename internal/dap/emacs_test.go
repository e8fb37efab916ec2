package dap_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gulo/internal/dap"
)

// asAdapter makes the test program gulo dap.
const asAdapter = "GULO_TEST_ADAPTER"

func TestMain(m *testing.M) {
	if os.Getenv(asAdapter) != "" {
		if dap.Serve(context.Background(), os.Stdin, os.Stdout, dap.Config{Open: open, Rules: []string{"double_free"}}) != nil {
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// TestEmacs plays a session in Emacs' dap-mode with the configuration of editors/emacs:
// launch, breakpoint, step, variables.
func TestEmacs(t *testing.T) {
	if _, err := exec.LookPath("emacs"); err != nil {
		t.Skip("emacs is not installed: dap-mode was not tried (apt-get install emacs-nox elpa-dap-mode; make emacs does)")
	}
	if found, _ := filepath.Glob("/usr/share/emacs/site-lisp/elpa-src/dap-mode-*"); len(found) == 0 {
		t.Skip("dap-mode is not installed: it was not tried (apt-get install elpa-dap-mode; make emacs does)")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "list.c")
	text := "#include <stdio.h>\n#include <stdlib.h>\nstruct node { int v; struct node *next; };\nstatic struct node *push(struct node *l, int v)\n{\n    struct node *n = malloc(sizeof *n);\n    n->v = v;\n    n->next = l;\n    return n;\n}\n" +
		"int main(void)\n{\n    struct node *l = NULL;\n    for (int i = 4; i < 7; i++)\n        l = push(l, i);\n    printf(\"%d\\n\", l->v);\n    return 0;\n}\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	c := exec.CommandContext(ctx, "emacs", "--batch", "-l", "../../editors/emacs/test.el", file, self)
	c.Env = append(os.Environ(), asAdapter+"=1", "HOME="+dir)
	out, err := c.CombinedOutput()
	if want := "line 8 v 4\nline 9 n->v 4\n"; err != nil || !strings.HasSuffix(string(out), want) {
		t.Errorf("Emacs ends with %v and says\n%s\nnot\n%s", err, out, want)
	}
}
