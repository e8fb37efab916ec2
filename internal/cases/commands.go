package cases

import (
	"math/rand"
	"slices"
	"strings"
	"unicode"
)

// This file makes runs with commands that no given run has, for programs that read commands. A program and its
// reference both know such a command. What follows it is taken from commands in the given runs, or is nothing: the
// caller finds out by trying which of these works.

// Command is a line, or a word, that may be a command of a program.
type Command struct {
	word   string
	like   [][]string // lines of given runs, to take the words after the command from; nil: nothing follows
	format string     // shape of the word or line; then word and like are unused
	sign   string     // replaces the signs of the format; empty: as they are
}

// Shape reports whether c is a word or a line of some shape, which need not start with a command.
func (c *Command) Shape() bool { return c.format != "" }

// mostCommands bounds the result of Commands.
const mostCommands = 40

// Commands lists lines that may be commands. They start with a word that a program and its reference both know and no
// given line starts with. It returns none unless some given line starts with a known word.
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
			for i, w := range l[1:] { // also prefixes of the line: "mean nut" is known from "out nut 2"
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
			out = append(out, Command{word: w, like: shapes[key]})
		}
	}
	return out[:min(len(out), mostCommands)]
}

// lettered reports whether a word consists of letters only.
func lettered(w string) bool {
	return w != "" && strings.IndexFunc(w, func(c rune) bool { return !unicode.IsLetter(c) }) < 0
}

// line returns a line with the command, followed by what follows a randomly chosen given command.
func (c *Command) line(rnd *rand.Rand) []string {
	if c.like == nil {
		return []string{c.word}
	}
	l := slices.Clone(c.like[rnd.Intn(len(c.like))])
	l[0] = c.word
	return l
}

// WithCommands makes up to n inputs by putting one to three of the commands into one of some inputs. printed are words
// that the program prints; they serve as words, too, since what one run encodes, another decodes.
func WithCommands(seed int64, some []Input, list []Command, printed []string, n int) []Input {
	rnd := rand.New(rand.NewSource(seed))
	fill := shaperOf(rnd, some)
	fill.printed = printed
	seen := map[string]bool{}
	var out []Input
	for tries := 0; len(out) < n && tries < 4*n && len(list) > 0 && len(some) > 0; tries++ {
		made := some[rnd.Intn(len(some))]
		var inLines []func(d *doc, from int)
		any := false
		for k := 1 + rnd.Intn(3); k > 0; k-- {
			c := &list[rnd.Intn(len(list))]
			words, ok := fill.made(c)
			switch {
			case !ok:
			case c.format != "" && len(made.Args) > 0 && (made.Stdin == "" || rnd.Intn(2) == 0):
				made, any = Input{Args: fill.put(made.Args, words), Stdin: made.Stdin}, true
			case c.format != "":
				inLines = append(inLines, func(d *doc, from int) { fill.in(d, from, words) })
			default:
				inLines = append(inLines, func(d *doc, from int) {
					d.lines = slices.Insert(d.lines, from+rnd.Intn(len(d.lines)-from+1), words)
				})
			}
		}
		if len(inLines) > 0 {
			var ok bool
			made, ok = edited(made, inLines)
			any = any || ok
		}
		if key := made.key(); any && !seen[key] && made.Size() < mostSize {
			seen[key] = true
			out = append(out, made)
		}
	}
	return out
}

// edited changes the lines of standard input after the last count of lines, and adjusts the counts. It returns false if
// that is not possible.
func edited(in Input, changes []func(d *doc, from int)) (Input, bool) {
	if in.Stdin == "" {
		return in, false
	}
	d := documentOf(in.Stdin)
	cs, old := d.counts(), d.copy()
	from := 0
	for _, c := range cs {
		from = max(from, c.line+1)
	}
	if from > len(d.lines) {
		return in, false
	}
	for _, change := range changes {
		change(d, from)
	}
	d.settle(cs, old)
	return Input{Args: in.Args, Stdin: d.text()}, true
}
