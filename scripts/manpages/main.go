// Command manpages writes gulo's manual pages and the scripts with which shells complete its commands, from the table of
// commands that --help prints.
//
//	go run ./scripts/manpages DIR
//
// It makes DIR/share/man/man1, DIR/share/bash-completion/completions, DIR/share/zsh/site-functions and
// DIR/share/fish/vendor_completions.d. SOURCE_DATE_EPOCH is the date of the pages, in seconds since 1970.
package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"gulo/internal/app"

	"github.com/spf13/cobra"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: manpages DIR")
		os.Exit(2)
	}
	if err := write(os.Args[1], date()); err != nil {
		fmt.Fprintln(os.Stderr, "manpages:", err)
		os.Exit(1)
	}
}

// date returns the date of the pages. It is fixed, so that two builds are the same.
func date() time.Time {
	sec, _ := strconv.ParseInt(os.Getenv("SOURCE_DATE_EPOCH"), 10, 64)
	return time.Unix(sec, 0).UTC()
}

func write(dir string, at time.Time) error {
	root := app.Commands()
	share := filepath.Join(dir, "share")
	man := filepath.Join(share, "man", "man1")
	if err := os.MkdirAll(man, 0o755); err != nil {
		return err
	}
	if err := pages(root, man, at.Format("January 2006")); err != nil {
		return err
	}
	for _, c := range []struct {
		file string
		make func(*cobra.Command, string) error
	}{
		{"bash-completion/completions/gulo", func(c *cobra.Command, f string) error { return c.GenBashCompletionFileV2(f, true) }},
		{"zsh/site-functions/_gulo", (*cobra.Command).GenZshCompletionFile},
		{"fish/vendor_completions.d/gulo.fish", func(c *cobra.Command, f string) error { return c.GenFishCompletionFile(f, true) }},
	} {
		f := filepath.Join(share, c.file)
		if err := os.MkdirAll(filepath.Dir(f), 0o755); err != nil {
			return err
		}
		if err := c.make(root, f); err != nil {
			return err
		}
	}
	return nil
}

// pages writes the page of a command and of those below it.
func pages(c *cobra.Command, dir, date string) error {
	var help bytes.Buffer
	c.SetOut(&help)
	if err := c.Help(); err != nil {
		return err
	}
	f := filepath.Join(dir, strings.ReplaceAll(c.CommandPath(), " ", "-")+".1")
	if err := os.WriteFile(f, []byte(page(c, help.String(), date)), 0o644); err != nil {
		return err
	}
	for _, x := range c.Commands() {
		if x.Hidden || x.Name() == "help" || x.Name() == "completion" {
			continue
		}
		if err := pages(x, dir, date); err != nil {
			return err
		}
	}
	return nil
}
