package main

import (
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// This file reads the Markdown of the repository and checks its links.

// markdown parses what our pages use of GitHub's Markdown: CommonMark without HTML, tables, task lists and bare
// links.
var markdown = goldmark.New(goldmark.WithExtensions(extension.Table, extension.TaskList, extension.Linkify), goldmark.WithParserOptions(parser.WithAutoHeadingID()))

// document is a file of Markdown.
type document struct {
	name     string // its path in the repository
	text     []byte
	root     ast.Node
	title    string
	headings []heading
}

type heading struct {
	level    int
	id, text string
	node     ast.Node
}

// tree is all Markdown of a repository, by path.
type tree struct {
	root string
	docs map[string]*document
}

// standsIn are texts that pages are made of: their links are relative to the folder of the page.
var standsIn = map[string]string{"internal/session/guide.md": "docs", "internal/session/tasks.md": "docs"}

// read reads the Markdown below a folder.
func read(root string) (*tree, error) {
	t := &tree{root, map[string]*document{}}
	err := filepath.WalkDir(root, func(name string, e fs.DirEntry, err error) error {
		switch base := e.Name(); {
		case err != nil:
			return err
		case e.IsDir() && (base == "node_modules" || base == "bin" || base == "dist" || len(base) > 2 && base[0] == '.' && base != ".github"):
			return filepath.SkipDir
		case e.IsDir() || !strings.HasSuffix(base, ".md"):
			return nil
		}
		b, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, name)
		t.docs[filepath.ToSlash(rel)] = parse(filepath.ToSlash(rel), b)
		return err
	})
	return t, err
}

// parse reads one file.
func parse(name string, b []byte) *document {
	d := &document{name: name, text: b}
	d.root = markdown.Parser().Parse(text.NewReader(b), parser.WithContext(parser.NewContext(parser.WithIDs(&slugs{map[string]int{}}))))
	_ = ast.Walk(d.root, func(n ast.Node, enter bool) (ast.WalkStatus, error) {
		if h, ok := n.(*ast.Heading); ok && enter {
			id, _ := h.AttributeString("id")
			raw, _ := id.([]byte)
			d.headings = append(d.headings, heading{h.Level, string(raw), plain(h, b), h})
			if d.title == "" {
				d.title = plain(h, b)
			}
			return ast.WalkSkipChildren, nil
		}
		return ast.WalkContinue, nil
	})
	if d.title == "" {
		d.title = name
	}
	return d
}

// plain is the text of a node.
func plain(n ast.Node, source []byte) string {
	var b strings.Builder
	_ = ast.Walk(n, func(n ast.Node, enter bool) (ast.WalkStatus, error) {
		switch n := n.(type) {
		case *ast.Text:
			if enter {
				b.Write(n.Segment.Value(source))
				if n.SoftLineBreak() || n.HardLineBreak() {
					b.WriteByte(' ')
				}
			}
		case *ast.String:
			if enter {
				b.Write(n.Value)
			}
		case *ast.AutoLink:
			if enter {
				b.Write(n.Label(source))
			}
		case *ast.FencedCodeBlock, *ast.CodeBlock:
			if enter {
				for i := range n.Lines().Len() {
					s := n.Lines().At(i)
					b.Write(s.Value(source))
				}
			}
		default:
			if !enter && n.Type() == ast.TypeBlock {
				b.WriteByte(' ')
			}
		}
		return ast.WalkContinue, nil
	})
	return strings.TrimSpace(b.String())
}

// slugs makes the names of headings that GitHub makes, so that a link works in both places.
type slugs struct{ seen map[string]int }

// Generate is called by goldmark for each heading.
func (s *slugs) Generate(value []byte, _ ast.NodeKind) []byte {
	var b strings.Builder
	for _, r := range strings.ToLower(strings.TrimSpace(string(value))) {
		switch {
		case unicode.IsLetter(r) || unicode.IsNumber(r) || r == '-' || r == '_':
			b.WriteRune(r)
		case r == ' ':
			b.WriteByte('-')
		}
	}
	id := b.String()
	n := s.seen[id]
	if s.seen[id]++; n > 0 {
		id = fmt.Sprintf("%s-%d", id, n)
	}
	return []byte(id)
}

// Put is called for names that a text gives itself; our pages have none.
func (s *slugs) Put(value []byte) { s.seen[string(value)]++ }

// target returns the path in the repository that a link of a page leads to; local is false for addresses elsewhere.
func (d *document) target(dest string) (name, anchor string, local bool) {
	u, err := url.Parse(dest)
	if err != nil || u.Scheme != "" || u.Host != "" {
		return "", "", false
	}
	if u.Path == "" {
		return d.name, u.Fragment, true
	}
	dir := path.Dir(d.name)
	if in, ok := standsIn[d.name]; ok {
		dir = in
	}
	return path.Join(dir, u.Path), u.Fragment, true
}

// destination is the address of a link or picture.
func destination(n ast.Node) (string, bool) {
	switch n := n.(type) {
	case *ast.Link:
		return string(n.Destination), true
	case *ast.Image:
		return string(n.Destination), true
	}
	return "", false
}

// broken lists the links that lead nowhere, in order.
func (t *tree) broken() (list []string) {
	for _, d := range t.docs {
		_ = ast.Walk(d.root, func(n ast.Node, enter bool) (ast.WalkStatus, error) {
			dest, ok := destination(n)
			if !enter || !ok {
				return ast.WalkContinue, nil
			}
			if name, anchor, local := d.target(dest); local {
				if why := t.missing(name, anchor); why != "" {
					list = append(list, fmt.Sprintf("%s: %s: %s", d.name, dest, why))
				}
			}
			return ast.WalkContinue, nil
		})
	}
	slices.Sort(list)
	return list
}

// missing says why a place of the repository is not there; "" if it is.
func (t *tree) missing(name, anchor string) string {
	if !filepath.IsLocal(name) {
		return "outside of the repository"
	}
	if _, err := os.Stat(filepath.Join(t.root, name)); err != nil {
		return "there is no such file"
	}
	if anchor == "" {
		return ""
	}
	d := t.docs[name]
	if d == nil {
		return "an anchor in what is no Markdown"
	}
	if !slices.ContainsFunc(d.headings, func(h heading) bool { return h.id == anchor }) {
		return "there is no such heading"
	}
	return ""
}
