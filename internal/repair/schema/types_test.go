package schema

import "testing"

// TestTypes corrects what stands beside a value that an alternative of an unsigned type is
// listed for: none of the others may change what it means.
func TestTypes(t *testing.T) {
	repairs(t, []mistake{
		{"a length beside a counter", "int main(int c, char **v)\n{\n    char *s = v[1], out[40];\n    int i, n = 0, d;\n    for (i = 0; i < strlen(s); i++) {\n        if (s[i] >= '0' && s[i] <= '9')\n            d = s[i] - '0';\n        else if (s[i] >= 'A' && s[i] <= 'F')\n            d = s[i] - 'A' + 10;\n        else if (s[i] >= 'a' && s[i] <= 'f')\n            d = s[i] - 'a' + 10;\n        else\n            d = -1;\n        if (d < 0)\n            break;\n        n = n * 16 + d;\n    }\n    i = 0;\n    do {\n        out[i++] = '0' + n % 2;\n        n /= 2;\n    } while (n > 0);\n    for (i = i - 1; i >= 0; i--)\n        putchar(out[i]);\n    puts(\"\");\n    return 0;\n}\n",
			"        else if (s[i] >= 'a' && s[i] <= 'f')\n            d = s[i] - 'a' + 10;\n", "", "1|F|f|0|1a|Z|AB", "e|ff|0c|g"},
	})
}
