package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gulo/internal/app"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// TestPages says that every command has a page with all its options, that groff finds nothing wrong with it, and that two
// runs write the same.
func TestPages(t *testing.T) {
	dir, again := t.TempDir(), t.TempDir()
	at := time.Unix(1_790_000_000, 0).UTC()
	for _, d := range []string{dir, again} {
		if err := write(d, at); err != nil {
			t.Fatal(err)
		}
	}
	groff, _ := exec.LookPath("groff")
	var check func(c *cobra.Command)
	check = func(c *cobra.Command) {
		if c.Hidden || c.Name() == "help" || c.Name() == "completion" {
			return
		}
		name := filepath.Join("share/man/man1", strings.ReplaceAll(c.CommandPath(), " ", "-")+".1")
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if other, _ := os.ReadFile(filepath.Join(again, name)); !bytes.Equal(text, other) {
			t.Errorf("%s: not the same twice", name)
		}
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden && f.Name != "help" && !bytes.Contains(text, []byte(escape("--"+f.Name))) {
				t.Errorf("%s: no --%s", name, f.Name)
			}
		})
		if groff != "" {
			if out, err := exec.Command(groff, "-ww", "-man", "-Tascii", filepath.Join(dir, name)).CombinedOutput(); err != nil || bytes.Contains(out, []byte("warning:")) {
				t.Errorf("%s: %v\n%s", name, err, out)
			}
		}
		for _, x := range c.Commands() {
			check(x)
		}
	}
	check(app.Commands())
	for _, f := range []string{"bash-completion/completions/gulo", "zsh/site-functions/_gulo", "fish/vendor_completions.d/gulo.fish"} {
		if text, err := os.ReadFile(filepath.Join(dir, "share", f)); err != nil || !bytes.Contains(text, []byte("gulo")) {
			t.Errorf("%s: %v", f, err)
		}
	}
}

// TestPage converts a help text with all kinds of parts.
func TestPage(t *testing.T) {
	c := &cobra.Command{Use: "x", Short: "a command that does 'nothing'"}
	got := page(c, `Does nothing:
  even   in two words,
         on two lines

Usage:
  x [flags] -- ARG
  x two  spaces

What it takes:
  -n, --number int   how many
                     of them
.begins with a dot
`, "June 2026")
	want := `.TH "X" 1 "June 2026" gulo "User Commands"
.SH NAME
x \- a command that does \(aqnothing\(aq
.SH DESCRIPTION
.SH DOES NOTHING
.TP
.B even
in two words,
on two lines
.PP
.SH USAGE
.nf
x [flags] \-\- ARG
x two  spaces
.fi
.PP
.SH WHAT IT TAKES
.TP
.B \-n, \-\-number int
how many
of them
\&.begins with a dot
.SH SEE ALSO
`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
