package textedit_test

import "testing"

// TestCharacters: a digit is no number, and a number no letter.
func TestCharacters(t *testing.T) {
	const args = "int main(int argc, char **argv)\n{\n"
	repairs(t, []mistake{
		{"letters counted", args + `    int f[26] = {0};
    for (char *s = argv[1]; *s; s++)
        f[*s - 'a']++;
    for (int i = 0; i < 26; i++)
        if (f[i])
            printf("%c%d ", 'a' + i, f[i]);
    return 0;
}
`, "'a' + i, f[i]", "i, f[i]", "abc|zz|hello", "qq|xyx"},
		{"upper", args + `    for (char *s = argv[1]; *s; s++)
        putchar(*s >= 'a' && *s <= 'z' ? *s - 'a' + 'A' : *s);
    return 0;
}
`, "*s - 'a' + 'A'", "*s + 'A'", "abc|Zz|h-i", "q|x9"},
		{"digit value", args + `    int sum = 0;
    for (char *s = argv[1]; *s; s++)
        sum += *s - '0';
    printf("%d\n", sum);
    return 0;
}
`, "*s - '0'", "*s", "1|22|905", "7|4321"},
	})
}
