package cases

import (
	"slices"
	"strings"
	"testing"
)

// TestCommands: words that both programs know are tried as commands, alone and with what stands
// behind those in hand or begins it; none where lines do not begin with a word.
func TestCommands(t *testing.T) {
	own := &Language{Words: []string{"put", "sum", "drop", "empty", "->"}}
	ref := &Language{Words: []string{"drop", "put", "sum", "bad amount"}}
	seeds := []Input{{Stdin: "put tea 3\nput cup 2\nsum\n"}}
	list := Commands(seeds, own, ref)
	if len(list) != 3 || list[0].word != "drop" || list[0].like != nil || list[1].word != "drop" || !slices.Equal(list[1].like[0], []string{"put", "tea"}) || len(list[2].like) != 2 {
		t.Fatalf("%+v", list)
	}
	made := WithCommands(1, seeds, list[2:], nil, 50)
	if len(made) < 40 {
		t.Errorf("%d inputs", len(made))
	}
	for _, in := range made {
		n := 0
		for _, l := range strings.Split(in.Stdin, "\n") {
			if l == "drop tea 3" || l == "drop cup 2" {
				n++
			} else if strings.HasPrefix(l, "drop") {
				t.Errorf("%q", l)
			}
		}
		if n < 1 || n > 3 {
			t.Errorf("%d commands in %q", n, in.Stdin)
		}
	}
	if list := Commands([]Input{{Stdin: "3 4\n"}}, own, ref); list != nil {
		t.Errorf("%+v", list)
	}
}

// TestWithCommandsCounts: a count of the lines stays before them, and true.
func TestWithCommandsCounts(t *testing.T) {
	for _, in := range WithCommands(1, []Input{{Stdin: "2\nput 7\nput 8\n"}}, []Command{{word: "sum"}}, nil, 30) {
		lines := strings.Split(strings.TrimSuffix(in.Stdin, "\n"), "\n")
		if n := len(lines) - 1; lines[0] != string(rune('0'+n)) {
			t.Errorf("%q", in.Stdin)
		}
	}
}
