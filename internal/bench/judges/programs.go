package judges

import (
	"embed"
	"fmt"
	"path"
	"strings"
)

//go:embed programs
var programs embed.FS

// Program is a right program and how to call it.
type Program struct {
	Name    string
	Topic   string // name of its file, without the extension
	Entry   string // the function that is called; main for a whole program
	Stdin   bool   // of a whole program: what is drawn goes to standard input instead of arguments
	Words   string // of a whole program, what is drawn: numbers, words or lines
	Text    string
	helpers string // C code before drive
	drive   string // C statements that make one case

	mistakes [][]replacement
}

// replacement is a part of a mistake: lines of the program and what people write instead.
type replacement struct{ old, new string }

// Programs reads the corpus. A file holds programs, each in sections that begin with "//// ". The first is "program
// NAME entry FUNC", or "program NAME main args|stdin numbers|words|lines". For functions, "helpers" and "drive" follow:
// the C code that makes a case. Then come "mistakes": lines with "- " are replaced by the lines with "+ ".
func Programs() ([]*Program, error) {
	files, err := programs.ReadDir("programs")
	if err != nil {
		return nil, err
	}
	var out []*Program
	for _, f := range files {
		text, err := programs.ReadFile(path.Join("programs", f.Name()))
		if err != nil {
			return nil, err
		}
		list, err := parse(f.Name(), string(text))
		if err != nil {
			return nil, err
		}
		out = append(out, list...)
	}
	return out, nil
}

func parse(file, text string) ([]*Program, error) {
	var out []*Program
	var p *Program
	for _, part := range strings.Split("\n"+text, "\n//// ")[1:] {
		head, body, _ := strings.Cut(part, "\n")
		body = strings.TrimSuffix(body, "\n") + "\n"
		words := strings.Fields(head)
		switch {
		case words[0] == "program" && len(words) == 4 && words[2] == "entry":
			p = &Program{Name: words[1], Entry: words[3]}
		case words[0] == "program" && len(words) == 5 && words[2] == "main":
			p = &Program{Name: words[1], Entry: "main", Stdin: words[3] == "stdin", Words: words[4]}
		case p == nil:
			return nil, fmt.Errorf("%s: %q before any program", file, head)
		case words[0] == "helpers":
			p.helpers = body
			continue
		case words[0] == "drive":
			p.drive = body
			continue
		case words[0] == "mistake":
			m, err := mistake(p, body)
			if err != nil {
				return nil, fmt.Errorf("%s: %s: %w", file, p.Name, err)
			}
			p.mistakes = append(p.mistakes, m)
			continue
		default:
			return nil, fmt.Errorf("%s: what is %q?", file, head)
		}
		p.Text, p.Topic = body, strings.TrimSuffix(file, ".txt")
		out = append(out, p)
	}
	return out, nil
}

// mistake reads replacements and checks that each can be made in the program.
func mistake(p *Program, body string) ([]replacement, error) {
	var out []replacement
	adding := true
	for _, l := range strings.Split(strings.TrimSuffix(body, "\n"), "\n") {
		switch {
		case strings.HasPrefix(l, "- "):
			if adding {
				out = append(out, replacement{})
			}
			adding = false
			out[len(out)-1].old += l[2:] + "\n"
		case strings.HasPrefix(l, "+") && len(out) > 0:
			adding = true
			out[len(out)-1].new += strings.TrimPrefix(l[1:], " ") + "\n"
		default:
			return nil, fmt.Errorf("a mistake has lines with - and +, not %q", l)
		}
	}
	for _, r := range out {
		if strings.Count("\n"+p.Text, "\n"+r.old) != 1 {
			return nil, fmt.Errorf("%q does not stand in the program once", r.old)
		}
	}
	return out, nil
}

// apply makes the replacements of a mistake.
func apply(text string, rs []replacement) string {
	for _, r := range rs {
		text = strings.Replace("\n"+text, "\n"+r.old, "\n"+r.new, 1)[1:]
	}
	return text
}
