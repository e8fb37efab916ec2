package app

import (
	"strings"
	"testing"
)

// TestViewsFile: a file of views is read before the session begins. A view that is not understood ends the command,
// with its place.
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
		{"{y}", "{y,su}", `.natvis:2:21: the format su is not understood; there are s, sb, d, x, h, X, H, o, b, c, na, [COUNT]`},
		{"{y}", "{y,na}", `.natvis:2:21: the format na does not fit y, which is of type int`},
		{"{y}", "{&amp;y,[]}", `.natvis:2:21: the format [] has no count`},
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

// TestPrinters: gdb executes a script of pretty-printers; what they say is shown in boxes and by print. An error in
// the script or in a printer is reported with its line. The machine has no Python.
func TestPrinters(t *testing.T) {
	prog := writeFile(t, "p.c", `#include <stdlib.h>
struct point { int x, y; };
struct place { struct point at; int z; };
int main(void)
{
    struct place *p = calloc(1, sizeof *p);
    p->at.y = 4;
    p->z = 3;
    return p->at.x;
}
`)
	const text = `import gdb
class Point:
    def __init__(self, v):
        self.v = v
    def to_string(self):
        return "at %d" % int(self.v["y"])
    def children(self):
        yield "twice", self.v["y"] * 2
class Place(Point):
    def children(self):
        return self.v["none"]
    def to_string(self):
        return None
def look(v):
    return {"point": Point, "place": Place}.get(v.type.tag, lambda v: None)(v)
gdb.pretty_printers.append(look)
`
	script := writeFile(t, "views.py", text+"wrong()\n")
	code, out, errOut := gulo(t, "start\nnext\nnext\nprint p->at\nview\nview off\nnext\n", "debug", "--views", script, "--script", "-", prog)
	for _, want := range []string{"at 4 {twice = 8} │", "p->at = {x = 0, y = 4}\n  ≡ at 4 {twice = 8}", "1 printer\n  look", "≡ ? (views.py:11: ", "p.c:9"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	if code != 0 || !strings.Contains(errOut, "views.py:17: NameError: name 'wrong' is not defined") {
		t.Errorf("exit code %d, %s", code, errOut)
	}
	code, _, errOut = gulo(t, "start\n", "debug", "--engine", "machine", "--views", script, "--script", "-", prog)
	if code != exitUsage || !strings.Contains(errOut, "printers in Python are gdb's") {
		t.Errorf("exit code %d, %s", code, errOut)
	}
	code, _, errOut = gulo(t, "start\n", "debug", "--views", "none.py", "--script", "-", prog)
	if code != exitUsage || !strings.Contains(errOut, "none.py") {
		t.Errorf("exit code %d, %s", code, errOut)
	}
}
