package cfront

import "testing"

// TestSizeRanges: a statement that asks for a size which was computed where its type is declared stands
// where it is written, and does not begin in that declaration.
func TestSizeRanges(t *testing.T) {
	p, err := parseText(t, `int f(int n)
{
    struct { int id; int a[n]; double w; } s;
    union { int x[n]; char c[2]; } u;
    typedef int row[n];
    row r;
    s.id = sizeof u;
    r[0] = (int)sizeof(row);
    return s.id + (int)sizeof s + r[0];
}
`)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"s", "u", "r", "s.id = sizeof u;", "r[0] = (int)sizeof(row);", "return s.id + (int)sizeof s + r[0];"}
	var got []string
	for _, st := range p.Func("f").Body.List {
		if _, ok := st.(*Sizes); !ok {
			got = append(got, st.Range().Text())
		}
	}
	if len(got) != len(want) {
		t.Fatalf("%q, want %q", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("%q, want %q", got[i], want[i])
		}
	}
}
