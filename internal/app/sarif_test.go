package app

import (
	"bytes"
	"encoding/json"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"testing"

	"gulo/internal/check"
)

// The parts of SARIF 2.1.0 that gulo writes, as its schema has them. A document may have no other property.
type (
	sarifDocument struct {
		Version string     `json:"version"`
		Schema  string     `json:"$schema"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool struct {
			Driver struct {
				Name    string      `json:"name"`
				Version string      `json:"version"`
				Rules   []sarifRule `json:"rules"`
			} `json:"driver"`
		} `json:"tool"`
		ColumnKind string             `json:"columnKind"`
		Results    []sarifResultShape `json:"results"`

		Invocations []struct {
			Successful bool `json:"executionSuccessful"`
			Notes      []struct {
				Level   string       `json:"level"`
				Message sarifMessage `json:"message"`
			} `json:"toolExecutionNotifications"`
		} `json:"invocations"`
	}
	sarifRule struct {
		ID      string       `json:"id"`
		Name    string       `json:"name"`
		Short   sarifMessage `json:"shortDescription"`
		Default struct {
			Level string `json:"level"`
		} `json:"defaultConfiguration"`
	}
	sarifMessage struct {
		Text string `json:"text"`
	}
	sarifRegion struct {
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn"`
		EndLine     int `json:"endLine"`
		EndColumn   int `json:"endColumn"`
	}
	sarifArtifact struct {
		URI string `json:"uri"`
	}
	sarifLocation struct {
		ID       int           `json:"id"`
		Message  *sarifMessage `json:"message"`
		Physical struct {
			Artifact sarifArtifact `json:"artifactLocation"`
			Region   *sarifRegion  `json:"region"`
		} `json:"physicalLocation"`
		Logical []struct {
			Name string `json:"name"`
			Kind string `json:"kind"`
		} `json:"logicalLocations"`
	}
	sarifFlowShape struct {
		Message sarifMessage `json:"message"`
		Threads []struct {
			Locations []struct {
				Location sarifLocation `json:"location"`
			} `json:"locations"`
		} `json:"threadFlows"`
	}
	sarifResultShape struct {
		Rule      string           `json:"ruleId"`
		Index     int              `json:"ruleIndex"`
		Level     string           `json:"level"`
		Message   sarifMessage     `json:"message"`
		Locations []sarifLocation  `json:"locations"`
		Related   []sarifLocation  `json:"relatedLocations"`
		Flows     []sarifFlowShape `json:"codeFlows"`
		Stacks    []struct {
			Message sarifMessage `json:"message"`
			Frames  []struct {
				Location sarifLocation `json:"location"`
			} `json:"frames"`
		} `json:"stacks"`
		Fixes []struct {
			Description sarifMessage `json:"description"`
			Changes     []struct {
				Artifact     sarifArtifact `json:"artifactLocation"`
				Replacements []struct {
					Deleted  sarifRegion  `json:"deletedRegion"`
					Inserted sarifMessage `json:"insertedContent"`
				} `json:"replacements"`
			} `json:"artifactChanges"`
		} `json:"fixes"`
	}
)

// readSARIF reads a document, and checks what the schema and code hosting sites ask for.
func readSARIF(t *testing.T, text []byte) sarifRun {
	t.Helper()
	if err := validSARIF(t, text); err != nil {
		t.Errorf("%v\n%s", err, text)
	}
	var doc sarifDocument
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&doc); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if doc.Version != "2.1.0" || doc.Schema == "" || len(doc.Runs) != 1 || bytes.Contains(text, []byte(": null")) {
		t.Fatalf("%s", text)
	}
	run := doc.Runs[0]
	driver := run.Tool.Driver
	if driver.Name != "gulo" || driver.Version == "" || run.ColumnKind != "unicodeCodePoints" {
		t.Errorf("driver %s %s, columns %s", driver.Name, driver.Version, run.ColumnKind)
	}
	ids := map[string]bool{}
	for _, r := range driver.Rules {
		if r.ID == "" || ids[r.ID] || len(r.Short.Text) < 20 {
			t.Errorf("rule %q: %q", r.ID, r.Short.Text)
		}
		ids[r.ID] = true
	}
	levels := map[string]bool{"error": true, "warning": true, "note": true, "none": true}
	for _, r := range run.Results {
		if r.Index < 0 || r.Index >= len(driver.Rules) || driver.Rules[r.Index].ID != r.Rule || !levels[r.Level] || r.Message.Text == "" || len(r.Locations) != 1 {
			t.Errorf("%+v", r)
		}
		places := append(append([]sarifLocation{}, r.Locations...), r.Related...)
		for _, f := range r.Flows {
			if len(f.Threads) == 0 || len(f.Threads[0].Locations) == 0 {
				t.Errorf("a flow without locations: %+v", f)
			}
			for _, l := range f.Threads[0].Locations {
				places = append(places, l.Location)
			}
		}
		for _, k := range r.Stacks {
			if len(k.Frames) < 2 || k.Message.Text == "" {
				t.Errorf("a stack of nothing: %+v", k)
			}
			for _, f := range k.Frames {
				places = append(places, f.Location)
			}
		}
		for _, p := range places {
			relativeURI(t, p.Physical.Artifact.URI)
			if p.Physical.Region == nil || p.Physical.Region.StartLine < 1 || p.Message != nil && p.Message.Text == "" {
				t.Errorf("%+v", p)
			}
		}
		for _, f := range r.Fixes {
			if len(f.Changes) == 0 || f.Description.Text == "" {
				t.Errorf("a fix without changes: %+v", f)
			}
			for _, c := range f.Changes {
				if relativeURI(t, c.Artifact.URI); len(c.Replacements) == 0 {
					t.Errorf("a change without replacements: %+v", c)
				}
			}
		}
	}
	return run
}

