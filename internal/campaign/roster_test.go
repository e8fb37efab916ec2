package campaign

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// lay writes files below a folder; a name that ends in a slash is an empty folder.
func lay(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(name, "/") {
			if err := os.MkdirAll(path, 0o700); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// TestAbsent: who handed in nothing is found by folders without a C file and by a list of
// students, in the forms in which graders export them.
func TestAbsent(t *testing.T) {
	const program = "int main(void) { return 3; }\n"
	files := map[string]string{
		"reference.c": program,
		"Ben Ode_4711_assignsubmission_file_/main.c":   program,
		"Cem Ede_4712_assignsubmission_file_/text.pdf": "x",
		"Dan Ide_4713_assignsubmission_file_/":         "",
		"ex1-eva-u/main.c":                             program,
		"jo-ann/a.c":                                   program,
		"common/list.h":                                "int f(void);\n",
		"__MACOSX/":                                    "",
		".git/x":                                       "",
	}
	empty := "Cem Ede_4712: the folder holds no C file: text.pdf; Dan Ide_4713: the folder is empty"
	const listed = ": on the list of students, and no submission has this name"
	for name, x := range map[string]struct{ roster, want string }{
		"none":     {"", empty},
		"names":    {"# course\nBen Ode\nOde, Ben\nCem Ede\nDan Ide\n\neva-u\nAnn\nJo Ann\nZoe Yam\n", "Ann" + listed + "; " + empty + "; Ode, Ben" + listed + "; Zoe Yam" + listed},
		"moodle":   {"\ufeffIdentifier,Full name,Email address,Status\nParticipant 1,Ben Ode,b@x.org,Submitted\nParticipant 2,\"Ede, Cem\",c@x.org,\nParticipant 3,Finn Moe,f@x.org,\n", empty + "; Finn Moe" + listed},
		"moodle 2": {"First name;Surname;ID number\nBen;Ode;1\nGil;Nye;2\n", empty + "; Gil Nye" + listed},
		"github":   {"\"identifier\",\"github_username\",\"github_id\",\"name\"\n\"e@x.org\",\"eva-u\",\"7\",\"\"\n\"h@x.org\",\"hal\",\"8\",\"\"\n", empty + "; h@x.org" + listed},
	} {
		dir := t.TempDir()
		lay(t, dir, files)
		class := &Class{Folder: dir}
		if x.roster != "" {
			class.Roster = filepath.Join(t.TempDir(), "students")
			lay(t, filepath.Dir(class.Roster), map[string]string{"students": x.roster})
		}
		jobs, err := class.Jobs()
		if err != nil {
			t.Fatal(err)
		}
		list, err := class.Absent(jobs)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		var got []string
		for _, a := range list {
			got = append(got, a.Name+": "+a.Why)
		}
		if s := strings.Join(got, "; "); s != x.want {
			t.Errorf("%s:\n%s\nwant\n%s", name, s, x.want)
		}
	}
	dir := t.TempDir()
	lay(t, dir, map[string]string{"a.c": program, "docs/x.txt": "", "reference.c": program})
	class := &Class{Folder: dir, Roster: filepath.Join(dir, "no.csv")}
	jobs, err := class.Jobs()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := class.Absent(jobs); err == nil {
		t.Error("a list that is not there is read")
	}
	class.Roster = ""
	if list, err := class.Absent(jobs); err != nil || len(list) != 0 {
		t.Errorf("folders beside files are taken for students: %v, %v", list, err)
	}
}

// TestInputs: on inputs alone the reference says what is right, and who handed in nothing is in
// the report.
func TestInputs(t *testing.T) {
	dir, program := t.TempDir(), func(op string) string {
		return fmt.Sprintf("#include <stdio.h>\nint main(void)\n{\n    int a, b;\n    if (scanf(\"%%d%%d\", &a, &b) != 2)\n        return 1;\n    printf(\"%%d\\n\", a %s b ? a : b);\n    return 0;\n}\n", op)
	}
	lay(t, dir, map[string]string{
		"class/reference.c": program(">"), "class/amy/a.c": program(">="), "class/bob/b.c": program("<"), "class/cat/": "",
		"in/one.in": "3 4\n", "in/two.in": "9 2\n",
	})
	q, err := Open(t.Context(), "", filepath.Join(dir, "state"), "c")
	if err != nil {
		t.Fatal(err)
	}
	defer q.Close()
	class := &Class{Folder: filepath.Join(dir, "class"), Inputs: filepath.Join(dir, "in"), Limit: time.Minute}
	jobs, err := class.Jobs()
	if err != nil {
		t.Fatal(err)
	}
	sum := judged(t, q, dir, jobs)
	absent, err := class.Absent(jobs)
	if err != nil {
		t.Fatal(err)
	}
	sum.Add(absent)
	for name, want := range map[string]Category{"amy/a": Right, "bob/b": Fixed, "cat": Missing} {
		o := outcome(sum, name)
		if o.Category != want {
			t.Errorf("%s: %s (%s), want %s", name, o.Category, o.Why, want)
		}
		if want == Right && (o.Checked == nil || o.Checked.Runs != 2) {
			t.Errorf("%s was held against %+v, want two runs", name, o.Checked)
		}
	}
	if sum.Total != 2 || sum.Done != 2 {
		t.Errorf("%d of %d submissions", sum.Done, sum.Total)
	}
	page, err := sum.HTML()
	if err != nil || !strings.Contains(string(page), "handed in nothing: 1") || strings.Contains(string(page), "Judged in 0.0 s") {
		t.Errorf("the page does not say who handed in nothing (%v)", err)
	}
	if text := outcome(sum, "cat").Feedback(AllStages); !strings.Contains(text, "No program was handed in") {
		t.Error(text)
	}
	if _, err := (&Class{Folder: filepath.Join(dir, "class"), Inputs: filepath.Join(dir, "class")}).Jobs(); err == nil {
		t.Error("a folder without inputs is taken for one")
	}
}
