package native

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gulo/internal/cfront"
	"gulo/internal/process"
	"gulo/internal/sandbox"
	"gulo/internal/workdir"
)

// filed prints what it finds in its working folder, and then does with it what its argument says. With a second
// argument it calls sleep, so that each run has a process of its own.
const filed = `#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
static int count(const char *dir)
{
    int n = 0;
    DIR *d = opendir(dir);
    while (readdir(d))
        n++;
    closedir(d);
    return n;
}
static void show(const char *name)
{
    char line[40] = "nothing";
    FILE *f = fopen(name, "r");
    if (f) {
        fgets(line, sizeof line, f);
        fclose(f);
    }
    struct stat st;
    printf("%s: %s %d\n", name, line, stat(name, &st) == 0 && st.st_mode & S_IWUSR ? 1 : 0);
}
int main(int argc, char **argv)
{
    if (argc > 2)
        sleep(0);
    int what = argc > 1 ? atoi(argv[1]) : 0;
    printf("%d %d\n", count("."), count("sub"));
    show("one.txt");
    show("sub/two.txt");
    if (what == 1) {
        FILE *f = fopen("one.txt", "r+");
        fputs("ONE", f);
        fclose(f);
    }
    if (what == 2)
        remove("one.txt");
    if (what == 3)
        rename("sub/two.txt", "one.txt");
    if (what == 4) {
        mkdir("more", 0);
        chmod("one.txt", 0);
        fclose(fopen("sub/three", "w"));
    }
    if (what == 5)
        chdir("sub");
    if (what == 6) {
        remove("sub/two.txt");
        rmdir("sub");
        symlink("one.txt", "sub");
    }
    if (what == 7) {
        truncate("sub/two.txt", 0);
        fopen("left open", "w");
        abort();
    }
    return 0;
}
`

// TestWorkingFolder: whatever a run does to its files, the next one finds them as they were given; in
// processes of their own, and in one that does all.
func TestWorkingFolder(t *testing.T) {
	given := workdir.Of(map[string][]byte{"one.txt": []byte("one"), "sub/two.txt": []byte("two"), "sub/deep/empty": nil})
	opt := cfront.Options{Work: given}
	p, err := Build(context.Background(), map[string]string{"a.c": filed}, Config{Options: opt})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	const want = "4 4\none.txt: one 1\nsub/two.txt: two 1\n"
	for _, more := range [][]string{nil, {"forks"}} {
		var tests []Test
		for i := range 32 {
			tests = append(tests, Test{Args: append([]string{fmt.Sprint(i % 8)}, more...)})
		}
		s := &Session{}
		s.Limit(2*time.Second, 0)
		s.PrintAll(tests)
		a, err := p.Run(context.Background(), s, time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		for i, o := range a.Printed {
			aborts := tests[i].Args[0] == "7"
			if aborts && o.Ended() || !aborts && (o.Status != 0 || o.Stdout != want) {
				t.Errorf("run %d (%v): status %d, %q", i, more, o.Status, o.Stdout)
			}
		}
		if len(a.Printed) != len(tests) {
			t.Errorf("%d runs of %d", len(a.Printed), len(tests))
		}
	}
}

// TestGivenFiles: a program that runs as it is finds its files, too.
func TestGivenFiles(t *testing.T) {
	dir, err := process.TempDir("gulo-test")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	src := filepath.Join(dir, "a.c")
	if err := os.WriteFile(src, []byte(filed), 0o600); err != nil {
		t.Fatal(err)
	}
	b, err := LinkFiles(context.Background(), dir, "program", []string{src}, cfront.Options{Work: workdir.Of(map[string][]byte{"one.txt": []byte("one"), "sub/two.txt": []byte("two")})})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		p, err := b.Run(context.Background(), sandbox.Limits{Weak: true}, "", "2")
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(p.Stdout, "one.txt: one 1\nsub/two.txt: two 1\n") {
			t.Errorf("it finds %q (%s)", p.Stdout, p.Stderr)
		}
	}
}
