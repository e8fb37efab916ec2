package cases

import "testing"

func TestUncommented(t *testing.T) {
	const in = "a /* b \" */ \"/* c */\" '\"' // d\ne \"\\\"//\" /* f"
	if got, want := uncommented(in), "a   \"/* c */\" '\"' \ne \"\\\"//\"  "; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
