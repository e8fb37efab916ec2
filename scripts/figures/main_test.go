package main

import (
	"bytes"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

// TestOrder: as little as possible goes to earlier files.
func TestOrder(t *testing.T) {
	weights := map[[2]string]int{{"a", "b"}: 3, {"b", "c"}: 2, {"a", "c"}: 1, {"c", "a"}: 1, {"d", "a"}: 1}
	if got := strings.Join(order(weights), " "); got != "d a b c" {
		t.Error(got)
	}
}

// TestMeasure measures this command: it has one type, with its methods, and one file that calls nothing of another.
func TestMeasure(t *testing.T) {
	list, err := packages.Load(&packages.Config{Mode: packages.NeedName | packages.NeedFiles | packages.NeedSyntax | packages.NeedTypes | packages.NeedTypesInfo | packages.NeedImports | packages.NeedDeps}, ".")
	if err != nil || len(list) != 1 {
		t.Fatal(err, len(list))
	}
	f, err := measure(list[0])
	if err != nil {
		t.Fatal(err)
	}
	if f.methods["figures"] != 1 || f.code < 100 || f.tests < 20 || f.calls != 0 || len(f.upward) != 0 {
		t.Errorf("%+v", f)
	}
	var out bytes.Buffer
	if write(&out, []*figures{f}); !strings.Contains(out.String(), "scripts/figures") {
		t.Error(out.String())
	}
}
