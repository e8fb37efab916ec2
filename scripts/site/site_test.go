package main

import (
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const repository = "../.."

// TestLinks: every link in the Markdown of the repository leads to a file, a folder or a heading that is there.
func TestLinks(t *testing.T) {
	tr, err := read(repository)
	if err != nil {
		t.Fatal(err)
	}
	if len(tr.docs) < 60 {
		t.Errorf("only %d files of Markdown", len(tr.docs))
	}
	for _, b := range tr.broken() {
		t.Error(b)
	}
}

// TestBroken: links that lead nowhere are reported, and no others.
func TestBroken(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"README.md":   "# A b: `c`, d_e!\n[a](docs/x.md) [b](docs/x.md#two-2) [c](docs) [d](https://example.org/no) [e](#a-b-c-d_e)\n",
		"docs/x.md":   "# X\n## Two\n## Two 2\n## Two\n[up](../README.md#a-b-c-d_e) [no](y.md) [out](../../z) ![p](p.png) [h](#three) [t](#two-1)\n\n`[code](none.md)`\n",
		"docs/a.c":    "int x;\n",
		"docs/z.md":   "[c](a.c) [l](a.c#L3)\n",
		"bin/old.md":  "[no](no.md)\n",
		".git/old.md": "[no](no.md)\n",
	} {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	tr, err := read(dir)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"docs/x.md: #three: there is no such heading",
		"docs/x.md: ../../z: outside of the repository",
		"docs/x.md: p.png: there is no such file",
		"docs/x.md: y.md: there is no such file",
		"docs/z.md: a.c#L3: an anchor in what is no Markdown",
	}
	if got := tr.broken(); !slices.Equal(got, want) {
		t.Errorf("%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

var address = regexp.MustCompile(`(?:href|src)="([^"]+)"`)

// TestSite: the pages are all there, and what they link to, in the folder that is written; they load nothing from elsewhere.
func TestSite(t *testing.T) {
	dir := t.TempDir()
	if err := site(repository, dir); err != nil {
		t.Fatal(err)
	}
	pages := 0
	err := filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(name) != ".html" {
			return err
		}
		pages++
		b, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		for _, m := range address.FindAllStringSubmatch(string(b), -1) {
			u, err := url.Parse(strings.ReplaceAll(m[1], "&amp;", "&"))
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			if u.Scheme != "" || u.Path == "" {
				if strings.Contains(m[0], "src=") || u.Scheme == "" && u.Fragment == "" {
					t.Errorf("%s loads %s", name, m[1])
				}
				continue
			}
			to := filepath.Join(filepath.Dir(name), u.Path)
			if i, err := os.Stat(to); err != nil || i.IsDir() {
				t.Errorf("%s: %s is no file of the site", name, m[1])
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if pages < 60 {
		t.Errorf("only %d pages", pages)
	}
	for _, name := range []string{"index.html", "docs/index.html", "docs/manual.html", "CHANGELOG.html", "search.js", "search-index.js", "site.css", "docs/web-tree.png"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
}

// TestIndex: docs/README.md, which is the navigation, names every page of docs but the decisions and old notes.
func TestIndex(t *testing.T) {
	tr, err := read(repository)
	if err != nil {
		t.Fatal(err)
	}
	named := map[string]bool{index: true}
	for _, g := range tr.navigation() {
		for _, e := range g.entries {
			named[e.name] = true
		}
	}
	for name := range tr.docs {
		if filepath.Dir(name) == "docs" && !named[name] {
			t.Errorf("%s does not name %s", index, name)
		}
	}
}
