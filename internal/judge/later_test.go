package judge

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gulo/internal/cases"
	"gulo/internal/job"
)

// ring is a queue that, when it grows, does not reset where it begins.
const ring = `#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int *data, room = 3, first, used;
static void enlarge(void)
{
    int *more = malloc(2 * room * sizeof *more);
    for (int i = 0; i < used; i++)
        more[i] = data[(first + i) % room];
    free(data);
    data = more;
    room *= 2;
}
int main(int argc, char **argv)
{
    data = malloc(room * sizeof *data);
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "-") != 0) {
            if (used == room)
                enlarge();
            data[(first + used++) % room] = atoi(argv[i]);
        } else if (used > 0) {
            printf("%d ", data[first]);
            first = (first + 1) % room;
            used--;
        }
    while (used-- > 0) {
        printf("%d ", data[first]);
        first = (first + 1) % room;
    }
    printf("\n");
    free(data);
    return 0;
}
`

// TestPutOff: a queue that begins larger makes on longer tests the error that the program makes on the tests; one
// that is repaired does not.
func TestPutOff(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"a.c": ring, "1.args": "1 2 - 3 4 5", "1.out": "1 2 3 4 5 \n", "2.args": "1 - 2", "2.out": "1 2 \n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	file := filepath.Join(dir, "a.c")
	s, err := cases.OfRuns(context.Background(), &job.Job{Files: []string{file}, Spec: job.Spec{Tests: dir}, Limit: time.Minute}, nil)
	if err != nil {
		t.Fatal(err)
	}
	j := &Judge{Set: s, Until: time.Now().Add(time.Minute)}
	for _, x := range []struct {
		old, now string
		late     bool
	}{{"room = 3", "room = 8", true}, {"    data = more;", "    data = more;\n    first = 0;", false}} {
		p, err := j.Reloaded(context.Background(), map[string]string{file: strings.Replace(ring, x.old, x.now, 1)})
		if err != nil || p == nil {
			t.Fatalf("%s: %v", x.now, err)
		}
		in, _, err := j.PutOff(context.Background(), p)
		if err != nil || (in != "") != x.late {
			t.Errorf("%s: %q, %v", x.now, in, err)
		}
	}
}

// stack keeps words; "top" prints the last one. All blocks but the first are one byte too small.
const stack = `#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static char *words[8];
static int used;
int main(void)
{
    char line[100], word[100];
    while (fgets(line, sizeof line, stdin))
        if (sscanf(line, "push %99s", word) == 1 && used < 8) {
            words[used] = malloc(used == 0 ? 100 : strlen(word));
            strcpy(words[used++], word);
        } else if (strncmp(line, "pop", 3) == 0 && used > 0) {
            free(words[--used]);
        } else if (strncmp(line, "top", 3) == 0) {
            if (used > 0)
                puts(words[used - 1]);
        }
    while (used > 0)
        free(words[--used]);
    return 0;
}
`

// TestStrains: under memory rules a repair is asked on longer words and other sequences of commands. One that mends a
// block of the size of the given word alone is put off, one that frees what is still used breaks, and the right one
// neither.
func TestStrains(t *testing.T) {
	for name, x := range map[string]struct {
		old, now             string
		later, still, broken bool
	}{
		"right":           {"100 : strlen(word)", "100 : strlen(word) + 1", false, false, false},
		"as long as this": {"used == 0 ? 100 : strlen(word)", "6", true, false, false},
		"freed too early": {"100 : strlen(word));", "100 : strlen(word) + 1); if (used > 0) free(words[0]);", false, true, false},
		"freed at once":   {"puts(words[used - 1])", "puts(words[used - 1]), free(words[used - 1])", true, false, true},
	} {
		dir := t.TempDir()
		file := filepath.Join(dir, "a.c")
		if err := os.WriteFile(file, []byte(stack), 0o600); err != nil {
			t.Fatal(err)
		}
		set, err := cases.OfRuns(context.Background(), &job.Job{Files: []string{file}, Spec: job.Spec{Memory: true}, Stdin: "push hello\npush big\ntop\n", Limit: time.Minute}, nil)
		if err != nil {
			t.Fatal(err)
		}
		j := &Judge{Set: set, Until: time.Now().Add(time.Minute)}
		p, err := j.Reloaded(context.Background(), map[string]string{file: strings.Replace(stack, x.old, x.now, 1)})
		if err != nil || p == nil {
			t.Fatal(p, err)
		}
		later, still, err := j.PutOff(context.Background(), p)
		if err != nil || (later != "") != x.later || (still != "") != x.still {
			t.Errorf("%s: put off %q, still %q, %v", name, later, still, err)
		}
		c, err := j.breaks(context.Background(), p)
		if err != nil || (c != nil) != x.broken {
			t.Errorf("%s: breaks on %v, %v", name, c, err)
		}
	}
}
