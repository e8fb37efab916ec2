#include <stdio.h>
#include <string.h>
#include <ctype.h>

static const char alphabet[] = "abcdefghijklmnopqrstuvwxyz";

static int index_of(int c)
{
	const char *p = c ? strchr(alphabet, tolower(c)) : NULL;
	return p ? p - alphabet : -1;
}

int main(int argc, char *argv[])
{
	char text[2000];
	int used = 0, words = 0, in_word = 0;
	size_t n, len = argc == 3 ? strlen(argv[2]) : 0;
	for (size_t i = 0; i < len; i++)
		if (index_of(argv[2][i]) < 0)
			len = 0;
	if (len == 0 || len > 31) {
		puts("usage: key_cipher e|d KEY");
		return 1;
	}
	n = fread(text, 1, sizeof text, stdin);
	for (size_t i = 0; i < n; i++) {
		int a = index_of((unsigned char)text[i]);
		if (a < 0) {
			/* a blank after a word: from here on the key begins one letter later */
			if (strchr(" \t\n", text[i]) && in_word) {
				words++;
				in_word = 0;
			}
			putchar(text[i]);
			continue;
		}
		int k = index_of((unsigned char)argv[2][(used + words) % len]);
		used++;
		in_word = 1;
		a = *argv[1] == 'd' ? a - k : a + k;
		if (a < 0)
			a += 26;
		if (a > 25)
			a -= 26;
		putchar(isupper((unsigned char)text[i]) ? toupper(alphabet[a]) : alphabet[a]);
	}
	printf("(%d letters)\n", used);
	return 0;
}
