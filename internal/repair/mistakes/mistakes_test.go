package mistakes

import (
	"strings"
	"testing"
)

func TestBuiltin(t *testing.T) {
	ms := Builtin()
	if len(ms) < 25 {
		t.Errorf("%d mistakes", len(ms))
	}
}

func TestMatch(t *testing.T) {
	for _, x := range []struct{ from, to, text, want string }{
		{"if ($a = $b) $s", "if ($a == $b) $s", "if (x = f(1, 2)) { y++; }", "if (x == f(1, 2)) { y++; }"},
		{"if ($a = $b) $s", "if ($a == $b) $s", "if (x == 2) y++;", ""},
		{"for ($a?; $b?; $c?) ;", "for ($a; $b; $c) $next", "for (i = 0; i < n; i++) ;", "for (i = 0; i < n; i++)"},
		{"$a / $b", "(double) $a / $b", "sum / n", "(double) sum / n"},
		{"$a / $b", "(double) $a / $b", "sum / (a, n) / 2", "(double) sum / (a, n) / 2"},
		{"$a / $b", "(double) $a / $b", "s = m / 60 + m % 60", ""},
		{"$a / $b", "(double) $a / $b", "m * k / 60", "(double) m * k / 60"},
		{"$a / 2", "$a / 2.0", "(m + n) / 2", "(m + n) / 2.0"},
		{"$a / $b", "(double) $a / $b", "-m / *p", "(double) -m / *p"},
		{"if ($a = $b && $c) $s", "if ($a == $b && $c) $s", "if (x = y || z && w) y();", ""},
		{"scanf($t, $a)", "scanf($t, &$a)", `scanf("%d", v[i])`, `scanf("%d", &v[i])`},
		{"$a < $b < $c", "$a < $b && $b < $c", "0 < x < 10", "0 < x && x < 10"},
		{"$a == $b || $o", "$a == $b || $a == $o", "c == 'a' || 'e'", "c == 'a' || c == 'e'"},
		{"$a == $b || $o", "$a == $b || $a == $o", "n == 0 || is_set(n)", ""},
		{"$a == $b || $o", "$a == $b || $a == $o", "n == 0 || !m", ""},
		{"$a == $b || $o", "$a == $b || $a == $o", "n == 0 || m < 2", ""},
		{"$a == $b == $a", "$a == $b", "x == y == z", ""},
		{"while (!feof($a)) { scanf($t, $b); $s }", "while (scanf($t, $b) == 1) { $s }", "while (!feof(stdin)) {\n scanf(\"%d\", &x); /* read */\n s += x; }", "while (scanf(\"%d\", &x) == 1) { s += x; }"},
		{"if ($a) $s", "if ($a) { $s }", "if (x) y(); else z();", ""},
		{"if ($a) $s", "if ($a) { $s }", "if (x) if (a) y(); else z();", "if (x) { if (a) y(); else z(); }"},
		{"if ($a) $s", "if ($a) { $s }", "if (x) { if (a) y(); else z(); }", ""},
		{"if ($a) $s", "if ($a) { $s $next }", "if (x) y();", "if (x) { y(); }"},
		{"if ($a) $s", "if ($a) { $s $next }", "if (x) { y(); }", ""},
		{"if ($a) $s", "if ($a) { $s $next }", "if (x) return y(1);", ""},
		{"while ($a) { $s }", "while ($a) { $s $next }", "while (x) { y(); break; }", ""},
		{"while ($a) { $s }", "while ($a) { $s $next }", "while (x) { y(); if (z) break; }", "while (x) { y(); if (z) break; }"},
		{"if ($a) $s", "if ($a) $s else $next", "if (x) { y(); return z; }", ""},
		{"if ($a = $b) $s", "if ($a == $b) $s", "if (x = y) y(); else z();", "if (x == y) y(); else z();"},
		{"scanf($t, $a)", "scanf($t, &$a)", `scanf("%d", &n)`, ""},
		{"if ($a) $s", "if ($a) $s else $next", "if (x) y(); else z();", ""},
		{"if ($a) $s", "if ($a) $s else $next", "if (x) if (y) z();", ""},
		{"for ($v = 0; $v < $b; $c) $s", "for ($v = 1; $v <= $b; $c) $s", "for (i = 0; j < n; i++) x;", ""},
	} {
		bound := map[string]string{}
		got := ""
		if match(texts(scan(x.from)), scan(x.text), x.text, bound) && !nonsense(texts(scan(x.to)), bound) {
			got = write(texts(scan(x.to)), bound)
		}
		if got != x.want {
			t.Errorf("%s in %s: %q, not %q", x.from, x.text, got, x.want)
		}
	}
}

func TestErrors(t *testing.T) {
	for text, want := range map[string]string{
		"say x":                          "before the first mistake",
		"mistake x\nto y":                "needs a",
		"mistake x\nchange $a\nto $b":    "$b is not in the pattern",
		"mistake x\ncost much":           "number from 1 to 20",
		"mistake x\nhint y":              "none of",
		"mistake x\nsay y":               "lacks",
		"mistake x\nchange $a\nto $next": "only in the place of statements",
	} {
		if _, err := Parse("m.txt", text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, not %s", text, err, want)
		}
	}
}

func TestLayout(t *testing.T) {
	before := "for (i = 0; i < n; i++)   // all\n    if (v[i] > m)\n        m = v[i];"
	after := "for (i = 1; i <= n; i++) if (v[i] > m) m = v[i];"
	now := keepLayout(before, after, "")
	if want := "for (i = 1; i <= n; i++)   // all\n    if (v[i] > m)\n        m = v[i];"; now != want {
		t.Errorf("%q, not %q", now, want)
	}
	c := differing(nil, 100, before, now)
	if len(c) != 1 {
		t.Fatalf("%v", c)
	}
	if from, to := before[c[0].Start-100:c[0].End-100], c[0].Text; from != "for (i = 0; i < n; i++)" || to != "for (i = 1; i <= n; i++)" {
		t.Errorf("%q => %q", from, to)
	}
	before = "for (;;) {\n        if (x)\n            return 1;\n        else\n            return 0;\n    }"
	after = "for (;;) { if (x) return 1; } return 0;"
	if now, want := keepLayout(before, after, "    "), "for (;;) {\n        if (x)\n            return 1;\n    }\n    return 0;"; now != want {
		t.Errorf("%q, not %q", now, want)
	}
	if c := differing(nil, 0, "x(); y = z; w();", "x(); y == z; w();"); len(c) != 1 || c[0].Text != "y == z" {
		t.Errorf("%v", c)
	}
}
