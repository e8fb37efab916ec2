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
		in, err := j.PutOff(p)
		if err != nil || (in != "") != x.late {
			t.Errorf("%s: %q, %v", x.now, in, err)
		}
	}
}
