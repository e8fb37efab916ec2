package judge

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gulo/internal/cases"
	"gulo/internal/draw"
	"gulo/internal/job"
	"gulo/internal/report"
)

const reversal = `#include <stdio.h>
#include <stdlib.h>
struct node { int v; struct node *next; };
struct node *turn(struct node *l)
{
    struct node *done = NULL;
    while (l != NULL) {
        struct node *next = l->next;
        l->next = done;
        done = l;
        l = next;
    }
    return done;
}
int main(void)
{
    struct node *l = NULL;
    for (int i = 0; i < 3; i++) {
        struct node *n = malloc(sizeof *n);
        n->v = i;
        n->next = l;
        l = n;
    }
    for (l = turn(l); l != NULL; l = l->next)
        printf("%d ", l->v);
    return 0;
}
`

// shows lists what a picture shows: values, arrows, marks.
func shows(p *draw.Picture) string {
	var out []string
	for _, list := range [][]draw.Box{p.Vars, p.Nodes} {
		for _, b := range list {
			for _, c := range b.Cells {
				s := c.Key + "=" + c.Value
				if c.Changed {
					s += "*"
				}
				out = append(out, s)
			}
			if b.Freed || b.Lost {
				out = append(out, fmt.Sprintf("%s freed:%v lost:%v", b.Name, b.Freed, b.Lost))
			}
		}
	}
	return strings.Join(out, " ")
}

// TestPictures: a failing call is drawn as its caller sees it, with the differences marked. If the call crashes or
// does not end, its memory at that moment is drawn.
func TestPictures(t *testing.T) {
	for _, c := range []struct {
		name, old, new string
		want           []string
	}{
		{"returns another node", "done = l;\n", "if (done == NULL) done = l;\n", []string{
			"called with: l=n1 n1->v=7 n1->next=n2 n2->v=8 n2->next=null",
			"the reference leaves: l=n1 returned=n2* n1->v=7 n1->next=null n2->v=8 n2->next=n1",
			"it leaves: l=n1 returned=n1* n1->v=7 n1->next=null n2->v=8 n2->next=n1 n2 freed:false lost:true",
		}},
		{"crashes", "l->next = done;", "l->next->next = done;", []string{
			"called with: l=n1 n1->v=7 n1->next=n2 n2->v=8 n2->next=null",
			"the reference leaves: l=n1 returned=n2* n1->v=7 n1->next=null* n2->v=8 n2->next=n1*",
			"where it is stopped: l=n2* done=n1* next=null* n1->v=7 n1->next=n2 n2->v=8 n2->next=null",
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			wrong := strings.Replace(reversal, c.old, c.new, 1)
			if wrong == reversal {
				t.Fatal("nothing is wrong")
			}
			ref := written(t, "reference.c", reversal)
			file := written(t, "wrong.c", wrong)
			set, err := cases.Make(t.Context(), &job.Job{Files: []string{file}, Spec: job.Spec{Reference: []string{ref}}, Entry: "turn"})
			if err != nil {
				t.Fatal(err)
			}
			task := &Judge{Set: set}
			two := task.Given.Cases[0]
			for _, x := range task.Given.Cases {
				if len(x.State.Objects) == 2 && strings.Contains(x.Name, "[") {
					two = x
				}
			}
			for i := range two.State.Objects {
				two.State.Objects[i].Cells[0].Value.Word = 7 + uint64(i)
			}
			var got []string
			for _, p := range task.pictures(t.Context(), two) {
				got = append(got, p.Title+": "+shows(p.Picture))
			}
			if strings.Join(got, "\n") != strings.Join(c.want, "\n") {
				t.Errorf("%s\nis drawn as\n%s\nnot\n%s", two.Name, strings.Join(got, "\n"), strings.Join(c.want, "\n"))
			}
			rep := &report.Report{}
			if err := task.Show(t.Context(), rep); err != nil || rep.Example == "" || len(rep.Pictures) != 3 {
				t.Errorf("the example is %q with %d pictures: %v", rep.Example, len(rep.Pictures), err)
			}
		})
	}
}

// TestNoPictures: a call without anything on the heap has no pictures.
func TestNoPictures(t *testing.T) {
	text := "#include <stdio.h>\nint twice(int n) { return 2 * n; }\nint main(void) { printf(\"%d\\n\", twice(4)); return 0; }\n"
	ref, file := written(t, "reference.c", text), written(t, "wrong.c", strings.Replace(text, "2 * n", "3 * n", 1))
	set, err := cases.Make(t.Context(), &job.Job{Files: []string{file}, Spec: job.Spec{Reference: []string{ref}}, Entry: "twice"})
	if err != nil {
		t.Fatal(err)
	}
	task, rep := &Judge{Set: set}, &report.Report{}
	if err := task.Show(t.Context(), rep); err != nil || rep.Example == "" || len(rep.Pictures) != 0 {
		t.Errorf("the example is %q with %d pictures: %v", rep.Example, len(rep.Pictures), err)
	}
}

func written(t *testing.T, name, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}
