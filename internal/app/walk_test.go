package app

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const largest = `#include <stdio.h>
#include <stdlib.h>

struct item { int value; struct item *next; };

int main(void)
{
    struct item *head = NULL, *at;
    int n, x, Most = 0;
    scanf("%d", &n);
    for (int i = 0; i < n; i++) {
        scanf("%d", &x);
        at = malloc(sizeof *at);
        at->value = x;
        at->next = head;
        head = at;
    }
    for (at = head; at != NULL; at = at->next)
        if (at == head || at->value > Most)
            Most = at->value;
    printf("%d\n", Most);
    return 0;
}
`

// TestClassWalk repairs a class as a teacher would have it: submissions as Moodle exports them, a reference and three
// tests; then the report, the gradebook and what each student reads.
func TestClassWalk(t *testing.T) {
	dir := t.TempDir()
	with := func(changes ...string) string { return strings.NewReplacer(changes...).Replace(largest) }
	texts := map[string]string{
		"right.c":     largest,
		"tests/1.in":  "3\n4 9 2\n",
		"tests/1.out": "9\n",
		"tests/2.in":  "2\n7 5\n",
		"tests/2.out": "7\n",
		"tests/3.in":  "4\n1 2 3 8\n",
		"tests/3.out": "8\n",
	}
	for student, files := range map[string][2]string{
		"Ada Lovelace_101": {"max.c", largest},
		"Ben Ito_102":      {"max.c", with("at == head || ", "", "Most = 0", "Most = 6")},
		"Cleo Marsh_103":   {"max.c", "/* soon */\n"},
		"Dan Roe_104":      {"max.c", with("n, x, Most", "n, x Most")},
		"Eve Ott_105":      {"max.c", with("at != NULL; at", "at->next != NULL || at != NULL; at")},
		"Gus Hall_107":     {"notes.txt", "I was ill.\n"},
	} {
		texts["class/"+student+"_assignsubmission_file_/"+files[0]] = files[1]
	}
	folders(t, dir, texts)
	table, fed := filepath.Join(dir, "class.csv"), filepath.Join(dir, "fed")
	run := func(command string, more ...string) (out, err string) {
		t.Helper()
		args := []string{"campaign", command, filepath.Join(dir, "class"), "--csv", table, "--feedback", fed}
		code, o, e := gulo(t, "", append(args, more...)...)
		if code != 0 {
			t.Fatalf("%d %s%s", code, o, e)
		}
		return o, e
	}
	out, progress := run("run", "--reference", filepath.Join(dir, "right.c"), "--tests", filepath.Join(dir, "tests"), "--limit", "60s")
	if !strings.Contains(out, "5 of 5 submissions:  1 right  2 fixed  1 does not compile  1 empty  1 nothing handed in\n") {
		t.Errorf("%s", out)
	}
	for _, line := range []string{" Ada Lovelace_101: right\n", " Cleo Marsh_103: empty", " Eve Ott_105: fixed: ", "5/5 "} {
		if !strings.Contains(progress, line) {
			t.Errorf("%q is not said while it runs: %s", line, progress)
		}
	}
	b, err := os.ReadFile(table)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(strings.NewReader(string(b))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	head, of := rows[0], map[string]map[string]string{}
	for _, row := range rows[1:] {
		of[row[0]] = map[string]string{}
		for i, cell := range row {
			of[row[0]][head[i]] = cell
		}
	}
	for _, want := range [][4]string{
		{"Ada Lovelace_101", "right", "3", "3"}, {"Ben Ito_102", "fixed", "3", "3"}, {"Cleo Marsh_103", "empty", "0", "3"},
		{"Dan Roe_104", "does not compile", "0", "3"}, {"Eve Ott_105", "fixed", "0", "3"}, {"Gus Hall_107", "nothing handed in", "", ""},
	} {
		if row := of[want[0]]; row["category"] != want[1] || row["tests passed"] != want[2] || row["tests given"] != want[3] {
			t.Errorf("%v: %v", want, row)
		}
	}
	if row := of["Ada Lovelace_101"]; row["leaks"] != "4" {
		t.Errorf("%v", row)
	}
	if row := of["Ben Ito_102"]; !strings.HasPrefix(row["why"], "it meets all 3 tests; on <<< ") || !strings.Contains(row["diff"], "-    int n, x, Most = 6;") {
		t.Errorf("%v", row)
	}
	if row := of["Eve Ott_105"]; !strings.HasPrefix(row["why"], "on 1 it crashes at line 18: read through a null pointer") {
		t.Errorf("%v", row)
	}
	reads := func(student string, not string, parts ...string) {
		t.Helper()
		for _, ext := range []string{".md", ".html"} {
			b, err := os.ReadFile(filepath.Join(fed, student+ext))
			for _, p := range parts {
				if err != nil || !strings.Contains(strings.ReplaceAll(string(b), "&gt;", ">"), p) {
					t.Errorf("%s%s does not say %q: %v %s", student, ext, p, err, b)
				}
			}
			if not != "" && strings.Contains(string(b), not) {
				t.Errorf("%s%s says %q", student, ext, not)
			}
		}
	}
	reads("Ada Lovelace_101", "not right", "does what it should")
	reads("Ben Ito_102", "Ben_Ito_102_assign", "meets the tests, and is not right yet", "this input is in none of them", "Look at line 9 of max.c.", "- int n, x, Most = 6;"[2:])
	reads("Cleo Marsh_103", "not right", "Nothing is written in the file.")
	reads("Dan Roe_104", "", "The program does not compile.", "max.c:9:")
	reads("Eve Ott_105", "limitation", "There the program crashes at line 18: read through a null pointer.", "Look at line 18 of max.c.", "at->next != NULL || at != NULL")
	if b, err := os.ReadFile(filepath.Join(fed, "Eve Ott_105.html")); err != nil || strings.Count(string(b), `<svg class="heap still"`) != 1 || !strings.Contains(string(b), "<figcaption>memory where it crashes, at line 18</figcaption>") {
		t.Errorf("no picture of the memory: %v", err)
	}
	run("report", "--stages", "where,why")
	reads("Eve Ott_105", "+    for", "Look at line 18 of max.c.", "Not right here: at->next != NULL")
	if code, _, e := gulo(t, "", "campaign", "report", filepath.Join(dir, "class"), "--stages", "who"); code != 2 || !strings.Contains(e, "where, why, what") {
		t.Errorf("%d %s", code, e)
	}
}

// TestClassDivided: without a reference the teacher is told on which input submissions that meet the tests differ,
// and who does what. The majority is not taken to be right, and a right repair is not made to agree with it.
func TestClassDivided(t *testing.T) {
	dir := t.TempDir()
	program := func(body string) string {
		return "#include <stdio.h>\nint main(void)\n{\n    int x, y;\n    scanf(\"%d %d\", &x, &y);\n    " + body + "\n    return 0;\n}\n"
	}
	folders(t, dir, map[string]string{
		"tests/1.in": "3 5\n", "tests/1.out": "5\n", "tests/2.in": "9 2\n", "tests/2.out": "9\n", "tests/3.in": "0 4\n", "tests/3.out": "4\n",
		"class/ann.c": program(`if (x > y) printf("%d\n", x); if (y > x) printf("%d\n", y);`),
		"class/ben.c": program(`if (y < x) printf("%d\n", x); if (x < y) printf("%d\n", y);`),
		"class/cat.c": program(`if (x < y) printf("%d\n", y); if (x > y) printf("%d\n", x);`),
		"class/dan.c": program(`printf("%d", x > y ? x : y);`),
	})
	table, class := filepath.Join(dir, "class.csv"), filepath.Join(dir, "class")
	code, o, e := gulo(t, "", "campaign", "run", class, "--tests", filepath.Join(dir, "tests"), "--csv", table, "--feedback", dir, "--limit", "60s")
	if code != 0 || !strings.Contains(o, "  1 fixed  3 fits your tests only\n") || !strings.Contains(o, "the tests do not say what is right on <<< ") ||
		!strings.Contains(o, `     3 print ""  (ann, ben, cat)`) || !strings.Contains(o, "     1 prints ") {
		t.Fatalf("%d %s%s", code, o, e)
	}
	if !strings.Contains(e, " ann: fits your tests\n") || strings.Contains(e, ": right") {
		t.Errorf("while it runs: %s", e)
	}
	b, err := os.ReadFile(table)
	if err != nil || !strings.Contains(string(b), "ann,fits your tests only,,,\"the tests do not say what is right on ") || !strings.Contains(string(b), "dan,fixed,no newline at the end,6,") {
		t.Errorf("%v %s", err, b)
	}
	if b, err = os.ReadFile(filepath.Join(dir, "ann.md")); err != nil || !strings.Contains(string(b), "meets all tests") || strings.Contains(string(b), "others") {
		t.Errorf("%v %s", err, b)
	}
	if code, o, e = gulo(t, "", "campaign", "report", class); code != 0 || !strings.Contains(o, "3 fits your tests only") {
		t.Errorf("%d %s%s", code, o, e)
	}
}
