package app

import (
	"encoding/json"
	"io"
	"net/url"
	"path/filepath"
	"strings"

	"gulo/internal/report"
)

// This file writes repairs as SARIF 2.1.0 (OASIS, 2020): a result for each, with a fix
// (section 3.55) whose replacements (3.57) are the exact regions that change.

type sarif = map[string]any

func printSARIF(w io.Writer, rep *report.Report) error {
	results := []sarif{}
	for i := range rep.Repairs {
		if rep.Result != report.None { // what was refuted fixes nothing
			results = append(results, sarifResult(&rep.Repairs[i]))
		}
	}
	doc := sarif{"version": "2.1.0", "$schema": "https://json.schemastore.org/sarif-2.1.0.json", "runs": []sarif{{
		"tool":       sarif{"driver": sarif{"name": "gulo", "rules": []sarif{{"id": "repair", "shortDescription": sarif{"text": "a statement that a repair changes"}}}}},
		"columnKind": "unicodeCodePoints",
		"results":    results,
	}}}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(doc)
}

func sarifResult(r *report.Repair) sarif {
	var texts []string
	var places, related []sarif
	for i, e := range r.Edits {
		texts = append(texts, sarifWords(&e))
		at := sarif{"physicalLocation": sarif{"artifactLocation": artifact(e.File), "region": sarif{"startLine": e.Line}}}
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
		changes = append(changes, sarif{"artifactLocation": artifact(c.File), "replacements": list})
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

func sarifWords(e *report.Changed) string {
	return strings.TrimSpace(e.What + ": " + e.Before + " => " + e.After)
}

// artifact names a file by a URI.
func artifact(file string) sarif {
	u := url.URL{Path: filepath.ToSlash(file)}
	if filepath.IsAbs(file) {
		u.Scheme = "file"
	}
	return sarif{"uri": u.String()}
}
