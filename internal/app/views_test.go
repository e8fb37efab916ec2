package app

import (
	"strings"
	"testing"
)

// TestViewsFile: a file of views is read before the session begins; what is not understood in it ends the command with its
// place.
func TestViewsFile(t *testing.T) {
	prog := writeFile(t, "p.c", `#include <stdlib.h>
struct point { int x, y; };
int main(void)
{
    struct point *p = calloc(1, sizeof *p);
    p->y = 4;
    return p->x;
}
`)
	const file = "<AutoVisualizer>\n <Type Name=\"point\"><DisplayString>y is {y}</DisplayString></Type>\n</AutoVisualizer>\n"
	for _, c := range []struct{ from, to, want string }{
		{"", "", ""},
		{"{y}", "{z}", `.natvis:2:21: no variable "z" here in "z"`},
		{"{y}", "{y,na}", `.natvis:2:21: the format na is not understood; there are s, sb, d, x, o`},
		{"{y}", "{y,s}", `.natvis:2:21: the format s does not fit y, which is of type int`},
		{"{y}", "{*this}{exit(1)}", `.natvis:2:21: `},
		{"DisplayString", "SmartPointer", `.natvis:2:21: SmartPointer is not understood in Type`},
	} {
		views := writeFile(t, "v.natvis", strings.ReplaceAll(file, c.from, c.to))
		code, out, errOut := gulo(t, "start\nnext 2\n", "debug", "--engine", "machine", "--views", views, "--script", "-", prog)
		if c.want == "" {
			if code != 0 || !strings.Contains(out, "≡ y is 4") {
				t.Errorf("exit code %d, %s%s", code, out, errOut)
			}
			continue
		}
		if code != exitUsage || !strings.Contains(errOut, c.want) {
			t.Errorf("%s: exit code %d, %s", c.to, code, errOut)
		}
	}
	views := writeFile(t, "v.natvis", strings.ReplaceAll(file, "point", "poimt"))
	if code, _, errOut := gulo(t, "", "debug", "--engine", "machine", "--views", views, "--script", "-", prog); code != 0 || !strings.Contains(errOut, "v.natvis:2:2: no type poimt in the program; is it struct point?") {
		t.Errorf("exit code %d, %s", code, errOut)
	}
	if code, _, errOut := gulo(t, "", "debug", "--engine", "machine", "--views", "none", "--script", "-", prog); code != exitUsage || !strings.Contains(errOut, "none") {
		t.Errorf("exit code %d, %s", code, errOut)
	}
}
