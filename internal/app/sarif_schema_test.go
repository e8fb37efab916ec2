package app

import (
	"bytes"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	oasis "github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// This file checks documents against OASIS' schema of SARIF 2.1.0. The schema is in go-sarif as a constant that is
// not exported, so it is read from the source of that module; another module validates.

// here is the package's folder, which tests may leave.
var here, _ = os.Getwd()

// oasisSARIF is the schema, formats included.
var oasisSARIF = sync.OnceValues(func() (*jsonschema.Schema, error) {
	var _ = oasis.NewReport // keeps the module in go.mod
	list := exec.Command("go", "list", "-f", "{{.Dir}}", "github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif")
	list.Dir = here
	dir, err := list.Output()
	if err != nil {
		return nil, err
	}
	f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(strings.TrimSpace(string(dir)), "schema.go"), nil, 0)
	if err != nil {
		return nil, err
	}
	text := ""
	ast.Inspect(f, func(n ast.Node) bool {
		if b, ok := n.(*ast.BasicLit); ok && b.Kind == token.STRING && len(b.Value) > len(text) {
			text, err = strconv.Unquote(b.Value)
		}
		return err == nil
	})
	if err != nil {
		return nil, err
	}
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		return nil, err
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	const name = "sarif-schema-2.1.0.json"
	if err := c.AddResource(name, doc); err != nil {
		return nil, err
	}
	return c.Compile(name)
})

// validSARIF says what is wrong with a document by the schema.
func validSARIF(t *testing.T, text []byte) error {
	t.Helper()
	s, err := oasisSARIF()
	if err != nil {
		t.Fatalf("the schema cannot be read: %v", err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return s.Validate(doc)
}

// TestSARIFSchema: findings and repairs are valid by the schema, and broken documents are not.
func TestSARIFSchema(t *testing.T) {
	t.Chdir(t.TempDir())
	folders(t, ".", map[string]string{"wrong.c": "#include <stdlib.h>\nint main(void)\n{\n    int *a = malloc(3 * sizeof *a);\n    if (a == NULL)\n        return 1;\n    for (int i = 0; i <= 3; i++)\n        a[i] = i;\n    free(a);\n    return 0;\n}\n"})
	for _, args := range [][]string{
		{"check", "--engine", "machine", "--format", "sarif", "--output", "found.sarif", "wrong.c"},
		{"fix", "--memory", "--limit", "3m", "--format", "sarif", "--output", "found.sarif", "wrong.c"},
	} {
		_, out, errOut := gulo(t, "", args...)
		b, err := os.ReadFile("found.sarif")
		if err != nil {
			t.Fatal(err, out, errOut)
		}
		out = string(b)
		run := readSARIF(t, []byte(out))
		if len(run.Results) == 0 {
			t.Errorf("%v: %s%s", args, out, errOut)
		}
		for _, broken := range [][2]string{
			{`"version": "2.1.0"`, `"version": "2.1"`},
			{`"startLine": `, `"startLine": -`},
			{`"uri": "`, `"uri": " :`},
			{`"ruleIndex"`, `"ruleNumber"`},
			{`"level": "`, `"level": "very `},
			{`"driver"`, `"pilot"`},
		} {
			text := strings.Replace(out, broken[0], broken[1], 1)
			if text == out || !json.Valid([]byte(text)) {
				t.Errorf("%v: %s is not there\n%s", args, broken[0], out)
			} else if err := validSARIF(t, []byte(text)); err == nil {
				t.Errorf("%v: the schema takes %s", args, broken[1])
			}
		}
	}
}
