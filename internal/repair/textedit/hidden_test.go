package textedit

import (
	"context"
	"testing"

	"gulo/internal/native"
	"gulo/internal/native/nativetest"
)

// TestHidden: declarations of another life or scope than is meant, each of which has one edit that mends the program.
func TestHidden(t *testing.T) {
	for name, text := range map[string]string{
		"static": `#include <stdio.h>
#include <stdlib.h>
static char *pad(int n)
{
    char buf[20], *end = buf;
    while (end < buf + n)
        *end++ = '*';
    *end = 0;
    return buf;
}
int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        puts(pad(atoi(argv[i])));
    return 0;
}
`,
		"shadow": `#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    int stars = 0;
    for (int i = 1; i < argc; i++)
        if (atoi(argv[i]) > stars) {
            int stars = atoi(argv[i]);
        }
    while (stars-- > 0)
        putchar('*');
    putchar('\n');
    return 0;
}
`,
	} {
		p, path := nativetest.Load(t, text)
		es := Retyped(Config{Tree: p}, p.Funcs, Retype{})
		if len(es) != 1 {
			t.Errorf("%s: %d edits", name, len(es))
			continue
		}
		texts, ok := Apply(es[0])
		if !ok {
			t.Fatalf("%s: %v", name, es[0])
		}
		prog, err := native.Build(context.Background(), texts, native.Config{})
		if err != nil {
			t.Fatal(err)
		}
		prog.Close()
		if got := nativetest.Outputs(t, texts[path], []native.Test{{Args: []string{"3"}}})[0].Stdout; got != "***\n" {
			t.Errorf("%s: %s gives %q\n%s", name, es[0].What, got, texts[path])
		}
	}
	p, _ := nativetest.Load(t, "static int n;\nint main(void)\n{\n    char b[3] = \"a\";\n    int k = 2;\n    { int m = n; k += m; }\n    return b[0] == k;\n}\n")
	if es := Retyped(Config{Tree: p}, p.Funcs, Retype{}); len(es) != 0 {
		t.Errorf("edits of what is right: %s", es[0].What)
	}
}
