package cfront_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gulo/internal/cfront"
)

// TestMissingHeader: what gcc says of a missing header is followed by what to do; a program that prints
// such words is none that misses one.
func TestMissingHeader(t *testing.T) {
	for text, want := range map[string]string{
		"#include <stdio.h>\n#include <conio.h>\nint main(void) { return 0; }\n":                         "conio.h is a header for Windows",
		"#include <Windows.h>\nint main(void) { return 0; }\n":                                           "Windows.h is a header for Windows",
		"#include <bits/stdc++.h>\nint main() { return 0; }\n":                                           "bits/stdc++.h is a header of C++; gulo takes C",
		"#include <iostream>\nint main() { return 0; }\n":                                                "iostream is a header of C++",
		"#include \"lists.h\"\nint main(void) { return 0; }\n":                                           "name the folder that has lists.h with -I",
		"#include \"a.h\"\nint main(void) { return 0; }\n":                                               "name the folder that has b.h with -I",
		"int main(void) { return x; } /* fatal error: conio.h: No such file or directory\n#include */\n": "",
		"#error 1:1: fatal error: conio.h: No such file or directory\n#include <stdio.h>\nint main;\n":   "",
	} {
		dir := t.TempDir()
		file := filepath.Join(dir, "p.c")
		if err := os.WriteFile(filepath.Join(dir, "a.h"), []byte("#include \"b.h\"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		err := cfront.Check(context.Background(), []string{file}, cfront.Options{})
		if err == nil {
			t.Errorf("gcc takes %q", text)
			continue
		}
		said := err.Error()
		if want == "" && (strings.Contains(said, "-I") || strings.Contains(said, "Windows")) || !strings.Contains(said, want) {
			t.Errorf("%s\n%s\nhas no %q", text, said, want)
		}
	}
}
