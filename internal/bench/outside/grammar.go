package outside

import (
	"fmt"
	"math/rand"
	"regexp"
	"strconv"
	"strings"
)

// This file makes inputs from a grammar.

// Grammar makes random arguments and standard input. Each line is "NAME: ALT | ALT
// ..."; the rule args gives the arguments, split at blanks, the rule stdin the
// input. An alternative is text with these in it, and \n and \t:
//
//	<NAME>              what a rule gives
//	<3..9>              a number
//	<NAME*1..8>         one to eight of them with a blank between
//	<NAME*1..8/SEP>     with SEP between, which may be empty
//	<#NAME*1..8>        the same, their number first
//	<@NAME*1..3x1..4>   a matrix: height, width, a row on each line
//	<>                  nothing
//
// Beyond a depth of six the first alternative of a rule is taken.
type Grammar struct {
	rules map[string][]string
}

var (
	itemRE   = regexp.MustCompile(`<([^<>]+)>`)
	rangeRE  = regexp.MustCompile(`^(-?\d+)\.\.(-?\d+)$`)
	repeatRE = regexp.MustCompile(`(?s)^(#?)(\w+)\*(\d+)\.\.(\d+)(/.*)?$`)
	matrixRE = regexp.MustCompile(`^@(\w+)\*(\d+)\.\.(\d+)x(\d+)\.\.(\d+)$`)
	nameRE   = regexp.MustCompile(`^\w+$`)
)

const deepest = 6

// ParseGrammar reads a grammar; every name that is used must have a rule.
func ParseGrammar(text string) (*Grammar, error) {
	g := &Grammar{map[string][]string{}}
	unescape := strings.NewReplacer(`\n`, "\n", `\t`, "\t")
	for i, l := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
		name, alts, ok := strings.Cut(l, ": ")
		if !ok || !nameRE.MatchString(name) {
			return nil, fmt.Errorf("line %d: %q is no rule", i+1, l)
		}
		for _, a := range strings.Split(alts, " | ") {
			g.rules[name] = append(g.rules[name], unescape.Replace(a))
		}
	}
	if g.rules["args"] == nil && g.rules["stdin"] == nil {
		return nil, fmt.Errorf("there is neither a rule args nor a rule stdin")
	}
	for name, alts := range g.rules {
		for _, a := range alts {
			for _, m := range itemRE.FindAllStringSubmatch(a, -1) {
				if r := used(m[1]); r != "" && g.rules[r] == nil {
					return nil, fmt.Errorf("rule %s: <%s> means nothing", name, m[1])
				}
			}
		}
	}
	return g, nil
}

// used returns the name of the rule that an item needs.
func used(item string) string {
	if rangeRE.MatchString(item) {
		return ""
	}
	if m := matrixRE.FindStringSubmatch(item); m != nil {
		return m[1]
	}
	if m := repeatRE.FindStringSubmatch(item); m != nil {
		return m[2]
	}
	return item
}

// Runs makes up to n different runs, none of them among known.
func (g *Grammar) Runs(n int, seed int64, known []Run) []Run {
	rnd := rand.New(rand.NewSource(seed))
	seen := map[string]bool{}
	for _, k := range known {
		seen[k.String()] = true
	}
	var out []Run
	for range 10 * n {
		var r Run
		if g.rules["args"] != nil {
			r.Args = strings.Fields(g.rule("args", rnd, 0))
		}
		if g.rules["stdin"] != nil {
			r.Stdin = g.rule("stdin", rnd, 0)
		}
		if key := r.String(); !seen[key] {
			seen[key] = true
			out = append(out, r)
		}
		if len(out) == n {
			break
		}
	}
	return out
}

func (g *Grammar) rule(name string, rnd *rand.Rand, depth int) string {
	alts := g.rules[name]
	a := alts[0]
	if depth <= deepest {
		a = alts[rnd.Intn(len(alts))]
	}
	return itemRE.ReplaceAllStringFunc(strings.ReplaceAll(a, "<>", ""), func(item string) string {
		return g.item(item[1:len(item)-1], rnd, depth+1)
	})
}

func (g *Grammar) item(item string, rnd *rand.Rand, depth int) string {
	between := func(lo, hi string) int {
		a, _ := strconv.Atoi(lo) // the regular expression ensures digits
		b, _ := strconv.Atoi(hi)
		return a + rnd.Intn(max(b-a, 0)+1)
	}
	several := func(name, sep string, n int) string {
		var parts []string
		for range n {
			parts = append(parts, g.rule(name, rnd, depth))
		}
		return strings.Join(parts, sep)
	}
	if m := rangeRE.FindStringSubmatch(item); m != nil {
		return strconv.Itoa(between(m[1], m[2]))
	}
	if m := matrixRE.FindStringSubmatch(item); m != nil {
		h, w := between(m[2], m[3]), between(m[4], m[5])
		text := fmt.Sprintf("%d %d", h, w)
		for range h {
			text += "\n" + several(m[1], " ", w)
		}
		return text
	}
	if m := repeatRE.FindStringSubmatch(item); m != nil {
		sep := " "
		if m[5] != "" {
			sep = m[5][1:]
		}
		n := between(m[3], m[4])
		text := several(m[2], sep, n)
		if m[1] != "" {
			text = strconv.Itoa(n) + sep + text
		}
		return text
	}
	return g.rule(item, rnd, depth)
}
