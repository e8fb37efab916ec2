package machine_test

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"gulo/internal/lower"
	"gulo/internal/machine"
)

// largeProgram reads the end of a file, sets its times and mode, renames it, and prints what it sees.
const largeProgram = `#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <utime.h>
int main(void)
{
    char b[16] = "";
    struct stat s;
    struct utimbuf t = {1000000000, 1000000000};
    FILE *f = fopen("big", "rb");
    if (f == NULL || stat("big", &s) != 0)
        return 1;
    fseek(f, -5, SEEK_END);
    printf("%ld %zu %s %d\n", (long)s.st_size, fread(b, 1, 10, f), b, feof(f) != 0);
    printf("%d %d\n", utime("big", &t), chmod("big", 0600));
    printf("%d\n", rename("big", "other"));
    rewind(f);
    printf("%d\n", fgetc(f));
    fclose(f);
    f = fopen("big", "rb");
    printf("%d\n", f == NULL);
    f = fopen("other", "rb");
    fseek(f, 3000000, SEEK_SET);
    printf("%zu %s\n", fread(b, 1, 5, f), b);
    fclose(f);
    return 0;
}
`

// TestLargeFile: a program reads a file that is larger than the machine's memory where it is; the file is unchanged
// afterwards.
func TestLargeFile(t *testing.T) {
	data := append(bytes.Repeat([]byte{'a'}, 3_000_000), "hello"...)
	prepare := func() string {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "big"), data, 0o666); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	src := filepath.Join(t.TempDir(), "large.c")
	if err := os.WriteFile(src, []byte(largeProgram), 0o600); err != nil {
		t.Fatal(err)
	}
	binary := filepath.Join(t.TempDir(), "large")
	if out, err := exec.Command("gcc", "-o", binary, src).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	natively := exec.Command(binary)
	natively.Dir = prepare()
	want, err := natively.Output()
	if err != nil {
		t.Fatal(err)
	}
	run := func(large bool) (string, string, error) {
		dir := prepare()
		var out bytes.Buffer
		m, err := machine.New(load(t, lower.Options{}, src), machine.Config{Files: &machine.Files{Dir: dir, Write: true, Large: large}, Stdout: &out, MaxMemory: 1 << 20})
		if err == nil {
			_, err = m.Run()
		}
		return out.String(), dir, err
	}
	got, dir, err := run(true)
	if err != nil || got != string(want) {
		t.Errorf("%v: %q, natively %q", err, got, want)
	}
	info, err := os.Stat(filepath.Join(dir, "other"))
	if err != nil {
		t.Fatal(err)
	}
	if after, _ := os.ReadFile(filepath.Join(dir, "other")); !bytes.Equal(after, data) || info.Mode().Perm() != 0o600 || info.ModTime().Unix() != 1_000_000_000 {
		t.Errorf("afterwards the file has %d bytes, %v, %v", len(after), info.Mode(), info.ModTime())
	}
	if _, err := os.Stat(filepath.Join(dir, "big")); err == nil {
		t.Error("it is there under its old name, too")
	}
	var f *machine.Fault
	if _, _, err := run(false); !errors.As(err, &f) || f.Kind != machine.LimitFault {
		t.Errorf("where large files are not allowed: %v", err)
	}
}

// refuses is a writer that takes at most room bytes.
type refuses struct{ room int }

func (r *refuses) Write(p []byte) (int, error) {
	if len(p) > r.room {
		return 0, syscall.ENOSPC
	}
	r.room -= len(p)
	return len(p), nil
}

// TestFullDisk: a program gets an error when what it prints cannot be written.
func TestFullDisk(t *testing.T) {
	src := filepath.Join(t.TempDir(), "full.c")
	if err := os.WriteFile(src, []byte(`#include <errno.h>
#include <stdio.h>
#include <unistd.h>
int main(void)
{
    int was;
    printf("a line\n");
    if (fflush(stdout) != 0 || ferror(stdout))
        return 1;
    printf("another line\n");
    errno = 0;
    if (fflush(stdout) != EOF || errno != ENOSPC || !ferror(stdout))
        return 2;
    clearerr(stdout);
    errno = 0;
    if (write(1, "some text", 9) != -1 || errno != ENOSPC)
        return 3;
    printf("the last line\n");
    errno = 0;
    was = fclose(stdout);
    return was == EOF && errno == ENOSPC ? 0 : 4;
}
`), 0o600); err != nil {
		t.Fatal(err)
	}
	m, err := machine.New(load(t, lower.Options{}, src), machine.Config{Stdout: &refuses{room: 8}})
	if err != nil {
		t.Fatal(err)
	}
	if status, err := m.Run(); status != 0 || err != nil {
		t.Errorf("status %d, %v", status, err)
	}
}
