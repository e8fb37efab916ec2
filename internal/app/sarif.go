package app

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"gulo/internal/check"
	"gulo/internal/process"
	"gulo/internal/report"
)

// This file writes findings and repairs as SARIF 2.1.0 (OASIS, 2020): one result for each (section 3.27), with the
// history of the pointers as code flows (3.36), or with a fix (3.55) whose replacements (3.57) are the exact regions
// that change. File names below the current folder are relative to it, as forges want them.

type sarif = map[string]any

// sarifRules describes the rules of gulo check, and what it means if one fires.
var sarifRules = map[string]string{
	"repair":                 "a statement that a repair changes",
	"unmatched_free":         "free of a pointer that malloc did not return",
	"double_free":            "double free: a block is freed a second time",
	"dangling_pointer_deref": "use after free: memory is used that was freed, or was a local variable of a function that has returned",
	"null_pointer_deref":     "use of a null pointer",
	"heap_buffer_overflow":   "buffer overflow: memory outside a block of the heap is used",
	"stack_buffer_overflow":  "buffer overflow: memory outside a local variable is used",
	"global_buffer_overflow": "buffer overflow: memory outside a global variable is used",
	"array_bounds":           "buffer overflow: an index outside an array that is a member or a row of another object",
	"uninitialized_read":     "read of memory that was never written",
	"definite_leak":          "memory leak: nothing points to a block any more",
	"possible_leak":          "memory leak: a block was not freed at the end",
	"leak_in_ts":             "memory leak: a block outlives the call that made it",
}

// printResults writes a document with one run that describes every rule in its results. stopped says why the run did
// not complete, or is "" (3.20).
func printResults(w io.Writer, results []sarif, stopped string) error {
	texts := maps.Clone(sarifRules)
	for _, r := range results {
		if rule, _ := r["ruleId"].(string); texts[rule] == "" {
			texts[rule] = "a rule of the user's own"
		}
	}
	rules := []sarif{}
	names := slices.Sorted(maps.Keys(texts))
	for _, n := range names {
		rules = append(rules, sarif{"id": n, "name": n, "shortDescription": sarif{"text": texts[n]}, "defaultConfiguration": sarif{"level": sarifLevel(n)}})
	}
	for _, r := range results {
		rule, _ := r["ruleId"].(string)
		r["ruleIndex"] = slices.Index(names, rule)
	}
	run := sarif{
		"tool":       sarif{"driver": sarif{"name": "gulo", "version": process.Version(), "rules": rules}},
		"columnKind": "unicodeCodePoints",
		"results":    results,
	}
	if stopped != "" {
		run["invocations"] = []sarif{{"executionSuccessful": false, "toolExecutionNotifications": []sarif{{"level": "warning", "message": sarif{"text": stopped}}}}}
	}
	doc := sarif{"version": "2.1.0", "$schema": "https://json.schemastore.org/sarif-2.1.0.json", "runs": []sarif{run}}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(doc)
}

// sarifLevel returns the level of a rule: a leak does no harm at once.
func sarifLevel(rule string) string {
	if strings.Contains(rule, "leak") {
		return "warning"
	}
	return "error"
}

func printSARIF(w io.Writer, rep *report.Report) error {
	results := []sarif{}
	for i := range rep.Repairs {
		if rep.Result != report.None { // a refuted repair fixes nothing
			results = append(results, sarifResult(&rep.Repairs[i]))
		}
	}
	if rep.SoFar { // the search was cut short
		results[0]["level"] = "note"
		return printResults(w, results, rep.Cause+": the search had not ended, and the result is the best that it had found")
	}
	return printResults(w, results, "")
}

func sarifResult(r *report.Repair) sarif {
	var texts []string
	var places, related []sarif
	for i, e := range r.Edits {
		texts = append(texts, sarifWords(&e))
		at := location(e.File, e.Line, 0)
		if i == 0 {
			places = append(places, at)
			continue
		}
		at["message"] = sarif{"text": sarifWords(&e)}
		related = append(related, at)
	}
	var changes []sarif
	for i := range r.Changes {
		c := &r.Changes[i]
		var list []sarif
		for _, p := range c.Replacements() {
			list = append(list, sarif{
				"deletedRegion":   sarif{"startLine": p.StartLine, "startColumn": p.StartColumn, "endLine": p.EndLine, "endColumn": p.EndColumn},
				"insertedContent": sarif{"text": p.Text},
			})
		}
		if len(list) > 0 {
			changes = append(changes, sarif{"artifactLocation": artifact(c.File), "replacements": list})
		}
	}
	out := sarif{"ruleId": "repair", "level": "error", "message": sarif{"text": strings.Join(texts, "; ")}, "locations": places}
	if len(related) > 0 {
		out["relatedLocations"] = related
	}
	if len(changes) > 0 {
		out["fixes"] = []sarif{{"description": sarif{"text": r.Evidence.Text}, "artifactChanges": changes}}
	}
	return out
}

