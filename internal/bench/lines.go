package bench

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"gulo/internal/plural"
	"gulo/internal/process"
)

// This file measures how long a session on a large program takes to start, and how much memory it needs: the first
// time, when everything is read and compiled, and the second time, with caches.

// LinesOptions say what is measured.
type LinesOptions struct {
	Lines int      // of the program
	Gulo  string   // the command
	Files []string // how the lines are spread: "one" file or "many"
}

// perFile is the approximate number of lines of a file if there are many.
const perFile = 1000

// Lines prints the table.
func Lines(ctx context.Context, w io.Writer, o LinesOptions) error {
	dir, err := process.TempDir("gulo-lines-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	fmt.Fprintf(w, "Sessions on programs by their lines: seconds of processor time, seconds by the clock, greatest memory of a process\n%-6s %8s %8s %10s %8s %8s %8s\n",
		"files", "lines", "bytes", "start", "proc", "clock", "MiB")
	for _, spread := range o.Files {
		files, lines, bytes, err := writeLines(filepath.Join(dir, spread), o.Lines, spread == "one")
		if err != nil {
			return err
		}
		script := filepath.Join(dir, "script")
		if err := os.WriteFile(script, []byte("break part_0_insert times 3\nstart\ncontinue\nnext\nquit\n"), 0o600); err != nil {
			return err
		}
		for _, start := range []string{"first", "second"} {
			c := exec.CommandContext(ctx, o.Gulo, append([]string{"debug", "--script", script}, files...)...)
			c.Env = append(os.Environ(), "XDG_CACHE_HOME="+filepath.Join(dir, "cache"))
			begin := time.Now()
			out, err := c.CombinedOutput()
			if err != nil || !strings.Contains(string(out), "part_0_insert") || !strings.Contains(string(out), "┌") {
				return fmt.Errorf("the %s start of %s in %s: %v: %.500s", start, plural.N(lines, "line"), plural.N(len(files), "file"), err, out)
			}
			u := c.ProcessState.SysUsage().(*syscall.Rusage)
			used := c.ProcessState.UserTime() + c.ProcessState.SystemTime()
			fmt.Fprintf(w, "%-6d %8d %8d %10s %8.2f %8.2f %8d\n", len(files), lines, bytes, start, used.Seconds(), time.Since(begin).Seconds(), u.Maxrss>>10)
		}
	}
	return nil
}

// writeLines writes a program of about that many lines, in one file or in several with a header.
func writeLines(dir string, lines int, one bool) (files []string, count, bytes int, err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, 0, 0, err
	}
	write := func(name, text string) error {
		count, bytes = count+strings.Count(text, "\n"), bytes+len(text)
		if strings.HasSuffix(name, ".c") {
			files = append(files, filepath.Join(dir, name))
		}
		return os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600)
	}
	var header, calls, body strings.Builder
	header.WriteString("#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n\n")
	head := "#include \"parts.h\"\n\n"
	each := strings.Count(part(0), "\n")
	for i := range max(lines/each, 1) {
		if !one && body.Len() > 0 && i%(perFile/each) == 0 {
			if err := write(fmt.Sprintf("part%d.c", i), head+body.String()); err != nil {
				return nil, 0, 0, err
			}
			body.Reset()
		}
		body.WriteString(part(i))
		fmt.Fprintf(&header, "int part_%d(int n);\n", i)
		if i < 3 {
			fmt.Fprintf(&calls, "    sum += part_%d(8);\n", i)
		}
	}
	body.WriteString("int main(void)\n{\n    int sum = 0;\n" + calls.String() + "    printf(\"%d\\n\", sum);\n    return 0;\n}\n")
	if err := write("parts.h", header.String()); err != nil {
		return nil, 0, 0, err
	}
	err = write("main.c", head+body.String())
	return files, count, bytes, err
}

// part is one piece of such a program: a struct of its own, a sorted list, a table and functions for them.
func part(i int) string {
	return strings.NewReplacer("#", fmt.Sprint(i), "@", fmt.Sprint(i%97+3), "%M", fmt.Sprint(i%13+2)).Replace(partText)
}

const partText = `/* Part #: records are kept in order of their keys, and counted by key modulo @. */
struct part_# {
    int key;
    char name[%M];
    double weight;
    unsigned flags;
    struct part_# *next;
};

enum part_#_state { PART_#_EMPTY, PART_#_SOME = @, PART_#_FULL };

static int part_#_counts[@];

static int part_#_slot(int key)
{
    return (int)((unsigned)key * 2654435761u % @);
}

static struct part_# *part_#_insert(struct part_# *list, int key, double weight)
{
    struct part_# **at = &list;
    struct part_# *fresh = malloc(sizeof *fresh);
    if (fresh == NULL)
        return list;
    fresh->key = key;
    fresh->weight = weight;
    fresh->flags = (unsigned)key & 7u;
    memset(fresh->name, 'a' + key % 26, sizeof fresh->name);
    fresh->name[sizeof fresh->name - 1] = '\0';
    while (*at != NULL && (*at)->key < key)
        at = &(*at)->next;
    fresh->next = *at;
    *at = fresh;
    part_#_counts[part_#_slot(key)]++;
    return list;
}

static struct part_# *part_#_remove(struct part_# *list, int key)
{
    struct part_# *before = NULL;
    for (struct part_# *p = list; p != NULL; before = p, p = p->next) {
        if (p->key != key)
            continue;
        if (before == NULL)
            list = p->next;
        else
            before->next = p->next;
        free(p);
        part_#_counts[part_#_slot(key)]--;
        break;
    }
    return list;
}

static enum part_#_state part_#_state(const struct part_# *list)
{
    int n = 0;
    for (; list != NULL; list = list->next)
        n += (list->flags & 1u) != 0;
    switch (n) {
    case 0:
        return PART_#_EMPTY;
    case 1:
    case 2:
        return PART_#_SOME;
    default:
        return PART_#_FULL;
    }
}

int part_#(int n)
{
    struct part_# *list = NULL;
    double total = 0;
    int most = 0;
    for (int i = 0; i < n; i++)
        list = part_#_insert(list, i * @ % (n + 1), i / 3.0);
    list = part_#_remove(list, @);
    for (int i = 0; i < @; i++)
        if (part_#_counts[i] > most)
            most = part_#_counts[i];
    for (const struct part_# *p = list; p != NULL; p = p->next)
        total += p->weight * (p->name[0] == 'a' ? 2 : 1);
    if (part_#_state(list) == PART_#_FULL)
        most += %M;
    while (list != NULL)
        list = part_#_remove(list, list->key);
    return (int)total + most;
}

`
