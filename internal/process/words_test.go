package process

import (
	"slices"
	"testing"
)

func TestWords(t *testing.T) {
	for in, want := range map[string][]string{
		"":                         nil,
		" \n":                      nil,
		"a bc\nd":                  {"a", "bc", "d"},
		`"two words" ''`:           {"two words", ""},
		`a\ b 'it''s' "\"\\\n"`:    {"a b", "its", `"\\n`},
		`-DNAME='"x y"' -I"a b"/c`: {`-DNAME="x y"`, "-Ia b/c"},
	} {
		got, err := Words(in)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("Words(%q) = %q, %v, want %q", in, got, err, want)
		}
	}
	for _, in := range []string{`it's`, `"a`, `a\`} {
		if got, err := Words(in); err == nil {
			t.Errorf("Words(%q) = %q, want an error", in, got)
		}
	}
}
