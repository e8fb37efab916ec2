package cfront

import (
	"testing"

	"gulo/internal/ctype"
)

// TestIntegers: constants that are typed have the types that C gives them.
func TestIntegers(t *testing.T) {
	for text, want := range map[string]string{
		"7": "int", "2147483648": "long", "0x80000000": "unsigned int", "1u": "unsigned int", "1UL": "unsigned long",
		"1l": "long", "1ull": "unsigned long", "18446744073709551615u": "unsigned long", "010": "int", "0x7fffffffffffffff": "long",
		"0xffffffffffffffff": "unsigned long",
	} {
		x, err := ParseExpr(text, func(string) *Var { return nil })
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got := x.Type().String(); got != want {
			t.Errorf("%s is of type %s, not %s", text, got, want)
		}
	}
	if x, err := ParseExpr("010", nil); err != nil || x.(*Const).Value != ctype.Word(8) {
		t.Errorf("010 is %v, %v", x, err)
	}
	for _, text := range []string{"3z", "1lul", "08", "1_000", "0x"} {
		if x, err := ParseExpr(text, func(string) *Var { return nil }); err == nil {
			t.Errorf("%s is %v", text, x)
		}
	}
}
