package main

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"html"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
)

// This file writes the pages.

//go:embed site.css
var css []byte

//go:embed search.js
var script []byte

// index is the page that the navigation is made of.
const index = "docs/README.md"

// first are the pages that are written whether anything links to them or not, besides those of docs.
var first = []string{"README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"}

type group struct {
	title   string
	entries []entry
}

type entry struct{ name, text string }

// navigation returns the groups of links that docs/README.md lists below its headings.
func (t *tree) navigation() (groups []group) {
	d := t.docs[index]
	if d == nil {
		return nil
	}
	_ = ast.Walk(d.root, func(n ast.Node, enter bool) (ast.WalkStatus, error) {
		switch n := n.(type) {
		case *ast.Heading:
			if enter && n.Level == 2 {
				groups = append(groups, group{title: plain(n, d.text)})
			}
		case *ast.ListItem:
			if enter && len(groups) > 0 {
				g := &groups[len(groups)-1]
				g.entries = append(g.entries, d.entries(n)...)
			}
			return ast.WalkSkipChildren, nil
		}
		return ast.WalkContinue, nil
	})
	return groups
}

// entries is the first link of an item of a list.
func (d *document) entries(item ast.Node) (list []entry) {
	_ = ast.Walk(item, func(n ast.Node, enter bool) (ast.WalkStatus, error) {
		if l, ok := n.(*ast.Link); ok && enter {
			if name, _, local := d.target(string(l.Destination)); local {
				list = append(list, entry{name, plain(l, d.text)})
				return ast.WalkStop, nil
			}
		}
		return ast.WalkContinue, nil
	})
	return list
}

// section is what the search knows of the text below a heading.
type section struct {
	URL   string `json:"u"`
	Page  string `json:"p"`
	Title string `json:"t"`
	Text  string `json:"x"`
}

type writer struct {
	tree     *tree
	dir      string
	groups   []group
	done     map[string]bool
	todo     []string // paths in the repository that pages lead to
	pages    int
	sections []section
}

// all writes the pages and what they lead to.
func (w *writer) all() error {
	w.groups = w.tree.navigation()
	w.todo = slices.Clone(first)
	for name := range w.tree.docs {
		if strings.HasPrefix(name, "docs/") {
			w.todo = append(w.todo, name)
		}
	}
	slices.Sort(w.todo)
	for len(w.todo) > 0 {
		name := w.todo[0]
		w.todo = w.todo[1:]
		if w.done[name] {
			continue
		}
		w.done[name] = true
		if err := w.one(name); err != nil {
			return err
		}
	}
	slices.SortFunc(w.sections, func(a, b section) int { return strings.Compare(a.URL, b.URL) })
	list, err := json.Marshal(w.sections)
	if err != nil {
		return err
	}
	for name, b := range map[string][]byte{"site.css": css, "search.js": script, "search-index.js": slices.Concat([]byte("window.sections="), list, []byte(";\n"))} {
		if err := w.put(name, b); err != nil {
			return err
		}
	}
	return nil
}

