package judges

import (
	"context"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/fault"
	"gulo/internal/lower"
	"gulo/internal/process"
)

// This file makes variants of programs. A native search finds out whether they differ.

// Variant is a changed program.
type Variant struct {
	Kind string // of change: mistake, a kind of package fault, or that of a rewrite
	What string
	Text string
}

// variants lists variants of a program: mistakes first, then faults and mutations of the text. The seed decides their
// order, and the kinds take turns.
func (p *Program) variants(ctx context.Context, seed int64) ([]Variant, error) {
	var out []Variant
	for i, m := range p.mistakes {
		out = append(out, Variant{"mistake", fmt.Sprint(i + 1), apply(p.Text, m)})
	}
	faults, err := p.faults(ctx)
	if err != nil {
		return nil, err
	}
	byKind := map[string][]Variant{}
	var kinds []string
	for _, v := range append(faults, p.mutations()...) {
		if len(byKind[v.Kind]) == 0 {
			kinds = append(kinds, v.Kind)
		}
		byKind[v.Kind] = append(byKind[v.Kind], v)
	}
	rnd := rand.New(rand.NewSource(seed))
	rnd.Shuffle(len(kinds), func(i, j int) { kinds[i], kinds[j] = kinds[j], kinds[i] })
	for _, k := range kinds {
		l := byKind[k]
		rnd.Shuffle(len(l), func(i, j int) { l[i], l[j] = l[j], l[i] })
	}
	for n := 0; ; n++ {
		some := false
		for _, k := range kinds {
			if n < len(byKind[k]) {
				out, some = append(out, byKind[k][n]), true
			}
		}
		if !some {
			return out, nil
		}
	}
}

// faults returns single faults as gulo inject makes them.
func (p *Program) faults(ctx context.Context) ([]Variant, error) {
	dir, err := process.TempDir("gulo-judges-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, p.Name+".c")
	if err := os.WriteFile(path, []byte(p.Text), 0o600); err != nil {
		return nil, err
	}
	prog, err := lower.Load(ctx, []string{path}, cfront.Options{})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p.Name, err)
	}
	var funcs []*cfront.Func
	for _, f := range prog.Tree.Funcs {
		if f.Body != nil && f.Range.Valid() && f.Range.File.Name == path {
			funcs = append(funcs, f)
		}
	}
	var out []Variant
	for _, f := range fault.New(prog, funcs, append(append([]fault.Kind(nil), fault.Paper...), fault.Beyond...)).All() {
		if _, text, err := f.Source(prog); err == nil {
			m := f.Mutations[0]
			out = append(out, Variant{string(m.Kind), strings.ReplaceAll(m.Text, dir+"/", ""), text})
		}
	}
	return out, nil
}

// rewrite is a mutation of a line of text: to returns the replacement for each match; "" means no mutation.
type rewrite struct {
	kind string
	at   *regexp.Regexp
	to   func(m []string) string
}

// lastNumber matches the last number of a text.
var lastNumber = regexp.MustCompile(`-?\d+(\D*)$`)

func plus(text string, d int) string {
	at := lastNumber.FindStringSubmatchIndex(text)
	if at == nil {
		return ""
	}
	n, err := strconv.Atoi(text[at[0]:at[2]])
	if err != nil {
		return ""
	}
	return text[:at[0]] + strconv.Itoa(n+d) + text[at[2]:]
}

