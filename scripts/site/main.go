// Command site writes the Markdown of this repository as pages of HTML.
//
//	go run ./scripts/site DIR
//
// README.md becomes DIR/index.html, every other page stands where it does in the repository. The navigation is
// docs/README.md: its headings and the links below them. Files and folders that a page links to, sources among them, come along as
// pages, so that no link leads nowhere. The pages ask nobody else for anything and work from a folder, without a
// server. The search is a list of the sections with their text, which the browser loads when somebody begins to search.
package main

import (
	"fmt"
	"os"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: site DIR")
		os.Exit(2)
	}
	if err := site(".", os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "site:", err)
		os.Exit(1)
	}
}

// site writes all pages, if no link is broken.
func site(root, dir string) error {
	t, err := read(root)
	if err != nil {
		return err
	}
	if broken := t.broken(); len(broken) > 0 {
		for _, b := range broken {
			fmt.Fprintln(os.Stderr, b)
		}
		return fmt.Errorf("links that lead nowhere: %d", len(broken))
	}
	w := &writer{tree: t, dir: dir, done: map[string]bool{}}
	if err := w.all(); err != nil {
		return err
	}
	fmt.Printf("site: %d pages in %s, %d sections to search\n", w.pages, dir, len(w.sections))
	return nil
}
