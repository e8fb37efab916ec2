package takeover

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"gulo/internal/cfront"
	"gulo/internal/repair/textedit"
)

// TestOffers: what a reference has and a program lacks is offered with the program's names, though the two are not alike as
// a whole, and each offer is C where it stands.
func TestOffers(t *testing.T) {
	const own = `#include <stdio.h>

int main(void)
{
    int given, rest, last;
    scanf("%d", &given);
    rest = given;
    while (rest > 0) {
        last = rest % 10;
        printf("%d\n", last);
        rest /= 10;
    }
    if (given > 0)
        printf("end\n");
    return 0;
}
`
	const ref = `#include <stdio.h>
#include <stdlib.h>
static void print(int digit) { printf("%d\n", digit); }
int main(void)
{
    int n, k, unlike[3] = {0};
    scanf("%d", &n);
    if (n < 0) {
        n = -n;
        printf("minus\n");
    } else if (n == 0)
        printf("0\n");
    for (k = n; k != 0; k = k / 10)
        print(abs(k % 10));
    unlike[0]++;
    printf("end\n");
    return 0;
}
`
	dir := t.TempDir()
	load := func(name, text string) *cfront.Program {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		p, err := cfront.Load(context.Background(), []string{path}, cfront.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	p, r := load("own.c", own), load("ref.c", ref)
	list := Offers(p, r, "another program")
	has := func(where textedit.Where, text string) bool {
		return slices.ContainsFunc(list, func(x textedit.Suggested) bool { return x.Where == where && x.Text == text })
	}
	for _, x := range []struct {
		where textedit.Where
		text  string
		want  bool
	}{
		{textedit.Behind, `if (given == 0) printf("0\n");`, true}, // the other way of a branch, alone
		{textedit.Behind, `if (rest == 0) printf("0\n");`, true},  // of another variable
		{textedit.Before, `if (given < 0) { given = -given; printf("minus\n"); } else if (given == 0) printf("0\n");`, true},
		{textedit.Behind, `if (given < 0) { given = -given; printf("minus\n"); }`, true},
		{textedit.Instead, `rest != 0`, true},
		{textedit.Behind, `printf("0\n");`, true},
		{textedit.Behind, `unlike[0]++;`, false},      // there is no such array
		{textedit.Behind, `print(rest % 10);`, false}, // nor such a function
		{textedit.Behind, `scanf("%d", &given);`, false},
	} {
		if has(x.where, x.text) != x.want {
			t.Errorf("%v %s: %v", x.where, x.text, !x.want)
		}
	}
	sp := textedit.New(textedit.Config{Tree: p})
	sp.Suggest(list)
	n := 0
	for _, st := range sp.Sites {
		for _, e := range st.Edits {
			texts, ok := textedit.Apply(e)
			if !ok || e.From != "another program" {
				t.Errorf("%s: %s", e.What, e.Shown())
			}
			if n++; n%7 == 0 {
				load("edited.c", texts[p.Files[0].Name])
			}
		}
	}
	if n < 40 {
		t.Errorf("%d edits of %d offers", n, len(list))
	}
}
