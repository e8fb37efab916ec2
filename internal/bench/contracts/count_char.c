/* How often a letter is in a text of n letters.
   pre:  n >= 0 && forall(i, 0, n, s[i] != 0) && s[n] == 0
   post: result == sum(i, 0, n, s[i] == c) */
int count_char(const char *s, int n, char c)
{
    int k = 0;
    for (int i = 0; s[i] != '\0'; i++) {
        if (s[i] == c)
            k++;
    }
    return k;
}
