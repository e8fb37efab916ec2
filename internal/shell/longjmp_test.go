package shell_test

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// jumps comes back to a call of setjmp from a function that is stepped over, from the handler of a signal, and a
// thousand times from deeper calls, in which the session does not halt.
const jumps = `#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
static jmp_buf top;
static void on(int sig)
{
    longjmp(top, sig == SIGUSR1 ? 2 : 3);
}
static int deep(int n)
{
    if (n == 0)
        longjmp(top, 4);
    return deep(n - 1) + 1;
}
static int guard(int n)
{
    jmp_buf own;
    int v = setjmp(own);
    if (v != 0)
        return 1;
    if (n % 2)
        longjmp(own, 1);
    return 0;
}
static int work(int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += guard(i);
    return sum + deep(3);
}
int main(void)
{
    volatile int times = 0;
    signal(SIGUSR1, on);
    int code = setjmp(top);
    times++;
    if (times == 1)
        raise(SIGUSR1);
    if (times == 2)
        on(SIGUSR2);
    if (times == 3)
        times += work(1000);
    printf("%d %d\n", times, code);
    return 0;
}
`

// TestLongjmp: next over a call that is left by longjmp halts where the program comes back, alike on both engines,
// and so does finish.
func TestLongjmp(t *testing.T) {
	shown := regexp.MustCompile(`(?m)^p\.c:\d+: .*$|^the program .*$|^\d+ \d+$`)
	var first string
	for _, engine := range engines {
		t.Chdir(t.TempDir())
		if err := os.WriteFile("p.c", []byte(jumps), 0o600); err != nil {
			t.Fatal(err)
		}
		s := newSession(t, engine, nil, "p.c")
		script := "start\n" + strings.Repeat("next\n", 18) + "start\nbreak deep\ncontinue\nbreak -deep\nfinish\nnext\nstart\nbreak guard\ncontinue\nnext\nnext\nfinish\n"
		got := strings.Join(shown.FindAllString(run(t, s, script), -1), "\n")
		for _, want := range []string{"raise(SIGUSR1);\np.c:37: times++;", "on(SIGUSR2);\np.c:37: times++;", "times += work(1000);\np.c:37: times++;"} {
			if !strings.Contains(got, want) {
				t.Errorf("%s: no %q in\n%s", engine, want, got)
			}
		}
		if first == "" {
			first = got
		}
		if got != first {
			t.Errorf("the engines differ:\n%s\n\n%s", first, got)
		}
	}
}
