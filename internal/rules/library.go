package rules

import (
	"embed"
	"fmt"
	"path"
	"sort"
	"strings"

	"gulo/internal/source"
)

//go:embed library/*.rules
var library embed.FS

// Library lists the shipped rule files by name: memory and leaks are what gulo
// check uses, figure2, figure6 and figure9 are the paper's as printed.
func Library() []string {
	entries, err := library.ReadDir("library")
	if err != nil {
		panic("rules: " + err.Error())
	}
	var out []string
	for _, e := range entries {
		out = append(out, strings.TrimSuffix(e.Name(), ".rules"))
	}
	sort.Strings(out)
	return out
}

// Shipped returns a shipped rule file, parsed and checked.
func Shipped(name string) (*File, error) {
	text, err := library.ReadFile(path.Join("library", name+".rules"))
	if err != nil {
		return nil, fmt.Errorf("there are no shipped rules %q; there are %s", name, strings.Join(Library(), ", "))
	}
	f, err := Parse(source.NewFile(name+".rules", text))
	if err != nil {
		return nil, err
	}
	return f, Check(f)
}
