package app

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sort"
	"strings"

	"gulo/internal/batch"
	"gulo/internal/ensure"
	"gulo/internal/formal"
	"gulo/internal/locate/spectrum"
	"gulo/internal/symbolic"

	"github.com/spf13/cobra"
)

// This file runs all localization methods that a specification allows, side by side.

// beside is one line of the table of methods.
type beside struct {
	File      string             `json:"file"`
	Line      int                `json:"line"`
	Statement string             `json:"statement"`
	Ranks     map[string]float64 `json:"ranks"` // by method
	Score     float64            `json:"score"` // combined
}

// allRanking is the document of gulo locate --method all.
type allRanking struct {
	Method  string            `json:"method"`
	Ranking []beside          `json:"ranking"`
	Left    map[string]string `json:"left_out"` // methods, and why
	Rule    string            `json:"rule"`
}

const combination = "the mean over the methods of one divided by the rank that a method gives a line (0 when it does not name it)"

var allMethods = []string{"diagnosis", "evidence", "spectrum", "gradient"}

func (s *streams) locateAll(c *cobra.Command, f *specFlags, g *formalFlags, k *contractFlags, args []string) error {
	out := &allRanking{Method: "all", Left: map[string]string{}, Rule: combination}
	lists := map[string][]batch.Suspect{}
	out.Left["gradient"] = "it follows a session: gulo debug, then locate"
	if k.given() {
		r, err := s.ensureRequest(c, &specFlags{src: f.src, tests: f.tests, entry: f.entry, limit: f.limit}, k, args)
		if err != nil {
			return err
		}
		r.Spectrum = true
		rank, rep, err := ensure.Locate(c.Context(), r)
		if err != nil {
			return ensureError(err)
		}
		lists["evidence"], lists["spectrum"] = rank.Ranking, rep.Spectrum
	} else {
		out.Left["evidence"] = "it needs a contract"
	}
	if err := s.allByLogic(c, f, g, args, lists, out.Left); err != nil {
		return err
	}
	if len(lists) == 0 {
		return &exitError{exitUsage, "no method has what it needs: give --assert, --reference, or --contract"}
	}
	out.Ranking = combine(lists)
	return s.answer(f.output, func(w io.Writer) error {
		if f.format == "json" {
			enc := json.NewEncoder(w)
			enc.SetEscapeHTML(false)
			enc.SetIndent("", "  ")
			return enc.Encode(out)
		}
		return out.print(w)
	})
}

// allByLogic asks for diagnoses, and for a spectrum of a reference's cases.
func (s *streams) allByLogic(c *cobra.Command, f *specFlags, g *formalFlags, args []string, lists map[string][]batch.Suspect, left map[string]string) error {
	if !g.assert && f.reference == "" {
		left["diagnosis"] = "it needs --assert or --reference"
		if lists["spectrum"] == nil {
			left["spectrum"] = "it needs cases: --reference, --contract or --tests"
		}
		return nil
	}
	r, err := s.formalRequest(c, &specFlags{src: f.src, reference: f.reference, entry: f.entry, limit: f.limit}, g, args)
	if err != nil {
		return err
	}
	rank, _, err := formal.Locate(c.Context(), r)
	var un *symbolic.Unsupported
	switch {
	case errors.As(err, &un):
		left["diagnosis"] = err.Error()
	case err != nil:
		return formalError(err)
	case rank != nil:
		lists["diagnosis"] = rank.Ranking
	}
	if f.reference == "" || lists["spectrum"] != nil {
		return nil
	}
	b, err := s.request(c, f, args)
	if err != nil {
		return err
	}
	rank, err = batch.Locate(c.Context(), b, spectrum.Method("ochiai"))
	if err != nil {
		left["spectrum"] = err.Error()
		return nil
	}
	lists["spectrum"] = rank.Ranking
	return nil
}

// combine ranks lines by the mean of what methods say.
func combine(lists map[string][]batch.Suspect) []beside {
	byLine := map[string]*beside{}
	var keys []string
	for _, m := range allMethods {
		seen := map[string]bool{}
		rank := 0.0
		for i, x := range lists[m] {
			k := fmt.Sprintf("%s:%d", x.File, x.Line)
			if seen[k] {
				continue
			}
			seen[k] = true
			rank++
			if r, ok := x.Ranks["ochiai"]; ok {
				rank = r // ties count with their average
			}
			b := byLine[k]
			if b == nil {
				b = &beside{File: x.File, Line: x.Line, Statement: lists[m][i].Statement, Ranks: map[string]float64{}}
				byLine[k] = b
				keys = append(keys, k)
			}
			b.Ranks[m] = rank
			b.Score += 1 / rank / float64(len(lists))
		}
	}
	var out []beside
	for _, k := range keys {
		out = append(out, *byLine[k])
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].Score > out[j].Score })
	return out
}

func (a *allRanking) print(w io.Writer) error {
	fmt.Fprintf(w, "%-28s %-36s", "place", "statement")
	for _, m := range allMethods {
		if a.Left[m] == "" {
			fmt.Fprintf(w, " %9s", m)
		}
	}
	fmt.Fprintf(w, " %9s\n", "combined")
	for _, b := range a.Ranking {
		text := strings.Join(strings.Fields(b.Statement), " ")
		if len(text) > 36 {
			text = text[:33] + "..."
		}
		fmt.Fprintf(w, "%-28s %-36s", fmt.Sprintf("%s:%d", b.File, b.Line), text)
		for _, m := range allMethods {
			switch r, ok := b.Ranks[m]; {
			case a.Left[m] != "":
			case ok:
				fmt.Fprintf(w, " %9.1f", r)
			default:
				fmt.Fprintf(w, " %9s", "-")
			}
		}
		fmt.Fprintf(w, " %9.3f\n", b.Score)
	}
	fmt.Fprintln(w, "combined: "+a.Rule)
	for _, m := range allMethods {
		if why := a.Left[m]; why != "" {
			fmt.Fprintf(w, "left out: %s, %s\n", m, why)
		}
	}
	return nil
}
