package native

import (
	"context"
	"fmt"
	"testing"
	"time"

	"gulo/internal/source"
)

// TestJudged runs a program whose outputs differ from the expected ones in white space, in one process and in
// processes of their own. Outputs of judged tests come, and are compared, as source.Judged makes them.
func TestJudged(t *testing.T) {
	const outputs = `#include <stdio.h>
#include <stdlib.h>
%s
int main(int argc, char **argv)
{
	static const char *const list[] = {"1 \t\r\n\n 2\f\v\n\n", "1\n\n 2", "1\n 2\n", "", "\n \n", "1\n\n 2 3"};
	%s
	fputs(list[atoi(argv[1])], stdout);
	return 0;
}
`
	raw := []string{"1 \t\r\n\n 2\f\v\n\n", "1\n\n 2", "1\n 2\n", "", "\n \n", "1\n\n 2 3"}
	for name, x := range map[string][2]string{"one process": {"", ""}, "forks": {"#include <unistd.h>", "if (fork() == 0) _exit(0);"}} {
		p := build(t, fmt.Sprintf(outputs, x[0], x[1]), Config{})
		ses := &Session{}
		ses.Limit(time.Second, 0)
		for i := range raw {
			ses.Add(&Test{Args: []string{string(rune('0' + i))}, Stdout: "1\r\n \n 2 \n", Judged: true})
			ses.Add(&Test{Args: []string{string(rune('0' + i))}, Stdout: "1\n\n 2"})
		}
		for i := range 2 * len(raw) {
			ses.Print(i)
		}
		ses.Profile(0, 0)
		a, err := p.Run(context.Background(), ses, time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		for i, r := range raw {
			if got := a.Printed[2*i].Stdout; got != source.Judged(r) {
				t.Errorf("%s: %q came as %q", name, r, got)
			}
			if got := a.Printed[2*i+1].Stdout; got != r {
				t.Errorf("%s: %q came as %q, counted exactly", name, r, got)
			}
			if m := a.Profiled[0].Met; m[2*i] != (source.Judged(r) == "1\n\n 2") || m[2*i+1] != (r == "1\n\n 2") {
				t.Errorf("%s: %q is met: %v, exactly: %v", name, r, m[2*i], m[2*i+1])
			}
		}
	}
}
