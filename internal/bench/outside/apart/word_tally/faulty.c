#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ctype.h>

// word_tally N: the N most frequent words of standard input, ties by the alphabet,
// then the number of words and the longest (the first of that length)

typedef struct {
    char *text;
    int count;
} Word;

typedef struct {
    Word *w;
    int n, room;
} Tally;

static char *copy(const char *s)
{
    char *c = malloc(strlen(s) + 1);
    return strcpy(c, s);
}

static void count_word(Tally *t, const char *s)
{
    for (int i = 0; i < t->n; i++)
        if (strcmp(t->w[i].text, s) == 0) {
            t->w[i].count++;
            return;
        }
    if (t->n == t->room) {
        t->room += 8;
        t->w = realloc(t->w, t->room * sizeof(Word));
    }
    t->w[t->n].text = copy(s);
    t->w[t->n].count = 1;
    t->n++;
}

// reads the next word in small letters; 0 at the end
static int next_word(char *buf, int size)
{
    int c, n = 0;
    while ((c = getchar()) != EOF && !isalpha(c))
        ;
    while (c != EOF && isalpha(c)) {
        if (n < size - 1)
            buf[n++] = c;
        c = getchar();
    }
    buf[n] = '\0';
    return n > 0;
}

static int compare(const void *x, const void *y)
{
    const Word *a = x, *b = y;
    if (a->count != b->count)
        return b->count - a->count;
    return strcmp(b->text, a->text);
}

int main(int argc, char **argv)
{
    Tally t = {NULL, 0, 0};
    char buf[64], *longest = NULL;
    int show = argc > 1 ? atoi(argv[1]) : 5, words = 0;

    while (next_word(buf, sizeof buf)) {
        count_word(&t, buf);
        words++;
    }
    for (int i = 0; i < t.n; i++)
        if (longest == NULL || strlen(t.w[i].text) > strlen(longest))
            longest = t.w[i].text;
    if (t.n > 0)
        qsort(t.w, t.n, sizeof(Word), compare);
    for (int i = 0; i < t.n && i < show; i++)
        printf("%3d %s\n", t.w[i].count, t.w[i].text);
    printf("%d words, %d different\n", words, t.n);
    if (longest)
        printf("longest: %s\n", longest);
    for (int i = 0; i < t.n; i++)
        free(t.w[i].text);
    free(t.w);
    return 0;
}
