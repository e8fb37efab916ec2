/* word index kept as a tree with threads both ways */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Word {
    struct Word *lc, *rc;
    unsigned lthread : 1, rthread : 1;
    int count;
    char text[12];
} Word;

static Word *root;

static Word *fresh(const char *text, Word *pred, Word *succ) {
    Word *w = malloc(sizeof(Word));
    w->lc = pred;
    w->rc = succ;
    w->lthread = w->rthread = 1;
    w->count = 1;
    strncpy(w->text, text, sizeof(w->text) - 1);
    w->text[sizeof(w->text) - 1] = 0;
    return w;
}

static void note(const char *text) {
    if (!root) {
        root = fresh(text, NULL, NULL);
        return;
    }
    Word *w = root;
    while (1) {
        int c = strcmp(text, w->text);
        if (c == 0) {
            w->count++;
            return;
        }
        if (c < 0) {
            if (w->lthread) {
                w->lc = fresh(text, w->lc, w);
                w->lthread = 0;
                return;
            }
            w = w->lc;
        } else {
            if (w->rthread) {
                w->rc = fresh(text, w, w->rc);
                w->rthread = 0;
                return;
            }
            w = w->rc;
        }
    }
}

static Word *lowest(void) {
    Word *w = root;
    while (w && !w->lthread) w = w->lc;
    return w;
}

static Word *highest(void) {
    Word *w = root;
    while (w && !w->rthread) w = w->rc;
    return w;
}

static Word *after(Word *w) {
    if (w->rthread) return w->rc;
    w = w->rc;
    while (!w->lthread) w = w->lc;
    return w;
}

static Word *before(Word *w) {
    if (w->lthread) return w->lc;
    w = w->lc;
    while (!w->rthread) w = w->rc;
    return w;
}

int main(void) {
    char buf[12];
    int steps = 0;
    while (scanf("%11s", buf) == 1) note(buf);
    for (Word *w = lowest(); w && steps < 50; w = after(w), steps++)
        printf("%s:%d ", w->text, w->count);
    printf("\n");
    for (Word *w = highest(); w && steps < 100; w = before(w), steps++)
        printf("%s ", w->text);
    printf("\n");
    Word *w = lowest();
    while (w) {
        Word *n = after(w);
        free(w);
        w = n;
    }
    return 0;
}
