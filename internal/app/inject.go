package app

import (
	"encoding/json"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"gulo/internal/cases"
	"gulo/internal/cfront"
	"gulo/internal/fault"
	"gulo/internal/lower"
	"gulo/internal/plural"
)

func (s *streams) injectCommand() *cobra.Command {
	var src sourceFlags
	var build buildFlag
	var x, y, n int
	var seed int64
	var out, entry string
	var kinds []string
	var all []string
	for _, k := range append(append([]fault.Kind(nil), fault.Paper...), fault.Beyond...) {
		all = append(all, string(k))
	}
	c := &cobra.Command{
		Use: `inject [flags] FILE.c [-- ARG...]
  gulo inject [flags] -p BUILD_DIR [PROGRAM] [-- ARG...]`,
		Short: "make faulty variants of a correct program",
		Long: `Writes faulty variants of a program into a directory. In each, --mutations
places are changed (a variable or a field; with --kind also a constant, an
operator, the order of two statements, a null check) and --deletions statements
are deleted. Every variant compiles and differs from the original on a generated
input or on the run with ARG. manifest.json records what was changed and an
input that shows it.`,
		Example: `  gulo inject --mutations 1 -n 20 -o faulty list.c
  gulo inject --mutations 2 --deletions 1 --seed 7 --entry insert list.c
  gulo inject --mutations 1 --kind constant,operator,swap,null-check list.c`,
		RunE: func(c *cobra.Command, args []string) error {
			switch {
			case x < 0 || y < 0 || x+y == 0:
				return &exitError{exitUsage, "ask for at least one fault with --mutations or --deletions"}
			case n < 1 || n > 100_000:
				return &exitError{exitUsage, "-n wants a number from 1 to 100000"}
			}
			var ks []fault.Kind
			for _, k := range kinds {
				if !slices.Contains(all, k) {
					return &exitError{exitUsage, fmt.Sprintf("--kind is one of %s, not %q", strings.Join(all, ", "), k)}
				}
				ks = append(ks, fault.Kind(k))
			}
			from, err := s.program(c, args, &src, &build)
			if err != nil {
				return err
			}
			if len(from.files) != 1 {
				return &exitError{exitUsage, "inject works on programs of one file"}
			}
			return s.inject(c, from.files[0], from.args, from.opt, injection{x, y, n, seed, out, entry, ks})
		},
	}
	src.register(c)
	build.register(c)
	c.Flags().IntVar(&x, "mutations", 1, "places to change")
	c.Flags().IntVar(&y, "deletions", 0, "statements to delete")
	c.Flags().IntVarP(&n, "number", "n", 10, "variants to make")
	c.Flags().Int64Var(&seed, "seed", 1, "seed of the random choices")
	c.Flags().StringVarP(&out, "out", "o", "faulty", "`DIR`: where the variants are written")
	c.Flags().StringVar(&entry, "entry", "", "`FUNCTION`: put faults into this function only")
	c.Flags().StringSliceVar(&kinds, "kind", []string{"variable", "field"}, "kinds of mutations: "+strings.Join(all, ", "))
	return c
}

type injection struct {
	x, y, n    int
	seed       int64
	out, entry string
	kinds      []fault.Kind
}

// manifest describes the variants made of one program.
type manifest struct {
	Program   string    `json:"program"`
	Seed      int64     `json:"seed"`
	Class     string    `json:"class"`
	Variants  []variant `json:"variants"`
	Discarded int       `json:"discarded"` // drawn, but they did not compile or did not differ
}

type variant struct {
	File   string   `json:"file"`
	Faults []string `json:"faults"`
	Lines  []int    `json:"lines"`
	Shown  string   `json:"shown"` // an input on which it differs from the original
}

func (s *streams) inject(c *cobra.Command, file string, args []string, opt cfront.Options, in injection) error {
	ctx := c.Context()
	p, err := lower.Load(ctx, []string{file}, opt)
	if err != nil {
		return err
	}
	var funcs []*cfront.Func
	for _, f := range p.Tree.Funcs {
		if f.Body != nil && f.Range.Valid() && !strings.HasPrefix(f.Range.File.Name, "@") && (in.entry == "" && f.Name != "main" || f.Name == in.entry) {
			funcs = append(funcs, f)
		}
	}
	if len(funcs) == 0 {
		return &exitError{exitUsage, "there is no function to put faults into"}
	}
	judge, err := cases.NewTeller(ctx, p, funcs, args)
	if err != nil {
		return specError(err)
	}
	if err := os.MkdirAll(in.out, 0o755); err != nil {
		return &exitError{exitUsage, err.Error()}
	}
	inj := fault.New(p, funcs, in.kinds)
	rnd := rand.New(rand.NewSource(in.seed))
	m := manifest{Program: file, Seed: in.seed, Class: fmt.Sprintf("<%d,%d>", in.x, in.y)}
	seen := map[string]bool{}
	progress := s.progress()
	for try := 0; len(m.Variants) < in.n && try < 60*in.n+200 && ctx.Err() == nil; try++ {
		f := inj.Draw(rnd, in.x, in.y)
		if f == nil {
			return &exitError{exitNegative, fmt.Sprintf("the program is too small for faults %s", m.Class)}
		}
		_, text, err := f.Source(p)
		if err != nil || seen[text] {
			m.Discarded++
			continue
		}
		seen[text] = true
		shown, err := judge.Tells(ctx, text, opt)
		if err != nil {
			return err
		}
		if shown == "" {
			m.Discarded++
			continue
		}
		v := variant{File: fmt.Sprintf("%s-%03d.c", strings.TrimSuffix(filepath.Base(file), ".c"), len(m.Variants)+1), Shown: shown}
		for _, u := range f.Mutations {
			v.Faults, v.Lines = append(v.Faults, u.Text), append(v.Lines, u.Line)
		}
		if err := saveFile(filepath.Join(in.out, v.File), []byte(text)); err != nil {
			return err
		}
		m.Variants = append(m.Variants, v)
		if progress != nil {
			progress(len(m.Variants), in.n)
		}
	}
	doc, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	if err := saveFile(filepath.Join(in.out, "manifest.json"), append(doc, '\n')); err != nil {
		return err
	}
	fmt.Fprintf(s.out, "%s %s in %s, %s discarded (duplicates, not compiling, or not different from the original)\n", plural.N(len(m.Variants), "variant"), m.Class, in.out, plural.N(m.Discarded, "draw"))
	if len(m.Variants) < in.n {
		return &exitError{exitNegative, fmt.Sprintf("only %d of %s %s found", len(m.Variants), plural.N(in.n, "variant"), plural.Verb(len(m.Variants), "was", "were"))}
	}
	return nil
}
