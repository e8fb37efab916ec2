package dap_test

import (
	"encoding/json"
	"maps"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gulo/internal/dap"
)

const vscode = "../../editors/vscode/"

// contributions is what VS Code reads in the extension's package.json; a field of another name or type is an error there
// that nobody sees.
type contributions struct {
	Main       string   `json:"main"`
	Activation []string `json:"activationEvents"`
	Contribute struct {
		Breakpoints []struct {
			Language string `json:"language"`
		} `json:"breakpoints"`
		Debuggers []struct {
			Type       string            `json:"type"`
			Label      string            `json:"label"`
			Languages  []string          `json:"languages"`
			Variables  map[string]string `json:"variables"`
			Attributes map[string]struct {
				Required   []string                   `json:"required"`
				Properties map[string]json.RawMessage `json:"properties"`
			} `json:"configurationAttributes"`
			Initial  []map[string]any `json:"initialConfigurations"`
			Snippets []struct {
				Label       string         `json:"label"`
				Description string         `json:"description"`
				Body        map[string]any `json:"body"`
			} `json:"configurationSnippets"`
		} `json:"debuggers"`
		Commands []struct {
			Command  string `json:"command"`
			Title    string `json:"title"`
			Category string `json:"category"`
			Icon     string `json:"icon"`
		} `json:"commands"`
		Menus map[string][]struct {
			Command string `json:"command"`
			When    string `json:"when"`
		} `json:"menus"`
		Configuration struct {
			Title      string                     `json:"title"`
			Properties map[string]json.RawMessage `json:"properties"`
		} `json:"configuration"`
	} `json:"contributes"`
	Capabilities struct {
		Untrusted struct {
			Supported  any      `json:"supported"`
			Restricted []string `json:"restrictedConfigurations"`
		} `json:"untrustedWorkspaces"`
	} `json:"capabilities"`
}

// TestExtensionContributes holds what the extension announces to what the adapter and the extension do: fields of launch.json,
// commands, settings.
func TestExtensionContributes(t *testing.T) {
	text, err := os.ReadFile(vscode + "package.json")
	if err != nil {
		t.Fatal(err)
	}
	var p contributions
	if err := json.Unmarshal(text, &p); err != nil {
		t.Fatal(err)
	}
	code, err := os.ReadFile(vscode + p.Main)
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Contribute.Debuggers) != 1 {
		t.Fatalf("%d debuggers", len(p.Contribute.Debuggers))
	}
	d := p.Contribute.Debuggers[0]
	if !slices.Contains(p.Activation, "onDebugResolve:"+d.Type) {
		t.Errorf("F5 does not start the extension: %v", p.Activation)
	}
	if !slices.Equal(d.Languages, []string{"c"}) || len(p.Contribute.Breakpoints) != 1 || p.Contribute.Breakpoints[0].Language != "c" {
		t.Errorf("F5 and breakpoints are for C: %v, %v", d.Languages, p.Contribute.Breakpoints)
	}
	takes := fields(reflect.TypeFor[dap.Launch]())
	var offered []string
	for request, a := range d.Attributes {
		if request != "launch" && request != "attach" {
			t.Errorf("there is no request %s", request)
		}
		offered = slices.AppendSeq(offered, maps.Keys(a.Properties))
		for _, x := range a.Required {
			if _, ok := a.Properties[x]; !ok {
				t.Errorf("%s requires %s, which it does not describe", request, x)
			}
		}
	}
	slices.Sort(offered)
	if offered = slices.Compact(offered); !slices.Equal(offered, takes) {
		t.Errorf("launch.json offers %v, the adapter takes %v", offered, takes)
	}
	bodies := slices.Clone(d.Initial)
	for _, s := range d.Snippets {
		bodies = append(bodies, s.Body)
	}
	for _, b := range bodies {
		request, _ := b["request"].(string)
		if _, ok := d.Attributes[request]; b["type"] != d.Type || !ok {
			t.Errorf("a configuration of no request: %v", b)
		}
		for x := range b {
			if _, ok := d.Attributes[request].Properties[x]; !ok && !slices.Contains([]string{"type", "request", "name"}, x) {
				t.Errorf("%s: %s has no field %s", b["name"], request, x)
			}
		}
	}
	commands(t, p, string(code))
	settings(t, p, string(code))
}

// commands: what is contributed is registered, and what menus and variables name is either.
func commands(t *testing.T, p contributions, code string) {
	t.Helper()
	registered := all(`registerCommand\("([\w.]+)"`, code)
	var titled []string
	for _, c := range p.Contribute.Commands {
		titled = append(titled, c.Command)
		if c.Title == "" || c.Category != "gulo" || !slices.Contains(registered, c.Command) {
			t.Errorf("command %s (%s: %s) is not registered, or has no title", c.Command, c.Category, c.Title)
		}
	}
	for menu, list := range p.Contribute.Menus {
		for _, m := range list {
			if !slices.Contains(titled, m.Command) {
				t.Errorf("menu %s has %s, which is no command", menu, m.Command)
			}
		}
	}
	for name, c := range p.Contribute.Debuggers[0].Variables {
		if !slices.Contains(registered, c) {
			t.Errorf("${command:%s} is %s, which is not registered", name, c)
		}
	}
	for _, v := range all(`\$\{command:(\w+)\}`, strings.Join(append(text(p.Contribute.Debuggers[0].Attributes["attach"].Properties), text(p.Contribute.Debuggers[0].Attributes["launch"].Properties)...), "\n")) {
		if p.Contribute.Debuggers[0].Variables[v] == "" {
			t.Errorf("${command:%s} is no variable", v)
		}
	}
}

// settings: what the extension reads is contributed, and nothing else.
func settings(t *testing.T, p contributions, code string) {
	t.Helper()
	var described []string
	for name := range p.Contribute.Configuration.Properties {
		described = append(described, strings.TrimPrefix(name, "gulo."))
	}
	slices.Sort(described)
	reads := all(`settings\(\)\.get\("(\w+)"\)`, code)
	slices.Sort(reads)
	if reads = slices.Compact(reads); !slices.Equal(described, reads) {
		t.Errorf("settings %v are described, %v are read", described, reads)
	}
	if u := p.Capabilities.Untrusted; u.Supported != "limited" || !slices.Equal(u.Restricted, []string{"gulo.path"}) {
		t.Errorf("a folder that is not trusted yet names the program to run: %v", u)
	}
}

// fields lists the names under which a struct is read.
func fields(s reflect.Type) []string {
	var out []string
	for f := range s.NumField() {
		if name, _, _ := strings.Cut(s.Field(f).Tag.Get("json"), ","); name != "-" {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

func all(pattern, s string) []string {
	var out []string
	for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(s, -1) {
		out = append(out, m[1])
	}
	return out
}

func text(m map[string]json.RawMessage) []string {
	var out []string
	for _, x := range m {
		out = append(out, string(x))
	}
	return out
}
