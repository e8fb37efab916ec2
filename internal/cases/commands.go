package cases

import (
	"math/rand"
	"slices"
	"strings"
	"unicode"
)

// This file makes runs with commands that no run in hand has. A program of commands and its reference
// both know them; what stands behind them is as behind those in hand, or nothing, and whoever makes
// runs finds out by trying which it is.

// Command is a line that may be one of a program.
type Command struct {
	word string
	like [][]string // lines of runs in hand, for what stands behind the word; nil: nothing
}

const mostCommands = 40

// Commands lists lines that may be commands: of words that a program and its reference both know, where
// lines in hand begin with such a word.
func Commands(seeds []Input, own, ref *Language) []Command {
	shapes := map[string][][]string{}
	var order []string
	used := map[string]bool{}
	known := func(w string) bool { return slices.Contains(own.Words, w) && slices.Contains(ref.Words, w) }
	begins := false
	for _, in := range seeds {
		if in.Stdin == "" {
			continue
		}
		for _, l := range documentOf(in.Stdin).lines {
			if len(l) == 0 || !known(l[0]) || !lettered(l[0]) {
				continue
			}
			begins, used[l[0]] = true, true
			key := ""
			for i, w := range l[1:] { // and what it begins with: "mean nut" beside "out nut 2"
				key += " " + wordKind(w)
				if shapes[key] == nil {
					order = append(order, key)
				}
				shapes[key] = append(shapes[key], l[:i+2])
			}
		}
	}
	if !begins {
		return nil
	}
	var out []Command
	for _, w := range own.Words {
		if used[w] || !lettered(w) || !slices.Contains(ref.Words, w) {
			continue
		}
		out = append(out, Command{word: w})
		for _, key := range order {
			out = append(out, Command{w, shapes[key]})
		}
	}
	return out[:min(len(out), mostCommands)]
}

// lettered reports whether a word is of letters alone.
func lettered(w string) bool {
	return w != "" && strings.IndexFunc(w, func(c rune) bool { return !unicode.IsLetter(c) }) < 0
}

// line is the command as a line.
func (c *Command) line(rnd *rand.Rand) []string {
	if c.like == nil {
		return []string{c.word}
	}
	l := slices.Clone(c.like[rnd.Intn(len(c.like))])
	l[0] = c.word
	return l
}

// WithCommands makes up to n inputs, each one of some with one to three of the commands put in.
func WithCommands(seed int64, some []Input, list []Command, n int) []Input {
	rnd := rand.New(rand.NewSource(seed))
	seen := map[string]bool{}
	var out []Input
	for tries := 0; len(out) < n && tries < 4*n && len(list) > 0 && len(some) > 0; tries++ {
		in := some[rnd.Intn(len(some))]
		if in.Stdin == "" {
			continue
		}
		d := documentOf(in.Stdin)
		cs, old := d.counts(), d.copy()
		from := 0
		for _, c := range cs { // a count of lines stays before them
			from = max(from, c.line+1)
		}
		for k := 1 + rnd.Intn(3); k > 0 && from <= len(d.lines); k-- {
			d.lines = slices.Insert(d.lines, from+rnd.Intn(len(d.lines)-from+1), list[rnd.Intn(len(list))].line(rnd))
		}
		d.settle(cs, old)
		made := Input{Args: in.Args, Stdin: d.text()}
		if key := made.key(); !seen[key] && made.Size() < mostSize {
			seen[key] = true
			out = append(out, made)
		}
	}
	return out
}
