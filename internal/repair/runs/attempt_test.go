package runs

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"gulo/internal/job"
	"gulo/internal/report"
)

// TestUnattempted tells programs that do nothing from those that are wrong.
func TestUnattempted(t *testing.T) {
	for text, want := range map[string]bool{
		"int main(int n, char **args) { return 0; }": true,
		"int main(void) { return 0; }":               true,
		"int twice(int n) { return 2 * n; }\nint main(void) { int n = 0; n = twice(n); return 0; }":                       true,
		"#include <stdio.h>\nint main(void) { int n; scanf(\"%d\", &n); return n; }":                                      false,
		"#include <stdio.h>\nstatic void show(int n) { printf(\"%d\", n); }\nint main(void) { show(1); return 0; }":       false,
		"#include <stdio.h>\nint main(void) { printf(\"Hello, 100%%\\n\"); puts(\"world\"); return 0; }":                  true,
		"#include <stdio.h>\nint main(int n, char **args) { printf(n > 2 ? args[1] : \"8\\n\"); return 0; }":              false,
		"#include <stdio.h>\nint main(int n, char **args) { if (n > 2) printf(\"9\\n\"); return args == 0; }":             false,
		"#include <stdio.h>\nint main(void) { int n; printf(\"%d\\n\", 2 * n); return 0; }":                               false,
		"#include <stdio.h>\nint main(void) { if (getchar() == '4') printf(\"9\\n\"); else printf(\"1\\n\"); return 0; }": false,
	} {
		dir := t.TempDir()
		for name, s := range map[string]string{"a.c": text, "1.in": "4", "1.out": "8\n", "2.in": "5", "2.out": "10\n"} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(s), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		w, err := New(context.Background(), &job.Job{Files: []string{filepath.Join(dir, "a.c")}, Spec: job.Spec{Tests: dir}})
		if err != nil {
			t.Fatal(err)
		}
		rep, err := w.Unattempted()
		w.Close()
		if err != nil || (rep != nil) != want || rep != nil && rep.Result != report.None {
			t.Errorf("%s: %v %v", text, rep, err)
		}
		if IsUnattempted(rep) != want {
			t.Errorf("%s: what is said is not known again", text)
		}
	}
}

// TestSilent: a program that does nothing is no attempt, also where it has to print nothing once.
func TestSilent(t *testing.T) {
	for text, want := range map[string]bool{
		"int main(void) { return 0; }": true,
		"#include <stdio.h>\nint main(void) { int n; scanf(\"%d\", &n); if (n > 5) printf(\"%d\\n\", n); return 0; }": false,
	} {
		dir := t.TempDir()
		for name, s := range map[string]string{"a.c": text, "1.in": "4", "1.out": "8\n", "2.in": "5", "2.out": "10\n", "3.in": "0", "3.out": ""} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(s), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		w, err := New(context.Background(), &job.Job{Files: []string{filepath.Join(dir, "a.c")}, Spec: job.Spec{Tests: dir}})
		if err != nil {
			t.Fatal(err)
		}
		rep, err := w.Unattempted()
		w.Close()
		if err != nil || (rep != nil) != want {
			t.Errorf("%s: %v %v", text, rep, err)
		}
	}
}

// TestFixedText: where all runs want the same text, a program that prints another one is wrong.
func TestFixedText(t *testing.T) {
	dir := t.TempDir()
	for name, s := range map[string]string{"a.c": "#include <stdio.h>\nint main(void) { printf(\"Helo\\n\"); return 0; }\n", "1.out": "Hello\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(s), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	rep, err := Fix(context.Background(), &job.Job{Files: []string{filepath.Join(dir, "a.c")}, Spec: job.Spec{Tests: dir}})
	if err != nil || rep.Result != report.Repaired {
		t.Errorf("%v %v", rep, err)
	}
	w, err := New(context.Background(), &job.Job{Files: []string{filepath.Join(dir, "a.c")}, Spec: job.Spec{Tests: dir}})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if rep, err := w.Unattempted(); rep != nil || err != nil {
		t.Errorf("a text with a letter missing is no attempt: %v %v", rep, err)
	}
}

// TestElsewhere tells programs for another task from honest attempts.
func TestElsewhere(t *testing.T) {
	for text, want := range map[string]bool{
		"int t; scanf(\"%d\", &t); printf(\"%02d:%02d:%02d\\n\", t / 3600, t / 60 % 60, t % 60);": true,  // another exercise
		"int n; scanf(\"%d\", &n); printf(\"Hello world!\\n\");":                                  true,  // nothing of this one
		"int a; scanf(\"%d\", &a); if (a > 0) { puts(\"wrong\"); return 0; } printf(\"%d\", a);":  false, // a condition the wrong way round
		"int a, b, c; scanf(\"%d,%d,%d\", &a, &b, &c); printf(\"three numbers: \");":              false, // commas
		"int a, b, c; scanf(\"%d%d%d\", &a, &b, &c); printf(\"greatest:\");":                      false, // all is read
		"int a; scanf(\"%d\", &a); printf(\"%d\\n\", a);":                                         false, // a number
		"char s[9]; scanf(\"%8s\", s); printf(\"x%s\\n\", s);":                                    false, // any text
		"int a; scanf(\"%d\", &a); putchar('a' + a);":                                             false, // any character
	} {
		dir := t.TempDir()
		program := "#include <stdio.h>\nint main(void) { " + text + " return 0; }\n"
		for name, s := range map[string]string{"a.c": program, "1.in": "4 2 3\n", "1.out": "4\n", "2.in": "5 8 1\n", "2.out": "8\n"} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(s), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		w, err := New(context.Background(), &job.Job{Files: []string{filepath.Join(dir, "a.c")}, Spec: job.Spec{Tests: dir}})
		if err != nil {
			t.Fatal(err)
		}
		rep, err := w.Unattempted()
		w.Close()
		if err != nil || (rep != nil) != want || rep != nil && (rep.Result != report.None || !IsUnattempted(rep)) {
			t.Errorf("%s: %v %v", text, rep, err)
		}
	}
}