// put writes a file of the site.
func (w *writer) put(name string, b []byte) error {
	name = filepath.Join(w.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return os.WriteFile(name, b, 0o644)
}

// pictures are the kinds of files that are copied as they are.
var pictures = []string{".png", ".svg"}

// place is where a path of the repository stands on the site.
func (w *writer) place(name string) string {
	switch base := path.Base(name); {
	case base == "README.md":
		return path.Join(path.Dir(name), "index.html")
	case w.tree.docs[name] != nil:
		return strings.TrimSuffix(name, ".md") + ".html"
	case slices.Contains(pictures, path.Ext(name)):
		return name
	}
	if i, err := os.Stat(filepath.Join(w.tree.root, name)); err == nil && i.IsDir() {
		return path.Join(name, "index.html")
	}
	return name + ".html"
}

// one writes a page, a picture, a source or a folder.
func (w *writer) one(name string) error {
	if d := w.tree.docs[name]; d != nil {
		return w.page(d)
	}
	full := filepath.Join(w.tree.root, name)
	i, err := os.Stat(full)
	if err != nil {
		return err
	}
	if i.IsDir() {
		return w.folder(name)
	}
	b, err := os.ReadFile(full)
	if err != nil || slices.Contains(pictures, path.Ext(name)) {
		if err != nil {
			return err
		}
		return w.put(name, b)
	}
	if !utf8.Valid(b) {
		return fmt.Errorf("%s is linked to and is neither text nor a picture", name)
	}
	return w.frame(name, name, "<h1><code>"+html.EscapeString(name)+"</code></h1>\n<pre><code>"+html.EscapeString(string(b))+"</code></pre>\n", nil)
}

// folder lists what is in a folder, if it has no page of its own.
func (w *writer) folder(name string) error {
	if w.tree.docs[path.Join(name, "README.md")] != nil {
		w.todo = append(w.todo, path.Join(name, "README.md"))
		return nil
	}
	list, err := os.ReadDir(filepath.Join(w.tree.root, name))
	if err != nil {
		return err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "<h1><code>%s</code></h1>\n<ul>\n", html.EscapeString(name))
	for _, e := range list {
		text := html.EscapeString(e.Name())
		if d := w.tree.docs[path.Join(name, e.Name())]; d != nil {
			w.todo = append(w.todo, d.name)
			text = fmt.Sprintf(`<a href="%s">%s</a>`, html.EscapeString(w.from(path.Join(name, "x"), d.name)), html.EscapeString(d.title))
		}
		fmt.Fprintf(&b, "<li>%s</li>\n", text)
	}
	b.WriteString("</ul>\n")
	return w.frame(name, name, b.String(), nil)
}

// from returns the address of a path of the repository, relative to the page of another one.
func (w *writer) from(page, name string) string {
	rel, err := filepath.Rel(path.Dir(page), w.place(name))
	if err != nil {
		return name
	}
	return filepath.ToSlash(rel)
}

// page writes a file of Markdown as a page, with its links leading to pages.
func (w *writer) page(d *document) error {
	_ = ast.Walk(d.root, func(n ast.Node, enter bool) (ast.WalkStatus, error) {
		dest, ok := destination(n)
		if !enter || !ok {
			return ast.WalkContinue, nil
		}
		name, anchor, local := d.target(dest)
		if !local || name == d.name {
			return ast.WalkContinue, nil
		}
		w.todo = append(w.todo, name)
		to := w.from(w.place(d.name), name)
		if anchor != "" {
			to += "#" + anchor
		}
		switch n := n.(type) {
		case *ast.Link:
			n.Destination = []byte(to)
		case *ast.Image:
			n.Destination = []byte(to)
		}
		return ast.WalkContinue, nil
	})
	var b bytes.Buffer
	if err := markdown.Renderer().Render(&b, d.text, d.root); err != nil {
		return err
	}
	w.index(d)
	body := strings.NewReplacer("<!-- raw HTML omitted -->\n", "", "<table>", `<div class="wide"><table>`, "</table>", "</table></div>").Replace(b.String())
	return w.frame(d.name, d.title, body, d.headings)
}

// index keeps the sections of a page for the search.
func (w *writer) index(d *document) {
	url := w.place(d.name)
	s := section{URL: url, Page: d.title, Title: d.title}
	next := 0
	for n := d.root.FirstChild(); n != nil; n = n.NextSibling() {
		if next < len(d.headings) && n == d.headings[next].node {
			if next > 0 {
				w.sections = append(w.sections, s)
			}
			h := d.headings[next]
			s = section{URL: url + "#" + h.id, Page: d.title, Title: h.text}
			next++
			continue
		}
		s.Text = strings.TrimSpace(s.Text + " " + strings.Join(strings.Fields(plain(n, d.text)), " "))
	}
	w.sections = append(w.sections, s)
}

// frame puts a page into its frame: the navigation beside it, and what is on it.
func (w *writer) frame(name, title, body string, headings []heading) error {
	w.pages++
	at := w.place(name)
	up := strings.Repeat("../", strings.Count(at, "/"))
	var nav, on strings.Builder
	for _, g := range w.groups {
		fmt.Fprintf(&nav, "<h2>%s</h2>\n<ul>\n", html.EscapeString(g.title))
		for _, e := range g.entries {
			current := ""
			if e.name == name {
				current = ` aria-current="page"`
			}
			fmt.Fprintf(&nav, "<li><a href=\"%s\"%s>%s</a></li>\n", html.EscapeString(w.from(at, e.name)), current, html.EscapeString(e.text))
		}
		nav.WriteString("</ul>\n")
	}
	shown := 0
	for _, h := range headings {
		if h.level == 2 {
			shown++
			fmt.Fprintf(&on, "<li><a href=\"#%s\">%s</a></li>\n", html.EscapeString(h.id), html.EscapeString(h.text))
		}
	}
	list := ""
	if shown > 2 {
		list = "<details class=\"on\"><summary>On this page</summary>\n<ul>\n" + on.String() + "</ul>\n</details>\n"
	}
	page := fmt.Sprintf(frame, html.EscapeString(title), up, up, up, nav.String(), list, body)
	return w.put(at, []byte(page))
}

// frame takes the title, three times the way to the root, the navigation, what is on the page, and the page.
const frame = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src 'self' file:; style-src 'self' file:; script-src 'self' file:">
<title>%s · gulo</title>
<link rel="stylesheet" href="%ssite.css">
<script src="%ssearch.js" defer></script>
</head>
<body>
<a class="skip" href="#page">To the text</a>
<header><a class="name" href="%sindex.html">gulo</a>
<form role="search" hidden><input type="search" placeholder="Search" aria-label="Search these pages" autocomplete="off" spellcheck="false"><kbd>/</kbd></form></header>
<div id="found" role="region" aria-live="polite" aria-label="Found" hidden></div>
<div class="beside">
<nav aria-label="Pages"><details open><summary>Pages</summary>
%s</details></nav>
<main id="page">
%s%s</main>
</div>
</body>
</html>
`
