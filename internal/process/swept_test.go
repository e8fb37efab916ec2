package process

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestSwept: the folder of a process that was killed is removed by the next one, the folder of one that still
// runs is not, nor one that another user or another program has made.
func TestSwept(t *testing.T) {
	temp, err := os.MkdirTemp("", "swept") // where every user may go, as programs of root's do
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(temp)
	if err := os.Chmod(temp, 0o777); err != nil {
		t.Fatal(err)
	}
	start := func() (dir string, c *exec.Cmd, in io.Closer) {
		t.Helper()
		self, err := os.Executable()
		if err != nil {
			t.Fatal(err)
		}
		c = exec.Command(self)
		c.Env = append(os.Environ(), variable+"=folder", "TMPDIR="+temp)
		w, err := c.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		r, err := c.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		line, err := bufio.NewReader(r).ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		return filepath.Dir(strings.TrimSpace(line)), c, w
	}
	killed, c, _ := start()
	alive, other, in := start()
	defer func() {
		_ = in.Close()
		_ = other.Wait()
	}()
	_ = c.Process.Kill()
	_ = c.Wait()
	others := []string{"gulo-notes", "gulo-1-2x", "gulo-123"}
	for _, name := range others {
		if err := os.Mkdir(filepath.Join(temp, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	there := func(dir string) bool {
		_, err := os.Stat(dir)
		return err == nil
	}
	if !there(killed) {
		t.Fatal("nothing is left of the killed one")
	}
	_, last, end := start()
	_ = end.Close()
	_ = last.Wait()
	if there(killed) || !there(alive) {
		t.Errorf("that of the killed one is there: %v, that of the other: %v", there(killed), there(alive))
	}
	for _, name := range others {
		if !there(filepath.Join(temp, name)) {
			t.Errorf("%s is gone", name)
		}
	}
}
