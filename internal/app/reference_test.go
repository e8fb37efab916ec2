package app

import (
	"strings"
	"testing"
)

// TestReferenceNatively: a program is accepted as a reference if it takes long on a test, or reads there what was
// never written and is right by the luck of where that stands: the test says what is right then. One that fails a test
// natively is not.
func TestReferenceNatively(t *testing.T) {
	const head = "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\nint main(void)\n{\n    char s[8];\n    long n = 0, k = 0;\n"
	const tail = "    printf(\"%ld\\n\", k);\n    return 0;\n}\n"
	writeTree(t, map[string]string{
		"long.c":     head + "    scanf(\"%ld\", &n);\n    for (long i = 0; i < n; i++)\n        k += i % 3 == 0;\n" + tail,
		"short.c":    head + "    scanf(\"%ld\", &n);\n    k = (n + 1) / 3;\n" + tail,
		"word.c":     head + "    scanf(\"%7s\", s);\n    k = s[0] == 'x' ? 5 : 4;\n" + tail,
		"none.c":     head + "    s[0] = 0;\n    scanf(\"%7s\", s);\n    k = s[0] == 'x' ? 6 : 4;\n" + tail,
		"depends.c":  head + "    scanf(\"%7s\", s);\n    k = s[0] == 0 ? 4 : 5;\n" + tail,
		"fresh.c":    strings.Replace(head, "char s[8];", "char *s = malloc(8);", 1) + "    scanf(\"%7s\", s);\n    k = s[0] == 0 ? 4 : 5;\n" + tail,
		"long/a.in":  "200000\n",
		"long/a.out": "66667\n",
		"long/b.in":  "7\n",
		"long/b.out": "3\n",
		"word/a.in":  "",
		"word/a.out": "4\n",
		"word/b.in":  "x\n",
		"word/b.out": "5\n",
		"zero/a.in":  "",
		"zero/a.out": "4\n",
		"zero/b.in":  "x\n",
		"zero/b.out": "5\n",
	})
	for _, x := range []struct {
		args string
		code int
		want []string
	}{
		{"--tests long --reference long.c short.c", 0, []string{"k = (n + 2) / 3;"}},
		{"--tests word --reference word.c none.c", 0, []string{"+    k = s[0] == 'x' ? 5 : 4;", "note: natively the reference meets a; on the machine, on test a, uninitialized_read at line 9"}},
		{"--tests zero --reference fresh.c none.c", 0, []string{"+    k = s[0] == 0 ? 4: 5;", "1 of 2 cases fails", "note: natively the reference meets a; on the machine, on test a, uninitialized_read at line 9"}},
		{"--tests zero --reference depends.c none.c", 2, []string{"the reference fails test a: uninitialized_read at line 9"}},
	} {
		code, out, errs := gulo(t, "", append([]string{"fix", "--work", "20s"}, strings.Fields(x.args)...)...)
		for _, want := range x.want {
			if code != x.code || !strings.Contains(out+errs, want) {
				t.Errorf("%s: %d, and %q is not in\n%s%s", x.args, code, want, out, errs)
			}
		}
	}
}
