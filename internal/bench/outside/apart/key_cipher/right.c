#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ctype.h>

/* Vigenere with a twist: after each word the key is shifted by one letter.
   key_cipher e|d KEY <text    only letters are changed, and only they use up the key */

#define MAXKEY 32

char key[MAXKEY];
int keylen;
int pos;

int set_key(const char *s)
{
	int i;
	keylen = strlen(s);
	if (keylen == 0 || keylen >= MAXKEY)
		return 0;
	for (i = 0; i < keylen; i++) {
		if (!isalpha((unsigned char)s[i]))
			return 0;
		key[i] = tolower((unsigned char)s[i]) - 'a';
	}
	return 1;
}

void turn_key(void)
{
	char first = key[0];
	int i;
	for (i = 0; i + 1 < keylen; i++)
		key[i] = key[i + 1];
	key[keylen - 1] = first;
}

int change(int c, int decode)
{
	int base = isupper(c) ? 'A' : 'a';
	int k = key[pos % keylen];
	pos++;
	if (decode)
		return base + (c - base + 26 - k) % 26;
	return base + (c - base + k) % 26;
}

int main(int argc, char *argv[])
{
	int c, decode, letters = 0, word = 0;

	if (argc != 3 || !set_key(argv[2])) {
		printf("usage: key_cipher e|d KEY\n");
		return 1;
	}
	decode = argv[1][0] == 'd';
	while ((c = getchar()) != EOF) {
		if (isalpha(c)) {
			putchar(change(c, decode));
			letters++;
			word = 1;
			continue;
		}
		putchar(c);
		if (isspace(c) && word) {
			turn_key();
			word = 0;
		}
	}
	printf("(%d letters)\n", letters);
	return 0;
}
