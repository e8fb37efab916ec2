package app

import (
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// TestMethods goes through the matrix of options and methods: every option is there, every cell that says "refused"
// is refused by name with exit status 2, and docs/methods.md is the table.
func TestMethods(t *testing.T) {
	s := &streams{in: strings.NewReader(""), out: io.Discard, err: io.Discard}
	doc, err := os.ReadFile("../../docs/methods.md")
	if err != nil {
		t.Fatal(err)
	}
	file := insert + "carl.c"
	values := map[string]string{"space": "judge", "method": "", "template-file": file, "tests": file, "reference": insert + "reference.c", "contract": file, "inputs": file, "stdin": file, "templates": "constant", "work": "1s", "mistakes": "../repair/mistakes/mistakes.txt"}
	cells, refused := 0, 0
	for _, c := range []*cobra.Command{s.fixCommand(), s.locateCommand()} {
		if want := methodsTable(c); !strings.Contains(string(doc), want) {
			t.Errorf("docs/methods.md does not have this table:\n%s", want)
		}
		c.Flags().VisitAll(func(f *pflag.Flag) {
			with := honoured(c.Name(), f.Name)
			if len(with) == 0 {
				t.Errorf("%s --%s: no method honours it", c.Name(), f.Name)
			}
			for _, column := range columns[c.Name()] {
				cells++
				if slices.Contains(with, column) || strings.HasSuffix(column, "of a contract") || elsewhere(c.Name(), column, f.Name) {
					continue
				}
				method := strings.Fields(column)[0]
				args := []string{c.Name(), "--method", method}
				if column == "evidence" {
					args = append(args, "--contracts")
				}
				value := values[f.Name]
				if value == "" {
					value = "1"
				}
				if f.Value.Type() == "bool" {
					args = append(args, "--"+f.Name)
				} else {
					args = append(args, "--"+f.Name, value)
				}
				code, o, e := gulo(t, "", append(args, file)...)
				if code != 2 || !strings.Contains(o+e, "--"+f.Name+" does not work with --method "+method) {
					t.Errorf("%v: %d %s%s", args, code, o, e)
				}
				refused++
			}
		})
	}
	t.Logf("%d cells, %d refused", cells, refused)
	if refused < 40 {
		t.Errorf("only %d cells were refused", refused)
	}
}

// TestLocateMethods: every method answers on a specification that it works from.
func TestLocateMethods(t *testing.T) {
	list := requests(t)
	cases, contract := list[1], list[6]
	for _, x := range []struct {
		method string
		on     asked
		args   []string
	}{
		{"gradient", cases, cases.args[2:]}, {"evidence", cases, cases.args[2:]}, {"spectrum", cases, cases.args[2:]}, {"diagnosis", cases, cases.args[2:]},
		{"gradient", contract, contract.args}, {"evidence", contract, contract.args}, {"spectrum", contract, contract.args},
	} {
		code, o, e := gulo(t, "", append(append([]string{"locate", "--method", x.method, "--format", "json"}, x.args...), x.on.file)...)
		if code != 0 && !(code == 1 && strings.Contains(e, "cannot be used here")) || code == 0 && !strings.Contains(o, `"line": `) {
			t.Errorf("%s on %s: %d %s%s", x.method, x.on.name, code, o, e)
		}
		if code != 0 {
			t.Logf("%s on %s: %s", x.method, x.on.name, e)
		}
	}
}
