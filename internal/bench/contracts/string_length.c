/* The length of a text.
   post: s[result] == 0 && result >= 0 && forall(i, 0, result, s[i] != 0) */
int string_length(const char *s)
{
    int n = 0;
    while (s[n] != '\0')
        n++;
    return n;
}
