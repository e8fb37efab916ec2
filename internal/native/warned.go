package native

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"gulo/internal/budget"
	"gulo/internal/process"
)

// This file asks gcc for what nobody writes on purpose.

// unmeant are the warnings of gcc, without -W, about statements and conditions that nobody means as they stand: they do
// nothing, are always true, or take something for what it is not. All of them are about the text alone, so that
// they come without optimization.
var unmeant = []string{
	"absolute-value", "address", "bool-compare", "bool-operation", "div-by-zero", "duplicated-cond", "empty-body",
	"enum-compare", "format", "format-nonliteral", "free-nonheap-object", "implicit-function-declaration",
	"incompatible-pointer-types", "int-conversion", "int-in-bool-context", "logical-not-parentheses", "logical-op",
	"memset-elt-size", "memset-transposed-args", "nonnull", "overflow", "pointer-compare", "return-local-addr",
	"return-type", "sequence-point", "shift-count-negative", "shift-count-overflow", "sizeof-array-argument",
	"sizeof-pointer-div", "sizeof-pointer-memaccess", "string-compare", "switch-bool", "switch-unreachable",
	"tautological-compare", "type-limits", "unused-value",
}

// refusing returns the flags that make errors of warnings.
func refusing(warnings []string) []string {
	var out []string
	for _, w := range warnings {
		if strings.HasPrefix(w, "format-") && !slices.Contains(warnings, "format") {
			continue // gcc has it only beside the other
		}
		out = append(out, "-Werror="+w)
	}
	return out
}

var refusal = regexp.MustCompile(`\[-Werror=([a-z-]+)=?\]`)

// Unwarned returns the warnings, as Config.Refuse takes them, that gcc has of no statement of a program although nobody means what
// they are about. It is empty if gcc refuses the program anyway.
func Unwarned(ctx context.Context, texts map[string]string, c Config) ([]string, error) {
	budget.Spend(ctx, c.work(texts))
	dir, err := process.TempDir("gulo-warned-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	m, err := NewMirror(filepath.Join(dir, "at"), c.units(texts), c.Options, texts)
	if err != nil {
		return nil, err
	}
	names := apart(m.Files)
	out := &compilation{files: m.Files, opt: m.Options, objects: dir, fast: true, names: names,
		flags: slices.Concat([]string{"-O0", "-fsyntax-only"}, names), own: refusing(unmeant)}
	err = out.run(ctx, m.naming(GCC))
	var no *CompileError
	if err != nil && !errors.As(err, &no) {
		return nil, err
	}
	left := slices.Clone(unmeant)
	if no != nil {
		said := refusal.FindAllStringSubmatch(no.Text, -1)
		if len(said) == 0 {
			return nil, nil
		}
		for _, s := range said {
			left = slices.DeleteFunc(left, func(w string) bool { return w == s[1] })
		}
	}
	return left, nil
}
