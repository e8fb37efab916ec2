package shell_test

import (
	"strings"
	"testing"
)

// The examples of Wolverine2, section 5.1: four variables over a list, one
// wrong statement, the state after it corrected by the user.
const tableProgram = `#include <stdlib.h>
struct node { struct node *next; };
struct node *a, *b, *c, *d, *v[6];
void independent(void)
{
    a = a->next;
    b = b->next; /* fix: b = d */
    c = c->next;
}
void dependent(void)
{
    a = a->next;
    b = b->next; /* fix: b = d */
    c = b->next;
}
int main(void)
{
    for (int i = 0; i < 6; i++)
        v[i] = calloc(1, sizeof *v[i]);
    for (int i = 0; i < 5; i++)
        v[i]->next = v[i + 1];
    a = v[0]; b = v[1]; c = v[2]; d = v[4];
    CALL();
    return 0;
}
`

func TestPaperTables(t *testing.T) {
	tests := []struct {
		name, call, changes string
		suspects            []string
		innocent            []string
		fix                 string
	}{
		{"table 2", "independent", "change b n5", []string{"b = b->next;"}, []string{"a = a->next;", "c = c->next;"}, "b = b->next  =>  b = d"},
		{"table 4", "dependent", "change b n5\nchange c n6", []string{"b = b->next;", "c = b->next;"}, []string{"a = a->next;"}, "b = b->next  =>  b = d"},
	}
	for _, tt := range tests {
		for _, engine := range engines {
			t.Run(tt.name+"/"+engine, func(t *testing.T) {
				s := newSession(t, engine, nil, write(t, strings.Replace(tableProgram, "CALL", tt.call, 1)))
				run(t, s, "break "+tt.call+"\nstart\ncontinue\nspec\nnext 3\n"+tt.changes+"\nspec")
				out := run(t, s, "locate")
				for _, w := range tt.suspects {
					if !strings.Contains(out, w) {
						t.Errorf("%s is not suspicious:\n%s", w, out)
					}
				}
				for _, w := range tt.innocent {
					if strings.Contains(strings.ReplaceAll(out, "after "+w, ""), w) { // what is missing behind it is another matter
						t.Errorf("%s is suspicious:\n%s", w, out)
					}
				}
				if out := run(t, s, "repair"); !strings.Contains(out, tt.fix) {
					t.Errorf("no %q in:\n%s", tt.fix, out)
				}
			})
		}
	}
}