func relativeURI(t *testing.T, s string) {
	t.Helper()
	if u, err := url.Parse(s); err != nil || s == "" || u.IsAbs() || strings.HasPrefix(s, "/") {
		t.Errorf("URI %q: %v", s, err)
	}
}

// TestSARIFProject: the finding of a use after free in a project has the way of its pointer and where its block was
// made, and its repair has the bytes that change.
func TestSARIFProject(t *testing.T) {
	builtQueue(t)
	if code, out, errOut := gulo(t, "", "fix", "--limit", "3m", "--tests", "tests", "--format", "sarif", "--output", "fix.sarif", "--", "make"); code != 0 {
		t.Fatalf("%d\n%s%s", code, out, errOut)
	}
	if code, out, errOut := gulo(t, "4 0 5 0 0\n", "check", "--engine", "machine", "--format", "sarif", "--output", "check.sarif", "-p", "."); code != 1 {
		t.Fatalf("%d\n%s%s", code, out, errOut)
	}
	read := func(name string) sarifRun {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return readSARIF(t, b)
	}
	run := read("check.sarif")
	if len(run.Results) != 1 {
		t.Fatalf("%+v", run.Results)
	}
	r := run.Results[0]
	if r.Rule != "dangling_pointer_deref" || !strings.HasPrefix(r.Message.Text, "use after free: ") || r.Locations[0].Physical.Region.StartLine != 12 || len(r.Flows) == 0 {
		t.Errorf("%+v", r)
	}
	if len(r.Stacks) == 0 || r.Stacks[0].Message.Text != "the access" || r.Stacks[0].Frames[0].Location.Physical.Region.StartLine != 12 {
		t.Errorf("%+v", r.Stacks)
	}
	if len(r.Related) == 0 || r.Related[0].Message.Text != "the block is allocated here" || r.Related[0].Physical.Region.StartLine != 8 {
		t.Errorf("%+v", r.Related)
	}
	way := r.Flows[0].Threads[0].Locations
	if first, last := way[0].Location, way[len(way)-1].Location; first.Physical.Region.StartLine != 8 || last.Physical.Region.StartLine != 12 {
		t.Errorf("from line %d to %d", first.Physical.Region.StartLine, last.Physical.Region.StartLine)
	}
	run = read("fix.sarif")
	if len(run.Results) != 1 || len(run.Results[0].Fixes) != 1 || !strings.Contains(run.Results[0].Message.Text, "replace 'q->tail' with '") {
		t.Errorf("%+v", run.Results)
	}
}

// TestCheckedBuild: a project built with CC="gulo cc" reports as SARIF where its error is, and where the block was
// allocated and freed; gulo fix repairs it from the same Makefile.
func TestCheckedBuild(t *testing.T) {
	if _, missing := exec.LookPath(check.Clang); !instrumented(t) || missing != nil {
		t.Skip("native debuggers need " + check.Clang + " and bin/gulo-instrument: make instrument")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	builtQueue(t)
	if out, err := exec.Command("make", "CC="+asCommand+"=1 "+self+" cc").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if code, out, errOut := gulo(t, "4 0 5 0 0\n", "check", "--format", "sarif", "--output", "check.sarif", "./queue"); code != 1 {
		t.Fatalf("%d\n%s%s", code, out, errOut)
	}
	b, err := os.ReadFile("check.sarif")
	if err != nil {
		t.Fatal(err)
	}
	run := readSARIF(t, b)
	if len(run.Results) != 1 || run.Results[0].Rule != "dangling_pointer_deref" {
		t.Fatalf("%s", b)
	}
	at := map[string]int{}
	for _, l := range run.Results[0].Related {
		at[l.Message.Text] = l.Physical.Region.StartLine
	}
	if at["the block is allocated here"] != 8 || at["the block is freed here"] != 24 {
		t.Errorf("%v", at)
	}
	if code, out, errOut := gulo(t, "", "fix", "--limit", "3m", "--tests", "tests", "--", "make", "-B"); code != 0 || !strings.Contains(out, "+++ b/src/queue.c\n") {
		t.Errorf("%d\n%s%s", code, out, errOut)
	}
}
