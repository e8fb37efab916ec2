package campaign

import (
	"context"
	"testing"
	"time"
)

// TestNoExample: where all tests give input, a run without any is no example. A program that
// reads into a variable without an initial value is right, though it reads what was never
// stored where there is no input.
func TestNoExample(t *testing.T) {
	program := func(name string) []byte {
		return []byte("#include <stdio.h>\nint main(void)\n{\n    int " + name + ";\n    scanf(\"%d\", &" + name + ");\n    printf(\"%d\\n\", " + name + " * 2);\n    return 0;\n}\n")
	}
	for _, reference := range [][]byte{program("n"), nil} {
		out, err := Judge(context.Background(), &Submission{Name: "a", File: "a.c", Text: program("number"), Reference: reference, Limit: time.Minute,
			Tests: map[string][]byte{"1.in": []byte("4\n"), "1.out": []byte("8\n"), "2.in": []byte("-3"), "2.out": []byte("-6\n")}})
		if err != nil {
			t.Fatal(err)
		}
		if out.Category != Right {
			t.Errorf("%s: %s", out.Category, out.Why)
		}
	}
}
