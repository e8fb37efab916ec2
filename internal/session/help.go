package session

// This file is what help says of the commands that need more than a line.

// more is the long help of a command, by name.
var more = map[string]string{
	"start": `
A session goes like this:

  start                  the first statement of main
  next 3                 execute three statements, calls included
  step                   go into a call: this function is under repair
  finish                 run to its end; the picture shows what is wrong
  change n2->next n3     draw what it should be, arrow by arrow
  spec                   say that the picture is right now
  repair                 find the smallest change that makes it so
  rewrite fixed.c        write the corrected program

Nodes (n1, n2, ...) are blocks of memory in the order of their allocation. In the
picture ∅ is a null pointer, ? was never written, * (in colours: what is yellow) is
what the last command changed. Where the program stands already, break FUNC and
continue bring you to a function as well. undo takes any command back, one each
time.

docs/first-session.md has three sessions to type along. See also: help spec.
`,
	"spec": `
The repaired program must show the picture as it is now, at this place, when it
comes from the picture before: the one of the last spec, or of the beginning of
the function, or, where a breakpoint halted in the middle of one, of that halt.
Everything in the picture counts, also what you did not change; untrack leaves
parts out.

  change head n3      a change alone is not asserted ...
  spec                ... this asserts it, with all the rest

Draw at the end of a function (finish), or after one round of a loop (next), or
several times: each picture is one more that the repaired program must show. What
is changed before the first statement of a function is its input. Where enter,
leave or flip led the run, the repaired program must go by itself.
`,
	"repair": `
It looks for the smallest change that leads from each picture to the next, first
among the statements that locate lists, then anywhere in the functions that you
stepped into, then for changes that make a loop run more or less often. The calls
of the function before this one must still end as they did.

When there is none:
  - look at the picture again: every part must be right, or be left out by untrack
  - draw earlier: undo, and spec a picture in the middle
  - step into the function that does the work, and draw there
  - allow more with --slots 3, or unlock lines
When there are several: patches lists them, choose 2 takes the second, lock 31
keeps a line as it is.
`,
}
