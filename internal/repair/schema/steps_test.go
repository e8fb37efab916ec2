package schema

import (
	"strings"
	"testing"

	"gulo/internal/native"
)

func TestCounted(t *testing.T) {
	for _, x := range [][2]string{
		{"n = 0;", "n = 0;"},
		{"while (*s) s++;", "while ( gulo_step(), *s) s++;"},
		{"for (int i = f(a, b); i < n; i++) g(\"for (;\");", "for (int i = f(a, b); gulo_step(),  i < n; i++) g(\"for (;\");"},
		{"for (;;) { while(1) ; }", "for (; gulo_step(), 1;) { while( gulo_step(), 1) ; }"},
		{"do { whiles(1); } while (forth);", "do { whiles(1); } while ( gulo_step(), forth);"},
		{"if (c) goto out; else mygoto(1);", "if (c) while (gulo_step(), 1) goto out; else mygoto(1);"},
		{"meanwhile (1); x = '\"'; for(i = 0 ;; i++);", "meanwhile (1); x = '\"'; for(i = 0 ; gulo_step(), 1; i++);"},
	} {
		if got := counted(x[0]); got != x[1] {
			t.Errorf("%s\ngives %s\nnot   %s", x[0], got, x[1])
		}
	}
}

func TestLikelySteps(t *testing.T) {
	for _, x := range []struct {
		stdin, args string
		want        int64
	}{
		{"3 4\n", "", 2_000},
		{"5000\n", "", 100_000},
		{"", "700", 14_000},
		{"99999999999\n", "", mostLikelySteps},
		{strings.Repeat("a line of text\n", 20), "", 30_000},
	} {
		got := likelySteps([]native.Test{{Stdin: x.stdin, Args: strings.Fields(x.args), Stdout: ""}})
		if got != x.want {
			t.Errorf("%.20q %s: %d, not %d", x.stdin, x.args, got, x.want)
		}
	}
}
