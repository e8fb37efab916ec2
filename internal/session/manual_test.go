package session

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite docs/manual.md")

// ends is the section about exit codes, the same for every command of gulo; package app tests them.
const ends = `# Exit codes

| code | meaning |
|---|---|
| 0 | done: nothing is wrong, or a repair was found and verified |
| 1 | the negative answer: no repair, a rule fired, something is wrong |
| 2 | bad usage or bad input: a wrong option, a file that cannot be read or is not C |
| 3 | something outside failed: a tool is missing or was killed, a disk is full, memory or time ran out |
| 70 | a bug in gulo: the message names a report file to send |
| 129, 130, 143 | ended by SIGHUP, SIGINT, SIGTERM (128 and the signal's number) |
| 141 | the output is a closed pipe |

` + "`gulo run`" + ` ends with the program's own code or, on an error, with the code that a native run would have: 134 (abort, double
free), 136 (division by zero), 139 (a bad pointer, the stack is full). In a session on a terminal ^C stops the program
or the command, not the session.

However gulo ends, the tools and programs that it started are killed, daemons included, and its temporary
folders are removed; after SIGKILL the next gulo removes them. A file that is written (` + "`--output`, `--rewrite`, `--svg`" + `)
is complete or unchanged. TMPDIR says where temporary folders are created. A closed standard stream counts as /dev/null.

gulo ends with code 3 before it takes more than four fifths of the memory of the machine or control group; GULO_MEMORY
sets another limit, in MiB. It also ends with code 3 when deeply nested input (source text, a heap) has filled 1 GiB of its stack.
Source files must be regular files, not pipes, with at most 1,000 nested brackets and 1,000 assignments in one expression. On the abstract machine the heap is limited by --max-memory (1 GiB; every block counts 128 bytes more than
its size), local variables by 64 MiB and calls by 100,000 levels. Pictures show the 60 nodes nearest to the variables (2,000 in files);
of larger heaps the nearest 20,000 nodes are looked at.
`

// page is the section about gulo web; package web tests the page.
const page = `# In a browser

    gulo web FILE.c... [-- ARG...]

opens the same session as a page on this machine. The printed address lets one browser in; Enter prints another. Every gesture is one of the
commands above, appears in the history, can be undone, and has a key (` + "`?`" + ` lists them):

| gesture | key | command |
|---|---|---|
| drag the head of an arrow, or the dot of a pointer, to a node, to null or to new node | m, arrow keys, Enter, a name | change |
| double-click or tap a value | the same | change |
| click the condition that comes next | e, l | enter, leave |
| click the gutter beside a line | b, up and down, Enter | break |
| click an asserted state | | resume |
| look at an earlier state on the time line, on the machine also inside a continue; go back to it | [ and ]; Escape returns | undo, for going back |
| Share | | share |

![A list whose second iteration was corrected by dragging two arrows, with the suspicious statements](web.png)

![The same list with the repairs beside the source, best first](web-repair.png)

![A search tree in which the link of the deleted node's neighbour was dragged to where it belongs](web-tree.png)

![A crash, in dark: the statement, its message, and the null pointer that it went through](web-crash.png)

Nodes stay in place until ` + "`tidy`" + `; changes are marked by a star and colour. Nodes that nothing points to any more stay, with a dotted frame, so that an arrow can be
drawn to them. With ` + "`--check`" + ` memory rules are checked, and the session begins just before the first error, with the report in the history. ` + "`gulo web --explain REPORT.json`" + ` shows what fix, locate, check or campaign answered with ` + "`--format json`" + `: places over the source, chains, repairs side by side; nothing runs. [page.md](page.md) says how the page is laid out. Beside a repair the page draws a call before and after it and, if two repairs differ, the call that tells them apart. If gulo is killed, or does not end with ` + "`quit`" + `, the next ` + "`gulo web`" + ` of the same program and text offers to replay the session's commands (except those that write files). Of a large heap the 400 nodes nearest to the changes and the variables are drawn; the search field leads to the others. Tabs share the session, and reloading or closing
one loses nothing; it ends with gulo (^C) or with ` + "`quit`" + `.

The server listens on loopback addresses only, and answers only the browser that brought the token of the address (a cookie replaces it). Requests from other pages are refused.
From another machine use ` + "`ssh -L`" + ` with ` + "`--listen 127.0.0.1:PORT`" + `, the same port on both sides.

`

// TestManual compares docs/manual.md with the table of commands.
func TestManual(t *testing.T) {
	var b strings.Builder
	b.WriteString("# Commands of a debug session\n\nMade from the command table by `go test ./internal/session -update`; do not edit.\n\n" +
		"[Your first session](first-session.md) is a guide: four sessions to type along, what spec means, what to do when no repair is found.\n\n")
	b.WriteString("ENTITY is a variable (`head`, `main.list` of an outer function), a field of a node (`n4->prev`, also\n`n4 -> prev` and `n4.prev`) or an element (`table[2]`). Nodes are named n1, n2, ... in order of\nallocation. What the picture shows can be typed, and C\nexpressions over it: `n2->run.next`, `n1[8].next`, `head->next->next`, `*p`, `t->child[3]`. VALUE is a node, a place in one\n(`n1+48`), `null`, a number, a character, the name of an enum's value or of a function, an expression, `&variable`, or `new` for\na fresh node. Commands may be shortened as long as they are unique, and several may stand on a line\nseparated by semicolons.\n\n")
	for _, c := range Commands() {
		name := strings.TrimSpace(c.Name + " " + c.Args)
		if c.Alias != "" {
			name += "` (short: `" + c.Alias
		}
		end := "`"
		if c.Alias != "" {
			end = "`)"
		}
		fmt.Fprintf(&b, "## `%s%s\n\n%s.\n\n    %s\n\n", name, end, strings.ToUpper(c.Help[:1])+c.Help[1:], c.Example)
	}
	b.WriteString(page)
	b.WriteString(ends)
	const path = "../../docs/manual.md"
	if *update {
		if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil || string(got) != b.String() {
		t.Errorf("docs/manual.md is not what the command table says; run go test ./internal/session -update (%v)", err)
	}
}

// TestCommandsHaveHelp: every command has help and an example that begins with
// its name.
func TestCommandsHaveHelp(t *testing.T) {
	for _, c := range Commands() {
		if c.Help == "" || !strings.HasPrefix(c.Example, c.Name) {
			t.Errorf("%s: help %q, example %q", c.Name, c.Help, c.Example)
		}
	}
}