// sarifWords says what an edit does, in words.
func sarifWords(e *report.Changed) string {
	switch {
	case e.Before == "":
		return fmt.Sprintf("insert '%s'", e.After)
	case e.After == "":
		return fmt.Sprintf("delete '%s'", e.Before)
	}
	return fmt.Sprintf("replace '%s' with '%s'", e.Before, e.After)
}

// printFindings writes the findings of gulo check.
func printFindings(w io.Writer, rep *check.Result) error {
	results := []sarif{}
	for i := range rep.Findings {
		results = append(results, sarifFinding(&rep.Findings[i]))
	}
	return printResults(w, results, "")
}

// sarifFinding is the result for a rule that fired: the place, where the block was allocated and freed, and the history
// of the pointers from where they were made.
func sarifFinding(f *check.Finding) sarif {
	at := location(f.File, f.Line, f.Column)
	at["logicalLocations"] = []sarif{{"name": f.Function, "kind": "function"}}
	out := sarif{"ruleId": f.Rule, "level": sarifLevel(f.Rule), "message": sarif{"text": fmt.Sprintf("%s, in %s: %s", f.Message, f.Function, f.Text)}, "locations": []sarif{at}}
	var related []sarif
	for _, x := range []struct {
		step *check.Step
		what string
	}{{f.Made, "the block is allocated here"}, {f.Ended, "the block is freed here"}} {
		if x.step != nil && x.step.Line > 0 {
			l := location(x.step.File, x.step.Line, 0)
			l["id"], l["message"] = len(related)+1, sarif{"text": x.what}
			related = append(related, l)
		}
	}
	for _, l := range f.Lost {
		at := location(l.File, l.Line, 0)
		at["id"], at["message"] = len(related)+1, sarif{"text": "the last pointer was lost here: " + l.What}
		related = append(related, at)
	}
	if len(related) > 0 {
		out["relatedLocations"] = related
	}
	if list := sarifStacks(f); len(list) > 0 {
		out["stacks"] = list
	}
	var flows []sarif
	for _, c := range append([]check.Chain{{Of: "the value", Links: f.Chain}}, f.Others...) {
		if flow := sarifFlow(c, f); flow != nil {
			flows = append(flows, flow)
		}
	}
	if len(flows) > 0 {
		out["codeFlows"] = flows
	}
	return out
}

// sarifStacks returns the call stacks of the access, the allocation and the free.
func sarifStacks(f *check.Finding) (out []sarif) {
	for _, x := range []struct {
		what  string
		first *check.Step
		calls []check.Step
	}{{"the access", &check.Step{File: f.File, Line: f.Line, Function: f.Function}, f.Calls}, {"the allocation", f.Made, f.MadeCalls}, {"the free", f.Ended, f.EndedCalls}} {
		if x.first == nil || len(x.calls) == 0 {
			continue
		}
		var frames []sarif
		for _, c := range append([]check.Step{*x.first}, x.calls...) {
			at := location(c.File, c.Line, 0)
			at["logicalLocations"] = []sarif{{"name": c.Function, "kind": "function"}}
			frames = append(frames, sarif{"location": at})
		}
		out = append(out, sarif{"message": sarif{"text": x.what}, "frames": frames})
	}
	return out
}

// sarifFlow returns the history of a pointer, from where it was made to where the rule fires; nil if nothing is known.
func sarifFlow(c check.Chain, f *check.Finding) sarif {
	var steps []sarif
	for _, l := range slices.Backward(c.Links) {
		if l.Line > 0 {
			at := location(l.File, l.Line, 0)
			at["message"] = sarif{"text": strings.TrimSpace(l.What + " in " + l.Function + ": " + l.Text)}
			steps = append(steps, sarif{"location": at})
		}
	}
	if len(steps) == 0 {
		return nil
	}
	at := location(f.File, f.Line, f.Column)
	at["message"] = sarif{"text": "used in " + f.Function + ": " + f.Text}
	return sarif{"message": sarif{"text": "where " + c.Of + " came from"}, "threadFlows": []sarif{{"locations": append(steps, sarif{"location": at})}}}
}

// location returns a place in a file. A line or column 0 is left out.
func location(file string, line, column int) sarif {
	at := sarif{"artifactLocation": artifact(file)}
	if line > 0 {
		region := sarif{"startLine": line}
		if column > 0 {
			region["startColumn"] = column
		}
		at["region"] = region
	}
	return sarif{"physicalLocation": at}
}

// artifact names a file by a URI.
func artifact(file string) sarif {
	if filepath.IsAbs(file) {
		if here, err := os.Getwd(); err == nil {
			if rel, err := filepath.Rel(here, file); err == nil && filepath.IsLocal(rel) {
				file = rel
			}
		}
	}
	u := url.URL{Path: filepath.ToSlash(file)}
	if filepath.IsAbs(file) {
		u.Scheme = "file"
	}
	return sarif{"uri": u.String()}
}
