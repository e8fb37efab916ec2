package app

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const opaqueProgram = `#include <stdio.h>
#include <stdlib.h>
struct node { int v; struct node *next; };
static struct node *push(struct node *h, int v) {
    struct node *n = malloc(sizeof *n);
    __asm__ volatile (".set one, 1; movl %1, %0" : "=r"(n->v) : "r"(v));
    n->next = h;
    return n;
}
static int weird(int x) {
    _Float128 y = x;
    if (y > 3)
        return 1;
    y += 2;
    return y;
}
int main(int argc, char **argv) {
    struct node *h = NULL;
    printf("begins\n");
    if (argc > 1)
        return weird(argc);
    h = push(h, 7);
    printf("%d\n", h->v);
    return 0;
}
`

func opaqueFile(t *testing.T) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "o.c")
	if err := os.WriteFile(name, []byte(opaqueProgram), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

func runGulo(t *testing.T, in string, args ...string) (out string, code int) {
	t.Helper()
	var b bytes.Buffer
	code = Main(args, strings.NewReader(in), &b, &b)
	return b.String(), code
}

// TestWhyOpaque: what is not modelled is listed, with its reason.
func TestWhyOpaque(t *testing.T) {
	name := opaqueFile(t)
	out, code := runGulo(t, "", "why-opaque", name)
	want := name + ":6:5: opaque statement: inline assembly is not supported\n"
	if code != exitNegative || !strings.HasPrefix(out, want) || !strings.Contains(out, name+":10:25: opaque function weird: the type _Float128 is not supported\n") || !strings.HasSuffix(out, "2 opaque in 3 functions\n") {
		t.Errorf("exit %d:\n%s", code, out)
	}
	if out, code := runGulo(t, "", "why-opaque", "--json", name); code != exitNegative || !strings.Contains(out, `"reason": "inline assembly is not supported"`) {
		t.Errorf("exit %d:\n%s", code, out)
	}
}

// TestUnmodelledCalls: calls that the machine has no model of are listed, others are not.
func TestUnmodelledCalls(t *testing.T) {
	name := filepath.Join(t.TempDir(), "f.c")
	program := `#include <fenv.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <mqueue.h>
#include <unistd.h>
static int up(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static double half(double x, int mode)
{
    fesetround(FE_TONEAREST);
    double y = x / 3;
    fesetround(mode);
    feclearexcept(FE_ALL_EXCEPT);
    return sqrt(y);
}
int main(void)
{
    int v[] = { 3, 1, 2 }, s = mq_close(9);
    qsort(v, 3, sizeof *v, up);
    alarm(2);
    printf("%d %g\n", s > 0, half(1, FE_UPWARD));
    return 0;
}
`
	if err := os.WriteFile(name, []byte(program), 0o600); err != nil {
		t.Fatal(err)
	}
	out, code := runGulo(t, "", "why-opaque", name)
	want := name + ":13:5: call of fesetround: the machine rounds to nearest alone\n  fesetround(mode);\n" +
		name + ":14:5: call of feclearexcept: the machine has no model of it\n  feclearexcept(FE_ALL_EXCEPT);\n" +
		name + ":19:28: call of mq_close: the machine has no model of it\n  s = mq_close(9)\n" +
		"0 opaque in 3 functions, 3 calls that the machine has no model of\n"
	if code != exitNegative || out != want {
		t.Errorf("exit %d:\n%s", code, out)
	}
	if out, code := runGulo(t, "", "why-opaque", "--json", name); code != exitNegative || !strings.Contains(out, `"called": "mq_close"`) {
		t.Errorf("exit %d:\n%s", code, out)
	}
	if out, code := runGulo(t, "", "run", name); code != exitUsage || !strings.Contains(out, "library function mq_close is not supported") {
		t.Errorf("exit %d:\n%s", code, out)
	}
}

// TestOpaqueRun: the machine runs up to what is opaque and names it.
func TestOpaqueRun(t *testing.T) {
	name := opaqueFile(t)
	for _, c := range []struct{ arg, at string }{{"", ":6:5: unsupported: inline assembly"}, {"x", ":12:9: unsupported: the type _Float128"}} {
		args := []string{"run", name}
		if c.arg != "" {
			args = append(args, "--", c.arg)
		}
		out, code := runGulo(t, "", args...)
		if code != exitUsage || !strings.HasPrefix(out, "begins\n") || !strings.Contains(out, name+c.at) {
			t.Errorf("exit %d:\n%s", code, out)
		}
	}
}

// TestOpaqueDebug: under gdb what is opaque is executed and stepped over.
func TestOpaqueDebug(t *testing.T) {
	name := opaqueFile(t)
	out, code := runGulo(t, "start\nbreak 6\ncontinue\nnext\n", "debug", name)
	if code != 0 || !strings.Contains(out, "n->next = h;") || !strings.Contains(out, "v   7*") {
		t.Errorf("exit %d:\n%s", code, out)
	}
	out, code = runGulo(t, "start\nbreak weird\ncontinue\nnext\nnext\nnext\nprint x\n", "debug", name, "--", "x")
	if code != 0 || !strings.Contains(out, "y += 2;") || !strings.Contains(out, "2") {
		t.Errorf("exit %d:\n%s", code, out)
	}
}

// TestOpaqueNotKnown: if the tests reach what gulo has no model of, it is not known whether the program fails. That
// is an answer, not a wrong use.
func TestOpaqueNotKnown(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"p.c":        "#include <stdio.h>\nint main(void) { int n; if (scanf(\"%d\", &n) == 1) { __asm__(\".set one, 1; incl %0\" : \"+r\"(n)); printf(\"%d\\n\", n); } return 0; }\n",
		"tests/a.in": "4\n", "tests/a.out": "6\n",
	} {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, command := range []string{"fix", "locate"} {
		out, code := runGulo(t, "", command, "--tests", filepath.Join(dir, "tests"), filepath.Join(dir, "p.c"))
		if code != exitNegative || !strings.Contains(out, "inline assembly is not supported: whether the program fails is not known") {
			t.Errorf("%s: exit %d: %s", command, code, out)
		}
	}
}
