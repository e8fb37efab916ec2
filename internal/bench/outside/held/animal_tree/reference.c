#include <stdio.h>
#include <string.h>

/* nodes in an array; 0 is no node */

#define N 300

const char *word[N];
int left[N], right[N], times[N], made, top;

/* the place that holds the node of a word, or would */
int *spot(const char *w)
{
    int *p = &top;
    while (*p && strcmp(word[*p], w) != 0)
        p = strcmp(w, word[*p]) > 0 ? &right[*p] : &left[*p];
    return p;
}

void removal(const char *w)
{
    int *p = spot(w), n = *p;
    if (n == 0) {
        printf("no %s\n", w);
        return;
    }
    if (left[n] != 0 && right[n] != 0) {
        int *q = &right[n];
        while (left[*q] != 0)
            q = &left[*q];
        int next = *q;
        *q = right[next];       /* first out of its old place */
        left[next] = left[n];
        right[next] = right[n];
        *p = next;
    } else {
        *p = left[n] + right[n];
    }
}

void show(int n, const char *dots)
{
    char more[N];
    if (n == 0)
        return;
    sprintf(more, "%s.", dots);
    show(left[n], more);
    if (times[n] == 1)
        printf("%s%s\n", dots, word[n]);
    else
        printf("%s%s x%d\n", dots, word[n], times[n]);
    show(right[n], more);
}

int main(int argc, char **argv)
{
    while (--argc > 0) {
        char *w = *++argv;
        if (*w == '-') {
            removal(w + 1);
        } else {
            int *p = spot(w);
            if (*p == 0) {
                *p = ++made;
                word[made] = w;
            }
            times[*p]++;
        }
    }
    if (top == 0)
        printf("nothing\n");
    show(top, "");
    return 0;
}
