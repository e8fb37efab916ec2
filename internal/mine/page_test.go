package mine

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestPage holds the tables of docs/mined.md against the files of counted, which gulo mine --table wrote.
func TestPage(t *testing.T) {
	page, err := os.ReadFile("../../docs/mined.md")
	if err != nil {
		t.Fatal(err)
	}
	read, unread := counts(t, "read"), counts(t, "unread")
	for _, want := range []string{rulesTable(read, unread), shapesTable(read, unread)} {
		if !strings.Contains(string(page), want) {
			t.Errorf("docs/mined.md does not have this table:\n%s", want)
		}
	}
}

// mined is a file that gulo mine --table wrote: rows by their name, in order.
type mined struct {
	rules, shapes []string
	rows          map[string][]string
}

// row is that of a rule or a shape: what is not in the file has none of anything.
func (m *mined) row(name string) []string {
	if r := m.rows[name]; r != nil {
		return r
	}
	return []string{"0", "0", "0", "0", "", ""}
}

func (m *mined) number(name string, column int) int {
	n, _ := strconv.Atoi(m.row(name)[column])
	return n
}

func counts(t *testing.T, part string) *mined {
	t.Helper()
	text, err := os.ReadFile("counted/" + part + ".tsv")
	if err != nil {
		t.Fatal(err)
	}
	m, shapes := &mined{rows: map[string][]string{}}, false
	for line := range strings.Lines(string(text)) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		switch {
		case strings.HasPrefix(line, "#"):
			shapes = f[0] == "# shape"
		case shapes:
			m.shapes = append(m.shapes, f[0])
			m.rows["shape "+f[0]] = f[1:]
		default:
			m.rules = append(m.rules, f[0])
			m.rows[f[0]] = f[1:]
		}
	}
	if len(m.rules) == 0 || len(m.shapes) == 0 {
		t.Fatalf("counted/%s.tsv has %d rules and %d shapes", part, len(m.rules), len(m.shapes))
	}
	return m
}

// few is how many corrections a rule explains at least that has a row.
const few = 4

func rulesTable(read, unread *mined) string {
	names := slices.Clone(read.rules)
	for _, n := range unread.rules {
		if read.rows[n] == nil {
			names = append(names, n)
		}
	}
	slices.SortStableFunc(names, func(a, b string) int {
		return read.number(b, 0) + unread.number(b, 0) - read.number(a, 0) - unread.number(a, 0)
	})
	var b strings.Builder
	b.WriteString("| rule | explained | but for names | programs | candidates | bits | unread: explained | but for names | programs | candidates | bits | in use |\n|---|---|---|---|---|---|---|---|---|---|---|---|\n")
	others, rest := 0, [2][3]int{}
	for _, n := range names {
		r, u := read.row(n), unread.row(n)
		if read.number(n, 0)+unread.number(n, 0) < few {
			others++
			for i, m := range []*mined{read, unread} {
				for k, column := range []int{0, 1, 3} {
					rest[i][k] += m.number(n, column)
				}
			}
			continue
		}
		use := r[5]
		if use == "" {
			use = u[5]
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", strings.ReplaceAll(n, "|", `\|`), r[0], r[1], r[2], r[3], r[4], u[0], u[1], u[2], u[3], u[4], use)
	}
	fmt.Fprintf(&b, "| %d others | %d | %d | | %d | | %d | %d | | %d | | |\n", others, rest[0][0], rest[0][1], rest[0][2], rest[1][0], rest[1][1], rest[1][2])
	return b.String()
}

// mostRows bounds the table of shapes.
const mostRows = 25

func shapesTable(read, unread *mined) string {
	var b strings.Builder
	b.WriteString("| shape | no rule explains | of | unread: no rule explains | of |\n|---|---|---|---|---|\n")
	for _, n := range read.shapes[:min(mostRows, len(read.shapes))] {
		r, u := read.row("shape "+n), unread.row("shape "+n)
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", n, r[0], r[1], u[0], u[1])
	}
	return b.String()
}
