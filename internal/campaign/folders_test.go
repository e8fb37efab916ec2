package campaign

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestFolders: what graders export is read as one submission for each student.
func TestFolders(t *testing.T) {
	dir := t.TempDir()
	program, part := "#include \"part.h\"\nint main(void)\n{\n    return part();\n}\n", "int part(void)\n{\n    return LEVEL;\n}\n"
	for name, text := range map[string]string{
		"reference.c": "int main(void) { return 3; }\n",
		"alone.c":     "int main(void) { return 3; }\n",
		// GitHub Classroom: a repository with folders, a Makefile, and tests of the student's own.
		"task-ann/Makefile":       "CFLAGS = -Wall -g -DLEVEL=3 -std=c11 \\\n  -Iinclude -I/etc -I../../secret # -DNO\nCPPFLAGS += -DMORE -fplugin=x.so -D'A B'\nall:\n\trm -rf /\n",
		"task-ann/src/main.c":     program,
		"task-ann/src/part.c":     part,
		"task-ann/include/part.h": "int part(void);\n",
		"task-ann/tests/t.c":      "int main(void) { return 0; }\n",
		// Moodle: the student's name and number in front.
		"Ben Ode_4711_assignsubmission_file_/main.c":    program,
		"Ben Ode_4711_assignsubmission_file_/part.c":    "/* int main(void) { } */\n" + part,
		"Cem Ede_4712_assignsubmission_file_/loesung.c": "int main(void) { return 3; }\n",
		// Moodle without folders.
		"Dan Ide_4713_assignsubmission_file_main.c": program,
		"Dan Ide_4713_assignsubmission_file_part.c": part,
		"Dan Ide_4713_assignsubmission_file_part.h": "int part(void);\n",
		"Eva Ude_4714_assignsubmission_file_ex1.c":  "int main(void) { return 3; }\n",
		// What archives leave.
		"__MACOSX/task-ann/src/._main.c": "\x00\x05",
		"task-ann/src/._main.c":          "\x00\x05",
		// What belongs to several, or is a function each, stays apart.
		"year/a.c":  "int main(void)\n{\n    return 1;\n}\n",
		"year/b.c":  "int main(void)\n{\n    return 2;\n}\n",
		"funcs/a.c": "int f(void)\n{\n    return 1;\n}\n",
		"funcs/b.c": "int f(void)\n{\n    return 1;\n}\nint main(void)\n{\n    return f();\n}\n",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	jobs, err := (&Class{Folder: dir}).Jobs()
	if err != nil {
		t.Fatal(err)
	}
	if got := (&Class{Folder: dir}).Taken(jobs); got != "reference: "+dir+"/reference.c; submissions: "+dir+" (10, 3 of several files): Ben Ode_4711, Cem Ede_4712 ... year/b" {
		t.Error(got)
	}
	var got []string
	for _, j := range jobs {
		more := []string{j.File}
		for name := range j.More {
			more = append(more, name)
		}
		slices.Sort(more[1:])
		for name := range j.Headers {
			more = append(more, name)
		}
		got = append(got, j.Name+": "+strings.Join(append(more, j.Flags...), " "))
	}
	slices.Sort(got)
	want := []string{
		"Ben Ode_4711: Ben_Ode_4711_assignsubmission_file_/main.c Ben_Ode_4711_assignsubmission_file_/part.c",
		"Cem Ede_4712: Cem_Ede_4712_assignsubmission_file_/loesung.c",
		"Dan Ide_4713: Dan_Ide_4713/main.c Dan_Ide_4713/part.c Dan_Ide_4713/part.h",
		"Eva Ude_4714: Eva_Ude_4714/ex1.c",
		"alone: alone.c",
		"funcs/a: funcs/a.c", "funcs/b: funcs/b.c",
		"task-ann: task-ann/src/main.c task-ann/src/part.c task-ann/include/part.h -DLEVEL=3 -std=c11 -Itask-ann/include -DMORE",
		"year/a: year/a.c", "year/b: year/b.c",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
