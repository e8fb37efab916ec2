package schema

import (
	"strings"
	"testing"
)

// TestSteady keeps what is printed a value: two tests want no minutes left over, and other edits
// print none whatever is read.
func TestSteady(t *testing.T) {
	const watch = `#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    int total = atoi(argv[1]);
    int days = total / 1440;
    int hours = (total - days * 1440) / 60;
    int rest = hours / 60 + hours % 60;
    printf("%d %02d:%02d\n", days, hours, rest);
    return 0;
}
`
	right := strings.Replace(watch, "hours / 60 + hours % 60", "total % 60", 1)
	got := chosen(t, watch, right, args("1440", "60"), args("61", "59", "1441", "1500", "1", "75", "145", "2000", "3000", "600", "130", "999"))
	if !strings.Contains(got, "total % 60") {
		t.Errorf("what is left over is always the same:\n%s", got)
	}
}

func TestSettles(t *testing.T) {
	for _, x := range []struct {
		before, after string
		want          bool
	}{
		{"01:02|02:03|03:04", "01:00|02:00|03:00", true},
		{"01:02|02:03|03:04", "01:00|02:01|03:00", false},
		{"1|2|1", "0|0|0", false},
		{"1|2|3", "one|two|three", false},
		{"1 2|2|3 4", "1|2|2", false},
	} {
		if got := settles(strings.Split(x.before, "|"), strings.Split(x.after, "|")); got != x.want {
			t.Errorf("%s to %s: %v", x.before, x.after, got)
		}
	}
}
