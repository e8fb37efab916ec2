package session

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"
)

// This file has the texts of help: a line or two for every command, more for some.

// helpWidth is the width of help: it fits any terminal.
const helpWidth = 80

// help is the command.
func (s *Session) help(ctx context.Context, args string) error {
	var c *Command
	if args != "" {
		var err error
		if c, err = find(args); err != nil {
			return err
		}
	}
	width := helpWidth
	if s.cfg.Wrap > 0 {
		width = min(width, s.cfg.Wrap)
	}
	s.printf("%s", helpText(c, width))
	return nil
}

// helpText says of one command, or of all if c is nil, what it does, in lines of a width.
func helpText(c *Command, width int) string {
	var b strings.Builder
	if c != nil {
		fmt.Fprintln(&b, strings.TrimSpace(c.Name+" "+c.Args))
		hang(&b, "  ", c.Help, width)
		fmt.Fprintf(&b, "  example: %s\n%s", c.Example, narrow(more[c.Name], width))
		return b.String()
	}
	for _, c := range table {
		hang(&b, fmt.Sprintf("  %-24s ", strings.TrimSpace(c.Name+" "+short(c.Args))), c.Help, width)
	}
	hang(&b, "", "ENTITY is a variable (head, main.list), a field (n4->prev) or an element (table[2]). Several commands may stand on a line, separated by semicolons; names may be shortened.", width)
	hang(&b, "", "help start shows how a session goes, help spec what spec means.", width)
	return b.String()
}

// narrow breaks a text written in lines of helpWidth into shorter lines. A line that had room for another word ends a
// paragraph.
func narrow(text string, width int) string {
	if width >= helpWidth {
		return text
	}
	var b strings.Builder
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	for i := 0; i < len(lines) && text != ""; i++ {
		words := strings.TrimLeft(lines[i], " -")
		head := lines[i][:len(lines[i])-len(words)]
		for ; i+1 < len(lines); i++ {
			next := strings.TrimLeft(lines[i+1], " ")
			first, _, _ := strings.Cut(next, " ")
			if next == "" || next[0] == '-' || utf8.RuneCountInString(lines[i]+first) < helpWidth-3 {
				break
			}
			words += " " + next
		}
		hang(&b, head, words, width)
	}
	return b.String()
}

// hang writes a text after a head, in lines of a width that are indented below its first word.
func hang(b *strings.Builder, head, text string, width int) {
	col := utf8.RuneCountInString(head)
	indent := strings.Repeat(" ", col)
	b.WriteString(head)
	for i, w := range strings.Fields(text) {
		n := utf8.RuneCountInString(w)
		switch {
		case i == 0:
		case col+1+n > width:
			b.WriteString("\n" + indent)
			col = len(indent)
		default:
			b.WriteByte(' ')
			col++
		}
		b.WriteString(w)
		col += n
	}
	b.WriteByte('\n')
}

// short returns what the list of all commands shows of arguments.
func short(args string) string {
	if len(args) > 16 {
		return "..."
	}
	return args
}

// more is the long help of a command, by name.
var more = map[string]string{
	"start": `
A session goes like this. These are the commands for examples/first/append.c:

  start                  run to the first statement of main
  next 3                 execute three statements, calls included
  step                   go into a call: its function is now under repair
  finish                 run to its end; the picture shows what is wrong
  change n1->next n2     draw what it should be, arrow by arrow
  change n2->next n3
  spec                   say that the picture is right now
  repair                 find the smallest change that makes it so
  rewrite fixed.c        write the corrected program

break insert and continue also lead into a function, which is then under repair.
undo takes back the last command; type it again for the command before that.

In the picture n1, n2, ... are blocks of memory in the order in which the
program allocates them. Above a box stand the variables that point at it.
main.list is the variable list of main, seen from a function that main called.
∅ is a null pointer. ? was never written. * marks what the last command changed
(yellow where the terminal has colours). n3† was freed. →?! is a pointer to no
live block, variable or function. →stack is a pointer into the stack frame of an
active function, but to none of its variables. A number in a pointer, such as
(void *)-1, is shown as a number.

docs/first-session.md has four sessions to type along. See also: help spec.
`,
	"spec": `
spec says: at this place, the picture is right as it is now. Everything in it
counts, also what you did not change; untrack leaves parts out.

  change head n3      a change alone is not asserted ...
  spec                ... this asserts it, with all the rest

The repaired program must come from an earlier picture to this one. The earlier
picture is that of the last spec in this call. If there is none, it is the
picture at the beginning of the function, or at the breakpoint that halted
inside it. So what you change before the first statement of a function is the
input of the call.

Draw at the end of a function (finish), or after one iteration of a loop (next),
or several times: the repaired program must show each asserted picture. Where
you forced the way with enter, leave or flip, the repaired program must go the
same way by itself.
`,
	"keys": `
A program that draws on its terminal and reads keys is opened with
gulo debug --screen (or --screen=30x100), which gives it a terminal of its own:

  continue            run until it waits for keys; its screen is shown
  break insert        a breakpoint in what a key does
  keys ab<Enter>      send keys; it goes on and halts there
  screen              show its screen at this breakpoint
  screen 30x100       give it another size; it gets SIGWINCH

undo takes back the screen and the terminal's settings; when the program then
continues, it reads the same keys again. Keys that the program has not asked for
yet are kept until it does. A program that polls for keys while it does other
work, such as a game, does not count as waiting: ^C halts it, and continue lets
it go on. <C-c> interrupts like ^C, unless the program reads it as a key.
On the machine there is no terminal: keys are added to the program's input.
`,
	"expect": `
What a program prints is in no picture. Let it run, to its end or to any place,
and say what this run should print, from its beginning to its end:

  start                   the program reads n from its input
  continue                it prints: the sum is 3
  expect the sum is 6     what it should have printed
  repair                  find an edit with which it prints that

TEXT is plain text, or a C string in quotation marks, where \n ends a line.
expect < FILE takes the text from a file. White space at the ends of lines and
of the output counts only if TEXT is quoted or from a file, and differs from
what the run prints in nothing else.

Do the same for other inputs: start < FILE, or start ARG, keeps what is
asserted. The more runs you describe, the fewer wrong repairs fit them. What you
drew counts as well: the repaired program must show it.
`,
	"repair": `
repair looks for the smallest change that leads from each asserted picture to
the next: first among the statements that locate lists, then anywhere in the
functions that you stepped into, then for changes that make a loop run more or
less often. Earlier calls of the function must still end as they did.

When no repair is found:
  - look at the picture again: every part must be right (untrack leaves one out)
  - draw earlier: undo, and spec a picture in the middle
  - step into the function that does the work, and draw there
  - allow more with --slots 3, or unlock lines
When a repair does harm, it is shown but not applied: on a tenth of the inputs
that gulo makes up it ends in an error or loses nodes, and the program as
written does not. Look at the picture again, unlock lines, or draw another
picture.
When there are several repairs: patches lists them, choose 2 takes the second,
lock 31 keeps a line as it is.
`,
}