// rewrites are the mutations of lines. Programs have one statement on a line.
var rewrites = []rewrite{
	{"text", regexp.MustCompile(`(printf\((?:stderr, )?"[^"]*?)([a-zA-Z])([a-z]+)`), func(m []string) string { return m[1] + m[2] }},
	{"text", regexp.MustCompile(`putchar\('(.)'\)`), func(m []string) string { return "putchar('_')" }},
	{"newline", regexp.MustCompile(`\\n"`), func(m []string) string { return `"` }},
	{"newline", regexp.MustCompile(`([^n])"([,)])`), func(m []string) string { return m[1] + `\n"` + m[2] }},
	{"format", regexp.MustCompile(`%(0?)(\d?)d`), func(m []string) string {
		if m[2] != "" {
			return "%d"
		}
		return "%x"
	}},
	{"format", regexp.MustCompile(`%[cs]`), func(m []string) string {
		if m[0] == "%c" {
			return "%d"
		}
		return "%.1s"
	}},
	{"stream", regexp.MustCompile(`\bprintf\("`), func(m []string) string { return `fprintf(stderr, "` }},
	{"stream", regexp.MustCompile(`fprintf\(stderr, `), func(m []string) string { return `printf(` }},
	{"stream", regexp.MustCompile(`putchar\(([^;]*)\);`), func(m []string) string { return `putc(` + m[1] + `, stderr);` }},
	{"printed", regexp.MustCompile(`^(\s*)(?:printf|putchar)\(.*\);$`), func(m []string) string { return m[1] + ";" }},
	{"printed", regexp.MustCompile(`^(\s*)((?:printf|putchar)\(.*\);)$`), func(m []string) string { return m[1] + "{ " + m[2] + " " + m[2] + " }" }},
	{"order", regexp.MustCompile(`(printf\("[^"]*", )([^,;()]+), ([^,;()]+)\)`), func(m []string) string { return m[1] + m[3] + ", " + m[2] + ")" }},
	{"static", regexp.MustCompile(`^(\s+)static (.* = .*;)$`), func(m []string) string { return m[1] + m[2] }},
	{"static", regexp.MustCompile(`^(\s+)static \w+ \w+ = -?\d+;$`), func(m []string) string { return plus(m[0], 1) }},
	{"global", regexp.MustCompile(`^(?:static )?[\w ]+ = -?\d+;$`), func(m []string) string { return plus(m[0], 1) }},
	{"increment", regexp.MustCompile(`^(\s*)([\w.\[\]]+)\+\+;$`), func(m []string) string { return m[1] + ";" }},
	{"increment", regexp.MustCompile(`^(\s*)([\w.\[\]]+)\+\+;$`), func(m []string) string { return m[1] + "if (" + m[2] + " < 2) " + m[2] + "++;" }},
	{"increment", regexp.MustCompile(`^(\s*)([\w.\[\]]+) [-+]= (.*);$`), func(m []string) string { return m[1] + m[2] + " = " + m[3] + ";" }},
	{"reset", regexp.MustCompile(`^(\s*)[\w.]+ = (?:0|1|NULL);$`), func(m []string) string { return m[1] + ";" }},
	{"initializer", regexp.MustCompile(`= \{.*\d.*\};$`), func(m []string) string { return plus(m[0], 1) }},
	{"initializer", regexp.MustCompile(`^(\s+(?:int|char|unsigned) \w+ = )(-?\d+)\b`), func(m []string) string { return plus(m[0], 1) }},
	{"macro", regexp.MustCompile(`^#define \w+ \d+$`), func(m []string) string { return plus(m[0], 1) }},
	{"macro", regexp.MustCompile(`^enum \{ (\w+), (\w+)`), func(m []string) string { return "enum { " + m[2] + ", " + m[1] }},
	{"type", regexp.MustCompile(`^(\s+)int (\w+ = |\w+;)`), func(m []string) string { return m[1] + "unsigned char " + m[2] }},
	{"type", regexp.MustCompile(`^(\s+)int (\w+ = |\w+;)`), func(m []string) string { return m[1] + "unsigned " + m[2] }},
	{"type", regexp.MustCompile(`\bint (\w+)([,)])`), func(m []string) string { return "short " + m[1] + m[2] }},
	{"type", regexp.MustCompile(`^((?:static )?)int (\w+ = .*;)$`), func(m []string) string { return m[1] + "char " + m[2] }},
	{"result", regexp.MustCompile(`\breturn (-?\d+);`), func(m []string) string { return plus(m[0], 1) }},
}

// mutations returns variants that package fault does not make: of printing, statics and globals, initializers, macros
// and types.
func (p *Program) mutations() []Variant {
	lines := strings.Split(p.Text, "\n")
	var out []Variant
	with := func(kind string, n int, line string) {
		if line == "" || line == lines[n] {
			return
		}
		changed := append([]string(nil), lines...)
		changed[n] = line
		out = append(out, Variant{kind, fmt.Sprintf("%d: %s => %s", n+1, strings.TrimSpace(lines[n]), strings.TrimSpace(line)), strings.Join(changed, "\n")})
	}
	for n, l := range lines {
		if strings.HasPrefix(l, "/*") || strings.HasPrefix(l, "#include") {
			continue
		}
		for _, r := range rewrites {
			for _, at := range r.at.FindAllStringSubmatchIndex(l, -1) {
				m := make([]string, len(at)/2)
				for i := range m {
					if at[2*i] >= 0 {
						m[i] = l[at[2*i]:at[2*i+1]]
					}
				}
				if to := r.to(m); to != "" {
					with(r.kind, n, l[:at[0]]+to+l[at[1]:])
				}
			}
		}
		if n+1 < len(lines) && simple(l) && simple(lines[n+1]) {
			changed := append([]string(nil), lines...)
			changed[n], changed[n+1] = lines[n+1], l
			out = append(out, Variant{"order", fmt.Sprintf("%d: %s after %s", n+1, strings.TrimSpace(l), strings.TrimSpace(lines[n+1])), strings.Join(changed, "\n")})
		}
	}
	return out
}

var simpleLine = regexp.MustCompile(`^\s+[\w.>\[\]-]+(?:\(.*\)| [-+]?= .*|\+\+|--);$`)

func simple(line string) bool { return simpleLine.MatchString(line) }
