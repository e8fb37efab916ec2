package app

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestJournal: a session that does not end by quit leaves its commands to the next session of the same program and
// text. A journal that another session still holds, or of a session that was finished, is left alone.
func TestJournal(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	file := filepath.Join(t.TempDir(), "a.c")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("int main(void) { return 0; }\n")
	o := &sessionOptions{engine: "gdb", files: []string{file}}
	begin := func(want string) *journal {
		t.Helper()
		j := openJournal(o)
		if j == nil {
			t.Fatal("there is no journal")
		}
		if got := strings.Join(j.lost, "; "); got != want {
			t.Errorf("lost: %q, not %q", got, want)
		}
		return j
	}
	first := begin("")
	first.record("start")
	first.record(" next 2\n")
	second := begin("") // beside the first, which goes on
	second.record("until 7")
	second.close(true)
	first.close(false)
	third := begin("start; next 2")
	third.record("start")
	third.close(false)
	fourth := begin("start") // what was offered once is offered no more
	fourth.record("start")
	fourth.close(false)
	write("int main(void) { return 1; }\n")
	begin("").close(true)
	write("int main(void) { return 0; }\n")
	o.args = []string{"x"}
	begin("").close(true)
	o.args = nil
	begin("start").close(true)
	begin("").close(true)
	if list, err := os.ReadDir(filepath.Join(filepath.Dir(historyFile()), "sessions")); err != nil || len(list) > 1 {
		t.Errorf("%d files are left (%v)", len(list), err)
	}
}
